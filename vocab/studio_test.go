package vocab_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/internal/testutil/scene"
	"github.com/chemigram/chemigram/render"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

// studio develops small scenes with one darktable, at the raw's own size. With
// CHEMIGRAM_TEST_RENDERS set to a folder it keeps the pictures there by what
// went into them.
type studio struct {
	dt      *render.Darktable
	release iop.Release
	raws    map[vocab.Scene]string
	places  map[vocab.Scene]map[string]vocab.Place
	digests map[vocab.Scene][32]byte
	scratch string
	keep    string
	count   atomic.Int64
}

// photographed is a scene that knows its places.
type photographed interface {
	scene.Scene
	Places() map[string]pixel.Rect
}

func newStudio(t testing.TB, dt testutil.Darktable) *studio {
	t.Helper()
	found, err := render.Find(t.Context(), &render.Options{Path: dt.CLI, Scratch: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	release, err := iop.ReleaseFor(found.Version())
	if err != nil {
		t.Fatal(err)
	}
	s := &studio{
		dt: found, release: release, scratch: t.TempDir(), keep: os.Getenv("CHEMIGRAM_TEST_RENDERS"),
		raws: map[vocab.Scene]string{}, places: map[vocab.Scene]map[string]vocab.Place{}, digests: map[vocab.Scene][32]byte{},
	}
	for name, what := range map[vocab.Scene]struct {
		scene photographed
		dng   dng.Options
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
	} {
		raw := filepath.Join(s.scratch, string(name)+".dng")
		if err := scene.Write(raw, what.scene, scene.Options{Megapixels: 0.2, DNG: what.dng}); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(raw)
		if err != nil {
			t.Fatal(err)
		}
		s.raws[name], s.digests[name] = raw, sha256.Sum256(data)
		s.places[name] = map[string]vocab.Place{}
		for place, r := range what.scene.Places() {
			s.places[name][place] = vocab.Place(r)
		}
	}
	return s
}

func (s *studio) Baseline(ctx context.Context, name vocab.Scene) (*xmp.Sidecar, error) {
	packet, err := s.dt.Baseline(ctx, s.raws[name])
	if err != nil {
		return nil, err
	}
	return xmp.Parse(packet)
}

func (s *studio) Places(name vocab.Scene) map[string]vocab.Place { return s.places[name] }

func (s *studio) Render(ctx context.Context, shots []vocab.Shot) ([]image.Image, error) {
	return s.develop(ctx, "srgb", shots...)
}

// develop renders to 16-bit PNGs.
func (s *studio) develop(ctx context.Context, space string, shots ...vocab.Shot) ([]image.Image, error) {
	dir, err := os.MkdirTemp(s.scratch, "")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	paths := make([]string, len(shots))
	var jobs []render.Job
	for i, shot := range shots {
		paths[i] = filepath.Join(dir, fmt.Sprintf("%d.png", i))
		if s.keep != "" {
			key := sha256.Sum256(fmt.Appendf(nil, "%s %x %s %s", s.dt.Version(), s.digests[shot.Scene], space, shot.Sidecar))
			paths[i] = filepath.Join(s.keep, fmt.Sprintf("%x.png", key))
			if _, err := os.Stat(paths[i]); err == nil {
				continue
			}
		}
		jobs = append(jobs, render.Job{Raw: s.raws[shot.Scene], Sidecar: shot.Sidecar, Output: paths[i], BitDepth: 16, ColorSpace: space, Uncompressed: s.keep == ""})
	}
	s.count.Add(int64(len(jobs)))
	var failures []error
	for _, o := range s.dt.RenderAll(ctx, jobs, nil) {
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
