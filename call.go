package chemigram

import (
	"context"

	"github.com/chemigram/chemigram/internal/workspace"
)

type progressKey struct{}

// WithActor gives a context whose calls are made by an actor: what the history
// and the audit record, in place of [Options].Actor.
func WithActor(ctx context.Context, actor string) context.Context {
	return workspace.WithActor(ctx, actor)
}

// WithProgress gives a context whose calls report how far they are: report gets
// how many of the call's steps are done, of how many, and what was done last.
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
