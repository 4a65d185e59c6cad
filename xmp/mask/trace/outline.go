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

// The sides of the square between four centres.
const (
	top = iota
	right
	bottom
	left
)

// pieces are the pieces of outlines in a square, from side to side with what is
// selected on their left, by which corners are selected: 1 for the upper left, 2 for
// the upper right, 4 for the lower right, 8 for the lower left.
var pieces = [16][][2]int{
	1: {{left, top}}, 2: {{top, right}}, 3: {{left, right}}, 4: {{right, bottom}},
	5: {{left, top}, {right, bottom}},
	6: {{top, bottom}}, 7: {{left, bottom}}, 8: {{bottom, left}}, 9: {{bottom, top}},
	10: {{top, right}, {bottom, left}},
	11: {{bottom, right}}, 12: {{right, left}}, 13: {{right, top}}, 14: {{top, left}},
}

// joined are the pieces where the two selected corners across from each other belong
// together, as the middle is selected, too.
var joined = map[int][][2]int{5: {{right, top}, {left, bottom}}, 10: {{top, left}, {bottom, right}}}

// segments are the pieces of outlines in the square between four centres, with
// what is selected on their left.
func (r *raster) segments(x, y int) [][2]edge {
	corners := [4]float32{r.value(x, y), r.value(x+1, y), r.value(x+1, y+1), r.value(x, y+1)}
	kind, sum := 0, float32(0)
	for i, v := range corners {
		if v > half {
			kind |= 1 << i
		}
		sum += v
	}
	if kind == 0 || kind == 15 {
		return nil
	}
	found := pieces[kind]
	if across := joined[kind]; across != nil && sum/4 > half {
		found = across
	}
	sides := [4]edge{top: {x, y, false}, right: {x + 1, y, true}, bottom: {x, y + 1, false}, left: {x, y, true}}
	segments := make([][2]edge, len(found))
	for i, f := range found {
		segments[i] = [2]edge{sides[f[0]], sides[f[1]]}
	}
	return segments
}
