package mask

import "math"

// A Probe measures a [Frame] by developing two masked pictures, for any geometry of
// the history.
//
// Across and Down are masks to develop, over the history's own geometry, with
// any module whose effect shows how much of it was mixed in; the two masks' values
// at a developed pixel then give that pixel's place in the input.
type Probe struct {
	Input        Size
	Across, Down Gradient
}

// probeWidth is the compression at which the gradients just reach the ends of
// the longest diagonal.
const probeWidth = 0.5

// NewProbe makes the masks for a raw's whole buffer.
func NewProbe(input Size) Probe {
	middle := Gradient{X: 0.5, Y: 0.5, Compression: probeWidth, Falloff: FalloffLinear}
	across := middle
	across.Rotation = 90 // what is to the left is selected
	return Probe{input, across, middle}
}

// place returns the place in the input, 0..1 of it, where the masks have these
// values.
func (p Probe) place(across, down float64) (x, y float64) {
	reach := 2 * probeWidth * p.Input.diagonal()
	return 0.5 - (across-0.5)*reach/p.Input.Width, 0.5 - (down-0.5)*reach/p.Input.Height
}

// Frame returns the frame of a developed picture from the values of the two masks
// at its pixels, line by line. Between pixels' centres it interpolates; beyond
// the outer ones it extrapolates.
func (p Probe) Frame(developed Size, across, down []float64) Frame {
	w, h := int(developed.Width), int(developed.Height)
	interpolate := func(values []float64, u, v float64) float64 {
		x, y := u*float64(w), v*float64(h)
		i, j := min(max(int(math.Floor(x)), 0), max(w-2, 0)), min(max(int(math.Floor(y)), 0), max(h-2, 0))
		s, t := x-float64(i), y-float64(j)
		i2, j2 := min(i+1, w-1), min(j+1, h-1)
		top := values[j*w+i]*(1-s) + values[j*w+i2]*s
		low := values[j2*w+i]*(1-s) + values[j2*w+i2]*s
		return top*(1-t) + low*t
	}
	return Frame{Input: p.Input, Developed: developed, At: func(u, v float64) (x, y float64) {
		return p.place(interpolate(across, u, v), interpolate(down, u, v))
	}}
}

// Beside is the mask Across with its line further to the left. From the difference
// of the two follow the proportions of the input: see [InputOf].
func (p Probe) Beside() Gradient {
	g := p.Across
	g.X = besideX
	return g
}

const besideX = 0.4

// InputOf returns the proportions of the input, as a Size whose diagonal is 1, from
// the values of the masks Across and Beside at the pixels of a developed
// picture.
func InputOf(across, beside []float64) (Size, bool) {
	sum, n := 0.0, 0.0
	for i, v := range across {
		if b := beside[i]; v < 0.98 && b > 0.02 && !math.IsNaN(v-b) {
			sum, n = sum+v-b, n+1
		}
	}
	width := sum / n / (0.5 - besideX) * 2 * probeWidth
	if n == 0 || !(width > 0.05 && width < 0.999) {
		return Size{}, false
	}
	return Size{Width: width, Height: math.Sqrt(1 - width*width)}, true
}
