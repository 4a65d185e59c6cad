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
func (p *Workers) compare(ctx context.Context, job Job, want image.Image) (err error) {
	ctx, cancel := context.WithTimeout(ctx, half(ctx, job.Timeout))
	defer cancel()
	leave, err := p.d.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	key, err := keyFor(job.Raw)
	if err != nil {
		return err
	}
	w, err := p.take(key)
	if err != nil {
		return err
	}
	if w == nil {
		return errBusy
	}
	defer func() { p.release(w, err) }()
	for _, q := range []Quality{Exact, Draft} {
		path, made, err := w.preview(ctx, &job, q)
		if err != nil {
			return err
		}
		got, err := Load(path)
		_ = os.Remove(path)
		if err != nil {
			return err
		}
		if err := resembles(got, want, made); err != nil {
			return err
		}
	}
	return nil
}

// resembles compares what a worker made in a quality with the command line's.
func resembles(got, want image.Image, made Quality) error {
	limit := sameExport
	if made == Draft {
		limit = sameDraft
		got, want = reduced(got), reduced(want)
	}
	c, err := Compare(want, got)
	switch {
	case err != nil:
		return err
	case made != Draft && !c.SameFrame:
		return fmt.Errorf("a prepared worker's picture has %v pixels, the command line's %v", got.Bounds().Size(), want.Bounds().Size())
	case c.MeanDeltaE > limit:
		return fmt.Errorf("a prepared worker's picture (%s) differs from the command line's by a mean ΔE2000 of %.2f; at most %.1f was expected", made, c.MeanDeltaE, limit)
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
