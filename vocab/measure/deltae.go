package measure

import (
	"errors"
	"math"
	"slices"
)

// ErrSize is two pictures of different size, which cannot be compared.
var ErrSize = errors.New("measure: the pictures differ in size")

// MeanDeltaE is the mean CIEDE2000 distance of two pictures of the same size
// within a mask. A nil mask is the whole picture. Where the mask is empty the
// distance is NaN.
func MeanDeltaE(p, q *Picture, mask []bool) (float64, error) {
	d, err := deltas(p, q, mask)
	return mean(d, nil), err
}

// DeltaEQuantile is the CIEDE2000 distance that a share of the pixels within a
// mask stay below or at; otherwise as [MeanDeltaE].
func DeltaEQuantile(p, q *Picture, mask []bool, share float64) (float64, error) {
	d, err := deltas(p, q, mask)
	slices.Sort(d)
	return quantile(d, share), err
}

// deltas are the distances within a mask.
func deltas(p, q *Picture, mask []bool) ([]float32, error) {
	if p.Width != q.Width || p.Height != q.Height {
		return nil, ErrSize
	}
	d := make([]float32, 0, len(p.L))
	for i := range p.L {
		switch {
		case mask != nil && !mask[i]:
		case p.L[i] == q.L[i] && p.A[i] == q.A[i] && p.B[i] == q.B[i]:
			d = append(d, 0)
		default:
			d = append(d, float32(DeltaE2000(p.lab(i), q.lab(i))))
		}
	}
	return d, nil
}

func (p *Picture) lab(i int) [3]float64 {
	return [3]float64{float64(p.L[i]), float64(p.A[i]), float64(p.B[i])}
}

// DeltaE2000 is the colour distance CIEDE2000 of two CIELAB colours. The
// formula is that of Sharma, Wu and Dalal (2005).
func DeltaE2000(p, q [3]float64) float64 {
	const pow7 = 6103515625 // 25⁷
	rad := math.Pi / 180
	c7 := math.Pow((math.Hypot(p[1], p[2])+math.Hypot(q[1], q[2]))/2, 7)
	g := 1 + 0.5*(1-math.Sqrt(c7/(c7+pow7)))
	c1, c2 := math.Hypot(g*p[1], p[2]), math.Hypot(g*q[1], q[2])
	h1, h2 := hue(p[2], g*p[1]), hue(q[2], g*q[1])

	dh, mh := h2-h1, (h1+h2)/2
	switch {
	case c1*c2 == 0:
		dh, mh = 0, h1+h2
	case dh > 180:
		dh -= 360
		mh += 180
	case dh < -180:
		dh += 360
		mh += 180
	}
	if mh >= 360 {
		mh -= 360
	}
	dl, dc := q[0]-p[0], c2-c1
	dH := 2 * math.Sqrt(c1*c2) * math.Sin(dh/2*rad)

	ml, mc := (p[0]+q[0])/2, (c1+c2)/2
	t := 1 - 0.17*math.Cos((mh-30)*rad) + 0.24*math.Cos(2*mh*rad) +
		0.32*math.Cos((3*mh+6)*rad) - 0.20*math.Cos((4*mh-63)*rad)
	l50 := (ml - 50) * (ml - 50)
	sl, sc, sh := 1+0.015*l50/math.Sqrt(20+l50), 1+0.045*mc, 1+0.015*mc*t
	mc7 := math.Pow(mc, 7)
	rt := -math.Sin(60*math.Exp(-math.Pow((mh-275)/25, 2))*rad) * 2 * math.Sqrt(mc7/(mc7+pow7))
	return math.Sqrt(sq(dl/sl) + sq(dc/sc) + sq(dH/sh) + rt*dc/sc*dH/sh)
}

func hue(b, a float64) float64 {
	if a == 0 && b == 0 {
		return 0
	}
	h := math.Atan2(b, a) * 180 / math.Pi
	if h < 0 {
		h += 360
	}
	return h
}

func sq(x float64) float64 { return x * x }
