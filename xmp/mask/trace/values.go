package trace

import "context"

// Values returns the outlines of what a raster selects: width × height numbers from
// 0 to 1, row by row from the top left. They run where the values are one half, and
// reach the picture's sides where the outermost row or column is selected.
func Values(ctx context.Context, values []float32, width, height int) ([]Ring, error) {
	if width < 2 || height < 2 || width > maxSide || height > maxSide || len(values) != width*height {
		return nil, errorf(Unreadable, "%d values for %d by %d pixels; a raster has 2 to %d on a side", len(values), width, height, maxSide)
	}
	r := &raster{width: width, height: height, values: values, columns: fractions(divide(width, width)), rows: fractions(divide(height, height))}
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
