// Package colour is the colour science that measuring and editing share: sRGB,
// CIELAB, CIEDE2000, 3 by 3 matrices and chromatic adaptation.
package colour

import "math"

// Lab is a colour in CIELAB under D50, as colour management uses it: L from 0 to
// 100, A from green (negative) to magenta, B from blue (negative) to yellow.
type Lab struct{ L, A, B float64 }

// Chroma is how colourful c is; 0 is grey.
func (c Lab) Chroma() float64 { return math.Hypot(c.A, c.B) }

// cube is the function f of CIELAB.
func cube(t float64) float64 {
	if t > 216.0/24389 {
		return math.Cbrt(t)
	}
	return (24389.0/27*t + 16) / 116
}

// uncube undoes cube.
func uncube(t float64) float64 {
	if t > 6.0/29 {
		return t * t * t
	}
	return (116*t - 16) * 27 / 24389
}

// The angles of [DeltaE2000]: 30, 6 and 63 degrees.
var (
	sin30, cos30 = math.Sincos(30 * math.Pi / 180)
	sin6, cos6   = math.Sincos(6 * math.Pi / 180)
	sin63, cos63 = math.Sincos(63 * math.Pi / 180)
)

// DeltaE2000 is the CIEDE2000 colour difference with all weights 1. The formula
// is that of Sharma, Wu and Dalal, "The CIEDE2000 Color-Difference Formula:
// Implementation Notes, Supplementary Test Data, and Mathematical Observations"
// (2005).
func DeltaE2000(p, q Lab) float64 {
	if p == q {
		return 0
	}
	pow7 := func(c float64) float64 { c2 := c * c; return c2 * c2 * c2 * c }
	weight := func(c float64) float64 { c7 := pow7(c); return math.Sqrt(c7 / (c7 + 6103515625)) }
	norm := func(x, y float64) float64 { return math.Sqrt(x*x + y*y) }

	g := 1.5 - 0.5*weight((norm(p.A, p.B)+norm(q.A, q.B))/2)
	pa, qa := g*p.A, g*q.A
	pc, qc := norm(pa, p.B), norm(qa, q.B)
	meanL, meanC := (p.L+q.L)/2, (pc+qc)/2
	dl, dc := q.L-p.L, qc-pc

	// With the unit vectors of both hues, the hue difference and the mean hue
	// need no angles: the mean hue is the direction of their sum.
	dh, x, y := 0.0, pa+qa, p.B+q.B
	if pc > 0 && qc > 0 {
		cross, dot := pa*q.B-qa*p.B, pa*qa+p.B*q.B
		dh = math.Copysign(math.Sqrt(max(0, 2*(pc*qc-dot))), cross)
		x, y = pa/pc+qa/qc, p.B/pc+q.B/qc
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
