package trace

import (
	"context"
	"image"
)

// maxSide is the longest side at which a picture is traced; a larger one is
// averaged down.
const maxSide = 1600

// traceImage returns the outlines of what a picture selects.
func traceImage(ctx context.Context, m image.RGBA64Image) ([]Ring, error) {
	r, err := newRaster(ctx, m)
	if err != nil {
		return nil, err
	}
	kept, err := r.trace(ctx, minExtent)
	if err != nil {
		return nil, err
	}
	total := 0
	for _, ring := range kept {
		total += len(ring)
	}
	return kept, checkSize(kept, total)
}

// trace returns the outlines of a raster that are not smaller than a fraction of
// the picture.
func (r *raster) trace(ctx context.Context, least float64) ([]Ring, error) {
	rings, err := r.outlines(ctx)
	if err != nil {
		return nil, err
	}
	kept, work := rings[:0], worker{ctx: ctx, apart: min(minDistance, minExtent*float64(max(r.width, r.height)))}
	for _, ring := range rings {
		for i, p := range ring {
			ring[i] = [2]float64{min(max(p[0], 0), float64(r.width)), min(max(p[1], 0), float64(r.height))}
		}
		if r.extent(ring) < least {
			continue // noise; and darktable draws the smallest paths wrongly
		}
		ring, err := work.shorten(ring)
		if err != nil {
			return nil, err
		}
		if len(ring) >= 3 && r.extent(ring) >= least {
			kept = append(kept, ring)
		}
	}
	for _, ring := range kept {
		for i, p := range ring {
			ring[i] = [2]float64{place(r.columns, p[0]), place(r.rows, p[1])}
		}
	}
	return kept, nil
}

// shorten leaves out as many corners as it takes.
func (w *worker) shorten(ring Ring) (Ring, error) {
	for step := tolerance; ; step *= 2 {
		if short, err := w.simplify(ring, step); err != nil || len(short) <= maxCorners {
			return short, err
		}
	}
}

const (
	minExtent  = 0.012 // of a ring that is kept, as a fraction of the sides
	maxCorners = 4000  // of one outline
)

// extent is the larger extent of a ring, as a fraction of the picture's sides.
func (r *raster) extent(ring Ring) float64 {
	low, high := ring.box()
	return max(place(r.columns, high[0])-place(r.columns, low[0]), place(r.rows, high[1])-place(r.rows, low[1]))
}

// box is the smallest one around a ring.
func (r Ring) box() (low, high [2]float64) {
	low, high = r[0], r[0]
	for _, p := range r {
		low = [2]float64{min(low[0], p[0]), min(low[1], p[1])}
		high = [2]float64{max(high[0], p[0]), max(high[1], p[1])}
	}
	return low, high
}

// tolerance is how far a simplified outline may lie from the traced one, in
// pixels of the raster that is traced.
const tolerance = 0.4
