package trace

import "image"

// maxSide is the longest side at which a picture is traced; a larger one is
// averaged down.
const maxSide = 1600

// traceImage returns the outlines of what a picture selects.
func traceImage(m image.RGBA64Image) ([]Ring, error) {
	r := newRaster(m)
	rings := r.outlines()
	width, height := float64(r.width), float64(r.height)
	total := 0
	kept := rings[:0]
	for _, ring := range rings {
		for step := tolerance; ; step *= 2 {
			if short := simplify(ring, step); len(short) <= maxCorners {
				ring = short
				break
			}
		}
		if len(ring) < 3 || extent(ring, width, height) < minExtent {
			continue // noise; and darktable draws the smallest paths wrongly
		}
		for i := range ring {
			ring[i][0] /= width
			ring[i][1] /= height
		}
		kept, total = append(kept, ring), total+len(ring)
	}
	return kept, checkSize(kept, total)
}

const (
	minExtent  = 0.012 // of a ring that is kept, as a fraction of the sides
	maxCorners = 4000  // of one outline
)

// extent is the larger extent of a ring, as a fraction of the sides.
func extent(ring Ring, width, height float64) float64 {
	low, high := ring[0], ring[0]
	for _, p := range ring {
		low = [2]float64{min(low[0], p[0]), min(low[1], p[1])}
		high = [2]float64{max(high[0], p[0]), max(high[1], p[1])}
	}
	return max((high[0]-low[0])/width, (high[1]-low[1])/height)
}

// tolerance is how far a simplified outline may lie from the traced one, in
// pixels of the raster that is traced.
const tolerance = 0.4
