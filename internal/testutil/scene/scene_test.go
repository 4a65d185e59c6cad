package scene

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
)

// paint renders a scene to linear sRGB, without a camera.
func paint(s Scene, megapixels float64) *pixel.Image {
	w, h := Size(megapixels)
	img := s.Image(w, h)
	out := &pixel.Image{Width: w, Height: h, Pix: make([]float32, 3*w*h)}
	parallel(h, func(y int) {
		row := out.Pix[3*w*y : 3*w*(y+1)]
		img.Row(y, row)
		for x := range w {
			// Linear Rec.2020 to linear sRGB, ITU-R BT.2087 inverted.
			r, g, b := row[3*x], row[3*x+1], row[3*x+2]
			row[3*x] = 1.660491*r - 0.587641*g - 0.072850*b
			row[3*x+1] = -0.124550*r + 1.132900*g - 0.008349*b
			row[3*x+2] = -0.018151*r - 0.100579*g + 1.118730*b
		}
	})
	return out
}

func TestChartHasThePublishedColours(t *testing.T) {
	t.Parallel()
	m := paint(Chart{}, 0.3)
	for _, p := range (Chart{}).Patches() {
		if d := pixel.DeltaE2000(m.Mean(p.Rect).Lab(), p.Lab); d > 0.05 {
			t.Errorf("%s: %v is ΔE2000 %.3f from %v", p.Name, m.Mean(p.Rect).Lab(), d, p.Lab)
		}
	}
	corner := m.Mean(pixel.Rect{Width: 0.05, Height: 0.05})
	if math.Abs(corner.Luminance()-dng.MiddleGrey) > 1e-4 {
		t.Errorf("the card is %v, want mid-grey", corner)
	}
}

// rampStep is the inner part of step i of a ramp, without its edges.
func rampStep(r Ramp, i int) pixel.Rect {
	w := 1 / float64(r.Steps)
	return pixel.Rect{X: (float64(i) + 0.2) * w, Y: 0.2, Width: 0.6 * w, Height: 0.6}
}

func TestRampRisesInStops(t *testing.T) {
	t.Parallel()
	steps := Ramp{Steps: 13}
	m := paint(steps, 0.1)
	for i := range 13 {
		got := math.Log2(m.Mean(rampStep(steps, i)).Luminance() / dng.MiddleGrey)
		if want := float64(i - 8); math.Abs(got-want) > 0.001 {
			t.Errorf("step %d is at %.3f EV, want %g", i, got, want)
		}
	}
	smooth := Ramp{From: -2, To: 2}
	m = paint(smooth, 0.1)
	for _, u := range []float64{0.1, 0.5, 0.9} {
		got := math.Log2(m.Mean(pixel.Rect{X: u - 0.005, Width: 0.01, Height: 1}).Luminance() / dng.MiddleGrey)
		if want := smooth.ev(u); math.Abs(got-want) > 0.01 {
			t.Errorf("at %g the ramp is at %.3f EV, want %.3f", u, got, want)
		}
	}
}

// ev is the luminance of a place in stops from mid-grey.
func ev(c pixel.Colour) float64 { return math.Log2(c.Luminance() / dng.MiddleGrey) }

func TestLandscapeRegionsAreWhatTheyAreCalled(t *testing.T) {
	t.Parallel()
	regions := Landscape{}.Regions()
	m := paint(Landscape{}, 0.3)
	lab := func(r pixel.Rect) pixel.Lab { return m.Mean(r).Lab() }
	check := func(name string, ok bool, r pixel.Rect) {
		t.Helper()
		if !ok {
			c := m.Mean(r)
			t.Errorf("%s is %+.1f EV, Lab %.1f, hue %.0f, chroma %.1f", name, ev(c), c.Lab(), c.Lab().Hue(), c.Lab().Chroma())
		}
	}
	hueIn := func(r pixel.Rect, from, to, chroma float64) bool {
		l := lab(r)
		return l.Hue() > from && l.Hue() < to && l.Chroma() > chroma
	}
	check("sky", hueIn(regions.Sky, 240, 290, 25), regions.Sky)
	check("cloud", ev(m.Mean(regions.CloudHighlight)) > dng.Headroom, regions.CloudHighlight)
	check("mountain", ev(m.Mean(regions.Mountain)) > 0.5 && lab(regions.Mountain).Chroma() < 20, regions.Mountain)
	check("foliage", hueIn(regions.Foliage, 80, 125, 15), regions.Foliage)
	check("water", ev(m.Mean(regions.Water)) < 0, regions.Water)
	check("skin", hueIn(regions.Skin, 30, 75, 10), regions.Skin)
	check("red cloth", hueIn(regions.RedCloth, 20, 45, 45), regions.RedCloth)
	check("yellow paint", hueIn(regions.YellowPaint, 60, 100, 35), regions.YellowPaint)
	check("grey stone", lab(regions.GreyStone).Chroma() < 0.05 && ev(m.Mean(regions.GreyStone)) > -1.5, regions.GreyStone)
	check("grass", hueIn(regions.Grass, 85, 130, 15), regions.Grass)
	check("deep shadow", ev(m.Mean(regions.DeepShadow)) < -6.5, regions.DeepShadow)
}

