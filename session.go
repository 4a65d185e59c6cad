package chemigram

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/chemigram/chemigram/internal/transcript"
	"github.com/chemigram/chemigram/internal/workspace"
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
	writer *transcript.Writer
}

// BeginSession begins a transcript. Close ends it with the engine, when End has
// not. The oldest transcripts are removed when there are too many.
func (e *Engine) BeginSession(ctx context.Context, opts *SessionOptions) (_ *Session, err error) {
	defer seal(&err, "begin_session", "")
	if err := errors.Join(e.workspace.CheckWritable(), ctx.Err()); err != nil {
		return nil, err
	}
	header := transcript.Header{Engine: Version(), Packs: []string{}}
	if opts != nil {
		header.Actor = opts.Actor
	}
	if e.darktable != nil {
		header.Darktable = e.darktable.Version()
	}
	for _, pack := range e.vocabulary.Packs() {
		header.Packs = append(header.Packs, strings.TrimSpace(pack.Name+" "+pack.Version))
	}
	writer, err := transcript.Begin(ctx, e.workspace, header, e.opts.TranscriptBytes)
	if err != nil {
		return nil, err
	}
	s := &Session{engine: e, writer: writer}
	e.sessions.add(s)
	return s, nil
}

// ID names the session's transcript.
func (s *Session) ID() SessionID { return SessionID(s.writer.ID()) }

// Call notes the beginning of a call; the function that it gives notes the end,
// and writes the line. params are the verb's parameters as JSON, result is what
// the verb gave. Pictures are in it by their paths. What looks like a secret is
// written as "[hidden]", but for the names in an edit that succeeded: the history
// has these anyhow, and a replay needs them.
func (s *Session) Call(ctx context.Context, verb string, params json.RawMessage) (end func(result any, err error)) {
	begun := time.Now()
	call := transcript.NewCall(verb, params)
	call.StateBefore, _ = s.engine.headOf(ctx, call.ImageID)
	return func(result any, err error) {
		call.DurationSeconds = time.Since(begun).Seconds()
		call.Outcome = outcomeOf(err)
		if err == nil {
			call.SetResult(result)
		} else {
			call.Message = AsError(err).Message
		}
		call.StateAfter, call.EventAfter = s.engine.headOf(context.WithoutCancel(ctx), call.ImageID)
		edited := err == nil && reruns()[verb] != nil
		if err := s.writer.Note(call, edited); err != nil {
			s.engine.log.ErrorContext(ctx, "the transcript cannot be written", "session", s.ID(), "error", err)
		}
	}
}

// headOf gives the look and the snapshot that an image's HEAD is at, or "".
func (e *Engine) headOf(ctx context.Context, id string) (look, event string) {
	if !workspace.ValidID(id) {
		return "", ""
	}
	img, err := e.workspace.Image(id)
	if err != nil {
		return "", ""
	}
	record, err := img.History.Resolve(ctx, "")
	if err != nil {
		return "", ""
	}
	return record.State.String(), record.ID.String()
}

// End writes the footer. To end a session again does nothing.
func (s *Session) End() (err error) {
	defer seal(&err, "end_session", "")
	s.engine.sessions.remove(s)
	return s.writer.End()
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

type progressKey struct{}

// WithActor gives a context whose calls are made by an actor: what the history
// and the audit record, in place of [Options].Actor.
func WithActor(ctx context.Context, actor string) context.Context {
	return workspace.WithActor(ctx, actor)
}

// WithProgress gives a context whose calls report how far they are: report gets
// how many of the call's steps are done, of how many, and what was done last; of a call
// that does not know how many there are, 0, and what is counted.
// Verbs with many pictures or images report; the others do not. report is called by one
// goroutine at a time, done never falls, and the call waits for it.
func WithProgress(ctx context.Context, report func(done, total int, what string)) context.Context {
	return context.WithValue(ctx, progressKey{}, report)
}

// reportProgress says how far a call is to whoever wants to know.
func reportProgress(ctx context.Context, done, total int, what string) {
	if report, _ := ctx.Value(progressKey{}).(func(int, int, string)); report != nil {
		report(done, total, what)
	}
}
