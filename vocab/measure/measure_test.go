package measure

import (
	"errors"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %.4f, want %.4f within %g", what, got, want, tolerance)
	}
}

func paint(w, h int, f func(x, y int) color.Color) *Picture {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.Set(x, y, f(x, y))
		}
	}
	return New(img)
}

func grey(v int) color.Color { return color.Gray{Y: uint8(min(max(v, 0), 255))} }

func TestKnownColoursInLab(t *testing.T) {
	t.Parallel()
	// CIELAB under D50 of sRGB's corners, as ICC colour management gives it.
	for _, tt := range []struct {
		c       color.RGBA
		l, a, b float64
	}{
		{color.RGBA{255, 255, 255, 255}, 100, 0, 0},
		{color.RGBA{0, 0, 0, 255}, 0, 0, 0},
		{color.RGBA{119, 119, 119, 255}, 50.03, 0, 0},
		{color.RGBA{255, 0, 0, 255}, 54.29, 80.81, 69.89},
		{color.RGBA{0, 255, 0, 255}, 87.82, -79.29, 80.99},
		{color.RGBA{0, 0, 255, 255}, 29.57, 68.30, -112.03},
	} {
		p := paint(2, 2, func(int, int) color.Color { return tt.c })
		near(t, "L", float64(p.L[0]), tt.l, 0.05)
		near(t, "a", float64(p.A[0]), tt.a, 0.05)
		near(t, "b", float64(p.B[0]), tt.b, 0.05)
	}
}

func TestDeltaE2000AgreesWithPublishedPairs(t *testing.T) {
	t.Parallel()
	// From the test data of Sharma, Wu and Dalal (2005), table 1.
	for _, tt := range []struct {
		p, q [3]float64
		want float64
	}{
		{[3]float64{50, 2.6772, -79.7751}, [3]float64{50, 0, -82.7485}, 2.0425},
		{[3]float64{50, -1, 2}, [3]float64{50, 0, 0}, 2.3669},
		{[3]float64{50, 2.5, 0}, [3]float64{61, -5, 29}, 22.8977},
		{[3]float64{60.2574, -34.0099, 36.2677}, [3]float64{60.4626, -34.1751, 39.4387}, 1.2644},
		{[3]float64{2.0776, 0.0795, -1.1350}, [3]float64{0.9033, -0.0636, -0.5514}, 0.9082},
	} {
		near(t, "ΔE", DeltaE2000(tt.p, tt.q), tt.want, 5e-5)
		near(t, "ΔE back", DeltaE2000(tt.q, tt.p), tt.want, 5e-5)
	}
}

func TestMeanDeltaENeedsTheSameSize(t *testing.T) {
	t.Parallel()
	a, b := paint(8, 8, func(int, int) color.Color { return grey(100) }), paint(8, 9, func(int, int) color.Color { return grey(100) })
	if _, err := MeanDeltaE(a, b, nil); !errors.Is(err, ErrSize) {
		t.Errorf("err = %v", err)
	}
	if d, err := MeanDeltaE(a, a, nil); d != 0 || err != nil {
		t.Errorf("a picture differs from itself by %g, %v", d, err)
	}
}

func TestDistancesAreOfTheMaskAlone(t *testing.T) {
	t.Parallel()
	a := paint(10, 10, func(int, int) color.Color { return grey(100) })
	b := paint(10, 10, func(x, y int) color.Color { return grey(100 + 20*max(0, 1-x-y)) }) // one pixel differs
	mask := make([]bool, 100)
	mask[0], mask[1] = true, true
	whole, _ := MeanDeltaE(a, b, nil)
	part, _ := MeanDeltaE(a, b, mask)
	near(t, "fifty times as much in a fiftieth", part, 50*whole, 1e-3)
	for share, differs := range map[float64]bool{0.98: false, 1: true} {
		if d, err := DeltaEQuantile(a, b, nil, share); (d > 1) != differs || err != nil {
			t.Errorf("%g of the pixels are within %g, %v", share, d, err)
		}
	}
	if d, _ := MeanDeltaE(a, b, make([]bool, 100)); !math.IsNaN(d) {
		t.Errorf("nothing differs by %g", d)
	}
}

