package render

import (
	"math"

	"github.com/chemigram/chemigram/internal/colour"
)

// Profile is an RGB colour space that is described by its primaries, its white
// and one transfer curve.
type Profile struct {
	Name string
	// Primaries are the CIE xy of red, green and blue; White is that of white.
	Primaries [3][2]float64
	White     [2]float64
	Curve     Curve
}

// Curve leads from an encoded value x to light: (a·x + b)^g from d on, c·x below.
type Curve struct{ G, A, B, C, D float64 }

// SRGB is the colour space of previews (IEC 61966-2-1).
var SRGB = Profile{Name: "sRGB", Primaries: rec709, White: d65, Curve: sRGBCurve}

var (
	rec709  = [3][2]float64{{0.640, 0.330}, {0.300, 0.600}, {0.150, 0.060}}
	rec2020 = [3][2]float64{{0.708, 0.292}, {0.170, 0.797}, {0.131, 0.046}}
	p3      = [3][2]float64{{0.680, 0.320}, {0.265, 0.690}, {0.150, 0.060}}
	romm    = [3][2]float64{{0.734699, 0.265301}, {0.159597, 0.840403}, {0.036598, 0.000105}}
	d65     = [2]float64{0.3127, 0.3290}
	d50     = [2]float64{0.345704, 0.358540}

	sRGBCurve   = Curve{2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045}
	rec709Curve = Curve{1 / 0.45, 1 / 1.099, 0.099 / 1.099, 1 / 4.5, 0.081}
	rommCurve   = Curve{1.8, 1, 0, 1.0 / 16, 0.03125}
)

// Linear gives the light of an encoded value.
func (c Curve) Linear(x float64) float64 {
	if x < c.D {
		return c.C * x
	}
	return math.Pow(c.A*x+c.B, c.G)
}

// Encoded gives the encoded value of light: Linear turned round.
func (c Curve) Encoded(light float64) float64 {
	if light < c.C*c.D {
		return light / c.C
	}
	return (math.Pow(light, 1/c.G) - c.B) / c.A
}

// toXYZ leads from linear RGB to XYZ relative to the profile's own white.
func (p *Profile) toXYZ() colour.Matrix { return colour.FromPrimaries(p.Primaries, p.White) }

// adaptation leads from XYZ under the profile's white to XYZ under D50.
func (p *Profile) adaptation() colour.Matrix {
	return colour.Adapt(colour.XYZ(p.White), colour.D50, 1)
}
