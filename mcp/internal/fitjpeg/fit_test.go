package fitjpeg

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
)

// noisy encodes a picture that compresses badly.
func noisy(tb testing.TB, width, height, quality int) []byte {
	tb.Helper()
	m, random := image.NewRGBA(image.Rect(0, 0, width, height)), rand.New(rand.NewPCG(1, 2))
	for i := range m.Pix {
		m.Pix[i] = byte(random.Uint32())
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, m, &jpeg.Options{Quality: quality}); err != nil {
		tb.Fatal(err)
	}
	return out.Bytes()
}

func TestFitKeepsToTheBudget(t *testing.T) {
	t.Parallel()
	testutil.SkipShort(t)
	for _, size := range []image.Point{{600, 400}, {400, 600}, {3000, 40}, {40, 3000}, {8, 8}, {1, 2000}} {
		data := noisy(t, size.X, size.Y, 95)
		for _, budget := range []int{1_000, 10_000, 100_000, 10_000_000} {
			p, err := Fit(data, budget)
			if err != nil {
				t.Fatal(err)
			}
			config, err := jpeg.DecodeConfig(bytes.NewReader(p.JPEG))
			if err != nil {
				t.Fatal(err)
			}
			if config.Width != p.Width || config.Height != p.Height {
				t.Errorf("%v into %d: said to be %d × %d, is %d × %d", size, budget, p.Width, p.Height, config.Width, config.Height)
			}
			if len(p.JPEG) > budget {
				t.Errorf("%v into %d: %d bytes", size, budget, len(p.JPEG))
			}
			if len(data) <= budget && !bytes.Equal(p.JPEG, data) {
				t.Errorf("%v into %d: encoded anew although it fits", size, budget)
			}
			// each side is rounded to a pixel
			if off := math.Abs(float64(p.Width*size.Y - p.Height*size.X)); off > float64(size.X+size.Y) {
				t.Errorf("%v into %d: the proportions of %d × %d", size, budget, p.Width, p.Height)
			}
		}
	}
}

// Quality is given up before size, and no more of it than the budget asks for.
func TestFitTakesTheBestQuality(t *testing.T) {
	t.Parallel()
	testutil.SkipShort(t)
	data := noisy(t, 600, 400, 100)
	m, err := jpeg.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for i, quality := range qualities {
		var out bytes.Buffer
		if err := jpeg.Encode(&out, m, &jpeg.Options{Quality: quality}); err != nil {
			t.Fatal(err)
		}
		p, err := Fit(data, out.Len())
		if err != nil {
			t.Fatal(err)
		}
		if p.Quality != quality || p.Width != 600 {
			t.Errorf("into %d bytes, which quality %d takes: quality %d, %d pixels wide", out.Len(), quality, p.Quality, p.Width)
		}
		p, err = Fit(data, out.Len()-1)
		if err != nil {
			t.Fatal(err)
		}
		if last := i == len(qualities)-1; last != (p.Width < 600) || !last && p.Quality != qualities[i+1] {
			t.Errorf("a byte below quality %d: quality %d, %d pixels wide", quality, p.Quality, p.Width)
		}
	}
}

func TestFitRefusesWhatIsNoJPEG(t *testing.T) {
	t.Parallel()
	testutil.SkipShort(t)
	whole := noisy(t, 64, 64, 95)
	for name, data := range map[string][]byte{
		"empty": nil, "text": []byte("no picture"), "torn": whole[:len(whole)/2],
	} {
		if p, err := Fit(data, 100); err == nil {
			t.Errorf("%s: %d × %d", name, p.Width, p.Height)
		}
	}
}

func TestFitKeepsTheColours(t *testing.T) {
	t.Parallel()
	testutil.SkipShort(t)
	m := image.NewRGBA(image.Rect(0, 0, 2000, 1000))
	want := color.RGBA{R: 200, G: 90, B: 40, A: 255}
	for i := 0; i < len(m.Pix); i += 4 {
		m.Pix[i], m.Pix[i+1], m.Pix[i+2], m.Pix[i+3] = want.R, want.G, want.B, want.A
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, m, &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	p, err := Fit(out.Bytes(), 2_000)
	if err != nil {
		t.Fatal(err)
	}
	small, err := jpeg.Decode(bytes.NewReader(p.JPEG))
	if err != nil {
		t.Fatal(err)
	}
	r, g, b, _ := small.At(p.Width/2, p.Height/2).RGBA()
	for i, pair := range [][2]int{{int(r >> 8), 200}, {int(g >> 8), 90}, {int(b >> 8), 40}} {
		if d := pair[0] - pair[1]; d < -3 || d > 3 {
			t.Errorf("channel %d: %d instead of %d", i, pair[0], pair[1])
		}
	}
}

func BenchmarkFitPreview(b *testing.B) {
	data := noisy(b, 1024, 683, 60)
	for b.Loop() {
		if _, err := Fit(data, 150_000); err != nil {
			b.Fatal(err)
		}
	}
}
