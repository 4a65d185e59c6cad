package pixel

import "math"

// DeltaE76 is the plain distance in CIELAB.
func DeltaE76(a, b Lab) float64 {
	dl, da, db := a.L-b.L, a.A-b.A, a.B-b.B
	return math.Sqrt(dl*dl + da*da + db*db)
}

// DeltaE2000 is the CIEDE2000 difference with all weights 1, after Sharma, Wu
// and Dalal, "The CIEDE2000 Color-Difference Formula" (2005).
func DeltaE2000(a, b Lab) float64 {
	if a == b {
		return 0
	}
	const rad = math.Pi / 180
	meanC := (math.Sqrt(a.A*a.A+a.B*a.B) + math.Sqrt(b.A*b.A+b.B*b.B)) / 2
	g := 0.5 * (1 - math.Sqrt(ratio7(meanC)))
	a1, a2 := (1+g)*a.A, (1+g)*b.A
	c1, c2 := math.Sqrt(a1*a1+a.B*a.B), math.Sqrt(a2*a2+b.B*b.B)
	h1, h2 := hueOf(a1, a.B), hueOf(a2, b.B)

	dL, dC := b.L-a.L, c2-c1
	dh, sum := 0.0, h1+h2
	if c1*c2 != 0 {
		dh = h2 - h1
		switch {
		case dh > halfTurn:
			dh -= 2 * math.Pi
		case dh < -halfTurn:
			dh += 2 * math.Pi
		}
		switch {
		case math.Abs(h1-h2) <= halfTurn:
			sum /= 2
		case sum < 2*math.Pi:
			sum = (sum + 2*math.Pi) / 2
		default:
			sum = (sum - 2*math.Pi) / 2
		}
	}
	dH := 2 * math.Sqrt(c1*c2) * math.Sin(dh/2)

	l, c := (a.L+b.L)/2, (c1+c2)/2
	t := 1 - 0.17*math.Cos(sum-30*rad) + 0.24*math.Cos(2*sum) +
		0.32*math.Cos(3*sum+6*rad) - 0.20*math.Cos(4*sum-63*rad)
	bow := (sum/rad - 275) / 25
	dTheta := 30 * rad * math.Exp(-bow*bow)
	rc := 2 * math.Sqrt(ratio7(c))
	l50 := (l - 50) * (l - 50)
	sl := 1 + 0.015*l50/math.Sqrt(20+l50)
	sc := 1 + 0.045*c
	sh := 1 + 0.015*c*t
	rt := -math.Sin(2*dTheta) * rc
	x, y, z := dL/sl, dC/sc, dH/sh
	return math.Sqrt(x*x + y*y + z*z + rt*y*z)
}

// halfTurn is π with room for rounding: the formula is not continuous where two
// hues are opposite, and opposite hues belong to the near side.
const halfTurn = math.Pi + 1e-10

// ratio7 is c⁷ / (c⁷ + 25⁷).
func ratio7(c float64) float64 {
	const pow25 = 25 * 25 * 25 * 25 * 25 * 25 * 25
	c3 := c * c * c
	c7 := c3 * c3 * c
	return c7 / (c7 + pow25)
}

// hueOf is an angle from 0 to 2π, and 0 for grey.
func hueOf(a, b float64) float64 {
	h := math.Atan2(b, a)
	if h < 0 {
		h += 2 * math.Pi
	}
	return h
}
