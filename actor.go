package chemigram

import (
	"context"
	"strings"

	"github.com/chemigram/chemigram/internal/fault"
)

// What a context says of a call.
type (
	actorKey  struct{}
	reasonKey struct{}
)

// WithActor gives a context whose calls are made by an actor: what the history
// and the audit record, in place of [Options].Actor.
func WithActor(ctx context.Context, actor string) context.Context {
	return context.WithValue(ctx, actorKey{}, strings.TrimSpace(actor))
}

// WithReason gives a context whose calls have a reason. Verbs that can lose
// something demand one, and keep it.
func WithReason(ctx context.Context, reason string) context.Context {
	return context.WithValue(ctx, reasonKey{}, strings.TrimSpace(reason))
}

// actor is who makes a call.
func (e *Engine) actor(ctx context.Context) string {
	if actor, _ := ctx.Value(actorKey{}).(string); actor != "" {
		return actor
	}
	return e.opts.Actor
}

// audited gives who makes a destructive call and why, or refuses one that does
// not say why.
func (e *Engine) audited(ctx context.Context) (actor, reason string, err error) {
	reason, _ = ctx.Value(reasonKey{}).(string)
	if reason == "" {
		return "", "", fault.New(fault.Permission, "this can lose something, and no reason was given: call it with WithReason(ctx, …), or over MCP with reason").
			With("violation", "missing_reason")
	}
	return e.actor(ctx), reason, nil
}
