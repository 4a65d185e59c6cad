package render

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/chemigram/chemigram/internal/colour"
)

// A decoder leads from encoded values of a picture to linear sRGB.
type decoder struct {
	curves   [3]func(float64) float64
	toLinear colour.Matrix
}

// decoder is that of a profile.
func (p *Profile) decoder() decoder {
	m := p.adaptation().Times(p.toXYZ())
	return decoder{[3]func(float64) float64{p.Curve.Linear, p.Curve.Linear, p.Curve.Linear}, linearSRGB().Times(m)}
}

// linearSRGB leads from XYZ under D50 to linear sRGB.
func linearSRGB() colour.Matrix { return SRGB.adaptation().Times(SRGB.toXYZ()).Inverse() }

// adobeRGB is the profile of DCF's optional colour space, Adobe RGB (1998).
var adobeRGB = Profile{
	Name:      "Adobe RGB",
	Primaries: [3][2]float64{{0.64, 0.33}, {0.21, 0.71}, {0.15, 0.06}},
	White:     d65, Curve: Curve{563.0 / 256, 1, 0, 0, 0},
}

var errProfile = errors.New("its colour profile is damaged")

// errProfileKind is the error of a profile that converts by tables, or of another colour
// space.
var errProfileKind = errors.New("its colour profile is not one of three colours, or of grey, with a curve each; export it as sRGB, Adobe RGB, Display P3 or ProPhoto RGB")

// readICC reads a profile with a matrix and curves, or of grey with a curve (ICC.1:2022).
func readICC(icc []byte) (d decoder, err error) {
	if len(icc) < 132 || string(icc[36:40]) != "acsp" {
		return d, errProfile
	}
	tag := func(name string) []byte { return iccTag(icc, name) }
	switch string(icc[16:20]) {
	case "GRAY":
		curve, err := readCurve(tag("kTRC"))
		d.curves = [3]func(float64) float64{curve, curve, curve}
		d.toLinear = colour.Matrix{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
		return d, err
	case "RGB ":
	default:
		return d, errProfileKind
	}
	var m colour.Matrix
	for i, c := range []string{"r", "g", "b"} {
		xyz, trc := tag(c+"XYZ"), tag(c+"TRC")
		if xyz == nil || trc == nil {
			return d, errProfileKind
		}
		if len(xyz) < 20 {
			return d, errProfile
		}
		for row := range m {
			m[row][i] = fixedPoint(xyz[8+4*row:])
		}
		if d.curves[i], err = readCurve(trc); err != nil {
			return d, err
		}
	}
	d.toLinear = linearSRGB().Times(m)
	return d, nil
}

// iccTag is the data of a tag; nil when it is not there, or not whole.
func iccTag(icc []byte, name string) []byte {
	count := int(binary.BigEndian.Uint32(icc[128:]))
	for i := range min(count, 128, (len(icc)-132)/12) {
		e := icc[132+12*i:]
		at, n := uint64(binary.BigEndian.Uint32(e[4:])), uint64(binary.BigEndian.Uint32(e[8:]))
		if string(e[:4]) == name && at+n <= uint64(len(icc)) {
			return icc[at : at+n]
		}
	}
	return nil
}

// fixedPoint is a number as ICC has them, with 16 bits after the point.
func fixedPoint(b []byte) float64 { return float64(int32(binary.BigEndian.Uint32(b))) / 65536 }

// readCurve reads a curve: a power, a table, or one with parameters.
func readCurve(b []byte) (func(float64) float64, error) {
	if len(b) < 12 {
		return nil, errProfile
	}
	switch string(b[:4]) {
	case "curv":
		return readTable(b[12:], int(binary.BigEndian.Uint32(b[8:])))
	case "para":
		return readParameters(b[12:], int(binary.BigEndian.Uint16(b[8:])))
	}
	return nil, errProfileKind
}

func readTable(b []byte, n int) (func(float64) float64, error) {
	switch {
	case n == 0:
		return func(x float64) float64 { return x }, nil
	case n < 0 || n > len(b)/2:
		return nil, errProfile
	case n == 1:
		power := float64(binary.BigEndian.Uint16(b)) / 256
		return func(x float64) float64 { return math.Pow(x, power) }, nil
	}
	return func(x float64) float64 {
		at := min(max(x, 0), 1) * float64(n-1)
		i := min(int(at), n-2)
		low, high := float64(binary.BigEndian.Uint16(b[2*i:])), float64(binary.BigEndian.Uint16(b[2*i+2:]))
		return (low + (high-low)*(at-float64(i))) / 65535
	}, nil
}

// readParameters reads a curve of one of the five kinds, which all are
// (a·x + b)^g + e from d on, c·x + f below.
func readParameters(b []byte, kind int) (func(float64) float64, error) {
	counts := [...]int{1, 3, 4, 5, 7}
	if kind >= len(counts) || len(b) < 4*counts[kind] {
		return nil, errProfile
	}
	var p [7]float64
	for i := range counts[kind] {
		p[i] = fixedPoint(b[4*i:])
	}
	g, a, offset, c, d, e, f := p[0], p[1], p[2], p[3], p[4], p[5], p[6]
	switch kind {
	case 0:
		a, d = 1, math.Inf(-1)
	case 1, 2:
		d, e, f, c = -offset/a, c, c, 0
	}
	if math.IsNaN(d) {
		return nil, errProfile
	}
	return func(x float64) float64 {
		if x < d {
			return c*x + f
		}
		return math.Pow(max(a*x+offset, 0), g) + e
	}, nil
}
