package trace

import "math"

// Inset makes each outline smaller, by so many pixels of a picture of this size on
// every side, to make up for darktable's drawing it larger: holes too, as these are
// drawn. What lies on a side of the picture stays there, and an outline of which
// nothing would be left stays as it is.
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
		if onOneSide(p[0], q[0]) || onOneSide(p[1], q[1]) {
			sides[i].by = 0
		}
	}
	moved := make(Ring, len(r))
	for i, p := range r {
		dx, dy := cornerShift(sides[(i+len(r)-1)%len(r)], sides[i], 3*by)
		moved[i] = [2]float64{min(max(p[0]+dx/width, 0), 1), min(max(p[1]+dy/height, 0), 1)}
	}
	if moved.area()*area <= 0 {
		return r
	}
	return moved
}

// onOneSide reports whether two coordinates lie on the same side of the picture.
func onOneSide(a, b float64) bool { return a == b && (a == 0 || a == 1) }

// cornerShift returns how far the corner of two sides moves, at most by most.
func cornerShift(a, b side, most float64) (dx, dy float64) {
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
