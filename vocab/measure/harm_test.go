package measure

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"
)

// greys is a picture of greys, from 0 to 1 in sRGB.
func greys(width, height int, at func(x, y int) float64) *Picture {
	m := image.NewRGBA64(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			v := uint16(0xffff * max(0, min(1, at(x, y))))
			m.SetRGBA64(x, y, color.RGBA64{R: v, G: v, B: v, A: 0xffff})
		}
	}
	return New(m)
}

// Noise that a picture had, made stronger or weaker with its contrast, is not added;
// noise of its own is, even in one corner.
func TestAddedNoiseIsWhatAChangeBrings(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 1))
	own := make([]float64, 160*160)
	for i := range own {
		own[i] = 0.005 * r.NormFloat64()
	}
	texture := func(x, y int) float64 { return 0.3 + 0.001*float64(x) + own[y*160+x] }
	noisy, even := greys(160, 160, texture), greys(160, 160, func(x, _ int) float64 { return 0.3 + 0.001*float64(x) })
	whole := image.Rect(0, 0, 160, 160)
	for name, tt := range map[string]struct {
		before   *Picture
		after    func(x, y int) float64
		min, max float64
	}{
		"nothing":           {even, func(x, y int) float64 { return 0.3 + 0.001*float64(x) }, 0, 0.001},
		"brighter":          {noisy, func(x, y int) float64 { return 0.1 + 1.2*texture(x, y) }, 0, 0.1},
		"another, calmer":   {noisy, func(x, y int) float64 { return 0.3 + 0.001*float64(x) + 0.003*r.NormFloat64() }, 0, 0.1},
		"smoothed":          {noisy, func(x, y int) float64 { return 0.3 + 0.001*float64(x) }, 0, 0.01},
		"glow of an edge":   {even, func(x, y int) float64 { return 0.3 + 0.001*float64(x) + 0.2*math.Exp(-float64(y)/8) }, 0, 0.1},
		"a softer gradient": {even, func(x, y int) float64 { return 0.2 + 0.0004*float64(x) + 0.00001*float64(x*y)/160 }, 0, 0.01},
		"grain":             {even, func(x, y int) float64 { return 0.3 + 0.001*float64(x) + 0.01*r.NormFloat64() }, 0.7, 1.6},
		"a weave":           {even, func(x, y int) float64 { return 0.3 + 0.001*float64(x) + 0.01*float64(x/2%2+y/2%2) }, 0.4, 1.6},
		"a noisy corner": {even, func(x, y int) float64 {
			v := 0.3 + 0.001*float64(x)
			if x < 60 && y < 60 {
				v += 0.01 * r.NormFloat64()
			}
			return v
		}, 0.3, 1.6},
	} {
		got, err := AddedNoise(tt.before, greys(160, 160, tt.after), whole)
		if err != nil || got < tt.min || got > tt.max {
			t.Errorf("%s: %.3f, %v, want %g to %g", name, got, err, tt.min, tt.max)
		}
	}
	if _, err := AddedNoise(even, greys(8, 8, texture), whole); err == nil {
		t.Error("pictures of two sizes have a noise")
	}
	if got, err := AddedNoise(even, even, image.Rect(0, 0, 4, 4)); err != nil || !math.IsNaN(got) {
		t.Errorf("a part smaller than a block: %g, %v", got, err)
	}
}

func TestBandingIsAStepInAGradient(t *testing.T) {
	t.Parallel()
	whole := image.Rect(0, 0, 200, 10)
	smooth := greys(200, 10, func(x, _ int) float64 { return float64(x) / 250 })
	kink := greys(200, 10, func(x, _ int) float64 { return max(0.2, float64(x)/250) })
	bands := greys(200, 10, func(x, _ int) float64 { return float64(x/20*20) / 250 })
	if got := smooth.Banding(whole); got > 0.3 {
		t.Errorf("a smooth gradient has steps of %.3f", got)
	}
	if got := kink.Banding(whole); got > 0.4 {
		t.Errorf("a gradient with a kink has steps of %.3f", got)
	}
	if got := bands.Banding(whole); got < 5 {
		t.Errorf("ten bands have steps of %.3f", got)
	}
	if got := smooth.Banding(image.Rectangle{}); !math.IsNaN(got) {
		t.Errorf("no gradient has steps of %.3f", got)
	}
}

func TestAHaloIsBeyondBothSidesOfAnEdge(t *testing.T) {
	t.Parallel()
	edge := func(halo, tilt float64) *Picture {
		return greys(200, 10, func(x, _ int) float64 {
			d := float64(x-100) / 12
			v := 0.3 + tilt*float64(x)
			if x >= 100 {
				v = 0.7 + tilt*float64(x)
			}
			return v + math.Copysign(1, d)*halo*math.Exp(-math.Abs(d))
		})
	}
	whole := image.Rect(0, 0, 200, 10)
	for _, tt := range []struct{ halo, tilt, min, max float64 }{{0, 0, 0, 0.1}, {0, 0.0005, 0, 0.6}, {0.1, 0, 8, 12}, {-0.1, 0, 0, 0.5}} {
		if got := edge(tt.halo, tt.tilt).Halo(whole); got < tt.min || got > tt.max {
			t.Errorf("halo %g, tilt %g: %.2f, want %g to %g", tt.halo, tt.tilt, got, tt.min, tt.max)
		}
	}
	mirrored := greys(200, 10, func(x, _ int) float64 {
		if x < 100 {
			return 0.7 + 0.1*math.Exp(float64(x-100)/12)
		}
		return 0.3
	})
	if got := mirrored.Halo(whole); got < 8 {
		t.Errorf("a halo on the left: %.2f", got)
	}
}

func TestNewlyClippedCountsTheWorstChannel(t *testing.T) {
	t.Parallel()
	paint := func(red func(x int) uint8) *Picture {
		m := image.NewRGBA(image.Rect(0, 0, 100, 1))
		for x := range 100 {
			m.SetRGBA(x, 0, color.RGBA{R: red(x), G: 100, B: 100, A: 255})
		}
		return New(m)
	}
	before := paint(func(x int) uint8 { return map[bool]uint8{true: 255, false: 100}[x < 10] })
	after := paint(func(x int) uint8 { return map[bool]uint8{true: 255, false: 100}[x >= 5 && x < 20] })
	if got := NewlyClipped(before, after, true); got != 10 {
		t.Errorf("%g percent, want 10", got)
	}
	if got := NewlyClipped(before, after, false); math.Abs(got-5) > 1e-9 {
		t.Errorf("%g percent more, want 5", got)
	}
}
