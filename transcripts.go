package chemigram

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/internal/fault"
)

// transcripts is the workspace's folder of transcripts.
const transcripts = "transcripts"

// ListTranscriptsParams are the parameters of ListTranscripts.
type ListTranscriptsParams struct {
	// Limit is how many transcripts to give.
	Limit Limit `json:"limit,omitempty" default:"20"`
	// Offset is how many transcripts to skip.
	Offset Offset `json:"offset,omitempty"`
}

// ListTranscriptsResult is a page of the transcripts.
type ListTranscriptsResult struct {
	// Transcripts of this page.
	Transcripts []Transcript `json:"transcripts"`
	// Total number of transcripts.
	Total int `json:"total"`
}

// Transcript says of a session what its header and its lines do.
type Transcript struct {
	// SessionID names it.
	SessionID SessionID `json:"session_id"`
	// BegunAt is when, as ISO 8601 in UTC.
	BegunAt string `json:"begun_at"`
	// Actor of the session.
	Actor string `json:"actor"`
	// Engine is the version of Chemigram.
	Engine string `json:"engine"`
	// Darktable is the version of darktable; empty when there was none.
	Darktable string `json:"darktable"`
	// Packs of the vocabulary, with versions.
	Packs []string `json:"packs"`
	// Images that calls named.
	Images []string `json:"images"`
	// Calls is how many calls it has.
	Calls int `json:"calls"`
	// Ended is false when the session still runs, or was killed.
	Ended bool `json:"ended"`
	// Skipped is how many lines a crash tore.
	Skipped int `json:"skipped"`
}

// ListTranscripts lists the sessions whose calls were recorded, newest first.
func (e *Engine) ListTranscripts(ctx context.Context, p ListTranscriptsParams) (_ ListTranscriptsResult, err error) {
	defer seal(&err, "list_transcripts", "")
	if err := validate(&p); err != nil {
		return ListTranscriptsResult{}, err
	}
	res := ListTranscriptsResult{Transcripts: []Transcript{}}
	ids, err := e.workspace.sessionIDs()
	if err != nil {
		return res, err
	}
	res.Total = len(ids)
	from := min(int(p.Offset), len(ids))
	for _, id := range ids[from:min(from+int(p.Limit), len(ids))] {
		read, _, err := e.readTranscript(ctx, id)
		if err != nil {
			return res, err
		}
		res.Transcripts = append(res.Transcripts, read)
	}
	return res, nil
}

// sessionIDs lists the sessions, newest first.
func (w *workspace) sessionIDs() (ids []SessionID, err error) {
	entries, err := os.ReadDir(w.path(transcripts))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, entry := range entries {
		id, ok := strings.CutSuffix(entry.Name(), ".jsonl")
		if ok && entry.Type().IsRegular() && obeys(SessionID(id)) {
			ids = append(ids, SessionID(id))
		}
	}
	slices.Reverse(ids)
	return ids, nil
}

// ReadTranscriptParams are the parameters of ReadTranscript.
type ReadTranscriptParams struct {
	// SessionID names the transcript, as list_transcripts gives it.
	SessionID SessionID `json:"session_id"`
	// Limit is how many calls to give.
	Limit Limit `json:"limit,omitempty" default:"50"`
	// Offset is how many calls to skip.
	Offset Offset `json:"offset,omitempty"`
}

// ReadTranscriptResult is a transcript with a page of its calls.
type ReadTranscriptResult struct {
	// Transcript is what the session was.
	Transcript Transcript `json:"transcript"`
	// Calls of this page, oldest first.
	Calls []TranscriptCall `json:"calls"`
}

