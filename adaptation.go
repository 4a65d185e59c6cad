package chemigram

import "math"

// matrix is 3 by 3, by rows.
type matrix [3][3]float64

// rec2020 leads from linear Rec. 2020 to CIE XYZ under D50, and bradford from
// there to the cone responses of the Bradford transform (ICC.1:2022, annex E).
var (
	rec2020 = matrix{
		{0.6734241, 0.1656411, 0.1251286},
		{0.2790177, 0.6753402, 0.0456377},
		{-0.0019300, 0.0299784, 0.7973330},
	}
	bradford = matrix{
		{0.8951, 0.2664, -0.1614},
		{-0.7502, 1.7135, 0.0367},
		{0.0389, -0.0685, 1.0296},
	}
)

// adaptation is the chromatic adaptation, in linear Rec. 2020, that turns a
// light into grey of the same luminance when it is done so many times in a row.
func adaptation(light [3]float64, times int) matrix {
	cones := bradford.times(rec2020)
	xyz := rec2020.of(light)
	from, to := cones.of(light), cones.of([3]float64{xyz[1], xyz[1], xyz[1]})
	var gains matrix
	for i := range gains {
		gains[i][i] = math.Pow(to[i]/from[i], 1/float64(times))
	}
	return cones.inverse().times(gains).times(cones)
}

func (m matrix) of(v [3]float64) (out [3]float64) {
	for i, row := range m {
		out[i] = row[0]*v[0] + row[1]*v[1] + row[2]*v[2]
	}
	return out
}

func (m matrix) times(n matrix) (out matrix) {
	for i := range m {
		for j := range n {
			for k := range n {
				out[i][j] += m[i][k] * n[k][j]
			}
		}
	}
	return out
}

func (m matrix) inverse() (out matrix) {
	minor := func(i, j int) float64 {
		a, b, c, d := (i+1)%3, (i+2)%3, (j+1)%3, (j+2)%3
		return m[a][c]*m[b][d] - m[a][d]*m[b][c]
	}
	det := m[0][0]*minor(0, 0) + m[0][1]*minor(0, 1) + m[0][2]*minor(0, 2)
	for i := range m {
		for j := range m {
			out[j][i] = minor(i, j) / det
		}
	}
	return out
}
