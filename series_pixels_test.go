package chemigram

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/internal/testutil/scene"
)

// shots are two pictures of one scene in one light: the second with another
// exposure, another idea of the light, and another ISO.
func shots(t *testing.T, dt testutil.Darktable) *Engine {
	t.Helper()
	e, _ := openWith(t, dt, scene.Chart{})
	for id, options := range map[ImageID]dng.Options{
		"a": {},
		"b": {EV: -1.3, ISO: 800, AsShotKelvin: 5200, Noise: 0.5},
	} {
		raw := filepath.Join(t.TempDir(), string(id)+".dng")
		if err := scene.Write(raw, scene.Landscape{}, scene.Options{Megapixels: 0.3, DNG: options}); err != nil {
			t.Fatal(err)
		}
		if _, err := e.Ingest(t.Context(), IngestParams{RawPath: raw, ImageID: id}); err != nil {
			t.Fatal(err)
		}
	}
	return e
}

func pictureOf(t *testing.T, e *Engine, id ImageID) *pixel.Image {
	t.Helper()
	return previewed(t, e, RenderPreviewParams{ImageID: id, Size: 320, Quality: QualityExact})
}

// Two pictures of one scene, taken with different exposure, white balance and
// ISO: what one got brings the other to the same look.
func TestALookGoesToAnotherPictureOfTheSeries(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		e := shots(t, dt)
		for name, value := range map[string]float64{"exposure": 0.4, "warmth": 20, "saturation": 0.2} {
			if _, err := e.ApplyPrimitive(t.Context(), ApplyPrimitiveParams{ImageID: "a", PrimitiveName: name, Value: &value}); err != nil {
				t.Fatal(err)
			}
		}
		want := pictureOf(t, e, "a")
		before := distance(t, pictureOf(t, e, "b"), want)
		res, err := e.PropagateState(t.Context(), PropagateStateParams{ImageID: "a", Targets: []ImageID{"b"}, SameLight: true})
		if err != nil {
			t.Fatal(err)
		}
		if res.Changed != 1 || res.Failed != 0 {
			t.Fatalf("%+v", res)
		}
		after := distance(t, pictureOf(t, e, "b"), want)
		t.Logf("ΔE2000 %.2f before, %.2f after; %+.2f EV", before.Mean, after.Mean, res.Outcomes[0].EV)
		if after.Mean > 0.4*before.Mean {
			t.Errorf("the pictures are %.2f apart, %.2f before", after.Mean, before.Mean)
		}
		again, err := e.PropagateState(t.Context(), PropagateStateParams{ImageID: "a", Targets: []ImageID{"b"}, SameLight: true})
		if err != nil || again.Changed != 0 {
			t.Errorf("once more: %+v, %v", again, err)
		}
	})
}

// A picture that is too dark gets the reference's mid-tone, as measured on what
// darktable develops.
func TestASeriesGetsTheReferencesMidTone(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		e := shots(t, dt)
		res, err := e.MatchExposure(t.Context(), MatchExposureParams{ImageID: "a", Targets: []ImageID{"b", "nobody"}})
		if err != nil {
			t.Fatal(err)
		}
		if res.Changed != 1 || res.Failed != 1 || res.Outcomes[1].ErrorCode != ErrNotFound {
			t.Fatalf("%+v", res)
		}
		median := func(id ImageID) float64 {
			s, err := e.ImageStats(t.Context(), ImageStatsParams{ImageID: id, Quality: QualityExact, Size: 400})
			if err != nil {
				t.Fatal(err)
			}
			return pixel.Linearise(s.Luma.P50)
		}
		apart := math.Log2(median("b") / median("a"))
		t.Logf("%+.2f EV; then %+.3f EV apart", res.Outcomes[0].EV, apart)
		if math.Abs(apart) > 0.1 {
			t.Errorf("the mid-tones are %+.3f EV apart", apart)
		}
		log, err := e.Log(t.Context(), LogParams{ImageID: "b"})
		if err != nil || log.Entries[0].Label == "" || log.Total != 2 {
			t.Errorf("the history has %+v, %v; want one labelled snapshot more", log.Entries, err)
		}
		again, err := e.MatchExposure(t.Context(), MatchExposureParams{ImageID: "a", Targets: []ImageID{"b"}})
		if err != nil || again.Changed != 0 {
			t.Errorf("once more: %+v, %v", again, err)
		}
	})
}
