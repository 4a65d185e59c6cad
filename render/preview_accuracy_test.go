package render_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/internal/testutil/scene"
	"github.com/chemigram/chemigram/render"
)

// truth is "1" to compare previews of 24 megapixels with darktable's command line,
// or the path of a photograph, which is then one of what is developed; without it
// that is not done.
const truth = "CHEMIGRAM_TEST_TRUTH"

// TestPreviewsOfLargeRawsAreTrue prints how far previews are from what the command
// line makes at the same size, and fails when it is more than they promise.
func TestPreviewsOfLargeRawsAreTrue(t *testing.T) {
	photograph := os.Getenv(truth)
	if photograph == "" {
		t.Skip(truth + " is not set")
	}
	scenes := []scene.Scene{scene.Landscape{}, scene.Chart{}, texture{}}
	if m, err := pixel.Load(photograph); err == nil {
		scenes = append(scenes, mosaicked{m})
	}
	for _, s := range scenes {
		raw := filepath.Join(t.TempDir(), s.Name()+".dng")
		if err := scene.Write(raw, s, scene.Options{Megapixels: 24, DNG: dng.Options{Noise: 1}}); err != nil {
			t.Fatal(err)
		}
		testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
			l := newSetup(t, dt)
			baseline, err := l.Baseline(t.Context(), raw)
			if err != nil {
				t.Fatal(err)
			}
			job := func(how string, size int) render.Job {
				return render.Job{Raw: raw, Size: size, Sidecar: baseline, Quality: 98, Output: filepath.Join(l.out, fmt.Sprintf("%s-%d.jpg", how, size))}
			}
			workers := render.NewWorkers(l.Darktable, nil)
			defer workers.Close()
			if _, err := workers.Preview(t.Context(), job("first", 512)); err != nil {
				t.Fatal(err)
			}
			waitTested(t, workers)
			for _, size := range []int{1024, 1600} {
				cold, err := l.Render(t.Context(), job("cold", size))
				if err != nil {
					t.Fatal(err)
				}
				want := loadPixels(t, cold)
				draft, err := workers.Draft(t.Context(), job("draft", size))
				if err != nil {
					t.Fatal(err)
				}
				got := loadPixels(t, draft)
				a := displacement(want.Blur(2), got.Blur(2))
				t.Logf("%s, %s, %d pixels: draft ΔE %.2f, radius 2 %.2f, radius 8 %.2f; %v",
					dt.Name, s.Name(), size, apart(t, want, got, 0), apart(t, want, got, 2), apart(t, want, got, 8), a)
				if d := apart(t, want, got, 8); d > 1 {
					t.Errorf("the draft is %.2f away after a blur of radius 8, at most 1 is promised", d)
				}
				if d := a.largest(want); d > 0.25 {
					t.Errorf("the draft lies %.2f pixels aside, at most a quarter is promised", d)
				}
				fine, err := workers.Preview(t.Context(), job("fine", size))
				if err != nil {
					t.Fatal(err)
				}
				if d := apart(t, want, loadPixels(t, fine), 0); d > 0 {
					t.Errorf("the fine preview is %.2f away, want the same pixels", d)
				}
			}
		})
	}
}

// apart is the mean ΔE2000 of two pictures after a blur.
func apart(t *testing.T, a, b *pixel.Image, radius int) float64 {
	t.Helper()
	if radius > 0 {
		a, b = a.Blur(radius), b.Blur(radius)
	}
	d, err := pixel.Compare(a, b)
	if err != nil {
		t.Fatal(err)
	}
	return d.Mean
}

// An alignment is how a picture lies against another: aside in its middle, in
// pixels, and larger by a fraction.
type alignment struct{ x, y, scaleX, scaleY float64 }

func (a alignment) String() string {
	return fmt.Sprintf("aside %+.2f, %+.2f pixels; scale %+.5f, %+.5f", a.x, a.y, a.scaleX, a.scaleY)
}

