package render

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/chemigram/chemigram/internal/testutil/pixel"
)

// painted is a picture whose pixels a function gives.
func painted(w, h int, at func(x, y int) color.Color) image.Image {
	m := image.NewNRGBA64(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			m.Set(x, y, at(x, y))
		}
	}
	return m
}

func grey(v float64) color.Color { return color.Gray16{uint16(math.Round(v * 0xffff))} }

func TestCompareCountsWhatDiffers(t *testing.T) {
	t.Parallel()
	a := painted(20, 10, func(int, int) color.Color { return grey(0.5) })
	b := painted(20, 10, func(x, _ int) color.Color {
		if x < 5 {
			return grey(0.6)
		}
		return grey(0.5)
	})
	got, err := Compare(a, b)
	if err != nil {
		t.Fatal(err)
	}
	light := func(v float64) pixel.Lab {
		l := pixel.Linearise(v)
		return pixel.Colour{R: l, G: l, B: l}.Lab()
	}
	d := pixel.DeltaE2000(light(0.5), light(0.6))
	want := &Comparison{Width: 20, Height: 10, MeanDeltaE: d / 4, MaxDeltaE: d, ChangedFraction: 0.25, SameFrame: true}
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 0.01), cmpopts.IgnoreUnexported(Comparison{})); diff != "" {
		t.Error(diff)
	}
	m := got.Picture()
	if m.At(0, 0) == m.At(19, 9) || m.At(19, 9) != (color.RGBA{A: 255}) {
		t.Errorf("the picture shows %v where it differs and %v where not", m.At(0, 0), m.At(19, 9))
	}
}

func TestCompareOfTwoFramesSaysSo(t *testing.T) {
	t.Parallel()
	a := painted(20, 10, func(int, int) color.Color { return grey(0.5) })
	b := painted(10, 10, func(int, int) color.Color { return grey(0.5) })
	got, err := Compare(a, b)
	if err != nil || got.SameFrame || got.Width != 20 || got.MaxDeltaE > 0.3 {
		t.Errorf("got %d × %d, ΔE %v, %v", got.Width, got.Height, got.MaxDeltaE, err)
	}
}

func TestMeasureKnownPictures(t *testing.T) {
	t.Parallel()
	ramp := painted(256, 4, func(x, _ int) color.Color { return grey(float64(x) / 255) })
	s, err := Measure(ramp, Region{})
	if err != nil {
		t.Fatal(err)
	}
	approx := cmpopts.EquateApprox(0, 0.003)
	want := Channel{
		Max: 1, Mean: 0.5, P1: 0.01, P5: 0.05, P25: 0.25, P50: 0.5, P75: 0.75, P95: 0.95, P99: 0.99,
		ClippedLow: 1.0 / 256, ClippedHigh: 1.0 / 256,
	}
	for i := range want.Histogram {
		want.Histogram[i] = 1.0 / HistogramBins
	}
	for name, got := range map[string]Channel{"red": s.Red, "green": s.Green, "blue": s.Blue, "luma": s.Luma} {
		if diff := cmp.Diff(want, got, approx); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if s.Pixels != 1024 || s.Lab.Chroma > 0.05 || math.Abs(s.Cast.A) > 0.05 || math.Abs(s.Cast.B) > 0.05 || s.Cast.Fraction < 0.8 {
		t.Errorf("a grey ramp has %+v, %+v", s.Lab, s.Cast)
	}

	red := painted(10, 10, func(int, int) color.Color { return color.NRGBA{255, 0, 0, 255} })
	if s, err = Measure(red, Region{}); err != nil {
		t.Fatal(err)
	}
	// The D50 CIELAB of sRGB's red, as colour calculators give it.
	wantLab := LabStats{L: 54.29, A: 80.80, B: 69.89, Chroma: 106.84, Hue: 40.86}
	if diff := cmp.Diff(wantLab, s.Lab, cmpopts.EquateApprox(0, 0.05)); diff != "" {
		t.Error(diff)
	}
	if s.Red.ClippedHigh != 1 || s.Green.ClippedLow != 1 || s.Cast != (Cast{}) {
		t.Errorf("red has %+v, %+v, %+v", s.Red, s.Green, s.Cast)
	}
	warm := painted(10, 10, func(int, int) color.Color { return color.NRGBA{135, 128, 118, 255} })
	if s, err = Measure(warm, Region{}); err != nil || s.Cast.B < 3 || s.Cast.Fraction != 1 {
		t.Errorf("warm grey has %+v, %v", s.Cast, err)
	}
}

func TestMeasureARegion(t *testing.T) {
	t.Parallel()
	m := painted(40, 20, func(x, y int) color.Color {
		if x >= 30 && y >= 15 {
			return grey(1)
		}
		return grey(0)
	}).(*image.NRGBA64).SubImage(image.Rect(20, 10, 40, 20))
	for _, c := range []struct {
		region Region
		pixels int
		mean   float64
	}{
		{Region{}, 200, 0.25},
		{Region{0, 0, 1, 1}, 200, 0.25},
		{Region{0.5, 0.5, 0.5, 0.5}, 50, 1},
		{Region{0.5, 0, 0.5, 0.5}, 50, 0},
		{Region{0.999, 0.999, 0.001, 0.001}, 1, 1},
	} {
		s, err := Measure(m, c.region)
		if err != nil || s.Pixels != c.pixels || math.Abs(s.Luma.Mean-c.mean) > 1e-9 {
			t.Errorf("%+v: got %+v, %v", c, s, err)
		}
	}
	for _, r := range []Region{{-0.1, 0, 1, 1}, {0, 0, 1.1, 1}, {0, 0, 0, 1}, {0.5, 0, 0.6, 1}, {math.NaN(), 0, 1, 1}} {
		if _, err := Measure(m, r); err == nil {
			t.Errorf("%+v is taken", r)
		}
	}
}

func TestMeasureReadsEveryKindOfPictureAlike(t *testing.T) {
	t.Parallel()
	at := func(x, y int) color.Color { return color.NRGBA{uint8(x * 20), uint8(y * 30), 90, 255} }
	wide := painted(12, 8, at)
	want, err := Measure(wide, Region{})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []interface {
		image.Image
		Set(x, y int, c color.Color)
	}{image.NewRGBA(wide.Bounds()), image.NewNRGBA(wide.Bounds()), image.NewRGBA64(wide.Bounds())} {
		for y := range 8 {
			for x := range 12 {
				m.Set(x, y, at(x, y))
			}
		}
		got, err := Measure(m, Region{})
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%T: %v %s", m, err, diff)
		}
	}
}

