package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"

	"github.com/chemigram/chemigram/examples/demo"
	"github.com/chemigram/chemigram/render"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/vocab/prove"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

// renderer develops raws of the scenes with darktable.
type renderer struct {
	darktable *render.Darktable
	release   iop.Release
	folder    string
}

// newRenderer finds darktable and writes the raws into a temporary folder.
func newRenderer(ctx context.Context) (_ *renderer, err error) {
	r := &renderer{}
	if r.darktable, err = render.Find(ctx, nil); err != nil {
		return nil, err
	}
	if r.release, err = iop.ReleaseFor(r.darktable.Version()); err != nil {
		return nil, err
	}
	if r.folder, err = os.MkdirTemp("", "chemigram-prove-*"); err != nil {
		return nil, err
	}
	for _, name := range demo.Scenes() {
		if err := demo.WriteScene(r.raw(name), name); err != nil {
			r.close()
			return nil, err
		}
	}
	return r, nil
}

func (r *renderer) close() { _ = os.RemoveAll(r.folder) }

func (r *renderer) raw(name vocab.Scene) string { return filepath.Join(r.folder, string(name)+".dng") }

func (r *renderer) Baseline(ctx context.Context, name vocab.Scene) (*xmp.Sidecar, error) {
	packet, err := r.darktable.Baseline(ctx, r.raw(name))
	if err != nil {
		return nil, err
	}
	return xmp.Parse(packet)
}

func (r *renderer) Places(name vocab.Scene) map[string]prove.Place {
	return demo.Places(name)
}

func (r *renderer) Render(ctx context.Context, shots []prove.Shot) ([]image.Image, error) {
	dir, err := os.MkdirTemp(r.folder, "batch-*")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	jobs := make([]render.Job, len(shots))
	for i, shot := range shots {
		jobs[i] = render.Job{
			Raw: r.raw(shot.Scene), Sidecar: shot.Sidecar, Output: filepath.Join(dir, fmt.Sprintf("%d.png", i)), BitDepth: 16, Uncompressed: true,
		}
	}
	images, errs := make([]image.Image, len(jobs)), make([]error, len(jobs))
	for i, o := range r.darktable.RenderAll(ctx, jobs, nil) {
		if errs[i] = o.Err; o.Err == nil {
			images[i], errs[i] = render.Load(o.Picture.Path)
		}
	}
	return images, errors.Join(errs...)
}
