package probe

import (
	"cmp"
	"image"
	"math"
	"slices"

	"github.com/chemigram/chemigram/internal/colour"
	"github.com/chemigram/chemigram/internal/compose"
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/xmp/mask"
)

// A HealSource is a place to heal a spot from.
type HealSource struct {
	// X and Y are its middle, in fractions of the developed picture.
	X, Y float64
	// Score is how well what is around it continues what is around the spot: 1 when
	// nothing would be seen, below LowScore when something probably will.
	Score float64
}

// LowScore is the score below which a heal is worth a look. Of 60 spots planted into
// photographs, those that scored more were healed to a mean ΔE2000 of 0.8, none above
// 2.1, and the others to 2.8, up to 5.3.
const LowScore = 0.5

// HealSources finds places to heal a spot from in the developed picture, which has the
// given size in its frame: the best first, and up to two others that are at least a
// spot's radius away from each other.
//
// A heal takes the detail of the source and fits it to the brightness and colour along
// the rim of the spot. So a source is good when what surrounds it differs from what
// surrounds the spot by a constant or an even slope alone, which the heal evens out:
// then edges and textures go on through the rim. It has to have as much detail within
// as there is about the spot. Places nearby are preferred, and those at the same height
// of the frame, which are at the same depth more often.
func HealSources(m image.Image, developed mask.Size, spot compose.SpotPlace) ([]HealSource, error) {
	s := newHealSearch(m, spot)
	fits := func(c healCandidate) bool {
		x, y := s.fractions(c)
		return spot.CheckSource(x, y, developed) == nil
	}
	all := s.around(spot, fits)
	for i, c := range all {
		all[i] = s.rate(c)
	}
	slices.SortStableFunc(all, func(a, b healCandidate) int { return cmp.Compare(a.off, b.off) })
	const refined = 8
	for i, c := range all[:min(refined, len(all))] {
		all[i] = s.refine(c, fits)
	}
	slices.SortStableFunc(all, func(a, b healCandidate) int { return cmp.Compare(a.off, b.off) })
	best := s.apart(all, 3)
	if len(best) == 0 {
		return nil, fault.New(fault.Masking, "around the spot at %.4g, %.4g there is no place to heal it from: give source_x and source_y", spot.X, spot.Y)
	}
	return best, nil
}

// healSearch is a spot in a picture.
type healSearch struct {
	lab           []colour.Lab
	width, height int
	short         float64
	x, y          int     // the spot's middle
	radius, outer float64 // in pixels, and with its feather
	rim           []image.Point
	inside        []image.Point
	detail        float64 // of the rim, in ΔE
}

// healCandidate is a source by its distance from the spot in pixels, and how bad it is.
type healCandidate struct {
	dx, dy int
	off    float64
}

// maxHealSamples bounds the pixels of the rim and of the inside that are looked at.
const maxHealSamples = 500

func newHealSearch(m image.Image, spot compose.SpotPlace) *healSearch {
	box := m.Bounds()
	s := &healSearch{width: box.Dx(), height: box.Dy(), lab: make([]colour.Lab, box.Dx()*box.Dy())}
	srgb := colour.FromSRGB()
	for y := range s.height {
		for x := range s.width {
			r, g, b, _ := m.At(box.Min.X+x, box.Min.Y+y).RGBA()
			s.lab[y*s.width+x] = srgb.Lab(uint16(r), uint16(g), uint16(b))
		}
	}
	s.short = float64(min(s.width, s.height))
	s.x, s.y = int(spot.X*float64(s.width)), int(spot.Y*float64(s.height))
	s.radius = max(spot.Radius*s.short, 1)
	s.outer = s.radius + max(spot.Feather*s.short, 1)
	from, to := s.outer+0.5, s.outer+max(3, 0.8*s.outer)
	reach := int(to) + 1
	for dy := -reach; dy <= reach; dy++ {
		for dx := -reach; dx <= reach; dx++ {
			d := math.Hypot(float64(dx), float64(dy))
			switch {
			case !s.has(s.x+dx, s.y+dy) && d > s.outer:
			case d <= s.outer:
				s.inside = append(s.inside, image.Pt(dx, dy))
			case d >= from && d <= to:
				s.rim = append(s.rim, image.Pt(dx, dy))
			}
		}
	}
	s.rim, s.inside = sampled(s.rim), sampled(s.inside)
	_, _, s.detail = s.fit(s.rim, func(p image.Point) (colour.Lab, bool) { return s.at(p), true })
	return s
}

// around are the candidates at some distances from a spot, in all directions.
func (s *healSearch) around(spot compose.SpotPlace, fits func(healCandidate) bool) (all []healCandidate) {
	reach := spot.Radius + spot.Radius + spot.Feather
	const directions = 32
	for _, distance := range [...]float64{1.05, 1.25, 1.5, 1.8, 2.2, 2.7, 3.3, 4, 5} {
		for i := range directions {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / directions)
			d := distance * reach * s.short
			if c := (healCandidate{dx: int(math.Round(d * cos)), dy: int(math.Round(d * sin))}); fits(c) {
				all = append(all, c)
			}
		}
	}
	return all
}

