package segment

import "slices"

// smoothness weighs the border of regions that are pointed at. The guide's radius, in
// pixels, and variance say how finely regions follow the picture.
const (
	smoothness    = 1.0
	guideRadius   = 5
	guideVariance = 0.0005
)

// Point gives the region that hints mean: 1 within, 0 without, between them along
// soft edges. The forest is the one of hints, likely what the others say.
func (s *Scene) Point(forest Forest, likely [][]float64, h Hints) Plane {
	return s.refine(s.hinted(forest, likely, h), smoothness)
}

// hinted is the likelihood of each superpixel to belong to what hints mean.
func (s *Scene) hinted(forest Forest, likely [][]float64, h Hints) []float64 {
	values := Evaluate([]Forest{forest}, s.HintFeatures(h, likely))[0]
	s.pin(values, h)
	return values
}

// pin makes superpixels certain that were pointed at.
func (s *Scene) pin(values []float64, h Hints) {
	f := s.find(h)
	for k := range values {
		if slices.Contains(f.keep, k) {
			values[k] = 1
		} else if slices.Contains(f.drop, k) {
			values[k] = 0
		}
	}
}

// refine makes a mask of the likelihood of each superpixel.
func (s *Scene) refine(values []float64, smooth float64) Plane {
	chosen := s.cut(values, smooth)
	soft := make([]float64, len(values))
	for k, in := range chosen {
		// What the cut has chosen stays, however sure it is.
		if in {
			soft[k] = 0.5 + max(values[k], 0.6)/2
		} else {
			soft[k] = min(values[k], 0.4) / 2
		}
	}
	return s.guided(s.spread(soft), guideRadius, guideVariance)
}
