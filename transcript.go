package chemigram

import (
	"context"
	"time"

	"github.com/chemigram/chemigram/internal/lists"
	"github.com/chemigram/chemigram/internal/transcript"
)

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
	// SessionID names the session.
	SessionID SessionID `json:"session_id"`
	// BegunAt is when it began, as ISO 8601 in UTC.
	BegunAt string `json:"begun_at"`
	// Actor of the session.
	Actor string `json:"actor,omitempty"`
	// Engine is the version of Chemigram.
	Engine string `json:"engine"`
	// Darktable is the version of darktable; empty when there was none.
	Darktable string `json:"darktable,omitempty"`
	// Packs of the vocabulary, with versions.
	Packs []string `json:"packs,omitempty"`
	// Images that its calls named.
	Images []string `json:"images,omitempty"`
	// Calls is how many calls it has.
	Calls int `json:"calls"`
	// Ended is false when the session still runs, or was killed.
	Ended bool `json:"ended"`
	// Skipped is how many lines were torn by a crash and left out.
	Skipped int `json:"skipped,omitempty"`
	// Problem says why the transcript cannot be read; empty when it can.
	Problem string `json:"problem,omitempty"`
}

// ListTranscripts lists the sessions whose calls were recorded, newest first.
func (e *Engine) ListTranscripts(ctx context.Context, p ListTranscriptsParams) (_ ListTranscriptsResult, err error) {
	defer seal(&err, "list_transcripts", "")
	if err := validate(&p); err != nil {
		return ListTranscriptsResult{}, err
	}
	res := ListTranscriptsResult{Transcripts: []Transcript{}}
	ids, err := transcript.List(e.workspace)
	if err != nil {
		return res, err
	}
	res.Total = len(ids)
	for _, id := range lists.Page(ids, p.Offset, p.Limit) {
		read, err := transcript.Read(ctx, e.workspace, id, nil)
		if ctx.Err() != nil {
			return res, ctx.Err()
		}
		read.ID = id
		about := aboutTranscript(read)
		if err != nil {
			about.Problem = AsError(err).Message
		}
		res.Transcripts = append(res.Transcripts, about)
	}
	return res, nil
}

func aboutTranscript(t transcript.Transcript) Transcript {
	return Transcript{
		SessionID: SessionID(t.ID), BegunAt: transcriptTime(t.BegunAt), Actor: t.Actor, Engine: t.Engine, Darktable: t.Darktable,
		Packs: lists.NotNil(t.Packs), Images: lists.NotNil(t.Images), Calls: t.Calls, Ended: t.Ended, Skipped: t.Skipped,
	}
}

// transcriptTime is ISO 8601 to the millisecond; empty when there is no time.
func transcriptTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format("2006-01-02T15:04:05.000Z07:00")
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
	// Transcript describes the session.
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
	// ImageID that the call named; may be empty.
	ImageID ImageID `json:"image_id,omitempty"`
	// Params of the call.
	Params Details `json:"params,omitempty"`
	// Outcome is "ok" or the code of the error.
	Outcome string `json:"outcome"`
	// Message of the error; empty when there was none.
	Message string `json:"message,omitempty"`
	// DurationSeconds is how long it took.
	DurationSeconds float64 `json:"duration_seconds" decimals:"3"`
	// StateBefore is the hash of the image's look before the call.
	StateBefore string `json:"state_before,omitempty"`
	// StateAfter is the hash of the image's look after the call.
	StateAfter string `json:"state_after,omitempty"`
	// Result of the verb, when it is short. Pictures are there by path.
	Result Details `json:"result,omitempty"`
	// Cut is true when parameters or result were too long to be kept.
	Cut bool `json:"cut,omitempty"`
	// Hidden is true when something looked like a secret and was written as
	// "[hidden]".
	Hidden bool `json:"hidden,omitempty"`
}

// ReadTranscript gives the calls of a recorded session.
func (e *Engine) ReadTranscript(ctx context.Context, p ReadTranscriptParams) (_ ReadTranscriptResult, err error) {
	defer seal(&err, "read_transcript", "")
	if err := validate(&p); err != nil {
		return ReadTranscriptResult{}, err
	}
	calls, n := []TranscriptCall{}, 0
	about, err := transcript.Read(ctx, e.workspace, string(p.SessionID), func(c transcript.Call) error {
		if n++; n <= int(p.Offset) || len(calls) >= int(p.Limit) {
			return nil
		}
		calls = append(calls, TranscriptCall{
			N: c.N, Time: transcriptTime(c.At), Verb: c.Verb, ImageID: ImageID(c.ImageID), Params: c.Params, Outcome: c.Outcome,
			Message: c.Message, DurationSeconds: c.DurationSeconds, StateBefore: c.StateBefore, StateAfter: c.StateAfter,
			Result: c.Result, Cut: c.Cut, Hidden: c.Hidden,
		})
		return nil
	})
	if err != nil {
		return ReadTranscriptResult{}, err
	}
	return ReadTranscriptResult{Transcript: aboutTranscript(about), Calls: calls}, nil
}
