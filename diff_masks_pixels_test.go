package chemigram

import (
	"math"
	"strconv"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
)

// Masks and spots are told where a caller puts them, in the picture as it is turned.
func TestMasksAreToldInTheDevelopedPicture(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		e, raw := openWith(t, dt, dusty{{0.6, 0.3}})
		ingest(t, e, raw)
		apply(t, e, "straighten", 5)
		want := map[string]float64{"mask.shapes[0].x": 0.3, "mask.shapes[0].y": 0.6, "mask.shapes[0].radius": 0.2, "mask.shapes[0].softness": 0.05}
		x, y := want["mask.shapes[0].x"], want["mask.shapes[0].y"]
		if _, err := e.ApplyPrimitive(t.Context(), ApplyPrimitiveParams{
			ImageID: "a", PrimitiveName: "exposure", Value: new(1.0),
			Mask: &Mask{Shapes: []MaskShape{{Kind: "circle", X: &x, Y: &y, Radius: 0.2}}},
		}); err != nil {
			t.Fatal(err)
		}
		spot, err := e.ApplySpot(t.Context(), ApplySpotParams{
			NoPicture: true,
			ImageID:   "a", X: new(Fraction(0.6)), Y: new(Fraction(0.3)), Radius: 0.03, SourceX: new(Fraction(0.7)), SourceY: new(Fraction(0.3)),
		})
		if err != nil {
			t.Fatal(err)
		}
		want["spots[1].x"], want["spots[1].source_x"], want["spots[1].radius"] = spot.Spots[0].X, spot.Spots[0].SourceX, 0.03
		res, err := e.DescribeState(t.Context(), DescribeStateParams{ImageID: "a"})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]float64{}
		for _, m := range res.Modules {
			for _, f := range m.Fields {
				if n, err := strconv.ParseFloat(f.Value, 64); err == nil {
					got[f.Name] = n
				}
			}
		}
		for name, value := range want {
			if math.Abs(got[name]-value) > 0.002 {
				t.Errorf("%s is %g, and was given as %g", name, got[name], value)
			}
		}
	})
}
