package render

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/chemigram/chemigram/render/internal/imagefile"
)

// errBusy is the reason when all workers serve others.
var errBusy = errors.New("no worker is free")

// ErrNoDraft is the error when no draft of a picture can be made now; it wraps the
// reason.
var ErrNoDraft = errors.New("no draft can be made")

// Preview develops a picture as [Darktable.Render] does, and sooner when it can:
// the pixels are the same. Workers make sRGB JPEGs of up to 3,200 pixels; what
// they cannot do comes from the command line, and everything does while
// [Workers.Status] has a reason. A worker gets half of the time that there is, so
// that the command line can step in. Preview fails like [Darktable.Render].
func (p *Workers) Preview(ctx context.Context, job Job) (Picture, error) {
	began := time.Now()
	suited, err := p.isSuited(&job)
	if err != nil {
		return Picture{}, err
	}
	picture, err := p.d.renderElsewhere(ctx, job, Region{})
	if !errors.Is(err, errHere) {
		if err == nil && suited {
			p.startTest(job, picture)
		}
		return picture, err
	}
	if suited && p.isTested() {
		picture, err := p.previewByWorker(ctx, job, (*worker).export)
		if isFinal(err) {
			picture.Duration = time.Since(began)
			return picture, err
		}
	}
	picture, err = p.d.render(ctx, job, nil)
	picture.Duration = time.Since(began)
	if err == nil && suited {
		p.startTest(job, picture)
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
	suited, err := p.isSuited(&job)
	if err != nil {
		return Picture{}, err
	}
	if !suited || !p.isTested() {
		return Picture{}, ErrNoDraft
	}
	picture, err := p.previewByWorker(ctx, job, (*worker).renderDraft)
	picture.Duration = time.Since(began)
	if isFinal(err) {
		return picture, err
	}
	return Picture{}, fmt.Errorf("%w: %w", ErrNoDraft, err)
}

// Prepare has a worker load a job's raw in the background, so that the next previews
// of it come soon. made is the picture that the job develops: workers that are not
// tested yet have to make the same one.
func (p *Workers) Prepare(job Job, made Picture) {
	if !p.isTested() {
		p.startTest(job, made)
		return
	}
	p.background(func(ctx context.Context) {
		ctx, cancel := context.WithTimeout(ctx, halfTime(ctx, job.Timeout))
		defer cancel()
		_ = p.withWorker(ctx, &job, func(w *worker) error { return w.load(ctx) })
	})
}

// errUnverified marks the error of [Job.Verify], which another way to develop the
// picture would have as well.
type errUnverified struct{ error }

func (e errUnverified) Unwrap() error { return e.error }

func isUnverified(err error) bool {
	_, ok := errors.AsType[errUnverified](err)
	return ok
}

// isFinal reports whether a worker's outcome is that of the call: the command line
// could do no better.
func isFinal(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return err == nil || isUnverified(err) || ok && e.Kind == Exists
}

// isSuited reports whether workers can make what a job asks for.
func (p *Workers) isSuited(job *Job) (bool, error) {
	f, space, err := job.plan()
	if err == nil {
		err = checkVacant(job.Output)
	}
	if err != nil {
		return false, err
	}
	small := job.Size > 0 && job.Size <= thumbnailSizes[len(thumbnailSizes)-1].Y
	return small && f.name == imagefile.JPEG && space.name == "srgb" && !job.HighQuality && job.State == "", nil
}

// isTested reports whether workers of the darktable that is installed now have
// passed their test.
func (p *Workers) isTested() bool {
	now := p.d.Identity()
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.test == tested && p.testOf == now
}

// previewByWorker has a worker develop a picture with one of its methods, and
// publishes it.
func (p *Workers) previewByWorker(ctx context.Context, job Job, develop func(*worker, context.Context, *Job) (string, error)) (picture Picture, err error) {
	ctx, cancel := context.WithTimeout(ctx, halfTime(ctx, job.Timeout))
	defer cancel()
	err = p.withWorker(ctx, &job, func(w *worker) error {
		path, err := develop(w, ctx, &job)
		if err == nil {
			picture, err = formatOf(path).finishPicture(path, &job)
		}
		if err != nil {
			return err
		}
		defer os.Remove(path)
		if err := job.verify(p.d); err != nil {
			return errUnverified{err}
		}
		picture.Path = job.Output
		return job.publish(path)
	})
	return picture, err
}

// withWorker calls f with a worker that is prepared for a job's raw, when a slot is
// free.
func (p *Workers) withWorker(ctx context.Context, job *Job, f func(*worker) error) error {
	w, slot, err := p.obtain(ctx, job)
	if err != nil {
		return err
	}
	defer slot.release()
	err = f(w)
	e, ok := errors.AsType[*Error](err)
	if blameless := errors.Is(err, errNoDraftPlan) || ok && (e.Kind == Exists || e.Kind == System); blameless {
		p.release(w, nil)
	} else {
		p.release(w, err)
	}
	return err
}

// obtain gives a worker for a job's raw, and the slot that it runs in. One that has the raw
// and serves somebody is waited for at first, rather than that another is started.
func (p *Workers) obtain(ctx context.Context, job *Job) (*worker, *slot, error) {
	patience := time.NewTimer(longestWait)
	defer patience.Stop()
	for patient := true; ; {
		slot, err := p.d.schedule.acquire(ctx, request{owner: job.Raw})
		if err != nil {
			return nil, nil, err
		}
		var w *worker
		key, err := p.d.newWorkerKey(job) // the raw may have changed meanwhile
		if err == nil {
			w, err = p.take(key, patient)
		}
		if err == nil {
			return w, slot, nil
		}
		slot.release()
		serving, ok := errors.AsType[errPrepared](err)
		if !ok {
			return nil, nil, err
		}
		select {
		case <-serving.freed:
		case <-patience.C:
			patient = false
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		}
	}
}

// longestWait is how long a worker that serves somebody is waited for: less than the 3 s
// that another takes to its first draft of 24 megapixels beside it (docs/BENCHMARKS.md).
const longestWait = 2 * time.Second

// An errPrepared is the reason when a worker that has the raw serves somebody; freed is
// closed when one serves no longer.
type errPrepared struct{ freed <-chan struct{} }

func (errPrepared) Error() string { return "the worker that has the raw serves others" }

// halfTime is half of the time that there is for a job.
func halfTime(ctx context.Context, timeout time.Duration) time.Duration {
	deadline, has := ctx.Deadline()
	switch {
	case has && timeout == 0:
		timeout = time.Until(deadline)
	case has:
		timeout = min(timeout, time.Until(deadline))
	case timeout == 0:
		timeout = DefaultTimeout
	}
	return timeout / 2
}
