package render

import (
	"context"
	"errors"
	"image"
	"os"
	"time"
)

// Preview develops a picture to look at, in the quality that is asked for or in
// a better one, and tells in which. The job's Output must be a JPEG and its
// ColorSpace sRGB; its BitDepth and HighQuality mean nothing below [Exact].
//
// A preview is exact when the size is 0 or above 3200 pixels, when the raw has
// fewer pixels than that, or when workers cannot serve it; [Workers.Status]
// tells why. A worker gets half of the time that there is, so that the export
// can step in. Preview fails like [Darktable.Render].
func (p *Workers) Preview(ctx context.Context, job Job, q Quality) (Picture, Quality, error) {
	began := time.Now()
	f, space, err := job.plan()
	if err != nil {
		return Picture{}, "", err
	}
	mip, small := mipFor(job.Size)
	if small && (q == Draft || q == Fine) && f.name == "jpeg" && space.name == "srgb" {
		if err := vacant("render", job.Output); err != nil {
			return Picture{}, "", err
		}
		picture, err := p.warm(ctx, job, q, mip)
		if err == nil {
			picture.Duration = time.Since(began)
			p.Prepare(job.Raw, q)
			return picture, q, nil
		}
		if e, ok := errors.AsType[*Error](err); ok && e.Kind == Exists {
			return Picture{}, "", err
		}
	}
	picture, err := p.d.Render(ctx, job)
	picture.Duration = time.Since(began)
	return picture, Exact, err
}

// errBusy says that all workers serve others.
var errBusy = errors.New("no worker is free")

// warm has a worker make a preview.
func (p *Workers) warm(ctx context.Context, job Job, q Quality, mip int) (Picture, error) {
	ctx, cancel := context.WithTimeout(ctx, half(ctx, job.Timeout))
	defer cancel()
	select {
	case p.d.slots <- struct{}{}:
		defer func() { <-p.d.slots }()
	case <-ctx.Done():
		return Picture{}, ctx.Err()
	}
	key, err := keyFor(job.Raw, q)
	if err != nil {
		return Picture{}, err
	}
	w, err := p.take(key)
	if err != nil {
		return Picture{}, err
	}
	if w == nil {
		return Picture{}, errBusy
	}
	m, err := w.develop(ctx, job, mip)
	if errors.Is(err, context.Canceled) || errors.Is(err, errSmall) {
		p.served(w, nil) // that is not the worker's fault
		return Picture{}, err
	}
	if err != nil {
		p.served(w, err)
		return Picture{}, err
	}
	picture, err := w.publish(m, job)
	p.served(w, nil)
	return picture, err
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

// develop gives the picture, in sRGB and of the size that was asked for.
func (w *worker) develop(ctx context.Context, job Job, mip int) (image.Image, error) {
	path, err := w.serve(ctx, job.Sidecar, mip)
	if err != nil {
		return nil, err
	}
	return loadThumbnail(path, job.Size)
}

// publish writes the picture to where it was asked for.
func (w *worker) publish(m image.Image, job Job) (Picture, error) {
	path := w.box.at("out", "preview.jpg")
	f, err := os.Create(path)
	if err != nil {
		return Picture{}, systemError("render", job.Output, err)
	}
	if err := errors.Join(EncodeJPEG(f, m, job.Quality), f.Close()); err != nil {
		return Picture{}, systemError("render", job.Output, err)
	}
	info, err := os.Stat(path)
	if err != nil {
		return Picture{}, systemError("render", job.Output, err)
	}
	if err := publish(path, job.Output); err != nil {
		return Picture{}, err
	}
	return Picture{Path: job.Output, Width: m.Bounds().Dx(), Height: m.Bounds().Dy(), Bytes: info.Size(), Format: "jpeg"}, nil
}
