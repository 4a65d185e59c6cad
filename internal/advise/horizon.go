package advise

import (
	"image"
	"math"
)

// horizonsOf says for each tilt how much of the width is one straight border between
// what lies above and what lies below, in lightness or from blue to red: 1 is a border
// from side to side. Steps on it that go the other way count against it, so that what has
// texture has no border.
func horizonsOf(m image.Image) []float64 {
	const size = 300
	planes := planesOf(m, size)
	luma, cool := newPlane(planes[0].width, planes[0].height), newPlane(planes[0].width, planes[0].height)
	for i := range luma.at {
		r, g, b := planes[0].at[i], planes[1].at[i], planes[2].at[i]
		luma.at[i], cool.at[i] = 0.21*r+0.72*g+0.07*b, b-r
	}
	out := make([]float64, tilts)
	for _, p := range []plane{luma, cool} {
		p = p.blur(1.5)
		const every = 4
		for i := 0; i < tilts; i += every {
			out[i] = max(out[i], p.border(tiltAt(i)))
		}
		for i := range out {
			if part := float64(i%every) / every; part > 0 {
				from := i - i%every
				out[i] = (1-part)*out[from] + part*out[from+every]
			}
		}
	}
	return out
}

// wholeStep is the step of a border that counts whole, in levels of 8 bits for a pixel.
const wholeStep = 2.0

// border is the share of the width of the longest border of a tilt.
func (p plane) border(tilt float64) float64 {
	const every = 3 // columns
	sin, cos := math.Sincos(tilt * math.Pi / 180)
	diagonal := int(math.Hypot(float64(p.width), float64(p.height))) + 4
	bins := make([]float64, diagonal)
	for y := 2; y < p.height-2; y++ {
		for x := 2; x < p.width-2; x += every {
			at := y*p.width + x
			step := float64(p.at[at+p.width]-p.at[at-p.width]) / 2
			step = min(max(step/wholeStep, -1), 1)
			rho := (float64(y)-float64(p.height)/2)*cos - (float64(x)-float64(p.width)/2)*sin + float64(diagonal)/2
			bin := int(rho)
			part := rho - float64(bin)
			bins[bin] += step * (1 - part)
			bins[bin+1] += step * part
		}
	}
	longest := 0.0
	for _, v := range bins {
		longest = max(longest, math.Abs(v))
	}
	return longest * every / float64(p.width)
}
