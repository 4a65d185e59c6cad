package render

import (
	"context"
	"errors"
	"image"
	"os"
	"time"

	"github.com/chemigram/chemigram/xmp"
)

// Quality is one of the ways to a preview.
type Quality string

const (
	// Draft comes from darktable's thumbnails, which demosaic at half size:
	// tone and colour are right, fine texture and sharpness are not.
	Draft Quality = "draft"
	// Fine demosaics at full size.
	Fine Quality = "fine"
	// Exact is the export itself.
	Exact Quality = "exact"
)

// errBusy says that all workers serve others.
var errBusy = errors.New("no worker is free")

// Preview develops a picture to look at, in the quality that is asked for or in
// a better one, and tells in which. Drafts need a raw at least twice as large as
// the preview, and a sidecar without perspective correction and borders.
//
// What no worker can make comes from the command line: anything but an sRGB JPEG
// of up to 3,200 pixels, and everything while [Workers.Status] has a reason. A
// worker gets half of the time that there is, so that the command line can step
// in. Preview fails like [Darktable.Render].
func (p *Workers) Preview(ctx context.Context, job Job, q Quality) (Picture, Quality, error) {
	began := time.Now()
	f, space, err := job.plan()
	if err != nil {
		return Picture{}, "", err
	}
	if err := vacant("render", job.Output); err != nil {
		return Picture{}, "", err
	}
	suits := job.Size > 0 && job.Size <= mips[len(mips)-1].Y && f.name == "jpeg" && space.name == "srgb" && !job.HighQuality && job.State == ""
	if suits && p.trusted() {
		picture, made, err := p.warm(ctx, job, q)
		if err == nil {
			picture.Duration = time.Since(began)
			return picture, made, nil
		}
		if e, ok := errors.AsType[*Error](err); ok && e.Kind == Exists {
			return Picture{}, "", err
		}
	}
	picture, err := p.d.Render(ctx, job)
	picture.Duration = time.Since(began)
	if err == nil && suits {
		p.test(job, picture)
	}
	return picture, Exact, err
}

func (p *Workers) trusted() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.trust == tested
}

// warm has a worker make a preview.
func (p *Workers) warm(ctx context.Context, job Job, q Quality) (_ Picture, made Quality, err error) {
	ctx, cancel := context.WithTimeout(ctx, half(ctx, job.Timeout))
	defer cancel()
	leave, err := p.d.enter(ctx)
	if err != nil {
		return Picture{}, "", err
	}
	defer leave()
	key, err := keyFor(job.Raw)
	if err != nil {
		return Picture{}, "", err
	}
	w, err := p.take(key)
	if err != nil {
		return Picture{}, "", err
	}
	if w == nil {
		return Picture{}, "", errBusy
	}
	path, made, err := w.preview(ctx, &job, q)
	var picture Picture
	if err == nil {
		picture, err = look(path, formatOf(path), job.Size)
	}
	if err != nil {
		p.release(w, err)
		return Picture{}, "", err
	}
	picture.Path = job.Output
	err = publish(path, job.Output)
	_ = os.Remove(path)
	p.release(w, nil)
	return picture, made, err
}

// half of the time that there is for a job.
func half(ctx context.Context, timeout time.Duration) time.Duration {
	if timeout == 0 {
		timeout = DefaultTimeout
	}
	if deadline, ok := ctx.Deadline(); ok {
		timeout = min(timeout, time.Until(deadline))
	}
	return timeout / 2
}

// preview makes a preview in a quality, or in a better one. It gives the path of
// a file that may be moved away.
func (w *worker) preview(ctx context.Context, job *Job, q Quality) (path string, made Quality, err error) {
	if q == Draft {
		path, err = w.sketch(ctx, job)
		if !errors.Is(err, errFrame) {
			return path, Draft, err
		}
	}
	path, err = w.export(ctx, job)
	return path, Exact, err
}

// sketch makes a draft. It fails with errFrame when the picture does not lend
// itself to one.
func (w *worker) sketch(ctx context.Context, job *Job) (path string, err error) {
	if err := w.load(ctx); err != nil {
		return "", err
	}
	sidecar, err := xmp.Parse(job.Sidecar)
	if err != nil || !w.raw {
		return "", errFrame
	}
	var m image.Image
	for range 2 { // the second time when it is turned in another way than the last one
		f, ok := frameOf(sidecar, w.width, w.height, w.turned)
		if !ok {
			return "", errFrame
		}
		plan, ok := planDraft(f, job.Size, w.rounding())
		if !ok {
			return "", errFrame
		}
		thumbnail, err := w.draft(ctx, job.Sidecar, plan.mip)
		if err != nil {
			return "", err
		}
		m, err = plan.load(thumbnail)
		if !errors.Is(err, errFrame) {
			if err != nil {
				return "", err
			}
			break
		}
		m = nil
		w.turned = !w.turned
	}
	if m == nil {
		return "", errFrame
	}
	return w.encode(m, job.Quality)
}

// load reads a thumbnail and makes the preview of it.
func (p draftPlan) load(path string) (image.Image, error) {
	m, err := Load(path)
	_ = os.Remove(path)
	if err != nil {
		return nil, err
	}
	return p.draw(m)
}

// encode writes a preview beside the exports.
func (w *worker) encode(m image.Image, quality int) (path string, err error) {
	path = w.box.at("out", "draft.jpg")
	f, err := os.Create(path)
	if err != nil {
		return "", err
	}
	return path, errors.Join(EncodeJPEG(f, m, quality), f.Close())
}

// rounding is what darktable adds to the edges of an export before it takes the
// whole number.
func (w *worker) rounding() float64 {
	if w.imports {
		return 0.8
	}
	return 0
}
