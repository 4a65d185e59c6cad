package chemigram

import (
	"testing"

	"github.com/chemigram/chemigram/xmp/mask"
)

// What nobody would see says so, and the unit stands beside the value.
func TestAValueThatNobodySeesSaysSo(t *testing.T) {
	eachBaseline(t, func(t *testing.T, e *Engine) {
		for _, tt := range []struct {
			move   string
			value  float64
			unit   string
			unseen bool
		}{
			{"warmth", 0.3, "mired", true},
			{"warmth", -0.3, "mired", true},
			{"warmth", 15, "mired", false},
			{"exposure", 0.01, "EV", true},
			{"exposure", -0.3, "EV", false},
			{"saturation", 0.01, "", true},
			{"saturation", 0.25, "", false},
			{"warmth", 0, "mired", false}, // it takes the move back
		} {
			res := apply(t, e, tt.move, tt.value)
			if got := res.Visible != nil && !*res.Visible; got != tt.unseen {
				t.Errorf("%s %g: unseen is %v", tt.move, tt.value, got)
			}
			if len(res.Applied) != 1 || len(res.Applied[0].Values) != 1 ||
				res.Applied[0].Values[0].Value != tt.value || res.Applied[0].Values[0].Unit != tt.unit {
				t.Errorf("%s %g: applied %+v", tt.move, tt.value, res.Applied)
			}
		}
		p := ApplyPrimitiveParams{ImageID: "a", PrimitiveName: "exposure", Value: new(0.5), Strength: new(Strength(0.02))}
		if res, err := e.ApplyPrimitive(t.Context(), p); err != nil || res.Visible == nil {
			t.Errorf("at a fiftieth of the strength: %+v, %v", res, err)
		}
		regions, err := e.ApplyPerRegion(t.Context(), ApplyPerRegionParams{ImageID: "a", PrimitiveName: "exposure", Regions: []RegionMove{
			{Mask: mask.Spec{Name: "shadows"}, Value: new(0.01)}, {Mask: mask.Spec{Name: "highlights"}, Value: new(0.5)},
		}})
		if err != nil || len(regions.Applied) != 2 || regions.Applied[0].Visible == nil || regions.Applied[1].Visible != nil || regions.Visible != nil {
			t.Errorf("regions: %+v, %v", regions, err)
		}
	})
}
