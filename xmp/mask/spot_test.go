package mask

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var dot = Circle{X: 0.5, Y: 0.5, Radius: 0.02, Border: 0.01}

func TestSpotsAreReadAsTheyWereWritten(t *testing.T) {
	t.Parallel()
	spots := []Spot{
		{ID: 1, Kind: SpotHeal, Shape: dot, SourceX: 0.6, SourceY: 0.5},
		{ID: 7, Kind: SpotClone, Shape: Ellipse{X: 0.2, Y: 0.2, RadiusA: 0.1, RadiusB: 0.05}, SourceX: 0.5, SourceY: 0.25},
	}
	made, err := CompileSpots(14, spots)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(spots, ReadSpots(made.Forms)); d != "" {
		t.Error(d)
	}
	if !spots[0].Same(ReadSpots(made.Forms)[0]) || spots[0].Same(spots[1]) {
		t.Error("a spot is the same as itself and no other")
	}
}

func TestSpotsThatCannotBeAreRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		spot Spot
		kind Kind
	}{
		"another kind":       {Spot{Kind: "smear", Shape: dot}, BadValue},
		"a shape of no area": {Spot{Kind: SpotHeal, Shape: Circle{X: 0.5, Y: 0.5}}, BadShape},
		"outside":            {Spot{Kind: SpotHeal, Shape: Circle{X: 3, Y: 0.5, Radius: 0.1}}, BadShape},
		"a gradient":         {Spot{Kind: SpotHeal, Shape: Gradient{X: 0.5, Y: 0.5, Compression: 0.1}}, BadShape},
		"a source far away":  {Spot{Kind: SpotHeal, Shape: dot, SourceX: float32(math.NaN())}, BadShape},
	} {
		_, err := CompileSpots(14, []Spot{c.spot})
		if e, ok := errors.AsType[*Error](err); !ok || e.Kind != c.kind {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, spots := range map[string][]Spot{"none": nil, "too many": make([]Spot, maxSpots+1)} {
		if _, err := CompileSpots(14, spots); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
