package pixel

import "math"

// Luma says how bright a part of a picture looks: statistics of the weighted
// mean of its sRGB-encoded values, 0 to 1.
type Luma struct {
	Min, Max, Mean float64
	// Deviation is the standard deviation: contrast.
	Deviation float64
	// P1, P5, P25, Median, P75, P95 and P99 are percentiles, exact to 1/4096.
	P1, P5, P25, Median, P75, P95, P99 float64
	// Black and White are the fractions of pixels whose three channels are all
	// 0, and of which one is 1.
	Black, White float64
}

// Luma measures a part of the picture.
func (m *Image) Luma(r Rect) Luma {
	const fine = 4096
	x0, y0, x1, y1 := m.pixels(r)
	var bins [fine + 1]int
	var sum, square float64
	var black, white int
	s := Luma{Min: math.Inf(1), Max: math.Inf(-1)}
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			c := m.At(x, y)
			v := c.Luma()
			s.Min, s.Max = min(s.Min, v), max(s.Max, v)
			sum, square = sum+v, square+v*v
			bins[int(v*fine)]++
			if c == (Colour{}) {
				black++
			}
			if max(c.R, c.G, c.B) >= 1 {
				white++
			}
		}
	}
	count := (x1 - x0) * (y1 - y0)
	n := float64(count)
	s.Mean = sum / n
	s.Deviation = math.Sqrt(max(square/n-s.Mean*s.Mean, 0))
	s.Black, s.White = float64(black)/n, float64(white)/n
	for p, field := range map[float64]*float64{
		0.01: &s.P1, 0.05: &s.P5, 0.25: &s.P25, 0.5: &s.Median, 0.75: &s.P75, 0.95: &s.P95, 0.99: &s.P99,
	} {
		*field = min((percentile(bins[:], count, p)-0.5)/fine, 1)
	}
	return s
}
