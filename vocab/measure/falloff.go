package measure

// vignetteFalloff is the mean lightness of the four corners, each an eighth of the
// edges, less that of the middle quarter of the picture.
func (p *Picture) vignetteFalloff() float64 {
	corners, centre := make([]bool, len(p.L)), make([]bool, len(p.L))
	w, h := max(1, p.Width/8), max(1, p.Height/8)
	for y := range p.Height {
		for x := range p.Width {
			i := y*p.Width + x
			corners[i] = (x < w || x >= p.Width-w) && (y < h || y >= p.Height-h)
			centre[i] = x >= 3*w && x < p.Width-3*w && y >= 3*h && y < p.Height-3*h
		}
	}
	return mean(p.L, corners) - mean(p.L, centre)
}

// topFalloff is the mean lightness of the top third less that of the bottom
// third.
func (p *Picture) topFalloff() float64 {
	n, third := len(p.L), p.Height/3*p.Width
	return mean(p.L[:third], nil) - mean(p.L[n-third:], nil)
}

// leftFalloff is the mean lightness of the left third less that of the right
// third.
func (p *Picture) leftFalloff() float64 {
	third := p.Width / 3
	var left, right []float32
	for y := range p.Height {
		row := p.L[y*p.Width : (y+1)*p.Width]
		left, right = append(left, row[:third]...), append(right, row[p.Width-third:]...)
	}
	return mean(left, nil) - mean(right, nil)
}
