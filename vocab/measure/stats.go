package measure

import (
	"math"
	"slices"
)

// mean is the mean within a mask; nil is everywhere, here and below.
func mean(v []float32, mask []bool) float64 {
	sum, n := 0.0, 0
	for i, x := range v {
		if mask == nil || mask[i] {
			sum += float64(x)
			n++
		}
	}
	return sum / float64(n)
}

// deviation is the standard deviation.
func deviation(v []float32, mask []bool) float64 {
	m := mean(v, mask)
	sum, n := 0.0, 0
	for i, x := range v {
		if mask == nil || mask[i] {
			sum += sq(float64(x) - m)
			n++
		}
	}
	return math.Sqrt(sum / float64(n))
}

// spread is the distance of two quantiles.
func spread(v []float32, mask []bool, low, high float64) float64 {
	var chosen []float32
	for i, x := range v {
		if mask == nil || mask[i] {
			chosen = append(chosen, x)
		}
	}
	if len(chosen) == 0 {
		return math.NaN()
	}
	slices.Sort(chosen)
	return quantile(chosen, high) - quantile(chosen, low)
}

func quantile(sorted []float32, q float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	return float64(sorted[int(q*float64(len(sorted)-1)+0.5)])
}

// share is how many of the values are true, 0 to 1.
func share(v, mask []bool) float64 {
	hits, n := 0, 0
	for i, x := range v {
		if mask == nil || mask[i] {
			n++
			if x {
				hits++
			}
		}
	}
	return float64(hits) / float64(n)
}

func sq(x float64) float64 { return x * x }
