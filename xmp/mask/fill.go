package mask

import "math"

// Fill returns values to the pixels that have none (NaN), such as those of a border
// around the picture: those of the plane that fits the others best. It reports
// whether there is one.
func Fill(values []float64, width int) bool {
	// Sums about the middle, so that one pass is exact enough.
	var n, sx, sy, sv, sxx, syy, sxy, sxv, syv float64
	missing := false
	for i, v := range values {
		if math.IsNaN(v) {
			missing = true
			continue
		}
		x, y := float64(i%width), float64(i/width)
		n, sx, sy, sv = n+1, sx+x, sy+y, sv+v
		sxx, syy, sxy, sxv, syv = sxx+x*x, syy+y*y, sxy+x*y, sxv+x*v, syv+y*v
	}
	if !missing {
		return true
	}
	mx, my, mv := sx/n, sy/n, sv/n
	cxx, cyy, cxy := sxx-n*mx*mx, syy-n*my*my, sxy-n*mx*my
	cxv, cyv := sxv-n*mx*mv, syv-n*my*mv
	det := cxx*cyy - cxy*cxy
	if !(n > 2 && det > 0) {
		return false
	}
	a, b := (cxv*cyy-cyv*cxy)/det, (cyv*cxx-cxv*cxy)/det
	for i, v := range values {
		if math.IsNaN(v) {
			values[i] = mv + a*(float64(i%width)-mx) + b*(float64(i/width)-my)
		}
	}
	return true
}
