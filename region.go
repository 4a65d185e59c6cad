package chemigram

import (
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/render"
)

// area checks that the region lies inside the picture and is not empty. nil is
// the whole picture.
func (r *Region) area() (*render.Region, error) {
	const slack = 1e-9
	if r == nil {
		return nil, nil
	}
	if r.Width <= 0 || r.Height <= 0 || r.X+r.Width > 1+slack || r.Y+r.Height > 1+slack {
		return nil, fault.New(fault.InvalidInput,
			"region x %g, y %g, width %g, height %g: width and height are more than 0, and it ends inside the picture (x + width and y + height at most 1)",
			r.X, r.Y, r.Width, r.Height)
	}
	return &render.Region{
		X: float64(r.X), Y: float64(r.Y),
		Width: min(float64(r.Width), 1-float64(r.X)), Height: min(float64(r.Height), 1-float64(r.Y)),
	}, nil
}
