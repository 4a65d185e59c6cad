package segment

import (
	"cmp"
	"slices"
)

// smoothness weighs the border of regions that are pointed at. The guide's radius, in
// pixels, and variance say how finely regions follow the picture.
const (
	smoothness    = 1.0
	guideRadius   = 5
	guideVariance = 0.0005
)

// Point gives the region that hints mean: 1 within, 0 without, between them along
// soft edges; and how likely each superpixel belongs to it. likely is what the forests of
// categories say.
func (s *Scene) Point(m *Model, likely [][]float64, r Request) (mask Plane, values []float64) {
	values = s.hinted(m.Hints, likely, r)
	return s.sharp(m, s.refine(s.choose(values, r), values), values), values
}

// sharp is a selection with each pixel near its border where the model says.
func (s *Scene) sharp(m *Model, mask Plane, likely []float64) Plane {
	if len(m.Border) == 0 {
		return mask
	}
	return s.Border(mask, likely).Sharp(m.Border)
}

// hinted is the likelihood of each superpixel to belong to what hints mean.
func (s *Scene) hinted(forests []Forest, likely [][]float64, r Request) []float64 {
	values := Evaluate(forests[r.Kind():][:1], s.HintFeatures(r, likely))[0]
	if at := slices.Index(Categories(), r.Category); at >= 0 && r.Kind() != named {
		for k, v := range values {
			values[k] = together(v, likely[at][k])
		}
	}
	f := s.pointedAt(r.Hints)
	for k := range values {
		if slices.Contains(f.keep, k) {
			values[k] = 1
		} else if slices.Contains(f.drop, k) {
			values[k] = 0
		}
	}
	return values
}

// choose chooses the superpixels of what hints mean. Of what points alone mean it is the
// parts that they lie on: another of a chart's patches is no part of the one that was
// pointed at.
func (s *Scene) choose(values []float64, r Request) []bool {
	if keep := s.pointedAt(r.Hints).keep; len(keep) > 0 && r.Kind() == pointsAlone {
		return s.connected(s.cut(values, smoothness), keep)
	}
	return s.cut(shifted(values, s.bestCut(values)), smoothness)
}

// mostCut bounds from which likelihood on a superpixel belongs to a region: what is as likely
// as not does, however sure the rest is.
const mostCut = 0.5

// bestCut is the likelihood from which on superpixels have most in common with the region, as
// intersection over union, if each belongs to it by its likelihood. Where none is likely, as in
// a box that is around little that stands out, it is low.
func (s *Scene) bestCut(likely []float64) float64 {
	order := make([]int, len(likely))
	missed := 0.0 // of the region
	for k := range order {
		order[k] = k
		missed += likely[k] * float64(s.size[k])
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(likely[b], likely[a]) })
	best, at, both, either := 0.0, mostCut, 0.0, missed
	for i, k := range order {
		size := float64(s.size[k])
		both += likely[k] * size
		either += (1 - likely[k]) * size
		if share := both / max(either, 1e-9); share > best {
			best, at = share, likely[k]/2
			if i+1 < len(order) {
				at += likely[order[i+1]] / 2
			}
		}
	}
	return min(max(at, 0.01), mostCut)
}

// shifted are likelihoods of which that at which to cut has become a half.
func shifted(likely []float64, at float64) []float64 {
	out := make([]float64, len(likely))
	for k, p := range likely {
		out[k] = p * (1 - at) / (p*(1-at) + (1-p)*at)
	}
	return out
}

// connected leaves of the chosen superpixels those to which a way over others leads from
// one of the first.
func (s *Scene) connected(chosen []bool, first []int) []bool {
	out := make([]bool, len(chosen))
	for queue := slices.Clone(first); len(queue) > 0; {
		k := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if !chosen[k] || out[k] {
			continue
		}
		out[k] = true
		for _, n := range s.next[k] {
			queue = append(queue, int(n.of))
		}
	}
	return out
}

// refine makes a mask of the superpixels that were chosen by the likelihood of each.
func (s *Scene) refine(chosen []bool, values []float64) Plane {
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
