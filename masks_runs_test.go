package chemigram

import (
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/xmp/mask"
)

// Where shapes alone say what is selected, darktable develops the picture that is
// shown and nothing else; and not even that when somebody has looked at it before.
func TestShapesNeedNoDarktableBesideThePreview(t *testing.T) {
	testutil.SkipShort(t)
	outline := filepath.Join(t.TempDir(), "mask.png")
	drawn := image.NewGray(image.Rect(0, 0, 30, 20))
	for i := range 200 {
		drawn.SetGray(5+i%20, 5+i/20, color.Gray{Y: 255})
	}
	file, err := os.Create(outline)
	if err != nil {
		t.Fatal(err)
	}
	if err := png.Encode(file, drawn); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	disc := MaskShape{Kind: mask.KindCircle, Radius: 0.2}
	for name, m := range map[string]Mask{
		"a circle":            {Shapes: []MaskShape{disc}},
		"an ellipse":          {Shapes: []MaskShape{{Kind: mask.KindEllipse, Radius: 0.3, RadiusY: 0.1, Rotation: 20}}},
		"a gradient":          {Shapes: []MaskShape{{Kind: mask.KindGradient, Rotation: 90}}},
		"a polygon":           {Shapes: []MaskShape{{Kind: mask.KindPath, Points: [][]float64{{0.1, 0.1}, {0.9, 0.1}, {0.5, 0.8}}}}},
		"a stroke":            {Shapes: []MaskShape{{Kind: mask.KindBrush, Radius: 0.05, Points: [][]float64{{0.1, 0.1}, {0.9, 0.8}}}}},
		"two, and the rest":   {Invert: true, Shapes: []MaskShape{disc, {Kind: mask.KindGradient, Combine: mask.OpDifference}}, Opacity: new(mask.Share(0.5))},
		"a part of the frame": {Name: "top_third"},
		"a file":              {File: outline},
	} {
		e, fake := openFake(t, testutil.FakeOptions{}, "a")
		before := len(fake.Calls())
		seen, err := e.PreviewMask(t.Context(), PreviewMaskParams{ImageID: "a", Mask: m, Size: 300})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if runs := len(fake.Calls()) - before; runs != 1 || !(seen.Fraction > 0.01 && seen.Fraction < 0.99) {
			t.Errorf("%s: darktable ran %d times, want once; %.3f is selected", name, runs, seen.Fraction)
		}
		if _, err := e.RenderPreview(t.Context(), RenderPreviewParams{ImageID: "a", Size: 300}); err != nil {
			t.Fatal(err)
		}
		if _, err := e.PreviewMask(t.Context(), PreviewMaskParams{ImageID: "a", Mask: Mask{Shapes: []MaskShape{{Kind: mask.KindCircle, Radius: 0.3}}}, Size: 300}); err != nil {
			t.Fatal(err)
		}
		if runs := len(fake.Calls()) - before; runs != 1 {
			t.Errorf("%s: looking again, darktable ran %d times", name, runs-1)
		}
	}
}

// What is wrong with a mask is said before darktable runs.
func TestAWrongMaskRunsNoDarktable(t *testing.T) {
	e, fake := openFake(t, testutil.FakeOptions{}, "a")
	before := len(fake.Calls())
	for name, m := range map[string]Mask{
		"nothing":        {},
		"no radius":      {Shapes: []MaskShape{{Kind: mask.KindCircle}}},
		"no channel":     {Ranges: []MaskRange{{Channel: "loudness"}}},
		"beside a range": {Shapes: []MaskShape{{Kind: "star", Radius: 0.1}}, Ranges: []MaskRange{{Channel: mask.Lightness, From: new(0.5)}}},
		"no such name":   {Name: "skyblue"},
	} {
		if _, err := e.PreviewMask(t.Context(), PreviewMaskParams{ImageID: "a", Mask: m, Size: 300}); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	if runs := len(fake.Calls()) - before; runs > 0 {
		t.Errorf("darktable ran %d times", runs)
	}
}
