package chemigram

import (
	"context"
	"sync"

	"github.com/chemigram/chemigram/internal/workspace"
)

// eachTarget does something to each target, to so many at once, keeps the
// outcomes, and tells how far it is. A target's error is its outcome; only the end
// of the context is an error of the whole.
func (e *Engine) eachTarget(
	ctx context.Context, targets []ImageID, atOnce int, do func(context.Context, *workspace.Image, *SeriesOutcome) error,
) (SeriesResult, error) {
	s := seriesCall{SeriesResult: SeriesResult{Outcomes: make([]SeriesOutcome, len(targets))}}
	places := make(chan struct{}, atOnce)
	var all sync.WaitGroup
	for i, id := range targets {
		s.Outcomes[i].ImageID, s.Outcomes[i].LeftBehind = id, []string{}
		places <- struct{}{}
		all.Go(func() {
			defer func() { <-places }()
			if ctx.Err() != nil {
				return
			}
			img, err := e.image(id)
			if err == nil {
				err = do(ctx, img, &s.Outcomes[i])
			}
			if ctx.Err() == nil {
				s.end(ctx, &s.Outcomes[i], err)
			}
		})
	}
	all.Wait()
	return s.SeriesResult, context.Cause(ctx)
}

// seriesCall is a call on its way.
type seriesCall struct {
	mu sync.Mutex
	SeriesResult
	ended int
}

// end notes that a target is settled, well or not.
func (s *seriesCall) end(ctx context.Context, outcome *SeriesOutcome, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		failure := AsError(err)
		outcome.ErrorCode, outcome.Error = failure.Code, failure.Message
		s.Failed++
	}
	if outcome.Changed {
		s.Changed++
	}
	s.ended++
	reportProgress(ctx, s.ended, len(s.Outcomes), string(outcome.ImageID))
}
