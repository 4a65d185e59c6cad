package measure

import "math"

// Border compares what a masked change adds along the border of its mask with what the
// picture has there: the mean step, in CIELAB over one pixel, that the change itself has
// across the border, and the mean step of the picture before in any direction. Where the
// mask's opacity, 0 to 1 for each pixel, changes faster the border counts for more. Both
// are NaN of a mask without a border.
func Border(before, after *Picture, opacity []float64) (added, had float64, err error) {
	if before.Width != after.Width || before.Height != after.Height || len(opacity) != len(before.L) {
		return 0, 0, ErrSize
	}
	const border = 0.01 // of opacity, over a pixel
	var weights float64
	own := func(i int) [3]float64 { return before.vector(i) }
	change := func(i int) [3]float64 {
		p, q := before.vector(i), after.vector(i)
		return [3]float64{q[0] - p[0], q[1] - p[1], q[2] - p[2]}
	}
	selected := func(i int) [3]float64 { return [3]float64{opacity[i]} }
	for y := 1; y < before.Height-1; y++ {
		for x := 1; x < before.Width-1; x++ {
			i := y*before.Width + x
			sx, sy := slope(i, before.Width, selected)
			steep := math.Hypot(sx[0], sy[0])
			if steep < border {
				continue
			}
			cx, cy := slope(i, before.Width, change)
			ox, oy := slope(i, before.Width, own)
			var across, whole float64
			for c := range cx {
				step := (cx[c]*sx[0] + cy[c]*sy[0]) / steep
				across += step * step
				whole += ox[c]*ox[c] + oy[c]*oy[c]
			}
			weights += steep
			added += steep * math.Sqrt(across)
			had += steep * math.Sqrt(whole)
		}
	}
	return added / weights, had / weights, nil
}

// vector is a pixel's L*, a* and b*.
func (p *Picture) vector(i int) [3]float64 {
	return [3]float64{float64(p.L[i]), float64(p.A[i]), float64(p.B[i])}
}

// slope is how something changes over a pixel to the right and down, by Sobel's operator.
func slope(i, width int, of func(i int) [3]float64) (x, y [3]float64) {
	for d, weight := range [...]float64{1, 2, 1} {
		right, left := of(i+(d-1)*width+1), of(i+(d-1)*width-1)
		below, above := of(i+width+d-1), of(i-width+d-1)
		for c := range x {
			x[c] += weight / 8 * (right[c] - left[c])
			y[c] += weight / 8 * (below[c] - above[c])
		}
	}
	return x, y
}
