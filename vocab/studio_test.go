package vocab_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/scene"
	"github.com/chemigram/chemigram/render"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

// studio develops small scenes with one darktable, at the raw's own size. With
// CHEMIGRAM_TEST_RENDERS set to a folder it keeps the pictures there by what
// went into them, so that a second run takes seconds.
type studio struct {
	dt      *render.Darktable
	release iop.Release
	raws    map[vocab.Scene]string
	digests map[vocab.Scene][32]byte
	scratch string
	keep    string
	count   atomic.Int64
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
		raws: map[vocab.Scene]string{}, digests: map[vocab.Scene][32]byte{},
	}
	for name, what := range map[vocab.Scene]struct {
		scene scene.Scene
		dng   dng.Options
	}{
		vocab.Natural: {scene.Landscape{}, dng.Options{ISO: 800, Noise: 1, Seed: 1}},
		vocab.Chart:   {scene.Chart{}, dng.Options{}},
		vocab.Ramp:    {scene.Ramp{}, dng.Options{}},
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

func (s *studio) Render(ctx context.Context, name vocab.Scene, sidecar []byte) (image.Image, error) {
	return s.develop(ctx, name, sidecar, "srgb")
}

// develop renders to a 16-bit PNG.
func (s *studio) develop(ctx context.Context, name vocab.Scene, sidecar []byte, space string) (image.Image, error) {
	digest := s.digests[name]
	key := sha256.Sum256(fmt.Appendf(nil, "%s %x %s %s", s.dt.Version(), digest, space, sidecar))
	kept := ""
	if s.keep != "" {
		kept = filepath.Join(s.keep, fmt.Sprintf("%x.png", key))
		if data, err := os.ReadFile(kept); err == nil {
			return png.Decode(bytes.NewReader(data))
		}
	}
	out := filepath.Join(s.scratch, fmt.Sprintf("%d.png", s.count.Add(1)))
	if _, err := s.dt.Render(ctx, render.Job{Raw: s.raws[name], Sidecar: sidecar, Output: out, BitDepth: 16, ColorSpace: space}); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(out)
	if err != nil {
		return nil, err
	}
	if err := os.Remove(out); err != nil {
		return nil, err
	}
	if kept != "" {
		if err := os.WriteFile(kept, data, 0o600); err != nil {
			return nil, err
		}
	}
	return png.Decode(bytes.NewReader(data))
}
