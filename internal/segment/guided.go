package segment

import "github.com/chemigram/chemigram/internal/smooth"

// guided is the mask laid along the picture's edges. eps is how much colour has to vary for
// an edge, as a variance of colours from 0 to 1.
func (p *Picture) guided(mask Plane, radius int, eps float64) Plane {
	var colour [3]Plane
	for c, plane := range p.planes() {
		colour[c] = make(Plane, len(plane))
		for i, v := range plane {
			colour[c][i] = v / 100
		}
	}
	return smooth.Guided(mask, colour, p.Width, p.Height, radius, eps)
}
