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
	// sameExport is the mean ΔE2000 up to which a worker's export counts as that
	// of the command line; what was measured is 0.
	sameExport = 0.1
	// sameDraft is that for a draft, both reduced to an eighth; what was measured
	// is below 1.
	sameDraft = 3
)

// test has a worker make, in the background, a picture that the command line has
// made, and trusts workers when it looks the same. It does nothing when that was
// done or is being done.
func (p *Workers) test(job Job, made Picture) {
	p.mu.Lock()
	wanted := p.trust == untested && p.unfit(0) == nil
	if wanted {
		p.trust = beingTested
	}
	p.mu.Unlock()
	if !wanted {
		return
	}
	want, err := Load(made.Path) // now: the caller may remove it
	p.background(func(ctx context.Context) {
		if err == nil {
			err = p.compare(ctx, job, want)
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.trust = tested; err != nil {
			p.trust = untested
			if ctx.Err() == nil && !errors.Is(err, errBusy) {
				p.distrust(err)
			}
		}
	})
}

// compare holds a worker's pictures against one that the command line has made.
func (p *Workers) compare(ctx context.Context, job Job, want image.Image) error {
	ctx, cancel := context.WithTimeout(ctx, half(ctx, job.Timeout))
	defer cancel()
	return p.borrow(ctx, job.Raw, func(w *worker) error {
		path, err := w.export(ctx, &job)
		if err == nil {
			err = resembles(path, want, false)
		}
		if err != nil {
			return err
		}
		if path, err = w.sketch(ctx, &job); errors.Is(err, errFrame) {
			return nil // this picture has no draft
		}
		if err != nil {
			return err
		}
		return resembles(path, want, true)
	})
}

// resembles compares what a worker has made with what the command line has made,
// and removes it.
func resembles(path string, want image.Image, draft bool) error {
	got, err := Load(path)
	_ = os.Remove(path)
	if err != nil {
		return err
	}
	limit := float64(sameExport)
	if draft {
		limit = sameDraft
		got, want = reduced(got), reduced(want)
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

// reduced is an eighth of a picture, in which texture plays no part.
func reduced(m image.Image) image.Image {
	b := m.Bounds()
	out := image.NewRGBA(image.Rect(0, 0, max(1, b.Dx()/8), max(1, b.Dy()/8)))
	xdraw.BiLinear.Scale(out, out.Rect, m, b, draw.Src, nil)
	return out
}
