package colour

import "math"

// Matrix is 3 by 3, by rows.
type Matrix [3][3]float64

// Apply gives m·v.
func (m Matrix) Apply(v [3]float64) (r [3]float64) {
	for i := range m {
		r[i] = m[i][0]*v[0] + m[i][1]*v[1] + m[i][2]*v[2]
	}
	return r
}

// Times gives m·n: n is applied first.
func (m Matrix) Times(n Matrix) (r Matrix) {
	for i := range r {
		for j := range r[i] {
			r[i][j] = m[i][0]*n[0][j] + m[i][1]*n[1][j] + m[i][2]*n[2][j]
		}
	}
	return r
}

// Inverse gives the matrix that undoes m. Where there is none, it is of NaN and
// infinities.
func (m Matrix) Inverse() (r Matrix) {
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

// D50 is the white of ICC's connection space, in XYZ.
var D50 = [3]float64{0.9642, 1, 0.8249}

// D65 is the white of daylight, of sRGB and of Rec. 2020, in XYZ.
var D65 = XYZ([2]float64{0.3127, 0.3290})

// Rec2020 leads from linear Rec. 2020 to XYZ under D50.
var Rec2020 = Matrix{
	{0.6734241, 0.1656411, 0.1251286},
	{0.2790177, 0.6753402, 0.0456377},
	{-0.0019300, 0.0299784, 0.7973330},
}

// bradford leads from XYZ to the cone responses in which a white is adapted to
// another (ICC.1:2022, annex E).
var bradford = Matrix{
	{0.8951, 0.2664, -0.1614},
	{-0.7502, 1.7135, 0.0367},
	{0.0389, -0.0685, 1.0296},
}

// Adapt is Bradford's chromatic adaptation, from XYZ under a white to XYZ under
// another. times is by how many steps of the same kind it is done, usually 1: the
// result is one of them.
func Adapt(from, to [3]float64, times int) Matrix {
	source, target := bradford.Apply(from), bradford.Apply(to)
	var gain Matrix
	for i := range gain {
		gain[i][i] = math.Pow(target[i]/source[i], 1/float64(times))
	}
	return bradford.Inverse().Times(gain).Times(bradford)
}
