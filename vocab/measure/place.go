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
// degrees between -45 and 45, clockwise: the angle that most of the steps in
// lightness share, when angles a right angle apart count as one.
func (p *Picture) tilt() float64 {
	var c, s float64
	for y := range p.Height {
		for x := range p.Width {
			dx, dy := float64(p.at(x+1, y)-p.at(x-1, y)), float64(p.at(x, y+1)-p.at(x, y-1))
			if w := dx*dx + dy*dy; w > 25 {
				angle := 4 * math.Atan2(dy, dx)
				c, s = c+w*math.Cos(angle), s+w*math.Sin(angle)
			}
		}
	}
	return math.Atan2(s, c) / 4 * 180 / math.Pi
}
