package trace

import "context"

// minDistance is the least distance of two corners, in pixels: with closer ones
// darktable 5.4 fills a wedge beside the outline. Where it would be more than
// minExtent of the picture, as in one of few pixels, that is the least distance.
const minDistance = 2

// maxSteps bounds the work on all outlines of a mask: how many distances are
// measured.
const maxSteps = 1 << 27

// A worker simplifies outlines until ctx ends, or the work is done.
type worker struct {
	ctx   context.Context
	apart float64 // the least distance of two corners
	steps int
}

// spend notes so many steps, and fails when there are none left.
func (w *worker) spend(steps int) error {
	if w.ctx.Err() != nil {
		return w.ctx.Err()
	}
	if w.steps += steps; w.steps > maxSteps {
		return errorf(TooLarge, "its outlines go to and fro too often: smooth the mask")
	}
	return nil
}

// simplify leaves corners out, so that none lies farther than tolerance from the
// new outline (Ramer, Douglas and Peucker, on both halves of the ring), but for
// those nearer than w.apart to a corner that was kept before. nil is a ring without
// extent.
func (w *worker) simplify(ring Ring, tolerance float64) (Ring, error) {
	// The point farthest from any other is a corner: the halves begin there.
	start := farthest(ring, ring[0])
	closed := append(append(append(Ring{}, ring[start:]...), ring[:start]...), ring[start])
	far := farthest(closed, closed[0])
	apart2 := w.apart * w.apart
	if distance2(closed[0], closed[far]) <= apart2 {
		return nil, nil
	}
	keep := make([]bool, len(closed))
	keep[0], keep[far] = true, true
	stack := [][2]int{{0, far}, {far, len(closed) - 1}}
	for len(stack) > 0 {
		from, to := stack[len(stack)-1][0], stack[len(stack)-1][1]
		stack = stack[:len(stack)-1]
		if err := w.spend(to - from); err != nil {
			return nil, err
		}
		a, b := closed[from], closed[to]
		most, at := tolerance*tolerance, -1
		for i := from + 1; i < to; i++ {
			p := closed[i]
			if d := segmentDistance2(p, a, b); d > most && distance2(p, a) > apart2 && distance2(p, b) > apart2 {
				most, at = d, i
			}
		}
		if at >= 0 {
			keep[at] = true
			stack = append(stack, [2]int{from, at}, [2]int{at, to})
		}
	}
	var out Ring
	for i, p := range closed[:len(closed)-1] {
		if keep[i] {
			out = append(out, p)
		}
	}
	return out, nil
}

// farthest returns the index of the corner that lies farthest from a place.
func farthest(ring Ring, from [2]float64) int {
	far := 0
	for i, p := range ring {
		if distance2(p, from) > distance2(ring[far], from) {
			far = i
		}
	}
	return far
}

// distance2 is the square of the distance of two points.
func distance2(p, q [2]float64) float64 {
	x, y := p[0]-q[0], p[1]-q[1]
	return x*x + y*y
}

// segmentDistance2 is the square of a point's distance from a line segment.
func segmentDistance2(p, a, b [2]float64) float64 {
	length := distance2(a, b)
	if length == 0 {
		return distance2(p, a)
	}
	t := ((p[0]-a[0])*(b[0]-a[0]) + (p[1]-a[1])*(b[1]-a[1])) / length
	t = min(max(t, 0), 1)
	return distance2(p, [2]float64{a[0] + t*(b[0]-a[0]), a[1] + t*(b[1]-a[1])})
}
