package workspace

import (
	"cmp"
	"context"
	"strings"
)

type actorKey struct{}

// WithActor gives a context whose calls are made by an actor.
func WithActor(ctx context.Context, actor string) context.Context {
	return context.WithValue(ctx, actorKey{}, strings.TrimSpace(actor))
}

// Actor is who makes a call, as histories and logs record it: the context's, or the
// one that the workspace was opened for.
func (w *Workspace) Actor(ctx context.Context) string {
	actor, _ := ctx.Value(actorKey{}).(string)
	return cmp.Or(actor, w.opts.Actor)
}
