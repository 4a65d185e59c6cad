package measure

import "math"

// topFalloff is the mean lightness of the top third less that of the bottom
// third.
func (p *Picture) topFalloff() float64 {
	n, third := len(p.L), p.Height/3*p.Width
	return mean(p.L[:third], nil) - mean(p.L[n-third:], nil)
}

// leftFalloff is the mean lightness of the left third less that of the right
// third.
func (p *Picture) leftFalloff() float64 {
	third := p.Width / 3
	var left, right []float32
	for y := range p.Height {
		row := p.L[y*p.Width : (y+1)*p.Width]
		left, right = append(left, row[:third]...), append(right, row[p.Width-third:]...)
	}
	return mean(left, nil) - mean(right, nil)
}

// tilt is how far the picture's edges lean from the upright and the level, in
// degrees between -45 and 45, clockwise.
func (p *Picture) tilt() float64 {
	return p.lean(func(_, _ int, _ bool) bool { return true })
}

// convergeUp compares the upright edges of the left third with those of the
// right third.
func (p *Picture) convergeUp() float64 {
	third := p.Width / 3
	left := p.lean(func(x, _ int, upright bool) bool { return upright && x < third })
	right := p.lean(func(x, _ int, upright bool) bool { return upright && x >= p.Width-third })
	return left - right
}

// convergeLeft compares the level edges of the bottom third with those of the
// top third.
func (p *Picture) convergeLeft() float64 {
	third := p.Height / 3
	top := p.lean(func(_, y int, upright bool) bool { return !upright && y < third })
	bottom := p.lean(func(_, y int, upright bool) bool { return !upright && y >= p.Height-third })
	return bottom - top
}

// lean is how far chosen edges lean, clockwise in degrees: the angle that most of
// the steps in lightness share, when angles a right angle apart count as one. An
// edge is upright when it is nearer to that than to the level.
func (p *Picture) lean(chosen func(x, y int, upright bool) bool) float64 {
	var c, s float64
	for y := range p.Height {
		for x := range p.Width {
			dx, dy := float64(p.at(x+1, y)-p.at(x-1, y)), float64(p.at(x, y+1)-p.at(x, y-1))
			if w := dx*dx + dy*dy; w > 25 && chosen(x, y, math.Abs(dx) > math.Abs(dy)) {
				angle := 4 * math.Atan2(dy, dx)
				c, s = c+w*math.Cos(angle), s+w*math.Sin(angle)
			}
		}
	}
	return math.Atan2(s, c) / 4 * 180 / math.Pi
}
