package scene

import (
	"github.com/chemigram/chemigram/internal/testutil/pixel"
)

// rgb is light in linear Rec.2020.
type rgb struct{ r, g, b float64 }

func grey(v float64) rgb { return rgb{v, v, v} }

func (c rgb) put(out []float32) {
	out[0], out[1], out[2] = float32(c.r), float32(c.g), float32(c.b)
}

func (c rgb) times(k float64) rgb { return rgb{c.r * k, c.g * k, c.b * k} }
func (c rgb) mul(d rgb) rgb       { return rgb{c.r * d.r, c.g * d.g, c.b * d.b} }
func (c rgb) add(d rgb) rgb       { return rgb{c.r + d.r, c.g + d.g, c.b + d.b} }

// mix goes from c to d as t goes from 0 to 1.
func (c rgb) mix(d rgb, t float64) rgb {
	return rgb{c.r + t*(d.r-c.r), c.g + t*(d.g-c.g), c.b + t*(d.b-c.b)}
}

// fromLab is the light that has the colour of a CIELAB value (D50) once the
// viewer is adapted from D50 to D65, by Bradford.
func fromLab(lab pixel.Lab) rgb {
	f := (lab.L + 16) / 116
	inverse := func(t float64) float64 {
		if t > 6.0/29 {
			return t * t * t
		}
		return 3 * (6.0 / 29) * (6.0 / 29) * (t - 4.0/29)
	}
	x := 0.96422 * inverse(f+lab.A/500)
	y := inverse(f)
	z := 0.82521 * inverse(f-lab.B/200)
	// Bradford, D50 to D65.
	x, y, z = 0.9555766*x-0.0230393*y+0.0631636*z,
		-0.0282895*x+1.0099416*y+0.0210077*z,
		0.0122982*x-0.0204830*y+1.3299098*z
	// XYZ (D65) to Rec.2020, ITU-R BT.2020.
	return rgb{
		1.7166512*x - 0.3556708*y - 0.2533663*z,
		-0.6666844*x + 1.6164812*y + 0.0157685*z,
		0.0176399*x - 0.0427706*y + 0.9421031*z,
	}
}

// smoothstep rises from 0 at a to 1 at b, without a corner at either.
func smoothstep(a, b, x float64) float64 {
	t := clamp01((x - a) / (b - a))
	return t * t * (3 - 2*t)
}

func clamp01(x float64) float64 { return max(0, min(1, x)) }
