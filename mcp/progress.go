package mcp

import (
	"context"
	"fmt"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram"
)

// progressEvery is how often a call that takes long tells that it is at work.
const progressEvery = time.Second

// reportProgress tells the client every second how long a call has been at work, or how many of its pictures are done when the verb says
// so, when the client asked for it. The verb gets the context that it returns.
// stop ends that, and returns when nothing more will be sent.
func (c call) reportProgress(ctx context.Context, req *sdk.CallToolRequest) (_ context.Context, stop func()) {
	token := req.Params.GetProgressToken()
	if token == nil || req.Session == nil {
		return ctx, func() {}
	}
	var mu sync.Mutex
	var steps progress
	told := chemigram.WithProgress(ctx, func(done, total int, what string) {
		mu.Lock()
		defer mu.Unlock()
		steps = progress{done: done, total: total, what: what, since: time.Now()}
	})
	ctx, cancel := context.WithCancel(ctx)
	var sender sync.WaitGroup
	sender.Go(func() {
		ticker := time.NewTicker(progressEvery)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			mu.Lock()
			params := steps.params(c.tool.spec.Name, c.begun)
			mu.Unlock()
			params.ProgressToken = token
			_ = req.Session.NotifyProgress(ctx, params)
		}
	})
	return told, func() { cancel(); sender.Wait() }
}

// progress is how far a verb says that it is.
type progress struct {
	done, total int
	what        string
	since       time.Time
}

// params is the notification. Its number has to grow each time: while a step
// takes long, it creeps towards the next one.
func (p progress) params(tool string, begun time.Time) *sdk.ProgressNotificationParams {
	if p.total == 0 {
		seconds := time.Since(begun).Seconds()
		return &sdk.ProgressNotificationParams{
			Progress: seconds, Message: fmt.Sprintf("%s: at work for %.0f s", tool, seconds),
		}
	}
	waited := time.Since(p.since).Seconds()
	return &sdk.ProgressNotificationParams{
		Progress: float64(p.done) + waited/(waited+10), Total: float64(p.total),
		Message: fmt.Sprintf("%s: %d of %d done; %s", tool, p.done, p.total, p.what),
	}
}
