package scene

import (
	"math"

	"github.com/chemigram/chemigram/internal/testutil/dng"
)

// Optics is a colourless target of tilted black squares on white, through a lens
// with faults: red is larger than green and blue is smaller, edges have a violet
// seam, and the corners are dark.
type Optics struct{}

// The faults: how much larger than green red is in the picture's corner, and
// blue smaller, in shares of the distance from the centre; how wide the seam is,
// in shares of the picture's height; and the light that is lost in the corner.
const (
	opticsLateral = 0.004
	opticsSeam    = 0.012
	opticsFalloff = 0.5
)

// Name is "optics".
func (Optics) Name() string { return "optics" }

// Image is the target, seen through the lens.
func (Optics) Image(width, height int) dng.Image {
	corner := math.Hypot(aspect, 1) / 2
	pixel := 1 / float64(height)
	return dng.Image{Width: width, Height: height, Row: func(y int, out []float32) {
		v := (float64(y)+0.5)*pixel - 0.5
		for x := range width {
			u := (float64(x)+0.5)*pixel - aspect/2
			r := math.Hypot(u, v) / corner
			light := 1 - opticsFalloff*r*r
			split := opticsLateral * r
			rgb{
				opticsTarget(u*(1-split), v*(1-split), pixel+opticsSeam/2),
				opticsTarget(u, v, pixel),
				opticsTarget(u*(1+split), v*(1+split), pixel+opticsSeam),
			}.times(light).put(out[3*x:])
		}
	}}
}

// opticsTarget is how bright the target is at a place that is blurred by so much.
func opticsTarget(u, v, blur float64) float64 {
	const tile, side, black, white = 0.2, 0.055, 0.01, 0.9
	i, j := math.Floor(u/tile+0.5), math.Floor(v/tile+0.5)
	s, c := math.Sincos(0.3 + 0.5*(i+3*j))
	x, y := u-i*tile, v-j*tile
	d := max(math.Abs(c*x+s*y), math.Abs(c*y-s*x)) - side
	return white + (black-white)*coverage(d, blur)
}
