package compose

import (
	"errors"
	"math"
	"testing"

	"github.com/chemigram/chemigram/internal/colour"
	"github.com/chemigram/chemigram/internal/fault"
)

func TestAdaptationMakesALightGrey(t *testing.T) {
	t.Parallel()
	for _, light := range [][3]float64{{0.3, 0.2, 0.1}, {0.1, 0.2, 0.5}, {0.4, 0.4, 0.4}, {0.25, 0.14, 0.04}} {
		want := colour.Rec2020.Apply(light)[1]
		for times := 1; times <= maxNeutralSteps; times++ {
			grey := light
			for range times {
				grey = adaptation(light, times).Apply(grey)
			}
			for _, v := range grey {
				if math.Abs(v-want) > 1e-4 {
					t.Errorf("%v becomes %v in %d steps, not a grey of %g", light, grey, times, want)
				}
			}
		}
	}
}

// No light makes a grey thing so red, or so blue.
func TestALightThatIsNoneIsRefused(t *testing.T) {
	t.Parallel()
	s := start(t, "5.4.1")
	for _, light := range [][3]float64{{0.9, 0.004, 0.004}, {0.002, 0.002, 0.9}} {
		if _, err := s.Neutral(light); !errors.Is(err, fault.InvalidInput) {
			t.Errorf("%v: %v", light, err)
		}
	}
}
