package chemigram

import "context"

type progressKey struct{}

// WithProgress gives a context whose calls tell how far they are: report gets
// how many of the call's steps are done, of how many, and what was done last.
// Verbs with many pictures or images tell; the others do not. report is called by one
// goroutine at a time, done never falls, and the call waits for it.
func WithProgress(ctx context.Context, report func(done, total int, what string)) context.Context {
	return context.WithValue(ctx, progressKey{}, report)
}

// tell says how far a call is to whoever wants to know.
func tell(ctx context.Context, done, total int, what string) {
	if report, _ := ctx.Value(progressKey{}).(func(int, int, string)); report != nil {
		report(done, total, what)
	}
}
