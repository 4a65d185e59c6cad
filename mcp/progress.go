package mcp

import (
	"context"
	"fmt"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// progressEvery is how often a call that renders tells that it is at work.
const progressEvery = time.Second

// reportProgress tells the client every second how long a call that renders
// has been at work, when the client asked for it. stop ends that, and returns
// when nothing more will be sent.
func (c call) reportProgress(ctx context.Context, req *sdk.CallToolRequest) (stop func()) {
	token := req.Params.GetProgressToken()
	if token == nil || !c.tool.renders || req.Session == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var done sync.WaitGroup
	done.Go(func() {
		ticker := time.NewTicker(progressEvery)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			seconds := time.Since(c.begun).Seconds()
			_ = req.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{
				ProgressToken: token, Progress: seconds,
				Message: fmt.Sprintf("%s: darktable has been at work for %.0f s", c.tool.spec.Name, seconds),
			})
		}
	})
	return func() { cancel(); done.Wait() }
}
