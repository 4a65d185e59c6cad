package scene

import (
	"math"

	"github.com/chemigram/chemigram/internal/testutil/dng"
)

// Ramp is neutral light that rises from left to right in equal stops, from deep
// shadow to past the sensor's clipping.
type Ramp struct {
	// Steps is the number of steps, each of one brightness, or 0 for a smooth ramp.
	Steps int
	// From and To bound the ramp in stops from mid-grey. Both zero means -8 to
	// +4, which clips from [dng.Headroom] on.
	From, To float64
}

// Name is "ramp" or "steps".
func (r Ramp) Name() string {
	if r.Steps > 0 {
		return "steps"
	}
	return "ramp"
}

func (r Ramp) bounds() (from, to float64) {
	if r.From == 0 && r.To == 0 {
		return -8, 4
	}
	return r.From, r.To
}

// ev is the light at a place u from the left, 0 to 1, in stops from mid-grey.
func (r Ramp) ev(u float64) float64 {
	from, to := r.bounds()
	if r.Steps > 1 {
		u = min(math.Floor(u*float64(r.Steps)), float64(r.Steps-1)) / float64(r.Steps-1)
	}
	return from + u*(to-from)
}

// Image is the ramp; all its lines are alike.
func (r Ramp) Image(width, height int) dng.Image {
	line := make([]float32, 3*width)
	for x := range width {
		u := (float64(x) + 0.5) / float64(width)
		grey(dng.MiddleGrey * math.Exp2(r.ev(u))).put(line[3*x:])
	}
	return dng.Image{Width: width, Height: height, Row: func(_ int, out []float32) { copy(out, line) }}
}
