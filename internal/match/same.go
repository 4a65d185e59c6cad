package match

import (
	"math"

	"github.com/chemigram/chemigram/internal/colour"
)

// same compares a picture with another development of it, place by place, also where one
// of them is clipped: what is white in the reference is to become white.
type same struct{ comparison }

// blurCells is the radius of the blur after which such pictures are compared, in cells:
// about that of 8 pixels of 500.
const blurCells = 2

func (s same) left(target View) (left, weights []float64) { return s.comparison.left(target.unlost()) }

// apart is the mean ΔE2000 where both are seen, after a blur.
func (s same) apart(target View) float64 {
	p := s.pairs(target.unlost())
	seen := make([]float64, len(p.weights))
	for i, w := range p.weights {
		if w > 0 {
			seen[i] = 1
		}
	}
	share := target.boxed(seen, blurCells)
	a, b := target.blurred(p.target, seen, share), target.blurred(p.reference, seen, share)
	sum, n := 0.0, 0.0
	for i, is := range seen {
		if is > 0 {
			sum, n = sum+colour.DeltaE2000(a[i], b[i]), n+1
		}
	}
	return sum / max(n, 1)
}

// blurred is the mean colour of the cells about each that are seen.
func (v View) blurred(colours []colour.Lab, seen, share []float64) []colour.Lab {
	out := make([]colour.Lab, len(colours))
	channel := make([]float64, len(colours))
	for _, of := range [...]func(*colour.Lab) *float64{
		func(c *colour.Lab) *float64 { return &c.L },
		func(c *colour.Lab) *float64 { return &c.A },
		func(c *colour.Lab) *float64 { return &c.B },
	} {
		for i := range colours {
			channel[i] = *of(&colours[i]) * seen[i]
		}
		for i, mean := range v.boxed(channel, blurCells) {
			*of(&out[i]) = mean / max(share[i], math.SmallestNonzeroFloat64)
		}
	}
	return out
}

// unlost is a view of which no cell is lost.
func (v View) unlost() View {
	v.lost = make([]bool, len(v.lab))
	return v
}
