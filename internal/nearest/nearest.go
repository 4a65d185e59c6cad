// Package nearest tells how far pixels lie from the nearest that are asked for.
package nearest

import (
	"math"

	"github.com/chemigram/chemigram/internal/parallel"
)

// Distances gives how far the middle of each pixel lies from the nearest pixel that is one of
// those asked for, in pixels, row by row: 0 for these, and +Inf where there are none. It
// takes the lower envelope of parabolas, down and across (Felzenszwalb and Huttenlocher,
// "Distance Transforms of Sampled Functions", 2012).
func Distances(asked func(i int) bool, width, height int) []float64 {
	squares := make([]float64, width*height)
	for i := range squares {
		if !asked(i) {
			squares[i] = math.Inf(1)
		}
	}
	parallel.Do(width, func(x int) {
		column := make([]float64, height)
		for y := range column {
			column[y] = squares[y*width+x]
		}
		for y, d := range envelope(column) {
			squares[y*width+x] = d
		}
	})
	parallel.Do(height, func(y int) {
		row := squares[y*width:][:width]
		for x, d := range envelope(row) {
			row[x] = math.Sqrt(d)
		}
	})
	return squares
}

// envelope gives at each place the least of all values plus the square of the
// distance to where they are.
func envelope(values []float64) []float64 {
	at := make([]int, 0, len(values))       // of the parabolas that are lowest somewhere
	from := make([]float64, 0, len(values)) // where each begins to be
	for q, v := range values {
		if math.IsInf(v, 1) {
			continue
		}
		begins := math.Inf(-1)
		for len(at) > 0 {
			p := at[len(at)-1]
			begins = (v + float64(q*q) - values[p] - float64(p*p)) / float64(2*(q-p))
			if begins > from[len(from)-1] {
				break
			}
			at, from, begins = at[:len(at)-1], from[:len(from)-1], math.Inf(-1)
		}
		at, from = append(at, q), append(from, begins)
	}
	out := make([]float64, len(values))
	k := 0
	for q := range out {
		if len(at) == 0 {
			out[q] = math.Inf(1)
			continue
		}
		for k+1 < len(at) && from[k+1] < float64(q) {
			k++
		}
		out[q] = values[at[k]] + float64((q-at[k])*(q-at[k]))
	}
	return out
}
