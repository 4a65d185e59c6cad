package chemigram

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/internal/testutil/scene"
)

// shoot photographs the chart under a light and ingests the raw.
func shoot(t *testing.T, e *Engine, id ImageID, light dng.Options) {
	t.Helper()
	raw := filepath.Join(t.TempDir(), string(id)+".dng")
	if err := scene.Write(raw, scene.Chart{}, scene.Options{Megapixels: 0.1, DNG: light}); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Ingest(t.Context(), IngestParams{RawPath: raw, ImageID: id}); err != nil {
		t.Fatal(err)
	}
}

// look gives the preview.
func look(t *testing.T, e *Engine, id ImageID) *pixel.Image {
	t.Helper()
	return previewed(t, e, RenderPreviewParams{ImageID: id})
}

// pointAt is the middle of a patch of the chart.
func pointAt(id ImageID, patch int) WBFromPointParams {
	r := scene.Chart{}.Patches()[patch].Rect
	return WBFromPointParams{ImageID: id, X: Fraction(r.X + r.Width/2), Y: Fraction(r.Y + r.Height/2), Radius: 0.03}
}

func isNeutral(t *testing.T, what string, a, b float64) {
	t.Helper()
	t.Logf("%s: a* %.2f, b* %.2f", what, a, b)
	if math.Abs(a) >= 1 || math.Abs(b) >= 1 {
		t.Errorf("%s has a* %.2f, b* %.2f", what, a, b)
	}
}

// The chart's greys, by their place among the patches.
const neutral8, neutral5, blackPatch = 19, 21, 23

func TestAPointBecomesNeutralUnderAWrongLight(t *testing.T) {
	lights := map[ImageID]dng.Options{
		"tungsten": {Kelvin: 2800, AsShotKelvin: 5500}, "shade": {Kelvin: 10000, AsShotKelvin: 4500},
	}
	if os.Getenv("CHEMIGRAM_TEST_LIGHTS") != "" {
		for _, kelvin := range []float64{2400, 2800, 3200, 4000, 5000, 6500, 8000, 10000, 15000} {
			lights[ImageID(fmt.Sprintf("%gK", kelvin))] = dng.Options{Kelvin: kelvin, AsShotKelvin: 5500}
			lights[ImageID(fmt.Sprintf("%gK-as-8000", kelvin))] = dng.Options{Kelvin: kelvin, AsShotKelvin: 8000}
		}
	}
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		e, _ := openWith(t, dt, scene.Chart{})
		patches := scene.Chart{}.Patches()
		for id, light := range lights {
			shoot(t, e, id, light)
			if c := look(t, e, id).Mean(patches[neutral5].Rect).Lab().Chroma(); c < 8 && light.AsShotKelvin != 5500 {
				t.Fatalf("%s: the grey has a chroma of only %.1f: the light is not wrong", id, c)
			}
			for _, patch := range []int{blackPatch, neutral8, neutral5} {
				res, err := e.WBFromPoint(t.Context(), pointAt(id, patch))
				if err != nil {
					if patch == neutral8 && errors.Is(err, fault.InvalidInput) {
						continue // red reaches white
					}
					t.Fatal(err)
				}
				isNeutral(t, fmt.Sprintf("%s, the result for %s", id, patches[patch].Name), res.A, res.B)
			}
			after := look(t, e, id)
			for _, patch := range patches[neutral8 : neutral5+1] {
				got := after.Mean(patch.Rect).Lab()
				isNeutral(t, string(id)+" "+patch.Name, got.A, got.B)
			}
			if again, err := e.WBFromPoint(t.Context(), pointAt(id, neutral5)); err != nil || again.Changed {
				t.Errorf("%s: the same point again: changed %v, %v", id, again.Changed, err)
			}
		}
		neutralBelowOtherEdits(t, e)
	})
}

// neutralBelowOtherEdits turns the picture that was taken in the shade, with its
// edits, into one with more of them.
func neutralBelowOtherEdits(t *testing.T, e *Engine) {
	t.Helper()
	const id = "shade"
	apply := func(move string, values map[string]float64) {
		t.Helper()
		if _, err := e.ApplyPrimitive(t.Context(), ApplyPrimitiveParams{ImageID: id, PrimitiveName: move, Values: values}); err != nil {
			t.Fatal(err)
		}
	}
	apply("contrast", nil)
	apply("black_point", nil)
	apply("crop", map[string]float64{"left": 0.25, "top": 0.4})
	r := scene.Chart{}.Patches()[neutral5].Rect
	p := WBFromPointParams{
		ImageID: id, Radius: 0.03,
		X: Fraction((r.X + r.Width/2 - 0.25) / 0.75), Y: Fraction((r.Y + r.Height/2 - 0.4) / 0.6),
	}
	res, err := e.WBFromPoint(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	isNeutral(t, "below contrast, a black point and a crop, the point", res.A, res.B)
	apply("black_and_white", nil)
	if c := look(t, e, id).Mean(pixel.Whole).Lab().Chroma(); c > 0.5 {
		t.Errorf("black and white has a chroma of %.2f: it is tinted", c)
	}
}

// What fails after the light was measured publishes nothing, either.
func TestAPointWhosePreviewFailsChangesNothing(t *testing.T) {
	e, _ := openWith(t, testutil.AnyDarktable(t), scene.Chart{})
	shoot(t, e, "chart", dng.Options{})
	cache := e.workspace.Path("cache")
	if err := errors.Join(os.RemoveAll(cache), os.WriteFile(cache, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	if _, err := e.WBFromPoint(t.Context(), pointAt("chart", neutral5)); err == nil {
		t.Fatal("there is a preview without a cache")
	}
	log, err := e.Log(t.Context(), LogParams{ImageID: "chart"})
	if err != nil || log.Total != 1 {
		t.Errorf("there are %d snapshots, %v", log.Total, err)
	}
}

func TestPointsWithoutALightAreRefused(t *testing.T) {
	e, _ := openWith(t, testutil.AnyDarktable(t), scene.Chart{})
	shoot(t, e, "bright", dng.Options{EV: 1.5})
	shoot(t, e, "dark", dng.Options{EV: -6})
	for says, p := range map[string]WBFromPointParams{
		"overexposed, or nearly": pointAt("bright", 18),
		"too dark":               pointAt("dark", blackPatch),
		"expected 0 to 1":        {ImageID: "bright", X: 1.5},
	} {
		_, err := e.WBFromPoint(t.Context(), p)
		if !errors.Is(err, fault.InvalidInput) || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}
