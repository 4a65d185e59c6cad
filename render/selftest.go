package render

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"os"

	xdraw "golang.org/x/image/draw"
)

const (
	// maxExportDeltaE is the mean ΔE2000 up to which a worker's export counts as
	// that of the command line; what was measured is 0.
	maxExportDeltaE = 0.1
	// maxDraftDeltaE is that for a draft, both scaled down to an eighth; what was
	// measured is below 1.
	maxDraftDeltaE = 3
)

// startTest has a worker make, in the background, a picture that the command line
// has made. The workers are tested when it looks the same. It does nothing when
// that was done or is being done.
func (p *Workers) startTest(job Job, made Picture) {
	now := p.d.Identity()
	p.mu.Lock()
	wanted := p.test != beingTested && (p.test == untested || p.testOf != now) && p.unusable(0) == nil
	if wanted {
		p.test, p.testOf = beingTested, now
	}
	p.mu.Unlock()
	if !wanted {
		return
	}
	want, err := Load(made.Path) // now: the caller may remove it
	p.background(func(ctx context.Context) {
		if err == nil {
			err = p.runTest(ctx, job, want)
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.test = tested; err != nil {
			p.test = untested
			if ctx.Err() == nil && !errors.Is(err, errBusy) {
				p.suspend(err)
			}
		}
	})
}

// runTest compares a worker's pictures with one that the command line has made.
func (p *Workers) runTest(ctx context.Context, job Job, want image.Image) error {
	ctx, cancel := context.WithTimeout(ctx, halfTime(ctx, job.Timeout))
	defer cancel()
	return p.withWorker(ctx, &job, func(w *worker) error {
		path, err := w.export(ctx, &job)
		if err == nil {
			err = checkAlike(path, want, false)
		}
		if err != nil {
			return err
		}
		if path, err = w.renderDraft(ctx, &job); errors.Is(err, errNoDraftPlan) {
			return nil // this picture has no draft
		}
		if err != nil {
			return err
		}
		return checkAlike(path, want, true)
	})
}

// checkAlike fails when a worker's picture differs from the command line's, and
// removes it.
func checkAlike(path string, want image.Image, draft bool) error {
	got, err := Load(path)
	_ = os.Remove(path)
	if err != nil {
		return err
	}
	limit := float64(maxExportDeltaE)
	if draft {
		limit = maxDraftDeltaE
		got, want = eighth(got), eighth(want)
	}
	c, err := Compare(want, got)
	switch {
	case err != nil:
		return err
	case !draft && !c.SameFrame:
		return fmt.Errorf("a prepared worker's picture has %v pixels, the command line's %v", got.Bounds().Size(), want.Bounds().Size())
	case c.MeanDeltaE > limit:
		return fmt.Errorf("a prepared worker's picture differs from the command line's by a mean ΔE2000 of %.2f; at most %.1f was expected", c.MeanDeltaE, limit)
	}
	return nil
}

// eighth scales a picture down to an eighth, in which texture plays no part.
func eighth(m image.Image) image.Image {
	b := m.Bounds()
	out := image.NewRGBA(image.Rect(0, 0, max(1, b.Dx()/8), max(1, b.Dy()/8)))
	xdraw.BiLinear.Scale(out, out.Rect, m, b, draw.Src, nil)
	return out
}
