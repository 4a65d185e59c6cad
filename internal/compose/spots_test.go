package compose

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/xmp/mask"
)

// heal is a request for a round spot.
func heal(x, y, radius float64) SpotRequest {
	return SpotRequest{Kind: mask.SpotHeal, X: &x, Y: &y, Radius: radius}
}

// beside finds a source to the right of a spot.
func beside(_ context.Context, _ mask.Frame, place SpotPlace) ([2]float64, error) {
	return [2]float64{place.X + 0.2, place.Y}, nil
}

func apply(t *testing.T, s Start, r SpotRequest, find FindSource) (Spots, Start) {
	t.Helper()
	edit, err := NewSpotEdit(r)
	if err != nil {
		t.Fatal(err)
	}
	spots, err := s.WithSpot(t.Context(), edit, find)
	if err != nil {
		t.Fatal(err)
	}
	s.Current = spots.Look
	return spots, s
}

func TestSpotsAreAddedReplacedAndRemoved(t *testing.T) {
	t.Parallel()
	s := start(t, "5.4.1")
	first, s := apply(t, s, heal(0.3, 0.4, 0.02), beside)
	second, s := apply(t, s, heal(0.5, 0.6, 0.02), beside)
	if first.ID != 1 || second.ID != 2 || len(second.Seen) != 2 {
		t.Fatalf("spots %d and %d of %+v", first.ID, second.ID, second.Seen)
	}
	at := second.Seen[0]
	for name, d := range map[string]float64{"x": at.X - 0.3, "y": at.Y - 0.4, "radius": at.Radius - 0.02, "source": at.SourceX - 0.5} {
		if math.Abs(d) > 1e-4 {
			t.Errorf("%s of the first spot is %g off", name, d)
		}
	}
	again, _ := apply(t, s, heal(0.3, 0.4, 0.02), func(context.Context, mask.Frame, SpotPlace) ([2]float64, error) {
		return [2]float64{}, errors.New("a source is looked for, though the spot has one")
	})
	if again.ID != 1 || again.Look.Hash() != second.Look.Hash() {
		t.Errorf("the same spot again is spot %d, and the look another", again.ID)
	}
	moved := heal(0.3, 0.5, 0.02)
	moved.ID = 1
	replaced, s := apply(t, s, moved, beside)
	if replaced.ID != 1 || len(replaced.Seen) != 2 || math.Abs(replaced.Seen[0].Y-0.5) > 1e-4 {
		t.Errorf("spot 1 set anew: %+v", replaced.Seen)
	}
	_, s = apply(t, s, SpotRequest{Remove: 1}, nil)
	none, _ := apply(t, s, SpotRequest{Remove: 2}, nil)
	if len(none.Seen) != 0 || none.Look.Hash() != s.Baseline.Hash() {
		t.Errorf("without spots there are %+v", none.Seen)
	}
}

func TestASpotThatIsNotThereIsNotFound(t *testing.T) {
	t.Parallel()
	s := start(t, "5.4.1")
	other := heal(0.3, 0.4, 0.02)
	other.ID = 7
	for _, r := range []SpotRequest{{Remove: 7}, other} {
		edit, err := NewSpotEdit(r)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.WithSpot(t.Context(), edit, beside); !errors.Is(err, fault.NotFound) {
			t.Errorf("%+v: %v", r, err)
		}
	}
}

func TestRequestsThatMeanNothingAreRefused(t *testing.T) {
	t.Parallel()
	half := 0.5
	sourced := heal(0.5, 0.5, 0.1)
	sourced.SourceX = &half
	clone := heal(0.5, 0.5, 0.1)
	clone.Kind = mask.SpotClone
	for name, c := range map[string]struct {
		request SpotRequest
		kind    fault.Kind
	}{
		"no place":              {SpotRequest{}, fault.InvalidInput},
		"no radius":             {heal(0.5, 0.5, 0), fault.Masking},
		"two places":            {SpotRequest{X: &half, Y: &half, Radius: 0.1, Points: [][]float64{{0.1, 0.1}}}, fault.InvalidInput},
		"a corner of three":     {SpotRequest{Points: [][]float64{{0.1, 0.1, 0.1}}}, fault.InvalidInput},
		"too large":             {heal(0.5, 0.5, 0.7), fault.Masking},
		"half a source":         {sourced, fault.InvalidInput},
		"a clone of nothing":    {clone, fault.InvalidInput},
		"a place and a removal": {SpotRequest{X: &half, Remove: 1}, fault.InvalidInput},
	} {
		if _, err := NewSpotEdit(c.request); !errors.Is(err, c.kind) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestASourceLiesBesideTheSpotInThePicture(t *testing.T) {
	t.Parallel()
	place := SpotPlace{X: 0.5, Y: 0.5, Radius: 0.1}
	size := mask.Size{Width: 3, Height: 2}
	for at, ok := range map[[2]float64]bool{{0.6, 0.5}: false, {0.7, 0.5}: true, {0.95, 0.5}: false, {0.5, 0.05}: false} {
		if err := place.CheckSource(at[0], at[1], size); (err == nil) != ok {
			t.Errorf("%v: %v", at, err)
		}
	}
}
