package chemigram

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/chemigram/chemigram/internal/redact"
)

const (
	// mostTranscript bounds a transcript. What comes after it is counted in the
	// footer, and not written.
	mostTranscript = 32 << 20
	// mostParamBytes and mostResultBytes bound what a line carries of a call.
	mostParamBytes, mostResultBytes = 64 << 10, 8 << 10
)

// SessionID names the transcript of a session: when it began, and 8 letters.
type SessionID string

// SessionOptions say who a session belongs to.
type SessionOptions struct {
	// Actor of the session. Default: the context's, or the engine's.
	Actor string
}

// Session writes the transcript of a session: a JSON Lines file of its own in
// the workspace's folder "transcripts", with a header, a line for each call and
// a footer. Each line is written at once and whole, so that a crash can tear
// the last one alone; readers skip it. It is safe for concurrent use.
type Session struct {
	engine *Engine
	id     SessionID

	mu       sync.Mutex
	file     *os.File
	size     int64
	calls    int
	unsaid   int
	outcomes map[string]int
}

// transcriptRead is any line of a transcript. Its kind says which fields it has:
// begin, call, end.
type transcriptRead struct {
	Kind string    `json:"kind"`
	Time time.Time `json:"time"`
	transcriptHead
	transcriptCall
	transcriptFoot
}

// transcriptLine is a line to write.
type transcriptLine struct {
	Kind string    `json:"kind"`
	Time time.Time `json:"time"`
	*transcriptHead
	*transcriptCall
	*transcriptFoot
}

type transcriptHead struct {
	Engine    string   `json:"engine"`
	Darktable string   `json:"darktable"`
	Packs     []string `json:"packs"`
	Actor     string   `json:"actor"`
}

type transcriptCall struct {
	N               int     `json:"n"`
	Verb            string  `json:"verb"`
	ImageID         ImageID `json:"image_id,omitempty"`
	Params          Details `json:"params"`
	Outcome         string  `json:"outcome"`
	Message         string  `json:"message,omitempty"`
	DurationSeconds float64 `json:"duration_seconds"`
	StateBefore     string  `json:"state_before,omitempty"`
	StateAfter      string  `json:"state_after,omitempty"`
	Result          Details `json:"result,omitempty"`
	Cut             bool    `json:"cut,omitempty"`
	Hidden          bool    `json:"hidden,omitempty"`
}

type transcriptFoot struct {
	Calls    int            `json:"calls"`
	Unsaid   int            `json:"unsaid"`
	Outcomes map[string]int `json:"outcomes"`
}

