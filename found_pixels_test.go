package chemigram

import (
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/scene"
)

// A point on a patch of a chart finds the patch, in the picture that darktable
// develops; what is off it is left out.
func TestAPointFindsWhatItIsOn(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		e, _ := ready(t, dt, scene.Chart{})
		off := false
		// The last patches are as dark as the frame around them.
		for i, patch := range (scene.Chart{}).Patches()[:20] {
			r := patch.Rect
			seen, err := e.PreviewMask(t.Context(), PreviewMaskParams{ImageID: "a", Size: 300, Mask: Mask{Points: []MaskPoint{
				{X: r.X + r.Width/2, Y: r.Y + r.Height/2}, {X: 0.01, Y: 0.01, Keep: &off},
			}}})
			if err != nil {
				t.Fatal(err)
			}
			// The patch reaches beyond its inner part.
			if inner := r.Width * r.Height; seen.Fraction < 0.9*inner || seen.Fraction > 3*inner {
				t.Errorf("a point on patch %d, whose inner part has %.4f of the picture, selects %.4f", i, inner, seen.Fraction)
			}
			if seen.Confidence == nil || *seen.Confidence <= 0 || *seen.Confidence > 1 {
				t.Errorf("confidence %v", seen.Confidence)
			}
		}
	})
}
