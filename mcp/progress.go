package mcp

import (
	"context"
	"fmt"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram"
)

// progressInterval is the time between two progress notifications of a call.
const progressInterval = time.Second

// reportProgress sends progress notifications, if the client asked for them: the
// seconds that the call has taken, or the steps that the verb reports through the
// context that is returned. stop returns after the last one was sent.
func (c call) reportProgress(ctx context.Context, req *sdk.CallToolRequest) (_ context.Context, stop func()) {
	token := req.Params.GetProgressToken()
	if token == nil || req.Session == nil {
		return ctx, func() {}
	}
	var mu sync.Mutex
	var latest progress
	reporting := chemigram.WithProgress(ctx, func(done, total int, what string) {
		mu.Lock()
		defer mu.Unlock()
		latest = progress{done: done, total: total, what: what, since: time.Now()}
	})
	ctx, cancel := context.WithCancel(ctx)
	var sender sync.WaitGroup
	sender.Go(func() {
		ticker := time.NewTicker(progressInterval)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			mu.Lock()
			params := latest.notification(c.tool.spec.Name, c.started)
			mu.Unlock()
			params.ProgressToken = token
			_ = req.Session.NotifyProgress(ctx, params)
		}
	})
	return reporting, func() { cancel(); sender.Wait() }
}

// progress is what a verb reported last; the zero value, when it reports nothing.
type progress struct {
	done, total int
	what        string    // the latest step
	since       time.Time // of the report
}

// notification reports the progress of a call that began at started. Its number has
// to grow each time: during a step it approaches that of the next one.
func (p progress) notification(tool string, started time.Time) *sdk.ProgressNotificationParams {
	if p.total == 0 {
		seconds := time.Since(started).Seconds()
		message := fmt.Sprintf("%s: at work for %.0f s", tool, seconds)
		if p.what != "" {
			message += fmt.Sprintf("; %d %s", p.done, p.what)
		}
		return &sdk.ProgressNotificationParams{Progress: seconds, Message: message}
	}
	sinceReport := time.Since(p.since).Seconds()
	return &sdk.ProgressNotificationParams{
		Progress: float64(p.done) + sinceReport/(sinceReport+10), Total: float64(p.total),
		Message: fmt.Sprintf("%s: %d of %d done; %s", tool, p.done, p.total, p.what),
	}
}