func TestLandscapeIsTheSameAtEverySize(t *testing.T) {
	t.Parallel()
	small, large := paint(Landscape{}, 0.1), paint(Landscape{}, 0.3)
	for j := range 10 {
		for i := range 10 {
			u, v := float64(i)/10, float64(j)/10
			r := pixel.Rect{X: u, Y: v, Width: 0.1, Height: 0.1}
			if d := pixel.DeltaE2000(small.Mean(r).Lab(), large.Mean(r).Lab()); d > 5 {
				t.Errorf("around %.2f, %.2f the sizes differ by ΔE2000 %.1f", u+0.05, v+0.05, d)
			}
		}
	}
}

// lampMiddle is the middle of lamp i, which clips.
func lampMiddle(i int) pixel.Rect {
	u, v := lampAt(i)
	return pixel.Rect{X: u/aspect - 0.03, Y: v - 0.045, Width: 0.06, Height: 0.09}
}

// The lamps clip in their middles, and each is of its own colour at its rim.
func TestLampsClipInTheMiddle(t *testing.T) {
	t.Parallel()
	m := paint(Lamps{}, 0.1)
	for i := range 6 {
		if got := ev(m.Mean(lampMiddle(i))); got < dng.Headroom {
			t.Errorf("lamp %d is at %+.1f EV, want past %g", i, got, dng.Headroom)
		}
	}
	if got := ev(m.Mean(pixel.Rect{X: 0.48, Y: 0.49, Width: 0.04, Height: 0.02})); got > 0 {
		t.Errorf("between the lamps it is %+.1f EV", got)
	}
}

// The target is grey in the middle of the picture and splits into colours
// towards the corners, where it is darker.
func TestOpticsHasItsFaultsInTheCorners(t *testing.T) {
	t.Parallel()
	m := paint(Optics{}, 0.3)
	// white is the brightest green of a part, and split how far red and blue are
	// apart at most.
	look := func(r pixel.Rect) (white, split float64) {
		for y := int(r.Y * float64(m.Height)); y < int((r.Y+r.Height)*float64(m.Height)); y++ {
			for x := int(r.X * float64(m.Width)); x < int((r.X+r.Width)*float64(m.Width)); x++ {
				p := m.Pix[3*(y*m.Width+x):]
				white, split = max(white, float64(p[1])), max(split, math.Abs(float64(p[0]-p[2])))
			}
		}
		return white, split
	}
	middle, _ := look(pixel.Rect{X: 0.4, Y: 0.4, Width: 0.2, Height: 0.2})
	corner, split := look(pixel.Rect{Width: 0.15, Height: 0.15})
	if !(corner < 0.75*middle) {
		t.Errorf("white is %.2f in the corner and %.2f in the middle", corner, middle)
	}
	if split < 0.2 {
		t.Errorf("red and blue are at most %.2f apart in the corner", split)
	}
}

func TestWriteIsDeterministic(t *testing.T) {
	t.Parallel()
	var files [2][]byte
	for i := range files {
		path := filepath.Join(t.TempDir(), "x.dng")
		o := Options{Megapixels: 0.1, DNG: dng.Options{Noise: 1}}
		if err := Write(path, Landscape{}, o); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[i] = b
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("two writes of one scene differ")
	}
}

func TestWriteRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := Write(filepath.Join(dir, "x.dng"), Chart{}, Options{Megapixels: 200}); err == nil {
		t.Error("200 megapixels were accepted")
	}
	if err := Write(filepath.Join(dir, "no", "x.dng"), Chart{}, Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing folder gave %v", err)
	}
	path := filepath.Join(dir, "y.dng")
	if err := Write(path, Chart{}, Options{DNG: dng.Options{Orientation: 12}}); err == nil {
		t.Error("orientation 12 was accepted")
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a failed write left a file")
	}
}

func TestSizeIsThreeToTwo(t *testing.T) {
	t.Parallel()
	for _, mp := range []float64{0.05, 0.3, 1, 1.5, 24} {
		w, h := Size(mp)
		if got := float64(w*h) / 1e6; math.Abs(got/mp-1) > 0.03 {
			t.Errorf("%g MP: %d×%d is %.3f MP", mp, w, h, got)
		}
		if math.Abs(float64(w)/float64(h)-1.5) > 0.025 || w%2 != 0 || h%2 != 0 {
			t.Errorf("%g MP: %d×%d", mp, w, h)
		}
	}
}

func BenchmarkLandscape1Megapixel(b *testing.B) {
	path := filepath.Join(b.TempDir(), "x.dng")
	for b.Loop() {
		if err := Write(path, Landscape{}, Options{Megapixels: 1, DNG: dng.Options{Noise: 1}}); err != nil {
			b.Fatal(err)
		}
	}
}
