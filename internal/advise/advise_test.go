package advise

import (
	"context"
	"image"
	"image/color"
	"math"
	"testing"

	"github.com/chemigram/chemigram/internal/exif"
)

// tone is a picture of which x and y, from 0 to 1, give the lightness.
func tone(width, height int, at func(x, y float64) float64) image.Image {
	m := image.NewRGBA64(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			v := uint16(0xffff * min(max(at(float64(x)/float64(width), float64(y)/float64(height)), 0), 1))
			m.SetRGBA64(x, y, color.RGBA64{v, v, v, 0xffff})
		}
	}
	return m
}

// advised is what is said of a picture, by what it is about. bright is by how much a
// developed picture is brighter for a stop.
func advised(t *testing.T, m image.Image, taken exif.Summary) map[string]Advice {
	t.Helper()
	p := Photograph{Picture: m, Linear: m, Taken: taken, Develop: func(_ context.Context, moves ...Move) (image.Image, error) {
		ev := moves[0].Values["ev"]
		box := m.Bounds()
		return tone(box.Dx(), box.Dy(), func(x, y float64) float64 {
			r, _, _, _ := m.At(int(x*float64(box.Dx())+0.5), int(y*float64(box.Dy())+0.5)).RGBA()
			return float64(r) / 0xffff * math.Exp2(ev/2.2)
		}), nil
	}}
	all, err := All(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]Advice{}
	for _, a := range all {
		out[a.About] = a
		if math.IsNaN(a.Confidence) || a.Confidence < 0 || a.Confidence > 1 || a.Reason == "" || (a.Verdict == Change) != (len(a.Moves) > 0) || a.Verdict == Unsure && a.Confidence != 0 {
			t.Errorf("%+v", a)
		}
	}
	return out
}

func TestPicturesThatShowNothingAreLeftAlone(t *testing.T) {
	t.Parallel()
	for _, size := range []image.Point{{1, 1}, {1, 40}, {40, 1}, {3, 3}, {64, 48}, {2000, 4}} {
		for _, lightness := range []float64{0, 0.4, 1} {
			m := tone(size.X, size.Y, func(float64, float64) float64 { return lightness })
			said := advised(t, m, exif.Summary{})
			if said[Straighten].Verdict != Unsure || said[Noise].Verdict != Unsure || said[Crop].Verdict != Unsure {
				t.Errorf("%v at %g: %+v", size, lightness, said)
			}
		}
	}
}

func TestAFrameIsCutOff(t *testing.T) {
	t.Parallel()
	within := func(x, y float64) float64 { return 0.2 + 0.5*x*y + 0.1*math.Sin(40*x+30*y) }
	m := tone(400, 300, func(x, y float64) float64 {
		if x < 0.05 || y >= 0.97 {
			return 0
		}
		return within(x, y)
	})
	a := advised(t, m, exif.Summary{})[Crop]
	if a.Verdict != Change || len(a.Moves[0].Values) != 2 || math.Abs(a.Moves[0].Values["left"]-0.05) > 0.01 || math.Abs(a.Moves[0].Values["bottom"]-0.03) > 0.01 {
		t.Errorf("%+v", a)
	}
	if a := advised(t, tone(400, 300, within), exif.Summary{})[Crop]; a.Verdict != Unsure {
		t.Errorf("without a frame: %+v", a)
	}
}

// A dark picture is brightened, one with lights that would clip less or not, and one
// whose tones reach from black to white is left alone.
func TestExposureIsSuggestedWhereThereIsRoom(t *testing.T) {
	t.Parallel()
	said := func(at func(x, y float64) float64) Advice {
		return advised(t, tone(60, 60, at), exif.Summary{})[Exposure]
	}
	if a := said(func(x, _ float64) float64 { return 0.1 + 0.2*x }); a.Verdict != Change || a.Moves[0].Values["ev"] < 0.5 {
		t.Errorf("dark: %+v", a)
	}
	if a := said(func(x, _ float64) float64 { return 0.7 + 0.25*x }); a.Verdict != Change || a.Moves[0].Values["ev"] > -0.5 {
		t.Errorf("light: %+v", a)
	}
	if a := said(func(x, _ float64) float64 { return 0.2 + 0.5*x }); a.Verdict != Keep {
		t.Errorf("well exposed: %+v", a)
	}
	lights := func(x, y float64) float64 {
		if y < 0.05 {
			return 0.99
		}
		return 0.12 + 0.2*x
	}
	if a := said(lights); a.Verdict == Change {
		t.Errorf("with lights: %+v", a)
	}
	night := func(x, y float64) float64 {
		if y < 0.03 {
			return 0.8
		}
		return 0.02 + 0.12*x
	}
	if a := said(night); a.Verdict != Unsure {
		t.Errorf("at night: %+v", a)
	}
}

func TestNoiseGoesByISO(t *testing.T) {
	t.Parallel()
	for iso, want := range map[int]string{0: Unsure, 100: Keep, 799: Keep, 1600: Unsure} { // no pack has a template
		if a := advised(t, tone(20, 20, func(x, _ float64) float64 { return x }), exif.Summary{ISO: iso})[Noise]; a.Verdict != want {
			t.Errorf("ISO %d: %+v", iso, a)
		}
	}
}
