// Package timelimit gives darktable a time limit within a context, which ends a little
// later: darktable is ended first, so that the error has what it printed.
package timelimit

import (
	"context"
	"time"
)

// Grace is how long darktable gets to end after its time is up, before its caller gives
// up on it.
const Grace = 5 * time.Second

// Default is the limit where nobody has set one.
const Default = 2 * time.Minute

type key struct{}

// With gives a context with a limit, which ends when the limit and [Grace] are over.
func With(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	end := time.Now().Add(limit)
	return context.WithDeadline(context.WithValue(ctx, key{}, end), end.Add(Grace))
}

// Left is what a context has left of its limit, a millisecond at the least; of one
// without a limit it is Default. A deadline of the caller's own is none: it ends
// the context.
func Left(ctx context.Context) time.Duration {
	end, set := ctx.Value(key{}).(time.Time)
	if !set {
		return Default
	}
	return max(time.Until(end), time.Millisecond)
}
