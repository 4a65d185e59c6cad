package trace

import (
	"context"
	"math"
	"slices"
)

// cleanSide is how many cells a side of the picture has where polygons are traced.
const cleanSide = 1200

// maxCompared is how many corners a polygon may have of which every two sides are
// compared.
const maxCompared = 256

// cleanAll makes polygons such that darktable draws them as they are. Its paths fill
// wedges where corners lie too close or sides cross: such a polygon is drawn into a
// raster, by the rule of even and odd, and traced.
func cleanAll(ctx context.Context, rings []Ring) ([]Ring, error) {
	var out []Ring
	total := 0
	for _, ring := range rings {
		clean := []Ring{ring}
		if !ring.isClean() {
			var err error
			if clean, err = ring.retrace(ctx); err != nil {
				return nil, err
			}
		}
		for _, r := range clean {
			total += len(r)
		}
		out = append(out, clean...)
	}
	return out, checkSize(out, total)
}

// isClean reports whether a ring's corners lie far enough from each other, and its
// sides do not touch.
func (r Ring) isClean() bool {
	if len(r) > maxCompared {
		return false
	}
	for i, p := range r {
		q := r[(i+1)%len(r)]
		if math.Hypot(p[0]-q[0], p[1]-q[1])*cleanSide < minDistance {
			return false
		}
		for j := i + 2; j < len(r); j++ {
			if k := (j + 1) % len(r); k != i && touch(p, q, r[j], r[k]) {
				return false
			}
		}
	}
	return true
}

// touch reports whether the side from a to b meets that from c to d.
func touch(a, b, c, d [2]float64) bool {
	turn := func(p, q, r [2]float64) int {
		t := (q[0]-p[0])*(r[1]-p[1]) - (q[1]-p[1])*(r[0]-p[0])
		switch {
		case t > 0:
			return 1
		case t < 0:
			return -1
		}
		return 0
	}
	between := func(p, q, r [2]float64) bool {
		return min(p[0], q[0]) <= r[0] && r[0] <= max(p[0], q[0]) && min(p[1], q[1]) <= r[1] && r[1] <= max(p[1], q[1])
	}
	t1, t2, t3, t4 := turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)
	return t1 != t2 && t3 != t4 ||
		t1 == 0 && between(a, b, c) || t2 == 0 && between(a, b, d) || t3 == 0 && between(c, d, a) || t4 == 0 && between(c, d, b)
}

// retrace draws a ring into a raster that is as large as it, and traces that. A ring
// of which nothing is left stays as it is.
func (r Ring) retrace(ctx context.Context) ([]Ring, error) {
	low, high := r.box()
	var from, to [2]int
	for i := range 2 {
		from[i] = max(int(low[i]*cleanSide)-1, 0)
		to[i] = min(int(high[i]*cleanSide)+2, cleanSide)
	}
	grid := &raster{width: to[0] - from[0], height: to[1] - from[1], columns: cells(from[0], to[0]), rows: cells(from[1], to[1])}
	grid.values = make([]float32, grid.width*grid.height)
	if err := grid.fill(ctx, r, from); err != nil {
		return nil, err
	}
	rings, err := grid.trace(ctx, 3.0/cleanSide)
	if err != nil {
		return nil, err
	}
	if len(rings) == 0 {
		return []Ring{r}, nil
	}
	return rings, nil
}

// cells are where cells lie in the picture.
func cells(from, to int) []float64 {
	var out []float64
	for i := from; i <= to; i++ {
		out = append(out, float64(i)/cleanSide)
	}
	return out
}

// scans is how many lines of a cell are looked at, and maxCrossings how often
// sides may cross such lines.
const (
	scans        = 4
	maxCrossings = 4 << 20
)

// fill sets the values to how much of each cell is within a ring, whose corner of
// low coordinates the grid has at from.
func (r *raster) fill(ctx context.Context, ring Ring, from [2]int) error {
	crossings := make([][]float64, r.height*scans)
	count := 0
	for i, p := range ring {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		q := ring[(i+1)%len(ring)]
		if p[1] > q[1] {
			p, q = q, p
		}
		line := func(y float64) float64 { return (y*cleanSide-float64(from[1]))*scans - 0.5 }
		first, last := int(math.Ceil(line(p[1]))), int(math.Ceil(line(q[1])))
		if count += last - first; count > maxCrossings {
			return errorf(TooLarge, "its polygon goes to and fro too often: leave corners out")
		}
		for y := max(first, 0); y < min(last, len(crossings)); y++ {
			part := (float64(y) - line(p[1])) / (line(q[1]) - line(p[1]))
			crossings[y] = append(crossings[y], (p[0]+part*(q[0]-p[0]))*cleanSide-float64(from[0]))
		}
	}
	for y, at := range crossings {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		slices.Sort(at)
		row := r.values[y/scans*r.width:][:r.width]
		for i := 0; i+1 < len(at); i += 2 {
			addSpan(row, at[i], at[i+1])
		}
	}
	return nil
}

// addSpan adds what a line covers of each cell of a row.
func addSpan(row []float32, from, to float64) {
	from, to = max(from, 0), min(to, float64(len(row)))
	for x := int(from); x < len(row) && float64(x) < to; x++ {
		row[x] += float32(min(to, float64(x+1))-max(from, float64(x))) / scans
	}
}
