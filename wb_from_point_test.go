package chemigram

import (
	"errors"
	"math"
	"path/filepath"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/internal/testutil/scene"
)

func TestAdaptationMakesALightGrey(t *testing.T) {
	t.Parallel()
	for _, light := range [][3]float64{{0.3, 0.2, 0.1}, {0.1, 0.2, 0.5}, {0.4, 0.4, 0.4}} {
		grey := adaptation(light).of(light)
		want := rec2020.of(light)[1]
		for _, v := range grey {
			if math.Abs(v-want) > 1e-4 {
				t.Errorf("%v becomes %v, not a grey of %g", light, grey, want)
			}
		}
	}
}

func TestAPointBecomesNeutralUnderAWrongLight(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		e, first := openWith(t, dt, scene.Chart{})
		patches := scene.Chart{}.Patches()
		grey := patches[21].Rect // neutral 5
		x, y := grey.X+grey.Width/2, grey.Y+grey.Height/2
		for name, light := range map[string]dng.Options{
			"warm": {Kelvin: 4000, AsShotKelvin: 6500}, "cold": {Kelvin: 9000, AsShotKelvin: 4500},
		} {
			raw := filepath.Join(filepath.Dir(first), name+".dng")
			if err := scene.Write(raw, scene.Chart{}, scene.Options{Megapixels: 0.1, DNG: light}); err != nil {
				t.Fatal(err)
			}
			id := ImageID(name)
			if _, err := e.Ingest(t.Context(), IngestParams{RawPath: raw, ImageID: id}); err != nil {
				t.Fatal(err)
			}
			look := func() *pixel.Image {
				res, err := e.RenderPreview(t.Context(), RenderPreviewParams{ImageID: id})
				if err != nil {
					t.Fatal(err)
				}
				m, err := pixel.Load(res.JPEGPath)
				if err != nil {
					t.Fatal(err)
				}
				return m
			}
			if c := look().Mean(grey).Lab().Chroma(); c < 8 {
				t.Fatalf("%s: the grey has a chroma of only %.1f: the light is not wrong", name, c)
			}
			p := WBFromPointParams{ImageID: id, X: Fraction(x), Y: Fraction(y), Radius: 0.03}
			res, err := e.WBFromPoint(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			after := look()
			for _, patch := range patches[19:22] {
				got := after.Mean(patch.Rect).Lab()
				if math.Abs(got.A) > 1 || math.Abs(got.B) > 1 {
					t.Errorf("%s: %s has a* %.2f, b* %.2f", name, patch.Name, got.A, got.B)
				}
			}
			if math.Abs(res.A) > 1 || math.Abs(res.B) > 1 {
				t.Errorf("%s: the result tells a* %.2f, b* %.2f", name, res.A, res.B)
			}
			if again, err := e.WBFromPoint(t.Context(), p); err != nil || again.Changed {
				t.Errorf("%s: the same point again: changed %v, %v", name, again.Changed, err)
			}
		}
		if _, err := e.WBFromPoint(t.Context(), WBFromPointParams{ImageID: "warm", X: 1.5}); !errors.Is(err, ErrInvalidInput) {
			t.Errorf("outside: %v", err)
		}
	})
}
