package segment

// guided is the mask laid along the picture's edges: within each window it is a
// linear function of the colour (He and others, "Guided Image Filtering", 2013).
// eps is how much colour has to vary for an edge, as a variance of colours from 0 to 1.
func (p *Picture) guided(mask Plane, radius int, eps float64) Plane {
	mean := func(plane Plane) Plane { return boxFilter(plane, p.Width, p.Height, radius) }
	var colour, colourMean, both [3]Plane
	for c, plane := range p.planes() {
		colour[c] = make(Plane, len(plane))
		for i, v := range plane {
			colour[c][i] = v / 100
		}
		colourMean[c], both[c] = mean(colour[c]), mean(product(colour[c], mask))
	}
	var pairs [6]Plane // 00 01 02 11 12 22
	for i, at := range [6][2]int{{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}} {
		pairs[i] = mean(product(colour[at[0]], colour[at[1]]))
	}
	maskMean := mean(mask)
	var slope [3]Plane
	for c := range slope {
		slope[c] = make(Plane, len(mask))
	}
	rest := make(Plane, len(mask))
	for i := range mask {
		m := [3]float64{float64(colourMean[0][i]), float64(colourMean[1][i]), float64(colourMean[2][i])}
		v := [6]float64{
			float64(pairs[0][i]) - m[0]*m[0] + eps, float64(pairs[1][i]) - m[0]*m[1], float64(pairs[2][i]) - m[0]*m[2],
			float64(pairs[3][i]) - m[1]*m[1] + eps, float64(pairs[4][i]) - m[1]*m[2], float64(pairs[5][i]) - m[2]*m[2] + eps,
		}
		k := float64(maskMean[i])
		a := solve(v, [3]float64{float64(both[0][i]) - m[0]*k, float64(both[1][i]) - m[1]*k, float64(both[2][i]) - m[2]*k})
		for c := range slope {
			slope[c][i] = float32(a[c])
		}
		rest[i] = float32(k - a[0]*m[0] - a[1]*m[1] - a[2]*m[2])
	}
	out := mean(rest)
	for c := range slope {
		slope[c] = mean(slope[c])
		for i := range out {
			out[i] += slope[c][i] * colour[c][i]
		}
	}
	for i, v := range out {
		out[i] = min(max(v, 0), 1)
	}
	return out
}

// solve solves a symmetric system of three, whose matrix has the rows 012, 134, 245.
func solve(m [6]float64, y [3]float64) [3]float64 {
	c0, c1, c2 := m[3]*m[5]-m[4]*m[4], m[2]*m[4]-m[1]*m[5], m[1]*m[4]-m[2]*m[3]
	det := m[0]*c0 + m[1]*c1 + m[2]*c2
	c3, c4, c5 := m[0]*m[5]-m[2]*m[2], m[1]*m[2]-m[0]*m[4], m[0]*m[3]-m[1]*m[1]
	return [3]float64{
		(c0*y[0] + c1*y[1] + c2*y[2]) / det,
		(c1*y[0] + c3*y[1] + c4*y[2]) / det,
		(c2*y[0] + c4*y[1] + c5*y[2]) / det,
	}
}
