package dng

import "math"

type (
	vec3 [3]float64
	mat3 [3]vec3
)

// cameraMatrix converts CIE XYZ to the camera's red, green and blue, under D65: the
// DNG's ColorMatrix1. It is invented.
var cameraMatrix = mat3{
	{0.7830, -0.2150, -0.0580},
	{-0.4480, 1.2290, 0.2450},
	{-0.0830, 0.1930, 0.5910},
}

// rec2020ToXYZ is that of ITU-R BT.2020, for a D65 white of Y = 1.
var rec2020ToXYZ = mat3{
	{0.6369580483, 0.1446169036, 0.1688809752},
	{0.2627002120, 0.6779980715, 0.0593017165},
	{0.0000000000, 0.0280726930, 1.0609850577},
}

// bradford converts XYZ to the cone-like space of the Bradford adaptation.
var bradford = mat3{
	{0.8951, 0.2664, -0.1614},
	{-0.7502, 1.7135, 0.0367},
	{0.0389, -0.0685, 1.0296},
}

var d65 = rec2020ToXYZ.apply(vec3{1, 1, 1})

// sceneToCamera converts linear Rec.2020 to what a camera records in light of a
// colour temperature, scaled so that a white surface records 1 in green.
func sceneToCamera(camera mat3, kelvin float64) mat3 {
	white := light(kelvin)
	from, to := bradford.apply(d65), bradford.apply(white)
	adapt := bradford.inverse().mul(diagonal(vec3{to[0] / from[0], to[1] / from[1], to[2] / from[2]})).mul(bradford)
	if kelvin == defaultKelvin {
		adapt = diagonal(vec3{1, 1, 1})
	}
	m := camera.mul(adapt).mul(rec2020ToXYZ)
	green := m.apply(vec3{1, 1, 1})[1]
	return diagonal(vec3{1 / green, 1 / green, 1 / green}).mul(m)
}

// neutral is what a camera records of a white surface, green being 1: the
// DNG's AsShotNeutral.
func neutral(camera mat3, kelvin float64) vec3 {
	return sceneToCamera(camera, kelvin).apply(vec3{1, 1, 1})
}

// defaultKelvin is treated as exactly D65.
const defaultKelvin = 6504

// tungsten is the temperature below which light is that of a black body and not
// daylight.
const tungsten = 4000

// light is the XYZ, Y = 1, of white light of a colour temperature: CIE daylight,
// by the CIE's own polynomials, or below 4000 K a black body, by those of Kim et
// al. (US patent 7024034).
func light(kelvin float64) vec3 {
	t := 1000 / kelvin
	var x, y float64
	switch {
	case kelvin < tungsten:
		x = 0.179910 + t*(0.8776956+t*(-0.2343589+t*-0.2661239))
		y = -0.16748867 + x*(2.09137015+x*(-1.37418593+x*-0.9549476))
	case kelvin <= 7000:
		x = 0.244063 + t*(0.09911+t*(2.9678-t*4.6070))
		y = -3*x*x + 2.87*x - 0.275
	default:
		x = 0.237040 + t*(0.24748+t*(1.9018-t*2.0064))
		y = -3*x*x + 2.87*x - 0.275
	}
	return vec3{x / y, 1, (1 - x - y) / y}
}

func diagonal(d vec3) mat3 { return mat3{{d[0], 0, 0}, {0, d[1], 0}, {0, 0, d[2]}} }

// mean is in the middle between two.
func (v vec3) mean(w vec3) vec3 { return vec3{(v[0] + w[0]) / 2, (v[1] + w[1]) / 2, (v[2] + w[2]) / 2} }

func (m mat3) apply(v vec3) (out vec3) {
	for i, row := range m {
		out[i] = row[0]*v[0] + row[1]*v[1] + row[2]*v[2]
	}
	return out
}

func (m mat3) mul(n mat3) (out mat3) {
	for i := range 3 {
		for j := range 3 {
			out[i][j] = m[i][0]*n[0][j] + m[i][1]*n[1][j] + m[i][2]*n[2][j]
		}
	}
	return out
}

func (m mat3) inverse() (out mat3) {
	det := 0.0
	for i := range 3 {
		for j := range 3 {
			out[j][i] = m[(i+1)%3][(j+1)%3]*m[(i+2)%3][(j+2)%3] - m[(i+1)%3][(j+2)%3]*m[(i+2)%3][(j+1)%3]
		}
		det += m[0][i] * out[i][0]
	}
	if math.Abs(det) < 1e-12 {
		panic("dng: a colour matrix cannot be inverted")
	}
	for i := range 3 {
		for j := range 3 {
			out[i][j] /= det
		}
	}
	return out
}
