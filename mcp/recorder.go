package mcp

import (
	"context"
	"log/slog"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram"
)

// mostRecorders is how many transcripts a server has open; the oldest is ended
// for another.
const mostRecorders = 64

// recorders are the transcripts that a server writes, one for each session and
// actor.
type recorders struct {
	mu    sync.Mutex
	open  map[recorderKey]*chemigram.Session
	order []recorderKey
}

type recorderKey struct{ session, actor string }

// record notes the beginning of a call in its session's transcript; the function
// that it gives notes the end.
func (c call) record(ctx context.Context, req *sdk.CallToolRequest) (end func(result any, err error)) {
	a := c.adapter
	if !a.opts.Transcripts || a.opts.ReadOnly || a.engine == nil {
		return func(any, error) {}
	}
	key := recorderKey{actor: c.actor}
	if overHTTP := req.Extra != nil && req.Extra.Header != nil; !overHTTP && req.Session != nil {
		key.session = req.Session.ID()
	}
	session, err := a.recorders.session(ctx, a.engine, key)
	if err != nil {
		c.event(ctx, slog.LevelError, eventTranscriptFault, slog.String("error", err.Error()))
		return func(any, error) {}
	}
	return session.Call(ctx, c.tool.verb(), req.Params.Arguments)
}

func (r *recorders) session(ctx context.Context, engine *chemigram.Engine, key recorderKey) (*chemigram.Session, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if session := r.open[key]; session != nil {
		return session, nil
	}
	session, err := engine.BeginSession(ctx, &chemigram.SessionOptions{Actor: key.actor})
	if err != nil {
		return nil, err
	}
	if r.open == nil {
		r.open = map[recorderKey]*chemigram.Session{}
	}
	r.open[key], r.order = session, append(r.order, key)
	if len(r.order) > mostRecorders {
		oldest := r.order[0]
		err = r.open[oldest].End()
		delete(r.open, oldest)
		r.order = r.order[1:]
	}
	return session, err
}
