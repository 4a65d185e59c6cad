package pixel

import (
	"math"
	"sync"
)

// Colour is a colour in linear sRGB.
type Colour struct{ R, G, B float64 }

// Lab is a colour in CIELAB under D50, as colour management and printed
// references use it.
type Lab struct{ L, A, B float64 }

// Luminance is the linear luminance Y, 1 for white.
func (c Colour) Luminance() float64 { return 0.2126*c.R + 0.7152*c.G + 0.0722*c.B }

// Luma is the weighted mean of the sRGB-encoded values, 0 to 1: the perceived
// brightness.
func (c Colour) Luma() float64 {
	return 0.2126*encode(c.R) + 0.7152*encode(c.G) + 0.0722*encode(c.B)
}

// Lab converts to CIELAB, adapted from D65 to D50 by Bradford.
func (c Colour) Lab() Lab {
	x := 0.4360747*c.R + 0.3850649*c.G + 0.1430804*c.B
	y := 0.2225045*c.R + 0.7168786*c.G + 0.0606169*c.B
	z := 0.0139322*c.R + 0.0971045*c.G + 0.7141733*c.B
	fx, fy, fz := labF(x/0.96422), labF(y), labF(z/0.82521)
	return Lab{L: 116*fy - 16, A: 500 * (fx - fy), B: 200 * (fy - fz)}
}

func labF(t float64) float64 {
	const epsilon = 216.0 / 24389
	if t > epsilon {
		return math.Cbrt(t)
	}
	return (24389.0/27*t + 16) / 116
}

// Chroma is the distance from grey.
func (l Lab) Chroma() float64 { return math.Hypot(l.A, l.B) }

// Hue is the angle of a* and b* in degrees, 0 to 360; it is unreliable where
// [Lab.Chroma] is small.
func (l Lab) Hue() float64 {
	h := math.Atan2(l.B, l.A) * 180 / math.Pi
	if h < 0 {
		h += 360
	}
	return h
}

// encode applies the sRGB transfer curve to a value clipped to 0..1.
func encode(v float64) float64 {
	switch {
	case v <= 0:
		return 0
	case v >= 1:
		return 1
	case v <= 0.0031308:
		return 12.92 * v
	}
	return 1.055*math.Pow(v, 1/2.4) - 0.055
}

// Linearise undoes the sRGB transfer curve for an encoded value, 0 to 1.
func Linearise(v float64) float64 {
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

var srgbToLinear = sync.OnceValue(func() *[65536]float32 {
	var t [65536]float32
	for i := range t {
		t[i] = float32(Linearise(float64(i) / 65535))
	}
	return &t
})

var linearToLinear = sync.OnceValue(func() *[65536]float32 {
	var t [65536]float32
	for i := range t {
		t[i] = float32(i) / 65535
	}
	return &t
})