// Each measure answers to what it is named for.
func TestMeasuresMoveAsNamed(t *testing.T) {
	t.Parallel()
	const w, h = 96, 64
	scene := func(f func(v, x, y int) color.Color) *Picture {
		return paint(w, h, func(x, y int) color.Color { return f(60+x, x, y) })
	}
	plain := scene(func(v, _, _ int) color.Color { return grey(v) })
	noise := rand.New(rand.NewPCG(1, 2))
	// keystone has a line wherever a place is a multiple of twelve.
	keystone := func(place func(x, y int) float64) *Picture {
		return scene(func(_, x, y int) color.Color { return grey(120 + int(80*math.Sin(place(x, y)*math.Pi/6))) })
	}
	rgb := func(r, g, b int) color.Color { return color.RGBA{uint8(r), uint8(g), uint8(b), 255} }
	tests := []struct {
		measure Measure
		after   *Picture
		sign    float64
	}{
		{LumaMean, scene(func(v, _, _ int) color.Color { return grey(v + 20) }), 1},
		{Contrast, scene(func(v, _, _ int) color.Color { return grey(v*3/2 - 54) }), 1},
		{Chroma, scene(func(v, _, _ int) color.Color { return rgb(v+20, v, v) }), 1},
		{ChromaSpread, scene(func(v, x, _ int) color.Color { return rgb(v+x, v, v) }), 1},
		{Warmth, scene(func(v, _, _ int) color.Color { return rgb(v, v, v-20) }), 1},
		{Warmth, scene(func(v, _, _ int) color.Color { return rgb(v, v, v+20) }), -1},
		{Tint, scene(func(v, _, _ int) color.Color { return rgb(v+10, v-10, v+10) }), 1},
		{Tint, scene(func(v, _, _ int) color.Color { return rgb(v, v+10, v) }), -1},
		{Sharpness, scene(func(v, x, y int) color.Color { return grey(v + 20*((x+y)%2)) }), 1},
		{LocalContrast, scene(func(v, x, _ int) color.Color { return grey(v + 20*(x/4%2)) }), 1},
		{Noise, scene(func(v, _, _ int) color.Color { return grey(v + noise.IntN(20)) }), 1},
		{VignetteFalloff, scene(func(v, x, y int) color.Color {
			return grey(v - int(40*math.Hypot(float64(x)/w-0.5, float64(y)/h-0.5)))
		}), -1},
		{TopFalloff, scene(func(v, _, y int) color.Color { return grey(v + y) }), -1},
		{LeftFalloff, scene(func(v, x, _ int) color.Color { return grey(v + x) }), -1},
		{Tilt, scene(func(_, x, y int) color.Color { return grey(120 + int(80*math.Sin(float64(4*x+y)/20))) }), 1},
		{Tilt, scene(func(_, x, y int) color.Color { return grey(120 + int(80*math.Sin(float64(4*x-y)/20))) }), -1},
		{ConvergeUp, keystone(func(x, y int) float64 { return float64(x-w/2) * (1 + float64(h-y)/200) }), 1},
		{ConvergeUp, keystone(func(x, y int) float64 { return float64(x-w/2) * (1 + float64(y)/200) }), -1},
		{ConvergeLeft, keystone(func(x, y int) float64 { return float64(y-h/2) * (1 + float64(w-x)/200) }), 1},
		{ConvergeLeft, keystone(func(x, y int) float64 { return float64(y-h/2) * (1 + float64(x)/200) }), -1},
		{Speckles, scene(func(v, x, y int) color.Color {
			if x%16 == 8 && y%16 == 8 {
				return grey(250)
			}
			return grey(v)
		}), 1},
		{ClippedFraction, scene(func(v, _, _ int) color.Color { return grey(v + 150) }), 1},
		{CrushedFraction, scene(func(v, _, _ int) color.Color { return grey(v - 100) }), 1},
		{Width, paint(w+2, h, func(int, int) color.Color { return grey(9) }), 1},
		{Height, paint(w, h+2, func(int, int) color.Color { return grey(9) }), 1},
		{Aspect, paint(w+2, h, func(int, int) color.Color { return grey(9) }), 1},
	}
	tried := map[Measure]bool{}
	lines := scene(func(_, x, y int) color.Color { return grey(120 + 40*(x/12%2) + 40*(y/12%2)) })
	for _, tt := range tests {
		tried[tt.measure] = true
		of := plain
		if tt.measure == Tilt || tt.measure == ConvergeUp || tt.measure == ConvergeLeft {
			of = lines
		}
		before, after := tt.measure.Of(of, nil), tt.measure.Of(tt.after, nil)
		if !((after-before)*tt.sign > 0) {
			t.Errorf("%s: %.4f became %.4f, want the sign %g", tt.measure, before, after, tt.sign)
		}
	}
	// Where there are no lines, or they run every way, there is no angle.
	leaves := scene(func(_, _, _ int) color.Color { return grey(80 + noise.IntN(100)) })
	for _, of := range []*Picture{plain, leaves} {
		for _, m := range []Measure{Tilt, ConvergeUp, ConvergeLeft} {
			if got := m.Of(of, nil); !math.IsNaN(got) {
				t.Errorf("%s of no lines is %.4f", m, got)
			}
		}
	}
	for _, m := range Measures() {
		if !tried[m] {
			t.Errorf("%s was not tried", m)
		}
	}
}