// largest is how far anything of a picture lies aside along one axis.
func (a alignment) largest(m *pixel.Image) float64 {
	return max(math.Abs(a.x)+math.Abs(a.scaleX)*float64(m.Width)/2, math.Abs(a.y)+math.Abs(a.scaleY)*float64(m.Height)/2)
}

// displacement finds the alignment of b against a, which is small: the one that
// explains best, by a's slopes, how they differ.
func displacement(a, b *pixel.Image) alignment {
	var m [4][5]float64 // normal equations
	light := func(p *pixel.Image, x, y int) float64 { return math.Sqrt(p.At(x, y).Luminance()) }
	for y := 8; y < a.Height-8; y++ {
		for x := 8; x < a.Width-8; x++ {
			dx := (light(a, x+1, y) - light(a, x-1, y)) / 2
			dy := (light(a, x, y+1) - light(a, x, y-1)) / 2
			u, v := float64(x)-float64(a.Width)/2, float64(y)-float64(a.Height)/2
			row := [5]float64{dx, dy, dx * u, dy * v, light(a, x, y) - light(b, x, y)}
			for i := range 4 {
				for j := range row {
					m[i][j] += row[i] * row[j]
				}
			}
		}
	}
	for i := range 4 { // Gauss and Jordan
		for j := range 4 {
			if j == i {
				continue
			}
			k := m[j][i] / m[i][i]
			for c := range m[j] {
				m[j][c] -= k * m[i][c]
			}
		}
	}
	return alignment{m[0][4] / m[0][0], m[1][4] / m[1][1], m[2][4] / m[2][2], m[3][4] / m[3][3]}
}

// A texture has detail of every size down to two pixels of a raw of 24 megapixels,
// with the amplitudes that photographs have: twice the size, twice the contrast.
type texture struct{}

func (texture) Name() string { return "texture" }

func (texture) Image(width, height int) dng.Image {
	return dng.Image{Width: width, Height: height, Row: func(y int, rgb []float32) {
		for x := range width {
			for c := range 3 {
				stops := 0.0
				for octave := 1; octave <= 10; octave++ {
					length := float64(int(1) << octave)
					grey := waves(float64(x)/length, float64(y)/length, uint64(octave))
					stops += 0.12 * float64(octave) * (grey + 0.4*waves(float64(x)/length, float64(y)/length, uint64(100*(c+1)+octave)))
				}
				rgb[3*x+c] = float32(0.18 * math.Exp2(stops))
			}
		}
	}}
}

// waves is smooth noise of wavelength 1, from -1 to 1.
func waves(x, y float64, seed uint64) float64 {
	at := func(x, y float64) float64 {
		h := seed*0x9e3779b97f4a7c15 ^ uint64(int64(x))*0xbf58476d1ce4e5b9 ^ uint64(int64(y))*0x94d049bb133111eb
		h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
		h = (h ^ h>>27) * 0x94d049bb133111eb
		return float64(h>>11)/(1<<52) - 1
	}
	x0, y0 := math.Floor(x), math.Floor(y)
	u, v := x-x0, y-y0
	u, v = u*u*(3-2*u), v*v*(3-2*v)
	return (at(x0, y0)*(1-u)+at(x0+1, y0)*u)*(1-v) + (at(x0, y0+1)*(1-u)+at(x0+1, y0+1)*u)*v
}

// mosaicked is a photograph, pixel for pixel, and mirrored where it ends.
type mosaicked struct{ m *pixel.Image }

func (mosaicked) Name() string { return "photograph" }

func (p mosaicked) Image(width, height int) dng.Image {
	mirrored := func(i, n int) int {
		if i %= 2 * n; i >= n {
			i = 2*n - 1 - i
		}
		return i
	}
	return dng.Image{Width: width, Height: height, Row: func(y int, rgb []float32) {
		for x := range width {
			i := 3 * (mirrored(y, p.m.Height)*p.m.Width + mirrored(x, p.m.Width))
			copy(rgb[3*x:3*x+3], p.m.Pix[i:i+3])
		}
	}}
}
