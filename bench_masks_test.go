package chemigram

import (
	"cmp"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/scene"
	"github.com/chemigram/chemigram/xmp/mask"
)

// BenchmarkPreviewMask compares preview_mask with a draft of the same size, each of a
// look that nobody has seen, in turn, of a raw of 24 megapixels. Medians, and their
// ratio to the draft's. Give -benchtime 5x or so.
func BenchmarkPreviewMask(b *testing.B) {
	cli := cmp.Or(os.Getenv("DARKTABLE_CLI"), "darktable-cli")
	raw := filepath.Join(b.TempDir(), "landscape.dng")
	if err := scene.Write(raw, scene.Landscape{}, scene.Options{Megapixels: 24, DNG: dng.Options{Noise: 1}}); err != nil {
		b.Fatal(err)
	}
	e, err := Open(b.Context(), &Options{Workspace: filepath.Join(b.TempDir(), "workspace"), Darktable: cli})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = e.Close() })
	if _, err := e.Ingest(b.Context(), IngestParams{RawPath: raw, ImageID: "a"}); err != nil {
		b.Fatal(err)
	}
	const size = 768
	draft := func() error {
		_, err := e.RenderPreview(b.Context(), RenderPreviewParams{ImageID: "a", Size: size})
		return err
	}
	masked := func(m Mask) func() error {
		return func() error {
			_, err := e.PreviewMask(b.Context(), PreviewMaskParams{ImageID: "a", Mask: m, Size: size})
			return err
		}
	}
	details := 0.3
	disc := Mask{Shapes: []MaskShape{{Kind: mask.KindCircle, Radius: 0.3}}}
	ways := []struct {
		name   string
		before func() error
		timed  func() error
	}{
		{"draft", nil, draft},
		{"shapes", nil, masked(disc)},
		{"region", nil, masked(Mask{Points: []MaskPoint{{X: 0.5, Y: 0.1}}})},
		{"ranges", nil, masked(Mask{Ranges: []MaskRange{{Channel: mask.Lightness, From: new(0.3), To: new(0.7)}}})},
		{"sky_blue", nil, masked(Mask{Name: "sky_blue"})},
		{"steeper", nil, masked(Mask{Ranges: []MaskRange{{Channel: mask.Lightness, From: new(0.3)}}, Contrast: 0.5})},
		{"feathered", nil, masked(Mask{Ranges: []MaskRange{{Channel: mask.Lightness, From: new(0.3)}}, Feather: 20})},
		{"details", nil, masked(Mask{Ranges: []MaskRange{{Channel: mask.Lightness, From: new(0.3)}}, Details: 0.3})},
		{"other-details", nil, func() error {
			details += 0.01 // what is kept at another value was not measured before
			return masked(Mask{Ranges: []MaskRange{{Channel: mask.Lightness, From: new(0.3)}}, Details: details})()
		}},
		{"shapes-after-a-look", draft, masked(disc)},
		{"other-ranges", masked(Mask{Name: "sky_blue"}), masked(Mask{Name: "foliage"})},
	}
	for _, way := range ways { // what is loaded and measured once
		if err := way.timed(); err != nil {
			b.Fatal(err)
		}
	}
	took := make([][]time.Duration, len(ways))
	ev := 0.1
	for b.Loop() {
		for _, i := range rand.Perm(len(ways)) { // what prepares darktables has a rhythm of its own
			way := ways[i]
			ev += 0.003
			apply(b, e, "exposure", ev)
			if way.before != nil {
				if err := way.before(); err != nil {
					b.Fatal(err)
				}
			}
			began := time.Now()
			if err := way.timed(); err != nil {
				b.Fatal(err)
			}
			took[i] = append(took[i], time.Since(began))
		}
	}
	var first time.Duration
	for i, way := range ways {
		slices.Sort(took[i])
		median := took[i][len(took[i])/2]
		first = cmp.Or(first, median)
		b.ReportMetric(median.Seconds(), way.name+"-s")
		b.ReportMetric(float64(median)/float64(first), way.name+"-x")
	}
}
