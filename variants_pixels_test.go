package chemigram

import (
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/scene"
)

func TestVariantsAreWhatThePreviewsWouldShow(t *testing.T) {
	dt := testutil.AnyDarktable(t)
	e, _ := ready(t, dt, scene.Landscape{})
	before := headHash(t, e)
	res, err := e.RenderVariants(t.Context(), RenderVariantsParams{
		ImageID: "a", PrimitiveName: "exposure", Values: []float64{-1, 0, 1, 0}, Size: 200,
	})
	if err != nil {
		t.Fatal(err)
	}
	v := res.Variants
	if len(v) != 4 || v[0].LumaMean >= v[1].LumaMean || v[1].LumaMean >= v[2].LumaMean || v[1].StateHash != v[3].StateHash {
		t.Errorf("%+v", v)
	}
	if headHash(t, e) != before {
		t.Error("trying variants changed the edit")
	}
	apply(t, e, "exposure", 1)
	seen, err := e.RenderPreview(t.Context(), RenderPreviewParams{ImageID: "a", Size: 200, Quality: QualityExact})
	if err != nil || !seen.Cached {
		t.Errorf("the preview of what was tried is cached: %v, %v", seen.Cached, err)
	}
	stats, err := e.ImageStats(t.Context(), ImageStatsParams{ImageID: "a", Size: 200, Quality: QualityExact})
	if err != nil || stats.StateHash != v[2].StateHash || stats.Luma.Mean != v[2].LumaMean {
		t.Errorf("measured %v of %s, the variant %v of %s (%v)", stats.Luma.Mean, stats.StateHash, v[2].LumaMean, v[2].StateHash, err)
	}
}
