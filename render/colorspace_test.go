package render

import (
	"bytes"
	"image"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/chemigram/chemigram/internal/colour"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/internal/testutil/scene"
)

// standards are the colour spaces as their standards define them, darktable's
// own among them.
var standards = map[string]Profile{
	"srgb":           SRGB,
	"display-p3":     {Primaries: p3, White: d65, Curve: sRGBCurve},
	"adobe-rgb":      {Primaries: [3][2]float64{{0.64, 0.33}, {0.21, 0.71}, {0.15, 0.06}}, White: d65, Curve: Curve{G: 563.0 / 256, A: 1}},
	"rec2020":        {Primaries: rec2020, White: d65, Curve: rec709Curve},
	"prophoto":       {Primaries: romm, White: d50, Curve: rommCurve},
	"linear-rec709":  {Primaries: rec709, White: d65, Curve: Curve{G: 1, A: 1}},
	"linear-rec2020": {Primaries: rec2020, White: d65, Curve: Curve{G: 1, A: 1}},
}

// patches are the mean colours of a chart that was developed in a colour space.
func patches(m image.Image, p Profile) (all []pixel.Lab) {
	toPCS := p.adaptation().Times(p.toXYZ())
	b := m.Bounds()
	for _, patch := range (scene.Chart{}).Patches() {
		r, _ := Region{patch.Rect.X, patch.Rect.Y, patch.Rect.Width, patch.Rect.Height}.rect(b)
		var sum [3]float64
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				rgb := [3]float64{}
				rgb[0], rgb[1], rgb[2] = encoded(m, x, y)
				for i, v := range rgb {
					sum[i] += p.Curve.Linear(v) / float64(r.Dx()*r.Dy())
				}
			}
		}
		xyz := toPCS.Apply(sum)
		fx, fy, fz := labCube(xyz[0]/colour.D50[0]), labCube(xyz[1]), labCube(xyz[2]/colour.D50[2])
		all = append(all, pixel.Lab{L: 116*fy - 16, A: 500 * (fx - fy), B: 200 * (fy - fz)})
	}
	return all
}

// labCube is the function f of CIELAB.
func labCube(t float64) float64 {
	if t > 216.0/24389 {
		return math.Cbrt(t)
	}
	return (24389.0/27*t + 16) / 116
}

func encoded(m image.Image, x, y int) (r, g, b float64) {
	ri, gi, bi, _ := m.At(x, y).RGBA()
	return float64(ri) / 0xffff, float64(gi) / 0xffff, float64(bi) / 0xffff
}

func TestEveryColorSpaceShowsTheSameColors(t *testing.T) {
	t.Parallel()
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		testutil.AcquireDarktable(t)
		d, err := Find(t.Context(), &Options{Path: dt.CLI, Scratch: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		raw := filepath.Join(dir, "chart.dng")
		if err := scene.Write(raw, scene.Chart{}, scene.Options{Megapixels: 0.1}); err != nil {
			t.Fatal(err)
		}
		sidecar, err := d.Baseline(t.Context(), raw)
		if err != nil {
			t.Fatal(err)
		}
		var want []pixel.Lab
		for _, space := range ColorSpaces() { // sRGB comes first
			out := filepath.Join(dir, space+".png")
			if _, err := d.Render(t.Context(), Job{Raw: raw, Sidecar: sidecar, Output: out, BitDepth: 16, ColorSpace: space}); err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			m, err := Load(out)
			if err != nil {
				t.Fatal(err)
			}
			got := patches(m, standards[space])
			if want == nil {
				want = got
			}
			if !bytes.Contains(data, []byte("iCCP")) {
				t.Errorf("%s: no profile is embedded", space)
			}
			worst := 0.0
			for i, patch := range (scene.Chart{}).Patches() {
				if patch.Name == "cyan" || patch.Name == "blue" { // at or outside the edge of sRGB
					continue
				}
				de := pixel.DeltaE2000(want[i], got[i])
				worst = math.Max(worst, de)
				if de > 0.3 {
					t.Errorf("%s: %s is %v, in sRGB %v: ΔE2000 %.2f", space, patch.Name, got[i], want[i], de)
				}
			}
			t.Logf("%s: ΔE2000 of at most %.3f", space, worst)
		}
	})
}
