package chemigram

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/chemigram/chemigram/internal/probe"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/scene"
	"github.com/chemigram/chemigram/render"
	"github.com/chemigram/chemigram/xmp/mask"
)

// What is drawn for ranges is what darktable selects by them, whatever the exposure, and
// where the picture is cropped.
func TestRangesAreDrawnAsDarktableSelects(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		e, _ := ready(t, dt, scene.Landscape{})
		masks := map[string]Mask{
			"darks":                 {Ranges: []MaskRange{{Channel: mask.Lightness, To: new(0.4), Softness: new(0.1)}}},
			"middles":               {Ranges: []MaskRange{{Channel: mask.Lightness, From: new(0.4), To: new(0.6)}}},
			"reds":                  {Name: "reds"},
			"colours":               {Ranges: []MaskRange{{Channel: mask.Chroma, From: new(0.2)}}},
			"two":                   {Ranges: []MaskRange{{Channel: mask.Hue, From: new(80.0), To: new(200.0)}, {Channel: mask.Lightness, From: new(0.3)}}},
			"either":                {Match: mask.Any, Shapes: []MaskShape{{Kind: mask.KindCircle, Radius: 0.2}}, Ranges: []MaskRange{{Channel: mask.Lightness, From: new(0.7)}}},
			"either, not":           {Match: mask.Any, Invert: true, Opacity: new(mask.Share(0.7)), Ranges: []MaskRange{{Channel: mask.Lightness, From: new(0.7)}, {Channel: mask.Chroma, From: new(0.3)}}},
			"a shape, too":          {Shapes: []MaskShape{{Kind: mask.KindCircle, Radius: 0.3}}, Ranges: []MaskRange{{Channel: mask.Lightness, From: new(0.5)}}},
			"steeper":               {Contrast: 0.5, Ranges: []MaskRange{{Channel: mask.Lightness, From: new(0.5), Softness: new(0.3)}}},
			"flatter, hue":          {Contrast: -0.4, Ranges: []MaskRange{{Channel: mask.Hue, From: new(230.0), To: new(20.0), Softness: new(30.0)}}},
			"feathered":             {Feather: 10, Ranges: []MaskRange{{Channel: mask.Lightness, From: new(0.5)}}},
			"feathered far":         {Feather: 40, Ranges: []MaskRange{{Channel: mask.Chroma, From: new(0.2)}}},
			"a feathered shape":     {Feather: 20, Shapes: []MaskShape{{Kind: mask.KindCircle, Radius: 0.3}}},
			"feathered and blurred": {Feather: 10, Blur: 5, Contrast: 0.3, Shapes: []MaskShape{{Kind: mask.KindCircle, Radius: 0.3}}},
			"fine":                  {Details: 0.3, Ranges: []MaskRange{{Channel: mask.Lightness, From: new(0.3)}}},
			"a fine shape":          {Details: 0.1, Shapes: []MaskShape{{Kind: mask.KindCircle, Radius: 0.3}}},
			"even":                  {Details: -0.5, Invert: true, Opacity: new(mask.Share(0.7)), Ranges: []MaskRange{{Channel: mask.Chroma, From: new(0.1)}}},
			"even, softer":          {Details: -0.3, Feather: 10, Contrast: -0.2, Shapes: []MaskShape{{Kind: mask.KindCircle, Radius: 0.4}}},
			"blurred":               {Blur: 12, Ranges: []MaskRange{{Channel: mask.Lightness, From: new(0.5)}}},
		}
		for _, look := range []string{"as it is", "brighter", "cropped"} {
			switch look {
			case "brighter":
				apply(t, e, "exposure", 0.8)
			case "cropped":
				if _, err := set(t, e, "crop", "", "cx", "0.2", "cy", "0.1", "cw", "0.95", "ch", "0.9"); err != nil {
					t.Fatal(err)
				}
			}
			for name, m := range masks {
				if look == "cropped" && (m.Blur+m.Feather > 0 || m.Name != "") {
					// How large a raw is that is smaller than a thousand pixels is not known then.
					// Reds are blurred, too.
					if _, err := drawInLight(t, e, "a", m, mask.Size{Width: 300, Height: 200}); !errors.Is(err, probe.ErrMoreThanLight) {
						t.Errorf("cropped, %s: %v, want %v", name, err, probe.ErrMoreThanLight)
					}
					continue
				}
				checkDrawn(t, e, "a", look+", "+name, m)
			}
		}
		// Light that is not daylight, by which darktable 5 balances colours late.
		for light, kelvin := range map[ImageID]float64{"tungsten": 2800, "shade": 9000} {
			shoot(t, e, light, dng.Options{Kelvin: kelvin})
			for _, name := range []string{"darks", "reds", "colours", "feathered far", "fine"} {
				checkDrawn(t, e, light, string(light)+", "+name, masks[name])
			}
		}
	})
}

