package mask

// point is a place in the frame.
type point struct{ x, y float32 }

// steps is how many straight lines approximate a segment of a curve.
const steps = 16

// bezier appends the points of a cubic segment, without its end.
func bezier(line []point, a, b, c, d point) []point {
	if a == b && c == d {
		return append(line, a) // a straight line
	}
	for i := range steps {
		t := float32(i) / steps
		s := 1 - t
		p, q, r, w := s*s*s, 3*s*s*t, 3*s*t*t, t*t*t
		line = append(line, point{p*a.x + q*b.x + r*c.x + w*d.x, p*a.y + q*b.y + r*c.y + w*d.y})
	}
	return line
}

// flatten returns the closed outline as straight lines.
func (p Path) flatten() []point {
	var line []point
	for i, v := range p.Vertices {
		w := p.Vertices[(i+1)%len(p.Vertices)]
		line = bezier(line, point{v.X, v.Y}, point{v.OutX, v.OutY}, point{w.InX, w.InY}, point{w.X, w.Y})
	}
	return line
}

// flatten returns the stroke's middle line as straight lines.
func (b Brush) flatten() []point {
	var line []point
	for i, v := range b.Nodes[:len(b.Nodes)-1] {
		w := b.Nodes[i+1]
		from, to := point{v.X, v.Y}, point{w.X, w.Y}
		out, in := point{v.OutX, v.OutY}, point{w.InX, w.InY}
		if from == out && in == to { // a straight line
			out, in = interpolate(from, to, 1./3), interpolate(from, to, 2./3)
		}
		line = bezier(line, from, out, in, to)
	}
	last := b.Nodes[len(b.Nodes)-1]
	return append(line, point{last.X, last.Y})
}

// interpolate returns the point at t of the way from a to b.
func interpolate(a, b point, t float32) point { return point{a.x + t*(b.x-a.x), a.y + t*(b.y-a.y)} }

// collinear reports whether all points lie within a millionth of one line.
func collinear(line []point) bool {
	first, far, most := line[0], line[0], 0.0
	for _, p := range line {
		if d := squaredDistance(first, p); d > most {
			far, most = p, d
		}
	}
	if most == 0 {
		return true
	}
	dx, dy := float64(far.x-first.x), float64(far.y-first.y)
	for _, p := range line {
		// Twice the triangle's area, against the square of its base.
		area := dx*float64(p.y-first.y) - dy*float64(p.x-first.x)
		if area*area > 1e-12*most {
			return false
		}
	}
	return true
}

func squaredDistance(a, b point) float64 {
	dx, dy := float64(a.x-b.x), float64(a.y-b.y)
	return dx*dx + dy*dy
}

// visible reports whether some of what a closed outline encloses lies in the
// picture: an edge crosses it, or it encloses the middle.
func visible(line []point) bool {
	for i, p := range line {
		if crosses(p, line[(i+1)%len(line)]) {
			return true
		}
	}
	return encloses(line, point{0.5, 0.5})
}

// crosses reports whether a line has a part in the picture, by cutting it at the
// picture's four sides. A line along a side does not count.
func crosses(a, b point) bool {
	from, to := float32(0), float32(1)
	for _, side := range [4][2]float32{{a.x, b.x}, {1 - a.x, 1 - b.x}, {a.y, b.y}, {1 - a.y, 1 - b.y}} {
		p, q := side[0], side[1]
		switch {
		case p <= 0 && q <= 0:
			return false
		case p < 0:
			from = max(from, p/(p-q))
		case q < 0:
			to = min(to, p/(p-q))
		}
	}
	return from < to
}

// encloses reports whether a place lies inside of a closed outline, by the
// even-odd rule, which is darktable's.
func encloses(line []point, at point) bool {
	inside := false
	for i, p := range line {
		q := line[(i+1)%len(line)]
		if (p.y > at.y) != (q.y > at.y) && at.x < p.x+(at.y-p.y)/(q.y-p.y)*(q.x-p.x) {
			inside = !inside
		}
	}
	return inside
}
