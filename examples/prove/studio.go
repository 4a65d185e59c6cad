package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"

	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/internal/testutil/scene"
	"github.com/chemigram/chemigram/render"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/vocab/prove"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

// studio photographs the scenes and has darktable develop them.
type studio struct {
	darktable *render.Darktable
	release   iop.Release
	folder    string
}

// scenes are what there is to photograph. The landscape has noise, for the moves
// that are about it.
var scenes = map[vocab.Scene]struct {
	scene interface {
		scene.Scene
		Places() map[string]pixel.Rect
	}
	camera dng.Options
}{
	vocab.Natural: {scene.Landscape{}, dng.Options{ISO: 800, Noise: 1, Seed: 1}},
	vocab.Chart:   {scene.Chart{}, dng.Options{}},
	vocab.Ramp:    {scene.Ramp{}, dng.Options{}},
	vocab.Night:   {scene.Landscape{}, dng.Options{ISO: 6400, Noise: 1, EV: -1, HotPixels: 0.0005, Seed: 1}},
	vocab.Lamps:   {scene.Lamps{}, dng.Options{}},
	vocab.Early:   {scene.Lamps{}, dng.Options{Saturation: 0.85}},
	// The lens is one that darktable knows.
	vocab.Optics: {scene.Optics{}, dng.Options{
		Make: "NIKON CORPORATION", Model: "NIKON D750", LensModel: "AF-S Zoom-Nikkor 24-70mm f/2.8G ED",
		FocalLength: 24, FNumber: 2.8, CornerLight: 0.5,
	}},
}

func newStudio(ctx context.Context) (_ *studio, err error) {
	s := &studio{}
	if s.darktable, err = render.Find(ctx, nil); err != nil {
		return nil, err
	}
	if s.release, err = iop.ReleaseFor(s.darktable.Version()); err != nil {
		return nil, err
	}
	if s.folder, err = os.MkdirTemp("", "chemigram-prove-*"); err != nil {
		return nil, err
	}
	for name, what := range scenes {
		if err := scene.Write(s.raw(name), what.scene, scene.Options{Megapixels: 0.2, DNG: what.camera}); err != nil {
			s.close()
			return nil, err
		}
	}
	return s, nil
}

func (s *studio) close() { _ = os.RemoveAll(s.folder) }

func (s *studio) raw(name vocab.Scene) string { return filepath.Join(s.folder, string(name)+".dng") }

func (s *studio) Baseline(ctx context.Context, name vocab.Scene) (*xmp.Sidecar, error) {
	packet, err := s.darktable.Baseline(ctx, s.raw(name))
	if err != nil {
		return nil, err
	}
	return xmp.Parse(packet)
}

func (s *studio) Places(name vocab.Scene) map[string]prove.Place {
	places := map[string]prove.Place{}
	for place, r := range scenes[name].scene.Places() {
		places[place] = prove.Place(r)
	}
	return places
}

func (s *studio) Render(ctx context.Context, shots []prove.Shot) ([]image.Image, error) {
	dir, err := os.MkdirTemp(s.folder, "wave-*")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	jobs := make([]render.Job, len(shots))
	for i, shot := range shots {
		jobs[i] = render.Job{
			Raw: s.raw(shot.Scene), Sidecar: shot.Sidecar, Output: filepath.Join(dir, fmt.Sprintf("%d.png", i)), BitDepth: 16, Uncompressed: true,
		}
	}
	images, failures := make([]image.Image, len(jobs)), make([]error, len(jobs))
	for i, o := range s.darktable.RenderAll(ctx, jobs, nil) {
		if failures[i] = o.Err; o.Err == nil {
			images[i], failures[i] = render.Load(o.Picture.Path)
		}
	}
	return images, errors.Join(failures...)
}