// BeginSession begins a transcript. Close ends it with the engine, when End has
// not.
func (e *Engine) BeginSession(ctx context.Context, opts *SessionOptions) (_ *Session, err error) {
	defer seal(&err, "begin_session", "")
	if err := errors.Join(e.writable(), ctx.Err()); err != nil {
		return nil, err
	}
	head := transcriptHead{Engine: Version(), Actor: e.actor(ctx), Packs: []string{}}
	if opts != nil && opts.Actor != "" {
		head.Actor = opts.Actor
	}
	head.Actor = redact.Text(head.Actor)
	if e.darktable != nil {
		head.Darktable = e.darktable.Version()
	}
	for _, pack := range e.vocabulary.Packs() {
		head.Packs = append(head.Packs, strings.TrimSpace(pack.Name+" "+pack.Version))
	}
	if err := notALink(e.workspace.root, transcripts); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(e.workspace.path(transcripts), 0o777); err != nil {
		return nil, err
	}
	s := &Session{engine: e, outcomes: map[string]int{}}
	s.id = SessionID(time.Now().UTC().Format("20060102T150405.000Z") + "-" + strings.ToLower(rand.Text()[:8]))
	s.file, err = os.OpenFile(s.path(), os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	if err := s.write(transcriptLine{Kind: "begin", transcriptHead: &head}); err != nil {
		return nil, errors.Join(err, s.file.Close())
	}
	e.sessions.add(s)
	return s, nil
}

// ID names the session's transcript.
func (s *Session) ID() SessionID { return s.id }

func (s *Session) path() string {
	return filepath.Join(s.engine.workspace.path(transcripts), string(s.id)+".jsonl")
}

// Call notes the beginning of a call; the function that it gives notes the end,
// and writes the line. params are the verb's parameters as JSON, result is what
// the verb gave. Pictures are in it by their paths. What looks like a secret is
// written as "[hidden]", but for the names in an edit that succeeded: the history
// has these anyhow, and a replay needs them.
func (s *Session) Call(ctx context.Context, verb string, params json.RawMessage) (end func(result any, err error)) {
	begun := time.Now()
	call := transcriptCall{Verb: verb, Params: Details{}}
	if len(params) > mostParamBytes || json.Unmarshal(params, &call.Params) != nil {
		call.Cut = len(params) > 0
	}
	if id, ok := call.Params["image_id"].(string); ok {
		call.ImageID = ImageID(id)
	}
	call.StateBefore = s.engine.look(ctx, call.ImageID)
	return func(result any, err error) {
		call.DurationSeconds = time.Since(begun).Seconds()
		call.Outcome = outcomeOf(err)
		if err != nil {
			call.Message = asError(err).Message
		} else if said, err := json.Marshal(result); err != nil || len(said) > mostResultBytes || json.Unmarshal(said, &call.Result) != nil {
			call.Cut = true
		}
		if id, ok := call.Result["image_id"].(string); ok && call.ImageID == "" {
			call.ImageID = ImageID(id)
		}
		call.StateAfter = s.engine.look(context.WithoutCancel(ctx), call.ImageID)
		call.redact()
		if err := s.note(&call); err != nil {
			s.engine.log.ErrorContext(ctx, "the transcript cannot be written", "session", s.id, "error", err)
		}
	}
}

// redact hides secrets, after the image's id has been read from the parameters.
func (c *transcriptCall) redact() {
	params := c.Params
	if c.Outcome == outcomeOK && reruns()[c.Verb] != nil {
		params = maps.Clone(params)
		maps.DeleteFunc(params, func(name string, _ any) bool { return !slices.Contains(freeTexts, name) })
	}
	_, inParams := redact.Value(map[string]any(params))
	maps.Copy(c.Params, params)
	_, inResult := redact.Value(map[string]any(c.Result))
	c.Message = redact.Text(c.Message)
	c.Hidden = inParams || inResult
}

// freeTexts are the parameters of edits that name nothing of the workspace.
var freeTexts = []string{"label", "path", "reason"}

// look is the hash of an image's present look, or "".
func (e *Engine) look(ctx context.Context, id ImageID) string {
	if !obeys(id) {
		return ""
	}
	img, err := e.shelf.open(e.workspace, id, e.historyOptions())
	if err != nil {
		return ""
	}
	record, err := img.History.Resolve(ctx, "")
	if err != nil {
		return ""
	}
	return record.State.String()
}

func (s *Session) note(call *transcriptCall) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		return nil // the session has ended
	}
	s.calls++
	s.outcomes[call.Outcome]++
	call.N = s.calls
	if s.size > mostTranscript {
		s.unsaid++
		return nil
	}
	return s.write(transcriptLine{Kind: "call", transcriptCall: call})
}

// write appends a line with one write.
func (s *Session) write(line transcriptLine) error {
	line.Time = time.Now().UTC()
	var text bytes.Buffer
	if err := json.NewEncoder(&text).Encode(line); err != nil {
		return err
	}
	n, err := s.file.Write(text.Bytes())
	s.size += int64(n)
	return err
}

// End writes the footer. To end a session again does nothing.
func (s *Session) End() (err error) {
	defer seal(&err, "end_session", "")
	s.engine.sessions.remove(s)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		return nil
	}
	foot := transcriptFoot{Calls: s.calls, Unsaid: s.unsaid, Outcomes: maps.Clone(s.outcomes)}
	err = errors.Join(s.write(transcriptLine{Kind: "end", transcriptFoot: &foot}), s.file.Sync(), s.file.Close())
	s.file = nil
	return err
}

// openSessions are those that the engine has to end.
type openSessions struct {
	mu   sync.Mutex
	open map[*Session]bool
}

func (o *openSessions) add(s *Session) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.open == nil {
		o.open = map[*Session]bool{}
	}
	o.open[s] = true
}

func (o *openSessions) remove(s *Session) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.open, s)
}

// end ends all.
func (o *openSessions) end() (err error) {
	o.mu.Lock()
	open := maps.Clone(o.open)
	o.mu.Unlock()
	for s := range open {
		err = errors.Join(err, s.End())
	}
	return err
}
