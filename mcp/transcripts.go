package mcp

import (
	"context"
	"log/slog"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram"
)

// maxTranscripts is how many transcripts a server has open; the oldest is ended for a
// new one.
const maxTranscripts = 64

// transcripts are those that a server is writing: one for each session and actor.
type transcripts struct {
	mu    sync.Mutex
	open  map[transcriptKey]*chemigram.Session
	order []transcriptKey // oldest first
}

type transcriptKey struct{ session, actor string }

// record writes the beginning of a call to the transcript of its session. The function
// that it returns writes the end.
func (c call) record(ctx context.Context, req *sdk.CallToolRequest) (end func(result any, err error)) {
	a := c.adapter
	if !a.opts.Transcripts || a.opts.ReadOnly || a.engine == nil {
		return func(any, error) {}
	}
	key := transcriptKey{actor: c.actor}
	if overHTTP := req.Extra != nil && req.Extra.Header != nil; !overHTTP && req.Session != nil {
		key.session = req.Session.ID()
	}
	session, err := a.transcripts.session(ctx, a.engine, key)
	if err != nil {
		c.event(ctx, slog.LevelError, eventTranscriptError, slog.String("error", err.Error()))
		return func(any, error) {}
	}
	return session.Call(ctx, c.tool.presentName(), req.Params.Arguments)
}

// session returns the open transcript of a session and an actor, or begins one.
func (t *transcripts) session(ctx context.Context, engine *chemigram.Engine, key transcriptKey) (*chemigram.Session, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if session := t.open[key]; session != nil {
		return session, nil
	}
	session, err := engine.BeginSession(ctx, &chemigram.SessionOptions{Actor: key.actor})
	if err != nil {
		return nil, err
	}
	if t.open == nil {
		t.open = map[transcriptKey]*chemigram.Session{}
	}
	t.open[key], t.order = session, append(t.order, key)
	if len(t.order) > maxTranscripts {
		oldest := t.order[0]
		err = t.open[oldest].End()
		delete(t.open, oldest)
		t.order = t.order[1:]
	}
	return session, err
}
