package probe

import (
	"image"
	"image/color"
	"image/jpeg"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/chemigram/chemigram/internal/colour"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/render"
)

func photographs(t *testing.T, n int) []image.Image {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(testutil.SharedData(t, "photos"), "*.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	var all []image.Image
	for i := 0; i < len(paths) && len(all) < n; i += max(1, len(paths)/n) {
		f, err := os.Open(paths[i])
		if err != nil {
			t.Fatal(err)
		}
		m, err := jpeg.Decode(f)
		_ = f.Close()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, rgba(m))
	}
	return all
}

// exposed is a picture with so many stops more light, through the same tone curve.
func exposed(m image.Image, ev float64) image.Image {
	out := image.NewRGBA(m.Bounds())
	gain := math.Exp2(ev)
	var table [256]uint8
	for i := range table {
		l := colour.Linear(float64(i)/255) * gain
		if l > 0.8 { // a shoulder
			l = 0.8 + 0.2*(1-math.Exp(-(l-0.8)/0.2))
		}
		table[i] = uint8(0xff*min(1, encode(l)) + 0.5)
	}
	for y := m.Bounds().Min.Y; y < m.Bounds().Max.Y; y++ {
		for x := m.Bounds().Min.X; x < m.Bounds().Max.X; x++ {
			r, g, b, _ := m.At(x, y).RGBA()
			out.SetRGBA(x, y, color.RGBA{R: table[r>>8], G: table[g>>8], B: table[b>>8], A: 0xff})
		}
	}
	return out
}

func encode(l float64) float64 {
	if l <= 0.0031308 {
		return 12.92 * l
	}
	return 1.055*math.Pow(l, 1/2.4) - 0.055
}

// Two views of one subject share its colours, however bright; two subjects do not.
func TestPalettesTellSubjectsApart(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: measuring photographs is left out")
	}
	t.Parallel()
	all := photographs(t, 32)
	one, another := render.Region{Width: 0.7, Height: 0.8}, render.Region{X: 0.3, Y: 0.2, Width: 0.7, Height: 0.8}
	palette := func(m image.Image, r render.Region) Palette {
		p, err := PaletteOf(m, r)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	alike, apart := 0, 0
	for i, m := range all {
		p := palette(m, one)
		if d := p.Distance(p); d != 0 {
			t.Errorf("a picture is %g away from itself", d)
		}
		if p.Distance(palette(exposed(m, []float64{-1, 1, 0.5, -0.5}[i%4]), another)) < Unlike {
			alike++
		}
		if p.Distance(palette(all[(i+7)%len(all)], one)) >= Unlike {
			apart++
		}
	}
	t.Logf("of %d: %d alike, %d apart", len(all), alike, apart)
	if alike*100 < 90*len(all) || apart*100 < 80*len(all) {
		t.Errorf("of %d pairs of one subject %d are alike, and of as many of two %d apart", len(all), alike, apart)
	}
}

// The light of a scene is that of its greys: a red flower that fills most of the
// picture does not make it look darker than it is.
func TestASaturatedSubjectDoesNotFoolTheMidTone(t *testing.T) {
	t.Parallel()
	scene := func(flower float64) image.Image {
		return paint(90, 60, func(x, y float64) (r, g, b float64) {
			if math.Hypot((x-0.5)*1.5, y-0.5) < flower {
				return 0.9, 0.08, 0.12
			}
			v := 0.35 + 0.3*math.Mod(7*x+5*y, 1)
			return v, v, v
		})
	}
	without, err := Midtone("a", scene(0), render.Region{})
	if err != nil {
		t.Fatal(err)
	}
	with, err := Midtone("b", scene(0.5), render.Region{})
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(with-without) > 0.15 {
		t.Errorf("with a flower over half of it the mid-tone is %+.2f EV away", with-without)
	}
}
