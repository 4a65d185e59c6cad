package match

import (
	"cmp"
	"math"
	"slices"
)

// place is where a view lies in another: the cell x, y is at scale·x + dx,
// scale·y + dy there.
type place struct {
	scale, dx, dy float64
	// likeness is the correlation of the two reliefs where they overlap, 0 to 1.
	likeness float64
}

const (
	// minOverlap is the share of the smaller picture that both have to show.
	minOverlap = 0.3
	// minLikeness is the likeness from which on two views show the same, and
	// minFrameLikeness when they also have the same frame: of 1,415 pairs of photographs
	// none reached 0.23 there.
	minLikeness, minFrameLikeness = 0.5, 0.3
	// widest is the largest difference of scale that is looked for.
	widest = 2.0
)

// grid is a relief to correlate.
type grid struct {
	width, height int
	relief        []float64
}

// halved is a grid of half the width and height.
func (g grid) halved() grid {
	h := grid{width: g.width / 2, height: g.height / 2}
	h.relief = make([]float64, h.width*h.height)
	for y := range h.height {
		for x := range h.width {
			i := 2*y*g.width + 2*x
			h.relief[y*h.width+x] = (g.relief[i] + g.relief[i+1] + g.relief[i+g.width] + g.relief[i+g.width+1]) / 4
		}
	}
	return h
}

// find looks for the place of a view in another, first in a coarse grid and then nearer.
func find(in, of View) (place, bool) {
	reference := grid{in.width, in.height, in.relief(8)}
	target := grid{of.width, of.height, of.relief(8)}
	if min(in.width, in.height, of.width, of.height) < 16 {
		return place{}, false
	}
	candidates := coarse(reference.halved().halved(), target.halved().halved())
	for i := range candidates {
		candidates[i].dx, candidates[i].dy = 4*candidates[i].dx, 4*candidates[i].dy
	}
	if whole, ok := frame(in, of); ok {
		candidates = append(candidates, whole)
	}
	for i, p := range candidates {
		for _, step := range [...]float64{2, 1, 0.5, 0.25} {
			p = climb(reference, target, p, step)
		}
		candidates[i] = p
	}
	best := slices.MaxFunc(candidates, func(a, b place) int { return cmp.Compare(a.likeness, b.likeness) })
	return best, best.likeness >= minLikeness
}

// frame is the place of a view that has the frame of another, where their sides allow it.
func frame(in, of View) (p place, ok bool) {
	across, down := float64(in.width)/float64(of.width), float64(in.height)/float64(of.height)
	return place{scale: (across + down) / 2}, math.Abs(across/down-1) < 0.03
}

// findVersion looks for the place of a view in another that may be a version of it, edited
// so much that little of its relief is left: then it has to have the same frame.
func findVersion(in, of View) (place, bool) {
	p, ok := find(in, of)
	if whole, same := frame(in, of); !ok && same && p.likeness >= minFrameLikeness {
		const cells = 3
		ok = math.Abs(p.scale/whole.scale-1) < 0.03 && math.Abs(p.dx) <= cells && math.Abs(p.dy) <= cells
	}
	return p, ok
}

// coarse tries all scales and shifts, and gives the best of some scales.
func coarse(reference, target grid) []place {
	var best []place
	for step := -12; step <= 12; step++ {
		scale := math.Pow(widest, float64(step)/12)
		top := place{scale: scale, likeness: -1}
		width, height := int(scale*float64(target.width)), int(scale*float64(target.height))
		for dy := -height; dy <= reference.height; dy++ {
			for dx := -width; dx <= reference.width; dx++ {
				p := place{scale: scale, dx: float64(dx), dy: float64(dy)}
				if enough(reference, target, p) {
					if p.likeness = correlate(reference, target, p, 1); p.likeness > top.likeness {
						top = p
					}
				}
			}
		}
		best = append(best, top)
	}
	slices.SortFunc(best, func(a, b place) int { return cmp.Compare(b.likeness, a.likeness) })
	return best[:5]
}

// enough reports whether the views overlap by enough of the smaller one.
func enough(reference, target grid, p place) bool {
	w := min(p.dx+p.scale*float64(target.width), float64(reference.width)) - max(p.dx, 0)
	h := min(p.dy+p.scale*float64(target.height), float64(reference.height)) - max(p.dy, 0)
	smaller := min(float64(reference.width*reference.height), p.scale*p.scale*float64(target.width*target.height))
	return w > 0 && h > 0 && w*h >= minOverlap*smaller
}

// climb goes to better places nearby until there is none.
func climb(reference, target grid, p place, step float64) place {
	p.likeness = correlate(reference, target, p, 2)
	for range 40 {
		best := p
		for _, q := range [...]place{
			{scale: p.scale, dx: p.dx + step, dy: p.dy},
			{scale: p.scale, dx: p.dx - step, dy: p.dy},
			{scale: p.scale, dx: p.dx, dy: p.dy + step},
			{scale: p.scale, dx: p.dx, dy: p.dy - step},
			p.scaled(1+step/viewSize*2, target), p.scaled(1/(1+step/viewSize*2), target),
		} {
			if enough(reference, target, q) {
				if q.likeness = correlate(reference, target, q, 2); q.likeness > best.likeness {
					best = q
				}
			}
		}
		if best == p {
			break
		}
		p = best
	}
	return p
}

// scaled is the place with another scale and the same middle.
func (p place) scaled(by float64, target grid) place {
	x, y := float64(target.width)/2, float64(target.height)/2
	return place{scale: p.scale * by, dx: p.dx + p.scale*x*(1-by), dy: p.dy + p.scale*y*(1-by)}
}

// correlate is the correlation of the reliefs where they overlap, of every so many
// cells.
func correlate(reference, target grid, p place, every int) float64 {
	var n, a, b, aa, bb, ab float64
	for y := 0; y < target.height; y += every {
		v := p.scale*float64(y) + p.dy
		j := int(v)
		if v < 0 || j+1 >= reference.height {
			continue
		}
		t := v - float64(j)
		for x := 0; x < target.width; x += every {
			u := p.scale*float64(x) + p.dx
			i := int(u)
			if u < 0 || i+1 >= reference.width {
				continue
			}
			s := u - float64(i)
			row := reference.relief[j*reference.width+i:]
			next := row[reference.width:]
			r := (1-t)*((1-s)*row[0]+s*row[1]) + t*((1-s)*next[0]+s*next[1])
			q := target.relief[y*target.width+x]
			n, a, b, aa, bb, ab = n+1, a+r, b+q, aa+r*r, bb+q*q, ab+r*q
		}
	}
	if n < 30 {
		return -1
	}
	return (ab - a*b/n) / math.Sqrt(max((aa-a*a/n)*(bb-b*b/n), 1e-12))
}