func TestNoiseIsNotSlope(t *testing.T) {
	t.Parallel()
	slope := paint(64, 64, func(x, y int) color.Color { return color.Gray16{Y: uint16(20000 + 50*x + 25*y)} })
	near(t, "noise of a slope", Noise.Of(slope, nil), 0, 0.15) // what rounding to 8 bits leaves
}

func TestRegionsSplitByTone(t *testing.T) {
	t.Parallel()
	p := paint(100, 4, func(x, _ int) color.Color { return grey(2 * x) })
	var means []float64
	total := 0
	for _, r := range []Region{Shadows, Midtones, Highlights} {
		mask := r.Mask(p)
		for _, in := range mask {
			if in {
				total++
			}
		}
		means = append(means, LumaMean.Of(p, mask))
	}
	if total != 400 {
		t.Errorf("the regions hold %d pixels of 400", total)
	}
	if !(means[0] < means[1] && means[1] < means[2]) {
		t.Errorf("means %v", means)
	}
	if Everywhere.Mask(p) != nil {
		t.Error("everywhere has a mask")
	}
}

func TestSmallPicturesDoNotPanic(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{1, 1}, {1, 9}, {9, 1}, {8, 8}} {
		p := paint(size[0], size[1], func(int, int) color.Color { return grey(100) })
		for _, m := range Measures() {
			m.Of(p, nil)
			m.Of(p, Shadows.Mask(p))
		}
	}
}

func BenchmarkNew(b *testing.B) {
	img := image.NewRGBA(image.Rect(0, 0, 480, 320))
	for i := range img.Pix {
		img.Pix[i] = uint8(i * 7)
	}
	for b.Loop() {
		New(img)
	}
}

func TestRegionsByHueAreWhatTheyAreCalled(t *testing.T) {
	t.Parallel()
	for region, c := range map[Region]color.RGBA{
		Reds: {200, 40, 40, 255}, Oranges: {230, 130, 40, 255}, Yellows: {230, 210, 50, 255}, Greens: {60, 150, 60, 255},
		Aquas: {40, 180, 190, 255}, Blues: {50, 100, 200, 255}, Purples: {130, 60, 180, 255}, Magentas: {200, 60, 160, 255},
	} {
		p := paint(1, 1, func(int, int) color.Color { return c })
		for _, r := range Regions() {
			if got := r.isHue() && r.Mask(p)[0]; got != (r == region) {
				t.Errorf("%v is among the %s: %v, want it among the %s only", c, r, got, region)
			}
		}
	}
	if p := paint(1, 1, func(int, int) color.Color { return color.RGBA{128, 126, 124, 255} }); Oranges.Mask(p)[0] {
		t.Error("a grey has a hue")
	}
}

// Regions by place are parts of the frame, and others are what is outside of them.
func TestRegionsByPlace(t *testing.T) {
	t.Parallel()
	p := paint(80, 48, func(x, y int) color.Color { return grey(100) })
	for _, tt := range []struct {
		region Region
		x, y   int // a pixel of it
		share  float64
	}{
		{Top, 40, 2, 1. / 3},
		{Bottom, 40, 45, 1. / 3},
		{Left, 2, 24, 26. / 80},
		{Right, 77, 24, 26. / 80},
		{Centre, 40, 24, 1. / 16},
		{Corners, 79, 0, 1. / 16},
	} {
		in, out := tt.region.Mask(p), Others.Mask(p, tt.region)
		n := 0
		for i := range in {
			if in[i] {
				n++
			}
			if in[i] == out[i] {
				t.Fatalf("%s: pixel %d is in both or neither", tt.region, i)
			}
		}
		near(t, "the share of "+string(tt.region), float64(n)/float64(len(in)), tt.share, 0.001)
		if !in[tt.y*p.Width+tt.x] {
			t.Errorf("%s has not the pixel %d, %d", tt.region, tt.x, tt.y)
		}
	}
}
