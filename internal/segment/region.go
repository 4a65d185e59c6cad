package segment

import (
	"math"
	"slices"
)

// A habit is how a category's likelihoods become a region. The numbers were chosen by
// cross-validation.
type habit struct {
	// high is the quantile of the likelihoods that stands for the surest places, and
	// share the part of it from which on a superpixel belongs to the region.
	high, share float64
	// smooth weighs the region's border.
	smooth float64
	// Nothing is found where that quantile, the expected overlap or the region's
	// share of the picture is less.
	leastSure, leastExpected, leastArea float64
	// slope and offset turn the expected overlap into the confidence.
	slope, offset float64
}

var habits = map[Category]habit{
	Sky:     {high: 0.98, share: 0.35, smooth: 2, leastSure: 0.5, leastExpected: 0.5, leastArea: 0.005, slope: 0.65, offset: 0.33},
	Plants:  {high: 0.95, share: 0.25, smooth: 2, leastSure: 0.15, leastExpected: 0.33, leastArea: 0.005, slope: 0.9, offset: 0.1},
	Water:   {high: 0.8, share: 0.4, smooth: 1, leastSure: 0.05, leastExpected: 0.48, leastArea: 0.01, slope: 1.3, offset: -0.42},
	Skin:    {high: 0.98, share: 0.35, smooth: 2, leastSure: 0.09, leastExpected: 0.25, leastArea: 0.002, slope: 0.88},
	Person:  {high: 0.95, share: 0.4, smooth: 2, leastSure: 0.1, leastExpected: 0.3, leastArea: 0.005, slope: 0.9},
	Subject: {high: 0.95, share: 0.4, smooth: 2, leastSure: 0.1, leastExpected: 0.35, leastArea: 0.005, slope: 0.98},
}

// Named gives the region of a category by the likelihood of each superpixel. Its error
// is [ErrNothing] when there is none.
func (s *Scene) Named(m *Model, c Category, likely []float64) (Found, error) {
	h := habits[c]
	mask, expected, sure := s.region(c, likely)
	area := 0
	for _, v := range mask {
		if v > 0.5 {
			area++
		}
	}
	if sure < h.leastSure || expected < h.leastExpected || float64(area) < h.leastArea*float64(len(mask)) {
		return Found{}, ErrNothing
	}
	return Found{s.Width, s.Height, s.sharp(m, mask, likely), min(max(h.slope*expected+h.offset, 0), 1)}, nil
}

// region gives the region of a category by the likelihood of each superpixel, what mask
// and region probably have in common, as intersection over union, and how likely the
// surest places are.
func (s *Scene) region(c Category, likely []float64) (mask Plane, expected, sure float64) {
	h := habits[c]
	sure = slices.Sorted(slices.Values(likely))[int(h.high*float64(len(likely)-1))]
	likely = shifted(likely, min(max(h.share*sure, 0.01), 0.95))
	mask = s.refine(s.cut(likely, h.smooth), likely)
	return mask, s.expected(likely, mask), sure
}

// expected is what a mask and the region probably have in common: what the
// likelihoods of the superpixels within and without make of it.
func (s *Scene) expected(likely []float64, mask Plane) float64 {
	both, either := 0.0, 0.0
	for k, in := range s.gather(mask) {
		size, p := float64(s.size[k]), likely[k]
		if in > 0.5 {
			both += size * p
			either += size
		} else {
			either += size * p
		}
	}
	return both / max(either, 1e-9)
}

// pointed gives the region that hints mean, together with a category when one is
// wanted.
func (s *Scene) pointed(model *Model, likely [][]float64, r Request) (Found, error) {
	mask, values := s.Point(model, likely, r)
	if !slices.ContainsFunc(mask, func(v float32) bool { return v > 0.5 }) {
		return Found{}, ErrNothing
	}
	return Found{s.Width, s.Height, mask, s.expected(values, mask)}, nil
}

// together is the likelihood between two, by the logarithms of their odds.
func together(p, q float64) float64 { return logistic((logit(p) + logit(q)) / 2) }

func logit(p float64) float64 {
	p = min(max(p, 1e-4), 1-1e-4)
	return math.Log(p / (1 - p))
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
