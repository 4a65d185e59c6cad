package pixel

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/image/tiff"
)

func near(tolerance float64) cmp.Option {
	return cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) <= tolerance })
}

func TestDeltaE2000AgreesWithThePublishedPairs(t *testing.T) {
	t.Parallel()
	for i, p := range sharmaPairs {
		if got := DeltaE2000(p.a, p.b); math.Abs(got-p.want) > 0.00006 {
			t.Errorf("pair %d: %.5f, published %.4f", i+1, got, p.want)
		}
		if got := DeltaE2000(p.b, p.a); math.Abs(got-p.want) > 0.00006 {
			t.Errorf("pair %d the other way round: %.5f, published %.4f", i+1, got, p.want)
		}
	}
}

func TestDeltaE76IsADistance(t *testing.T) {
	t.Parallel()
	if got := DeltaE76(Lab{50, 3, 0}, Lab{50, 0, 4}); got != 5 {
		t.Errorf("got %g, want 5", got)
	}
}

func TestKnownColours(t *testing.T) {
	t.Parallel()
	// CIELAB (D50) of the corners of sRGB, as its ICC profile has them.
	for _, tt := range []struct {
		name string
		c    Colour
		want Lab
	}{
		{"white", Colour{1, 1, 1}, Lab{100, 0, 0}},
		{"black", Colour{}, Lab{}},
		{"red", Colour{1, 0, 0}, Lab{54.29, 80.81, 69.89}},
		{"green", Colour{0, 1, 0}, Lab{87.82, -79.29, 80.99}},
		{"blue", Colour{0, 0, 1}, Lab{29.57, 68.30, -112.03}},
		{"18 % grey", Colour{.1842, .1842, .1842}, Lab{50, 0, 0}},
	} {
		if diff := cmp.Diff(tt.want, tt.c.Lab(), near(0.02)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
	if got := (Lab{50, 0, -10}).Hue(); got != 270 {
		t.Errorf("hue of a blue is %g, want 270", got)
	}
	if got := (Lab{50, 3, -4}).Chroma(); got != 5 {
		t.Errorf("chroma is %g, want 5", got)
	}
	if got := Linearise(0.5); math.Abs(got-0.21404) > 1e-5 {
		t.Errorf("sRGB 0.5 is %g linear, want 0.21404", got)
	}
	if diff := cmp.Diff([3]float64{0, 0.5, 1}, srgb(Colour{-1, 0.214041, 2}), near(1e-5)); diff != "" {
		t.Error(diff)
	}
}

// srgb encodes a colour.
func srgb(c Colour) [3]float64 { return [3]float64{encode(c.R), encode(c.G), encode(c.B)} }

// gradient is a picture of 16-bit values.
func gradient(w, h int) *image.NRGBA64 {
	m := image.NewNRGBA64(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			m.SetNRGBA64(x, y, color.NRGBA64{uint16(x * 65535 / (w - 1)), uint16(y * 65535 / (h - 1)), 0x4321, 0xffff})
		}
	}
	return m
}

func TestLoadReadsWhatDarktableWrites(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	src := gradient(40, 30)
	eight := image.NewNRGBA(src.Bounds())
	for y := range 30 {
		for x := range 40 {
			eight.Set(x, y, src.At(x, y))
		}
	}
	var files [4]bytes.Buffer
	if err := errors.Join(
		png.Encode(&files[0], src), png.Encode(&files[1], eight),
		tiff.Encode(&files[2], src, nil), jpeg.Encode(&files[3], eight, &jpeg.Options{Quality: 100}),
	); err != nil {
		t.Fatal(err)
	}
	for i, tt := range []struct {
		name      string
		tolerance float64
	}{{"16.png", 2e-5}, {"8.png", 1.0 / 255}, {"16.tiff", 2e-5}, {"8.jpg", 0.1}} {
		path := filepath.Join(dir, tt.name)
		if err := os.WriteFile(path, files[i].Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		m, err := Load(path)
		if err != nil {
			t.Fatal(err)
		}
		if m.Width != 40 || m.Height != 30 {
			t.Fatalf("%s: %d×%d", tt.name, m.Width, m.Height)
		}
		got := srgb(m.At(20, 15))
		want := [3]float64{20.0 / 39, 15.0 / 29, 0x4321 / 65535.0}
		if diff := cmp.Diff(want, got, near(tt.tolerance)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
	linear, err := LoadLinear(filepath.Join(dir, "16.png"))
	if err != nil {
		t.Fatal(err)
	}
	if got := linear.At(20, 15).R; math.Abs(got-20.0/39) > 2e-5 {
		t.Errorf("linear red is %g, want %g", got, 20.0/39)
	}
}

func TestLoadRefusesWhatIsNoPicture(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "no.jpg")
	if err := os.WriteFile(path, []byte("not a picture"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(path); !errors.Is(err, image.ErrFormat) {
		t.Errorf("got %v", err)
	}
	if _, err := Load(path + ".missing"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

// halves is black on the left and of a colour on the right.
func halves(c Colour) *Image {
	m := &Image{Width: 100, Height: 60, Pix: make([]float32, 3*100*60)}
	for y := range 60 {
		for x := 50; x < 100; x++ {
			p := m.Pix[3*(100*y+x):]
			p[0], p[1], p[2] = float32(c.R), float32(c.G), float32(c.B)
		}
	}
	return m
}

func TestMeanIsOfTheRegion(t *testing.T) {
	t.Parallel()
	m := halves(Colour{0.5, 0.25, 1})
	left, right := Rect{0, 0, 0.5, 1}, Rect{0.5, 0, 0.5, 1}
	for _, tt := range []struct {
		r    Rect
		want Colour
	}{{left, Colour{}}, {right, Colour{0.5, 0.25, 1}}, {Whole, Colour{0.25, 0.125, 0.5}}, {Rect{2, 2, 1, 1}, Colour{0.5, 0.25, 1}}} {
		if diff := cmp.Diff(tt.want, m.Mean(tt.r), near(1e-6)); diff != "" {
			t.Errorf("%v (-want +got):\n%s", tt.r, diff)
		}
	}
}

func TestCompareWhere(t *testing.T) {
	t.Parallel()
	a, b := halves(Colour{0.5, 0.5, 0.5}), halves(Colour{0.6, 0.5, 0.5})
	want := DeltaE2000(a.At(99, 0).Lab(), b.At(99, 0).Lab())
	right := Rect{0.5, 0, 0.5, 1}
	for name, tt := range map[string]struct {
		mask Mask
		want Difference
	}{
		"everywhere": {nil, Difference{want / 2, want, 0.5}},
		"inside":     {right.Contains, Difference{want, want, 1}},
		"outside":    {Outside(right), Difference{}},
	} {
		got, err := CompareWhere(a, b, tt.mask)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, got, near(0.02)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if _, err := Compare(a, FromImage(gradient(50, 60))); !errors.Is(err, ErrSize) {
		t.Errorf("pictures of different size: %v", err)
	}
	if _, err := CompareWhere(a, b, Outside(Whole)); err == nil {
		t.Error("a mask that selects nothing was accepted")
	}
}

func TestBlurKeepsTheMeanAndSpreadsAnEdge(t *testing.T) {
	t.Parallel()
	m := halves(Colour{1, 1, 1}).Blur(5)
	if got := m.At(50, 30).R; math.Abs(got-6.0/11) > 1e-6 {
		t.Errorf("the edge is %g, want 6/11", got)
	}
	if got := m.At(10, 0).R + 1 - m.At(90, 59).R; got != 0 {
		t.Errorf("flat parts moved by %g", got)
	}
	if got := m.Mean(Whole).G; math.Abs(got-0.5) > 1e-6 {
		t.Errorf("mean is %g, want 0.5", got)
	}
}

func TestMeanLuma(t *testing.T) {
	t.Parallel()
	m := halves(Colour{1, 1, 1})
	for want, r := range map[float64]Rect{0.5: Whole, 0: {0, 0, 0.5, 1}, 1: {0.5, 0, 0.5, 1}} {
		if got := m.MeanLuma(r); math.Abs(got-want) > 1e-9 {
			t.Errorf("%v has a mean luma of %g, want %g", r, got, want)
		}
	}
}

func BenchmarkCompareOneMegapixel(b *testing.B) {
	m := FromImage(gradient(1224, 816))
	n := &Image{Width: m.Width, Height: m.Height, Pix: make([]float32, len(m.Pix))}
	for i, v := range m.Pix {
		n.Pix[i] = v * 1.1
	}
	for b.Loop() {
		if _, err := Compare(m, n); err != nil {
			b.Fatal(err)
		}
	}
}
