package render

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"time"

	"github.com/chemigram/chemigram/render/internal/imagefile"
	"github.com/chemigram/chemigram/xmp"
)

// errBusy says that all workers serve others.
var errBusy = errors.New("no worker is free")

// ErrNoDraft says that there is no draft of a picture now, and wraps the reason.
var ErrNoDraft = errors.New("no draft can be made")

// Preview develops a picture as [Darktable.Render] does, and sooner when it can:
// the pixels are the same. Workers make sRGB JPEGs of up to 3,200 pixels; what
// they cannot do comes from the command line, and everything does while
// [Workers.Status] has a reason. A worker gets half of the time that there is, so
// that the command line can step in. Preview fails like [Darktable.Render].
func (p *Workers) Preview(ctx context.Context, job Job) (Picture, error) {
	began := time.Now()
	suits, err := p.suits(&job)
	if err != nil {
		return Picture{}, err
	}
	if suits && p.trusted() {
		picture, err := p.warm(ctx, job, (*worker).export)
		if e, ok := errors.AsType[*Error](err); err == nil || ok && e.Kind == Exists {
			picture.Duration = time.Since(began)
			return picture, err
		}
	}
	picture, err := p.d.Render(ctx, job)
	picture.Duration = time.Since(began)
	if err == nil && suits {
		p.test(job, picture)
	}
	return picture, err
}

// Draft develops a picture from darktable's thumbnails, which are made of half of
// the raw's pixels: tone and colour are right, fine texture and sharpness are
// not. It fails with ErrNoDraft when workers cannot serve, when the raw is not at
// least twice as large as the picture, and when the sidecar corrects perspective
// or adds borders.
func (p *Workers) Draft(ctx context.Context, job Job) (Picture, error) {
	began := time.Now()
	suits, err := p.suits(&job)
	if err != nil {
		return Picture{}, err
	}
	if !suits || !p.trusted() {
		return Picture{}, ErrNoDraft
	}
	picture, err := p.warm(ctx, job, (*worker).sketch)
	picture.Duration = time.Since(began)
	if e, ok := errors.AsType[*Error](err); err == nil || ok && e.Kind == Exists {
		return picture, err
	}
	return Picture{}, fmt.Errorf("%w: %w", ErrNoDraft, err)
}

// suits tells whether workers can make what a job asks for.
func (p *Workers) suits(job *Job) (bool, error) {
	f, space, err := job.plan()
	if err == nil {
		err = vacant(job.Output)
	}
	if err != nil {
		return false, err
	}
	small := job.Size > 0 && job.Size <= mips[len(mips)-1].Y
	return small && f.name == imagefile.JPEG && space.name == "srgb" && !job.HighQuality && job.State == "", nil
}

func (p *Workers) trusted() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.trust == tested
}

// warm has a worker make a picture in one of its ways, and publishes it.
func (p *Workers) warm(ctx context.Context, job Job, way func(*worker, context.Context, *Job) (string, error)) (picture Picture, err error) {
	ctx, cancel := context.WithTimeout(ctx, half(ctx, job.Timeout))
	defer cancel()
	err = p.borrow(ctx, job.Raw, func(w *worker) error {
		path, err := way(w, ctx, &job)
		if err == nil {
			picture, err = look(path, formatOf(path), job.Size)
		}
		if err != nil {
			return err
		}
		defer os.Remove(path)
		picture.Path = job.Output
		return publish(path, job.Output)
	})
	return picture, err
}

// borrow gives a worker that is prepared for a raw to f, when its turn has come.
func (p *Workers) borrow(ctx context.Context, raw string, f func(*worker) error) error {
	place, err := p.d.schedule.enter(ctx, claim{owner: raw})
	if err != nil {
		return err
	}
	defer place.leave()
	key, err := keyFor(raw)
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
	err = f(w)
	e, ok := errors.AsType[*Error](err)
	if blameless := errors.Is(err, errFrame) || ok && (e.Kind == Exists || e.Kind == System); blameless {
		p.release(w, nil)
	} else {
		p.release(w, err)
	}
	return err
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
