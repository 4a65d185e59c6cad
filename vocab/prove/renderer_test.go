package prove_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/internal/testutil/scene"
	"github.com/chemigram/chemigram/render"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/vocab/prove"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

// renderer develops small scenes with one darktable, at the raw's own size. With
// CHEMIGRAM_TEST_RENDERS set to a folder it keeps the pictures there, by a hash of
// all that they are made of.
type renderer struct {
	dt      *render.Darktable
	release iop.Release
	scratch string
	mu      sync.Mutex
	written map[vocab.Scene]bool
	keep    string
	count   atomic.Int64
}

// sceneWithPlaces is a scene with places that have names.
type sceneWithPlaces interface {
	scene.Scene
	Places() map[string]pixel.Rect
}

// The chart in other light, for tests of white balance.
const (
	tungsten vocab.Scene = "tungsten"
	shade    vocab.Scene = "shade"
)

// photographs are the scenes, each painted once for all renderers.
var photographs = map[vocab.Scene]photograph{
	vocab.Natural: newPhotograph(scene.Landscape{}, dng.Options{ISO: 800, Noise: 1, Seed: 1}),
	vocab.Chart:   newPhotograph(scene.Chart{}, dng.Options{}),
	vocab.Ramp:    newPhotograph(scene.Ramp{}, dng.Options{}),
	vocab.Night:   newPhotograph(scene.Landscape{}, dng.Options{ISO: 6400, Noise: 1, EV: -1, HotPixels: 0.0005, Seed: 1}),
	vocab.Lamps:   newPhotograph(scene.Lamps{}, dng.Options{}),
	vocab.Smooth:  newPhotograph(scene.Smooth{}, dng.Options{}),
	vocab.Early:   newPhotograph(scene.Lamps{}, dng.Options{Saturation: 0.85}),
	tungsten:      newPhotograph(scene.Chart{}, dng.Options{Kelvin: 2800}),
	shade:         newPhotograph(scene.Chart{}, dng.Options{Kelvin: 10000}),
	// The lens is one that darktable knows.
	vocab.Optics: newPhotograph(scene.Optics{}, dng.Options{
		Make: "NIKON CORPORATION", Model: "NIKON D750", LensModel: "AF-S Zoom-Nikkor 24-70mm f/2.8G ED",
		FocalLength: 24, FNumber: 2.8, CornerLight: 0.5,
	}),
}

// photograph is a scene with its raw, made when it is first asked for.
type photograph struct {
	scene     sceneWithPlaces
	raw       func() ([]byte, error)
	extension string // of the file's name
}

func newPhotograph(s sceneWithPlaces, o dng.Options) photograph {
	return photograph{scene: s, extension: "dng", raw: sync.OnceValues(func() ([]byte, error) {
		var b bytes.Buffer
		err := dng.Write(&b, s.Image(scene.Size(0.2)), o)
		return b.Bytes(), err
	})}
}

func newRenderer(t testing.TB, dt testutil.Darktable) *renderer {
	t.Helper()
	found, err := render.Find(t.Context(), &render.Options{Path: dt.CLI, Scratch: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	release, err := iop.ReleaseFor(found.Version())
	if err != nil {
		t.Fatal(err)
	}
	r := &renderer{
		dt: found, release: release, scratch: t.TempDir(), keep: os.Getenv("CHEMIGRAM_TEST_RENDERS"),
		written: map[vocab.Scene]bool{},
	}
	return r
}

// raw writes a scene's raw, when it is not there yet.
func (r *renderer) raw(name vocab.Scene) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	path := filepath.Join(r.scratch, string(name)+"."+photographs[name].extension)
	if r.written[name] {
		return path, nil
	}
	data, err := photographs[name].raw()
	if err != nil {
		return "", err
	}
	r.written[name] = true
	return path, os.WriteFile(path, data, 0o600)
}

func (r *renderer) Baseline(ctx context.Context, name vocab.Scene) (*xmp.Sidecar, error) {
	raw, err := r.raw(name)
	if err != nil {
		return nil, err
	}
	packet, err := r.dt.Baseline(ctx, raw)
	if err != nil {
		return nil, err
	}
	return xmp.Parse(packet)
}

func (r *renderer) Places(name vocab.Scene) map[string]prove.Place {
	places := map[string]prove.Place{}
	for place, rect := range photographs[name].scene.Places() {
		places[place] = prove.Place(rect)
	}
	return places
}

func (r *renderer) Render(ctx context.Context, shots []prove.Shot) ([]image.Image, error) {
	return r.develop(ctx, "srgb", shots...)
}

// develop renders to 16-bit PNGs.
func (r *renderer) develop(ctx context.Context, space string, shots ...prove.Shot) ([]image.Image, error) {
	dir, err := os.MkdirTemp(r.scratch, "")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	paths := make([]string, len(shots))
	var jobs []render.Job
	for i, shot := range shots {
		paths[i] = filepath.Join(dir, fmt.Sprintf("%d.png", i))
		raw, err := r.raw(shot.Scene)
		if err != nil {
			return nil, err
		}
		if r.keep != "" {
			data, err := photographs[shot.Scene].raw()
			if err != nil {
				return nil, err
			}
			key := sha256.Sum256(fmt.Appendf(nil, "%s %x %s %s", r.dt.Version(), sha256.Sum256(data), space, shot.Sidecar))
			paths[i] = filepath.Join(r.keep, fmt.Sprintf("%x.png", key))
			if _, err := os.Stat(paths[i]); err == nil {
				continue
			}
		}
		jobs = append(jobs, render.Job{Raw: raw, Sidecar: shot.Sidecar, Output: paths[i], BitDepth: 16, ColorSpace: space, Uncompressed: r.keep == ""})
	}
	r.count.Add(int64(len(jobs)))
	var failures []error
	for _, o := range r.dt.RenderAll(ctx, jobs, nil) {
		if !errors.Is(o.Err, fs.ErrExist) { // another call may have kept it meanwhile
			failures = append(failures, o.Err)
		}
	}
	if err := errors.Join(failures...); err != nil {
		return nil, err
	}
	images := make([]image.Image, len(shots))
	for i, path := range paths {
		if images[i], err = render.Load(path); err != nil {
			return nil, err
		}
	}
	return images, nil
}
