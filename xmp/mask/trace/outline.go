package trace

// half is the value at which an outline runs.
const half = 0.5

// edge is a side between two neighbouring pixels' centres: from x, y to the
// right, or down.
type edge struct {
	x, y int
	down bool
}

// outlines follows the places where the values cross one half, between the
// centres of pixels (marching squares): closed rings, in pixels. At a saddle,
// the two high corners are joined when the middle is high.
func (f *field) outlines() []Ring {
	next := map[edge]edge{}
	var starts []edge
	for y := -1; y < f.height; y++ {
		for x := -1; x < f.width; x++ {
			for _, s := range f.segments(x, y) {
				next[s[0]] = s[1]
				starts = append(starts, s[0])
			}
		}
	}
	var rings []Ring
	for _, start := range starts {
		if _, ok := next[start]; !ok {
			continue // part of an earlier ring
		}
		var ring Ring
		for at := start; ; {
			to, ok := next[at]
			if !ok {
				break
			}
			delete(next, at)
			ring = append(ring, f.crossing(at))
			at = to
		}
		rings = append(rings, ring)
	}
	return rings
}

// crossing is where the values are one half on an edge, in pixels.
func (f *field) crossing(e edge) [2]float64 {
	a, b := f.value(e.x, e.y), float32(0)
	x, y := float64(e.x)+0.5, float64(e.y)+0.5
	if e.down {
		b = f.value(e.x, e.y+1)
		y += float64((half - a) / (b - a))
	} else {
		b = f.value(e.x+1, e.y)
		x += float64((half - a) / (b - a))
	}
	// The rim lies beyond the picture.
	return [2]float64{min(max(x, 0), float64(f.width)), min(max(y, 0), float64(f.height))}
}

// segments are the pieces of outlines in the square between four centres, with
// what is selected on their left.
func (f *field) segments(x, y int) [][2]edge {
	a, b, c, d := f.value(x, y), f.value(x+1, y), f.value(x+1, y+1), f.value(x, y+1)
	top, right, bottom, left := edge{x, y, false}, edge{x + 1, y, true}, edge{x, y + 1, false}, edge{x, y, true}
	kind := 0
	for i, v := range [4]float32{a, b, c, d} {
		if v > half {
			kind |= 1 << i
		}
	}
	switch kind {
	case 1:
		return [][2]edge{{left, top}}
	case 2:
		return [][2]edge{{top, right}}
	case 3:
		return [][2]edge{{left, right}}
	case 4:
		return [][2]edge{{right, bottom}}
	case 5:
		if (a+b+c+d)/4 > half {
			return [][2]edge{{right, top}, {left, bottom}}
		}
		return [][2]edge{{left, top}, {right, bottom}}
	case 6:
		return [][2]edge{{top, bottom}}
	case 7:
		return [][2]edge{{left, bottom}}
	case 8:
		return [][2]edge{{bottom, left}}
	case 9:
		return [][2]edge{{bottom, top}}
	case 10:
		if (a+b+c+d)/4 > half {
			return [][2]edge{{top, left}, {bottom, right}}
		}
		return [][2]edge{{top, right}, {bottom, left}}
	case 11:
		return [][2]edge{{bottom, right}}
	case 12:
		return [][2]edge{{right, left}}
	case 13:
		return [][2]edge{{right, top}}
	case 14:
		return [][2]edge{{top, left}}
	}
	return nil
}

// nearest is how close two corners may lie, in pixels.
const nearest = 2

// simplify leaves corners out, so that none lies farther than tolerance from the
// new outline (Ramer, Douglas and Peucker, on both halves of the ring).
func simplify(ring Ring, tolerance float64) Ring {
	far := 0
	for i, p := range ring {
		if distance2(p, ring[0]) > distance2(ring[far], ring[0]) {
			far = i
		}
	}
	if far == 0 {
		return nil
	}
	closed := append(append(Ring{}, ring...), ring[0])
	keep := make([]bool, len(closed))
	keep[0], keep[far] = true, true
	stack := [][2]int{{0, far}, {far, len(closed) - 1}}
	for len(stack) > 0 {
		span := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		most, at := tolerance*tolerance, -1
		for i := span[0] + 1; i < span[1]; i++ {
			if d := toSegment2(closed[i], closed[span[0]], closed[span[1]]); d > most {
				most, at = d, i
			}
		}
		if at >= 0 {
			keep[at] = true
			stack = append(stack, [2]int{span[0], at}, [2]int{at, span[1]})
		}
	}
	var out Ring
	for i, p := range ring {
		if keep[i] && (len(out) == 0 || distance2(p, out[len(out)-1]) > nearest*nearest) {
			out = append(out, p)
		}
	}
	for len(out) > 3 && distance2(out[0], out[len(out)-1]) <= nearest*nearest {
		out = out[:len(out)-1]
	}
	return out
}

func distance2(p, q [2]float64) float64 {
	x, y := p[0]-q[0], p[1]-q[1]
	return x*x + y*y
}

// toSegment2 is the square of a point's distance from a line's part.
func toSegment2(p, a, b [2]float64) float64 {
	length := distance2(a, b)
	if length == 0 {
		return distance2(p, a)
	}
	t := ((p[0]-a[0])*(b[0]-a[0]) + (p[1]-a[1])*(b[1]-a[1])) / length
	t = min(max(t, 0), 1)
	return distance2(p, [2]float64{a[0] + t*(b[0]-a[0]), a[1] + t*(b[1]-a[1])})
}
