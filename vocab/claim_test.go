package vocab

import (
	"slices"
	"testing"

	"github.com/chemigram/chemigram/vocab/measure"
)

// Others are away from where claims say that something moves: a claim that something
// holds leaves nothing out.
func TestOthersAreAwayFromWhatMoves(t *testing.T) {
	t.Parallel()
	claims := []Claim{
		{Measure: measure.Chroma, In: measure.Reds, Moves: Up},
		{Measure: measure.LumaMean, In: measure.Shadows, Moves: Hold, Within: 1},
		{Measure: measure.Chroma, In: measure.Others, Moves: Hold, Within: 1},
	}
	bindOthers(claims)
	if got := claims[2].besides; !slices.Equal(got, []measure.Region{measure.Reds}) {
		t.Errorf("others are away from %q, want the reds", got)
	}
}

// What counts in mired counts one way: up is warmer, which takes blue away.
func TestMiredsCountTowardsWarm(t *testing.T) {
	t.Parallel()
	counted := 0
	for _, e := range shipped(t).List(Filter{}) {
		for _, p := range e.Parameters {
			if p.Unit != "mired" {
				continue
			}
			counted++
			for _, o := range e.Ops {
				if blue := o.Add["blue[2]"]; blue.Parameter != p.Name || blue.Scale >= 0 {
					t.Errorf("%s: a positive %s does not take blue away", e.Name, p.Name)
				}
			}
		}
	}
	if counted < 3 {
		t.Errorf("%d moves count in mired, want warmth, sky_cooler and skin_warmer at least", counted)
	}
}