func TestEncodedJPEGsCarryTheirProfile(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := EncodeJPEG(&b, painted(64, 32, func(x, _ int) color.Color { return grey(float64(x) / 63) }), 0); err != nil {
		t.Fatal(err)
	}
	if c, err := jpeg.DecodeConfig(bytes.NewReader(b.Bytes())); err != nil || c.Width != 64 || c.Height != 32 {
		t.Errorf("got %+v, %v", c, err)
	}
	if _, err := jpeg.Decode(bytes.NewReader(b.Bytes())); err != nil {
		t.Error(err)
	}
	if !bytes.Contains(b.Bytes()[:40], []byte("ICC_PROFILE\x00\x01\x01")) || !bytes.Contains(b.Bytes(), SRGB.ICC()) {
		t.Error("there is no profile at the start")
	}
}

func TestSheetsHaveRoomForAllTiles(t *testing.T) {
	t.Parallel()
	tile := Tile{painted(60, 40, func(int, int) color.Color { return grey(1) }), "a label that is much too long for its tile"}
	for n := 1; n <= MaxTiles; n++ {
		tiles := make([]Tile, n)
		for i := range tiles {
			tiles[i] = tile
		}
		m, err := Sheet(tiles, 0)
		if err != nil {
			t.Fatal(err)
		}
		white := 0
		for y := range m.Bounds().Dy() {
			for x := range m.Bounds().Dx() {
				if m.At(x, y) == (color.RGBA{255, 255, 255, 255}) {
					white++
				}
			}
		}
		if white != n*60*40 {
			t.Errorf("%d tiles show %d white pixels, want %d", n, white, n*60*40)
		}
	}
	if m, err := Sheet(slices.Repeat([]Tile{{painted(240, 160, func(int, int) color.Color { return grey(1) }), "tile"}}, MaxTiles), 0); err != nil || m.Bounds().Dx() < 6*240 || m.Bounds().Dx() >= 7*240 {
		t.Errorf("%d tiles are not laid out 6 by 6: %v, %v", MaxTiles, m.Bounds(), err)
	}
	if _, err := Sheet(nil, 0); err == nil {
		t.Error("a sheet of nothing")
	}
}

func BenchmarkCompare(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	noise := func() image.Image {
		m := image.NewYCbCr(image.Rect(0, 0, 1024, 683), image.YCbCrSubsampleRatio420)
		for _, plane := range [][]byte{m.Y, m.Cb, m.Cr} {
			for i := range plane {
				plane[i] = byte(96 + random.IntN(64))
			}
		}
		return m
	}
	p, q := noise(), noise()
	b.Run("compare", func(b *testing.B) {
		for b.Loop() {
			if _, err := Compare(p, q); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("measure", func(b *testing.B) {
		for b.Loop() {
			if _, err := Measure(p, Region{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// A picture that says it is larger than any is refused before it is decoded.
func TestAPictureOfTooManyPixelsIsNotLoaded(t *testing.T) {
	t.Parallel()
	chunk := []byte("IHDR\x00\x00\x80\x00\x00\x00\x80\x00\x08\x00\x00\x00\x00")
	head := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\r"), chunk...)
	path := filepath.Join(t.TempDir(), "a.png")
	if err := os.WriteFile(path, binary.BigEndian.AppendUint32(head, crc32.ChecksumIEEE(chunk)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(path); err == nil || !strings.Contains(err.Error(), "32768 by 32768 pixels") {
		t.Errorf("got %v", err)
	}
}
