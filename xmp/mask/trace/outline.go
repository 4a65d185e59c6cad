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
func (r *raster) outlines() []Ring {
	next := map[edge]edge{}
	var starts []edge
	for y := -1; y < r.height; y++ {
		for x := -1; x < r.width; x++ {
			for _, s := range r.segments(x, y) {
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
			ring = append(ring, r.crossing(at))
			at = to
		}
		rings = append(rings, ring)
	}
	return rings
}

// crossing is where the values are one half on an edge, in pixels.
func (r *raster) crossing(e edge) [2]float64 {
	a, b := r.value(e.x, e.y), float32(0)
	x, y := float64(e.x)+0.5, float64(e.y)+0.5
	if e.down {
		b = r.value(e.x, e.y+1)
		y += float64((half - a) / (b - a))
	} else {
		b = r.value(e.x+1, e.y)
		x += float64((half - a) / (b - a))
	}
	// The border lies outside of the picture.
	return [2]float64{min(max(x, 0), float64(r.width)), min(max(y, 0), float64(r.height))}
}

// segments are the pieces of outlines in the square between four centres, with
// what is selected on their left.
func (r *raster) segments(x, y int) [][2]edge {
	a, b, c, d := r.value(x, y), r.value(x+1, y), r.value(x+1, y+1), r.value(x, y+1)
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
