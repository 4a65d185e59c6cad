package colour

import (
	"math"
	"sync"
)

// Linear gives the light of an encoded sRGB value, both from 0 to 1 (IEC
// 61966-2-1).
func Linear(v float64) float64 {
	if v < 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

// srgb leads from linear sRGB to XYZ under D65: the primaries and the white of
// IEC 61966-2-1.
var srgb = FromPrimaries([3][2]float64{{0.640, 0.330}, {0.300, 0.600}, {0.150, 0.060}}, [2]float64{0.3127, 0.3290})

// XYZ gives the colour of luminance 1 with the chromaticity x, y.
func XYZ(xy [2]float64) [3]float64 {
	return [3]float64{xy[0] / xy[1], 1, (1 - xy[0] - xy[1]) / xy[1]}
}

// FromPrimaries leads from linear RGB to XYZ relative to its own white: red, green
// and blue, and the white, are given by their chromaticities.
func FromPrimaries(primaries [3][2]float64, white [2]float64) Matrix {
	var m Matrix
	for i, xy := range primaries {
		for j, v := range XYZ(xy) {
			m[j][i] = v
		}
	}
	scale := m.Inverse().Apply(XYZ(white))
	for i := range m {
		for j := range m[i] {
			m[i][j] *= scale[j]
		}
	}
	return m
}

// SRGB converts pixels of sRGB with 16 bits per channel to CIELAB, by tables.
type SRGB struct {
	linear [1 << 16]float32
	cube   [1<<cubeBits + 2]float32 // CIELAB's function of n/2^cubeBits
	m      Matrix                   // to XYZ under D50, as a share of its white
	// inverse undoes m.
	inverse Matrix
}

const cubeBits = 14

// FromSRGB gives the tables, 320 KB that are made when first needed.
var FromSRGB = sync.OnceValue(func() *SRGB {
	s := new(SRGB)
	for i := range s.linear {
		s.linear[i] = float32(Linear(float64(i) / 0xffff))
	}
	for i := range s.cube {
		s.cube[i] = float32(cube(float64(i) / (1 << cubeBits)))
	}
	s.m = Adapt(D65, D50, 1).Times(srgb)
	for i := range s.m {
		for j := range s.m[i] {
			s.m[i][j] /= D50[i]
		}
	}
	s.inverse = s.m.Inverse()
	return s
})

// Linear gives the light of an encoded value, from 0 to 1.
func (s *SRGB) Linear(v uint16) float64 { return float64(s.linear[v]) }

// Lab converts a pixel, right to 0.01 in a* and b* or better.
func (s *SRGB) Lab(r, g, b uint16) Lab {
	return s.LabOfLight(float64(s.linear[r]), float64(s.linear[g]), float64(s.linear[b]))
}

// LabOfLight converts linear light, from 0 to 1, as Lab does pixels.
func (s *SRGB) LabOfLight(lr, lg, lb float64) Lab {
	m := &s.m
	x := s.lookup(m[0][0]*lr + m[0][1]*lg + m[0][2]*lb)
	y := s.lookup(m[1][0]*lr + m[1][1]*lg + m[1][2]*lb)
	z := s.lookup(m[2][0]*lr + m[2][1]*lg + m[2][2]*lb)
	return Lab{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// Light is the linear light of a colour: what LabOfLight undoes. A channel is beyond 0 to 1
// where sRGB does not have the colour.
func (s *SRGB) Light(c Lab) [3]float64 {
	y := (c.L + 16) / 116
	return s.inverse.Apply([3]float64{uncube(y + c.A/500), uncube(y), uncube(y - c.B/200)})
}

// lookup is cube by table, right to 0.00002 or better.
func (s *SRGB) lookup(t float64) float64 {
	x := t * (1 << cubeBits)
	if x < 256 || x > 1<<cubeBits { // steep, or a rounding above white
		return cube(t)
	}
	i := int(x)
	f := x - float64(i)
	return float64(s.cube[i])*(1-f) + float64(s.cube[i+1])*f
}