// sampled is an even choice of at most maxHealSamples points.
func sampled(points []image.Point) []image.Point {
	step := (len(points) + maxHealSamples - 1) / maxHealSamples
	if step < 2 {
		return points
	}
	var some []image.Point
	for i := 0; i < len(points); i += step {
		some = append(some, points[i])
	}
	return some
}

func (s *healSearch) has(x, y int) bool { return x >= 0 && y >= 0 && x < s.width && y < s.height }

// at is the colour at a place relative to the spot's middle.
func (s *healSearch) at(p image.Point) colour.Lab { return s.lab[(s.y+p.Y)*s.width+s.x+p.X] }

// fractions is the middle of a candidate in fractions of the picture.
func (s *healSearch) fractions(c healCandidate) (x, y float64) {
	return (float64(s.x+c.dx) + 0.5) / float64(s.width), (float64(s.y+c.dy) + 0.5) / float64(s.height)
}

// fit fits a constant and a slope to what of gives of points, and returns their sizes,
// the slope's over the spot's radius, and the root mean square of what remains; all in
// CIELAB's units over the three channels. Points for which of has nothing do not count.
func (s *healSearch) fit(points []image.Point, of func(image.Point) (colour.Lab, bool)) (constant, slope, rest float64) {
	var n, sx, sy, sxx, sxy, syy float64
	var v, vx, vy, vv [3]float64
	for _, p := range points {
		lab, ok := of(p)
		if !ok {
			continue
		}
		x, y := float64(p.X), float64(p.Y)
		n, sx, sy, sxx, sxy, syy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y, syy+y*y
		for c, l := range [3]float64{lab.L, lab.A, lab.B} {
			v[c], vx[c], vy[c], vv[c] = v[c]+l, vx[c]+l*x, vy[c]+l*y, vv[c]+l*l
		}
	}
	if n < 8 {
		return math.Inf(1), math.Inf(1), math.Inf(1)
	}
	// About the points' own middle.
	mx, my := sx/n, sy/n
	sxx, sxy, syy = sxx-n*mx*mx, sxy-n*mx*my, syy-n*my*my
	det := sxx*syy - sxy*sxy
	var squares float64
	for c := range v {
		mean := v[c] / n
		bx, by := vx[c]-mean*sx, vy[c]-mean*sy
		var gx, gy float64
		if det > 0 {
			gx, gy = (bx*syy-by*sxy)/det, (by*sxx-bx*sxy)/det
		}
		constant += mean * mean
		slope += (gx*gx + gy*gy) * s.radius * s.radius
		squares += max(vv[c]-n*mean*mean-gx*bx-gy*by, 0)
	}
	return math.Sqrt(constant), math.Sqrt(slope), math.Sqrt(squares / n)
}

// rate says how bad a candidate is, about as a mean ΔE of what would be seen.
func (s *healSearch) rate(c healCandidate) healCandidate {
	by := image.Pt(c.dx, c.dy)
	source := func(p image.Point) (colour.Lab, bool) {
		p = p.Add(by)
		if !s.has(s.x+p.X, s.y+p.Y) || math.Hypot(float64(p.X), float64(p.Y)) <= s.outer {
			return colour.Lab{}, false // outside, or the spot itself
		}
		return s.at(p), true
	}
	constant, slope, rest := s.fit(s.rim, func(p image.Point) (colour.Lab, bool) {
		b, ok := source(p)
		a := s.at(p)
		return colour.Lab{L: a.L - b.L, A: a.A - b.A, B: a.B - b.B}, ok
	})
	_, _, within := s.fit(s.inside, source)
	c.off = rest + 0.08*constant + 0.15*slope + within
	away := math.Hypot(float64(c.dx), float64(c.dy)) / s.outer
	c.off += 0.05*away + 2*math.Abs(float64(c.dy))/s.short
	return c
}

// refine looks for a better candidate in the neighbourhood, in steps down to a pixel.
func (s *healSearch) refine(c healCandidate, fits func(healCandidate) bool) healCandidate {
	for step := max(int(s.outer/3), 1); ; step /= 2 {
		for range 4 {
			best := c
			for _, d := range [...]image.Point{{-step, 0}, {step, 0}, {0, -step}, {0, step}} {
				next := healCandidate{dx: c.dx + d.X, dy: c.dy + d.Y}
				if s.clear(next) && fits(next) {
					if next = s.rate(next); next.off < best.off {
						best = next
					}
				}
			}
			if best == c {
				break
			}
			c = best
		}
		if step == 1 {
			return c
		}
	}
}

// clear reports whether a candidate has nothing of the spot.
func (s *healSearch) clear(c healCandidate) bool {
	return math.Hypot(float64(c.dx), float64(c.dy)) >= s.radius+s.outer
}

// apart are the first candidates that are away from each other.
func (s *healSearch) apart(all []healCandidate, n int) []HealSource {
	var chosen []healCandidate
	var sources []HealSource
	for _, c := range all {
		if math.IsInf(c.off, 0) || math.IsNaN(c.off) || slices.ContainsFunc(chosen, func(d healCandidate) bool {
			return math.Hypot(float64(c.dx-d.dx), float64(c.dy-d.dy)) < s.radius
		}) {
			continue
		}
		chosen = append(chosen, c)
		x, y := s.fractions(c)
		sources = append(sources, HealSource{X: x, Y: y, Score: math.Exp(-c.off / 10)})
		if len(sources) == n {
			break
		}
	}
	return sources
}