// TranscriptCall is one call of a session.
type TranscriptCall struct {
	// N is the number of the call, from 1.
	N int `json:"n"`
	// Time when the call had ended, as ISO 8601 in UTC.
	Time string `json:"time"`
	// Verb that was called.
	Verb string `json:"verb"`
	// ImageID that it named; may be empty.
	ImageID ImageID `json:"image_id"`
	// Params of the call.
	Params Details `json:"params"`
	// Outcome is "ok" or the code of the error.
	Outcome string `json:"outcome"`
	// Message of the error; empty when there was none.
	Message string `json:"message"`
	// DurationSeconds is how long it took.
	DurationSeconds float64 `json:"duration_seconds"`
	// StateBefore is the hash of the image's look before the call.
	StateBefore string `json:"state_before"`
	// StateAfter is the hash of the image's look after the call.
	StateAfter string `json:"state_after"`
	// Result of the verb, when it is short. Pictures are there by path.
	Result Details `json:"result"`
	// Cut is true when parameters or result were too long to be kept.
	Cut bool `json:"cut"`
	// Hidden is true when "[hidden]" stands in the place of what looked like a
	// secret.
	Hidden bool `json:"hidden"`
}

// ReadTranscript gives the calls of a recorded session.
func (e *Engine) ReadTranscript(ctx context.Context, p ReadTranscriptParams) (_ ReadTranscriptResult, err error) {
	defer seal(&err, "read_transcript", "")
	if err := validate(&p); err != nil {
		return ReadTranscriptResult{}, err
	}
	about, calls, err := e.readTranscript(ctx, p.SessionID)
	if err != nil {
		return ReadTranscriptResult{}, err
	}
	from := min(int(p.Offset), len(calls))
	return ReadTranscriptResult{Transcript: about, Calls: append([]TranscriptCall{}, calls[from:min(from+int(p.Limit), len(calls))]...)}, nil
}

// readTranscript reads a transcript whole.
func (e *Engine) readTranscript(ctx context.Context, id SessionID) (Transcript, []TranscriptCall, error) {
	f, _, err := openText(e.workspace.path(transcripts), string(id)+".jsonl")
	if errors.Is(err, fs.ErrNotExist) {
		ids, _ := e.workspace.sessionIDs()
		names := make([]string, len(ids))
		for i, id := range ids {
			names[i] = string(id)
		}
		return Transcript{}, nil, fault.Missing("transcript", string(id), names)
	}
	if err != nil {
		return Transcript{}, nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, mostTranscript)
	about := Transcript{SessionID: id, Packs: []string{}, Images: []string{}}
	var calls []TranscriptCall
	for lines.Scan() {
		if err := ctx.Err(); err != nil {
			return about, nil, err
		}
		call, ok := about.take(lines.Bytes())
		if ok {
			calls = append(calls, call)
		}
	}
	return about, calls, lines.Err()
}

// take reads one line, and gives its call when it is one. A line that is none
// of a transcript is skipped.
func (t *Transcript) take(text []byte) (TranscriptCall, bool) {
	var line transcriptRead
	if json.Unmarshal(bytes.TrimSpace(text), &line) != nil {
		t.Skipped++
		return TranscriptCall{}, false
	}
	at := line.Time.Format("2006-01-02T15:04:05.000Z07:00")
	switch line.Kind {
	case "begin":
		t.BegunAt, t.Actor, t.Engine = at, line.Actor, line.Engine
		t.Darktable, t.Packs = line.Darktable, append(t.Packs, line.Packs...)
	case "end":
		t.Ended = true
	case "call":
		c := &line.transcriptCall
		t.Calls++
		if c.ImageID != "" && !slices.Contains(t.Images, string(c.ImageID)) {
			t.Images = append(t.Images, string(c.ImageID))
		}
		return TranscriptCall{
			N: c.N, Time: at, Verb: c.Verb, ImageID: c.ImageID, Params: c.Params, Outcome: c.Outcome, Message: c.Message,
			DurationSeconds: c.DurationSeconds, StateBefore: c.StateBefore, StateAfter: c.StateAfter, Result: c.Result, Cut: c.Cut,
			Hidden: c.Hidden,
		}, true
	default:
		t.Skipped++
	}
	return TranscriptCall{}, false
}