// drawInLight draws a mask in the light of a picture of this size.
func drawInLight(t *testing.T, e *Engine, id ImageID, m Mask, size mask.Size) (render.Selection, error) {
	t.Helper()
	img, now := startOf(t, e, id)
	spec, err := now.Expand(m)
	if err != nil {
		t.Fatal(err)
	}
	draw, err := now.Drawn(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	placed, err := draw(size)
	if err != nil {
		t.Fatal(err)
	}
	return e.probe.InLight(t.Context(), rawOf(t.Context(), img), now, placed)
}

// checkDrawn holds what is drawn of a mask to what darktable selects.
func checkDrawn(t *testing.T, e *Engine, id ImageID, name string, m Mask) {
	t.Helper()
	img, now := startOf(t, e, id)
	spec, err := now.Expand(m)
	if err != nil {
		t.Fatal(err)
	}
	want, err := e.probe.Selection(t.Context(), rawOf(t.Context(), img), now, spec)
	if err != nil {
		t.Fatal(err)
	}
	got, err := drawInLight(t, e, id, m, mask.Size{Width: float64(want.Width), Height: float64(want.Height)})
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if got.Width != want.Width || got.Height != want.Height {
		t.Fatalf("%s: %d × %d, want %d × %d", name, got.Width, got.Height, want.Width, want.Height)
	}
	mean, selected := 0.0, 0.0
	for i, v := range want.At {
		mean += math.Abs(v-got.At[i]) / float64(len(want.At))
		selected += v / float64(len(want.At))
	}
	t.Logf("%s: %.3f is selected, drawn with a mean difference of %.4f", name, selected, mean)
	if mean > 0.01 {
		t.Errorf("%s: the mean difference is %.4f", name, mean)
	}
}

// In the JPEG of a camera darktable 4 decodes the light after exposure, where its place is
// another than in a raw. The same is selected as is measured, and something is.
func TestRangesOfADevelopedPictureAreSelected(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		e, raw := openWith(t, dt, scene.Chart{})
		raw = filepath.Join(filepath.Dir(raw), "picture.jpg")
		m := image.NewRGBA(image.Rect(0, 0, 480, 320))
		for y := range 320 {
			for x := range 480 {
				m.SetRGBA(x, y, color.RGBA{uint8(40 + x/3), uint8(200 - y/2), uint8(230 - x/3), 255})
			}
		}
		var data bytes.Buffer
		if err := errors.Join(jpeg.Encode(&data, m, nil), os.WriteFile(raw, data.Bytes(), 0o600)); err != nil {
			t.Fatal(err)
		}
		ingest(t, e, raw)
		img, now := startOf(t, e, "a")
		for name, m := range map[string]Mask{
			"middles": {Ranges: []MaskRange{{Channel: mask.Lightness, From: new(0.4), To: new(0.7)}}},
			"colours": {Ranges: []MaskRange{{Channel: mask.Chroma, From: new(0.4)}}},
			"blue":    {Name: "sky_blue"},
		} {
			seen, err := e.PreviewMask(t.Context(), PreviewMaskParams{ImageID: "a", Mask: m})
			if err != nil {
				t.Fatal(err)
			}
			spec, err := now.Expand(m)
			if err != nil {
				t.Fatal(err)
			}
			measured, err := e.probe.Selection(t.Context(), rawOf(t.Context(), img), now, spec)
			if err != nil {
				t.Fatal(err)
			}
			want := 0.0
			for _, v := range measured.At {
				want += v / float64(len(measured.At))
			}
			if want < 0.02 || want > 0.98 || math.Abs(seen.Fraction-want) > 0.01 {
				t.Errorf("%s: %.4f is selected, want %.4f", name, seen.Fraction, want)
			}
		}
	})
}
