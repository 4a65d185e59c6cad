package trace

import "math"

// Inset makes each outline smaller by so many pixels of a picture of this size on
// every side, for whoever draws it larger than it is: holes too, for they are
// drawn. The picture's own sides stay where they are, and so does an outline of
// which nothing would be left.
func Inset(rings []Ring, width, height, by float64) []Ring {
	out := make([]Ring, len(rings))
	for i, ring := range rings {
		out[i] = ring.inset(width, height, by)
	}
	return out
}

// area is negative for a ring that runs the other way round.
func (r Ring) area() float64 {
	sum := 0.0
	for i, p := range r {
		q := r[(i+1)%len(r)]
		sum += p[0]*q[1] - q[0]*p[1]
	}
	return sum / 2
}

// side is a straight side of a ring: the unit vector to its inside, and how far
// the side moves there.
type side struct{ x, y, by float64 }

func (r Ring) inset(width, height, by float64) Ring {
	area := r.area()
	sides := make([]side, len(r))
	for i, p := range r {
		q := r[(i+1)%len(r)]
		x, y := (p[1]-q[1])*height, (q[0]-p[0])*width
		length := math.Copysign(math.Hypot(x, y), area)
		sides[i] = side{x / length, y / length, by}
		if onFrame(p[0], q[0]) || onFrame(p[1], q[1]) {
			sides[i].by = 0
		}
	}
	moved := make(Ring, len(r))
	for i, p := range r {
		dx, dy := meet(sides[(i+len(r)-1)%len(r)], sides[i], 3*by)
		moved[i] = [2]float64{min(max(p[0]+dx/width, 0), 1), min(max(p[1]+dy/height, 0), 1)}
	}
	if moved.area()*area <= 0 {
		return r
	}
	return moved
}

// onFrame tells whether two coordinates lie on the same side of the picture.
func onFrame(a, b float64) bool { return a == b && (a == 0 || a == 1) }

// meet is how far the corner moves in which two sides meet, at most so far.
func meet(a, b side, most float64) (dx, dy float64) {
	if cross := a.x*b.y - a.y*b.x; math.Abs(cross) > 0.1 {
		dx, dy = (a.by*b.y-b.by*a.y)/cross, (b.by*a.x-a.by*b.x)/cross
	} else { // straight on, or straight back
		dx, dy = (a.by*a.x+b.by*b.x)/2, (a.by*a.y+b.by*b.y)/2
	}
	if length := math.Hypot(dx, dy); length > most {
		dx, dy = dx*most/length, dy*most/length
	}
	return dx, dy
}
