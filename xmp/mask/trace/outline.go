package trace

import "context"

// half is the value at which an outline runs.
const half = 0.5

// edge is a side between two neighbouring cells' centres: from x, y to the
// right, or down.
type edge struct {
	x, y int
	down bool
}

// maxPieces is how many squares between centres outlines may cross: a mask of a
// thing has thousands. A picture with more, such as noise or a checkerboard, is no
// mask.
const maxPieces = 300000

// outlines follows the places where the values cross one half, between the
// centres of cells (marching squares): closed rings, in cells. At a saddle, the two
// high corners are joined when the middle is high.
func (r *raster) outlines(ctx context.Context) ([]Ring, error) {
	next := map[edge]edge{}
	var starts []edge
	for y := -margin; y < r.height+margin-1; y++ {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for x := -margin; x < r.width+margin-1; x++ {
			for _, s := range r.segments(x, y) {
				next[s[0]] = s[1]
				starts = append(starts, s[0])
			}
		}
		if len(starts) > maxPieces {
			return nil, errorf(TooLarge, "its outlines have more than %d pieces: smooth the mask, or drop its specks", maxPieces)
		}
	}
	var rings []Ring
	for i, start := range starts {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
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
	return rings, nil
}

// crossing is where the values are one half on an edge, in cells. It may lie
// outside of the picture.
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
	return [2]float64{x, y}
}

// segments are the pieces of outlines in the square between four centres, with
// what is selected on their left.
func (r *raster) segments(x, y int) [][2]edge {
	a, b, c, d := r.value(x, y), r.value(x+1, y), r.value(x+1, y+1), r.value(x, y+1)
	top, right, bottom, left := edge{x, y, false}, edge{x + 1, y, true}, edge{x, y + 1, false}, edge{x, y, true}
	kind := 0
	if a == b && b == c && c == d {
		return nil
	}
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
