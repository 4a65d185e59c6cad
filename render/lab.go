package render

import (
	"math"
	"sync"
)

// lab is a colour in CIELAB under D50, as colour management uses it.
type lab struct{ l, a, b float64 }

// A labSpace converts encoded values to CIELAB.
type labSpace struct {
	linear [1 << 16]float32
	// cube is CIELAB's function of n/(len-1).
	cube [1<<14 + 2]float32
	m    matrix
}

// fromSRGB converts what pictures hold. Its tables are 320 KB and are made when
// first needed.
var fromSRGB = sync.OnceValue(func() *labSpace {
	s := new(labSpace)
	for i := range s.linear {
		s.linear[i] = float32(SRGB.Curve.Linear(float64(i) / 0xffff))
	}
	for i := range s.cube {
		s.cube[i] = float32(labCube(float64(i) / (1 << 14)))
	}
	s.m = SRGB.adaptation().times(SRGB.toXYZ())
	for i := range s.m {
		for j := range s.m[i] {
			s.m[i][j] /= pcsWhite[i]
		}
	}
	return s
})

// labCube is the function f of CIELAB.
func labCube(t float64) float64 {
	if t > 216.0/24389 {
		return math.Cbrt(t)
	}
	return (24389.0/27*t + 16) / 116
}

// lookup is labCube by table, right to 0.00002 (0.01 in a* and b*) or better.
func (s *labSpace) lookup(t float64) float64 {
	x := t * (1 << 14)
	if x < 256 || x > 1<<14 { // steep, or a rounding above white
		return labCube(t)
	}
	i := int(x)
	f := x - float64(i)
	return float64(s.cube[i])*(1-f) + float64(s.cube[i+1])*f
}

func (s *labSpace) of(r, g, b uint16) lab {
	lr, lg, lb := float64(s.linear[r]), float64(s.linear[g]), float64(s.linear[b])
	m := &s.m
	x := s.lookup(m[0][0]*lr + m[0][1]*lg + m[0][2]*lb)
	y := s.lookup(m[1][0]*lr + m[1][1]*lg + m[1][2]*lb)
	z := s.lookup(m[2][0]*lr + m[2][1]*lg + m[2][2]*lb)
	return lab{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// deltaE2000 is the CIEDE2000 colour difference with all weights 1. The formula
// is that of Sharma, Wu and Dalal, "The CIEDE2000 Color-Difference Formula:
// Implementation Notes, Supplementary Test Data, and Mathematical Observations"
// (2005).
func deltaE2000(p, q lab) float64 {
	if p == q {
		return 0
	}
	pow7 := func(c float64) float64 { c2 := c * c; return c2 * c2 * c2 * c }
	weight := func(c float64) float64 { c7 := pow7(c); return math.Sqrt(c7 / (c7 + 6103515625)) }
	norm := func(x, y float64) float64 { return math.Sqrt(x*x + y*y) }

	g := 1.5 - 0.5*weight((norm(p.a, p.b)+norm(q.a, q.b))/2)
	pa, qa := g*p.a, g*q.a
	pc, qc := norm(pa, p.b), norm(qa, q.b)
	meanL, meanC := (p.l+q.l)/2, (pc+qc)/2
	dl, dc := q.l-p.l, qc-pc

	// With the unit vectors of both hues, the hue difference and the mean hue
	// need no angles: the mean hue is the direction of their sum.
	dh, x, y := 0.0, pa+qa, p.b+q.b
	if pc > 0 && qc > 0 {
		cross, dot := pa*q.b-qa*p.b, pa*qa+p.b*q.b
		dh = math.Copysign(math.Sqrt(max(0, 2*(pc*qc-dot))), cross)
		x, y = pa/pc+qa/qc, p.b/pc+q.b/qc
	}
	cos, sin := 1.0, 0.0
	if n := norm(x, y); n > 0 {
		cos, sin = x/n, y/n
	}
	cos2, sin2 := cos*cos-sin*sin, 2*sin*cos
	cos3, sin3 := cos2*cos-sin2*sin, sin2*cos+cos2*sin
	cos4, sin4 := cos2*cos2-sin2*sin2, 2*sin2*cos2
	t := 1 - 0.17*(cos*cos30+sin*sin30) + 0.24*cos2 + 0.32*(cos3*cos6-sin3*sin6) - 0.20*(cos4*cos63+sin4*sin63)

	rotation := 0.0
	if sin < 0 { // the blues; elsewhere it is below 10⁻⁶
		bow := ((math.Atan2(sin, cos)+2*math.Pi)*180/math.Pi - 275) / 25
		rotation = -math.Sin(math.Pi/3*math.Exp(-bow*bow)) * 2 * weight(meanC)
	}
	l50 := (meanL - 50) * (meanL - 50)
	dl /= 1 + 0.015*l50/math.Sqrt(20+l50)
	dc /= 1 + 0.045*meanC
	dh /= 1 + 0.015*meanC*t
	return math.Sqrt(max(0, dl*dl+dc*dc+dh*dh+rotation*dc*dh))
}

// The angles of the formula: 30, 6 and 63 degrees.
var (
	sin30, cos30 = math.Sincos(30 * math.Pi / 180)
	sin6, cos6   = math.Sincos(6 * math.Pi / 180)
	sin63, cos63 = math.Sincos(63 * math.Pi / 180)
)
