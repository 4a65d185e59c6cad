package measure

import "math"

// leastAgreement is how much the edges of a picture have to agree on a direction for it to
// have one, from 0, where they run every way, to 1, where all are parallel.
const leastAgreement = 0.25

// tilt is the angle of the picture's edges to the vertical and the horizontal, in
// degrees between -45 and 45, clockwise.
func (p *Picture) tilt() float64 {
	return p.edgeAngle(func(_, _ int, _ bool) bool { return true })
}

// convergeUp compares the upright edges of the left third with those of the
// right third.
func (p *Picture) convergeUp() float64 {
	third := p.Width / 3
	left := p.edgeAngle(func(x, _ int, upright bool) bool { return upright && x < third })
	right := p.edgeAngle(func(x, _ int, upright bool) bool { return upright && x >= p.Width-third })
	return left - right
}

// convergeLeft compares the level edges of the bottom third with those of the
// top third.
func (p *Picture) convergeLeft() float64 {
	third := p.Height / 3
	top := p.edgeAngle(func(_, y int, upright bool) bool { return !upright && y < third })
	bottom := p.edgeAngle(func(_, y int, upright bool) bool { return !upright && y >= p.Height-third })
	return bottom - top
}

// edgeAngle is the angle of chosen edges, clockwise in degrees: the mean direction
// of the steps in lightness, where directions a right angle apart count as one. An
// edge is upright when it is nearer to the vertical than to the horizontal. Where edges run
// every way, as in leaves, the angle is NaN.
func (p *Picture) edgeAngle(chosen func(x, y int, upright bool) bool) float64 {
	var c, s, weight float64
	for y := range p.Height {
		for x := range p.Width {
			dx, dy := float64(p.lightness(x+1, y)-p.lightness(x-1, y)), float64(p.lightness(x, y+1)-p.lightness(x, y-1))
			if w := dx*dx + dy*dy; w > 25 && chosen(x, y, math.Abs(dx) > math.Abs(dy)) {
				angle := 4 * math.Atan2(dy, dx)
				c, s, weight = c+w*math.Cos(angle), s+w*math.Sin(angle), weight+w
			}
		}
	}
	if !(math.Hypot(c, s) >= leastAgreement*weight) || weight == 0 {
		return math.NaN()
	}
	return math.Atan2(s, c) / 4 * 180 / math.Pi
}
