package render

import (
	"encoding/binary"
	"math"
	"unicode/utf16"
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

type matrix [3][3]float64

// bradford leads from XYZ to the cone responses in which a white is adapted to
// another (ICC.1:2022, annex E).
var bradford = matrix{{0.8951, 0.2664, -0.1614}, {-0.7502, 1.7135, 0.0367}, {0.0389, -0.0685, 1.0296}}

// pcsWhite is the white of the ICC's connection space: D50.
var pcsWhite = [3]float64{0.9642, 1, 0.8249}

// toXYZ leads from linear RGB to XYZ relative to the profile's own white.
func (p *Profile) toXYZ() matrix {
	var m matrix
	for i, xy := range p.Primaries {
		for j, v := range xyz(xy) {
			m[j][i] = v
		}
	}
	scale := m.inverse().apply(xyz(p.White))
	for i := range m {
		for j := range m[i] {
			m[i][j] *= scale[j]
		}
	}
	return m
}

// adaptation leads from XYZ under the profile's white to XYZ under D50.
func (p *Profile) adaptation() matrix {
	from, to := bradford.apply(xyz(p.White)), bradford.apply(pcsWhite)
	var gain matrix
	for i := range gain {
		gain[i][i] = to[i] / from[i]
	}
	return bradford.inverse().times(gain).times(bradford)
}

func xyz(xy [2]float64) [3]float64 {
	return [3]float64{xy[0] / xy[1], 1, (1 - xy[0] - xy[1]) / xy[1]}
}

func (m matrix) apply(v [3]float64) (r [3]float64) {
	for i := range m {
		r[i] = m[i][0]*v[0] + m[i][1]*v[1] + m[i][2]*v[2]
	}
	return r
}

func (m matrix) times(n matrix) (r matrix) {
	for i := range r {
		for j := range r[i] {
			r[i][j] = m[i][0]*n[0][j] + m[i][1]*n[1][j] + m[i][2]*n[2][j]
		}
	}
	return r
}

func (m matrix) inverse() (r matrix) {
	minor := func(i, j int) float64 {
		a, b, c, d := (i+1)%3, (i+2)%3, (j+1)%3, (j+2)%3
		return m[a][c]*m[b][d] - m[a][d]*m[b][c]
	}
	det := m[0][0]*minor(0, 0) + m[0][1]*minor(0, 1) + m[0][2]*minor(0, 2)
	for i := range r {
		for j := range r[i] {
			r[i][j] = minor(j, i) / det
		}
	}
	return r
}

// ICC gives the profile as an ICC display profile, version 4.
func (p *Profile) ICC() []byte {
	chad := p.adaptation()
	m := chad.times(p.toXYZ())
	column := func(i int) []byte { return xyzTag(m[0][i], m[1][i], m[2][i]) }
	curve := p.Curve.tag()
	tags := []struct {
		name string
		data []byte
	}{
		{"desc", textTag(p.Name)},
		{"cprt", textTag("No copyright, use freely")},
		{"wtpt", xyzTag(pcsWhite[0], pcsWhite[1], pcsWhite[2])},
		{"chad", chad.tag()},
		{"rXYZ", column(0)},
		{"gXYZ", column(1)},
		{"bXYZ", column(2)},
		{"rTRC", curve},
		{"gTRC", curve},
		{"bTRC", curve},
	}

	var data []byte
	table := binary.BigEndian.AppendUint32(nil, uint32(len(tags)))
	start := 128 + 4 + 12*len(tags)
	at := map[string]int{}
	for _, t := range tags {
		offset, written := at[string(t.data)]
		if !written {
			offset = start + len(data)
			at[string(t.data)] = offset
			data = append(data, t.data...)
			data = append(data, make([]byte, -len(data)&3)...)
		}
		table = append(table, t.name...)
		table = binary.BigEndian.AppendUint32(table, uint32(offset))
		table = binary.BigEndian.AppendUint32(table, uint32(len(t.data)))
	}
	return append(append(iccHeader(start+len(data)), table...), data...)
}

func iccHeader(size int) []byte {
	h := make([]byte, 128)
	binary.BigEndian.PutUint32(h, uint32(size))
	binary.BigEndian.PutUint32(h[8:], 0x04400000) // version 4.4
	copy(h[12:], "mntrRGB XYZ ")
	copy(h[24:], []byte{0x07, 0xea, 0, 1, 0, 1}) // a date that is always the same
	copy(h[36:], "acsp")
	copy(h[68:], s15Fixed16(pcsWhite[0], pcsWhite[1], pcsWhite[2]))
	return h
}

// s15Fixed16 encodes numbers.
func s15Fixed16(values ...float64) (b []byte) {
	for _, v := range values {
		b = binary.BigEndian.AppendUint32(b, uint32(int32(math.Round(v*65536))))
	}
	return b
}

func xyzTag(x, y, z float64) []byte {
	return append([]byte("XYZ \x00\x00\x00\x00"), s15Fixed16(x, y, z)...)
}

func (m matrix) tag() []byte {
	b := []byte("sf32\x00\x00\x00\x00")
	for _, row := range m {
		b = append(b, s15Fixed16(row[:]...)...)
	}
	return b
}

func (c Curve) tag() []byte {
	return append([]byte("para\x00\x00\x00\x00\x00\x03\x00\x00"), s15Fixed16(c.G, c.A, c.B, c.C, c.D)...)
}

func textTag(s string) []byte {
	u := utf16.Encode([]rune(s))
	b := []byte("mluc\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x0cenUS")
	b = binary.BigEndian.AppendUint32(b, uint32(2*len(u)))
	b = binary.BigEndian.AppendUint32(b, 28)
	for _, c := range u {
		b = binary.BigEndian.AppendUint16(b, c)
	}
	return b
}
