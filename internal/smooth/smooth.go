// Package smooth smooths planes: the values of a picture's pixels, line by line.
package smooth

import (
	"sync"

	"github.com/chemigram/chemigram/internal/parallel"
)

// A Value is a pixel's.
type Value interface{ ~float32 | ~float64 }

// Box gives the mean within a square about each pixel, whose half side is radius, as far
// as it lies in the picture.
func Box[P ~[]F, F Value](plane P, width, height, radius int) P {
	across, out := make(P, len(plane)), make(P, len(plane))
	for y := range height {
		row, to := plane[y*width:][:width], across[y*width:][:width]
		sum := F(0)
		for x := range min(radius, width) {
			sum += row[x]
		}
		for x := range width {
			if x+radius < width {
				sum += row[x+radius]
			}
			if x > radius {
				sum -= row[x-radius-1]
			}
			to[x] = sum / F(min(x+radius, width-1)-max(x-radius, 0)+1)
		}
	}
	sums := make([]F, width)
	for y := range min(radius, height) {
		addRow(sums, across[y*width:], 1)
	}
	for y := range height {
		if y+radius < height {
			addRow(sums, across[(y+radius)*width:], 1)
		}
		if y > radius {
			addRow(sums, across[(y-radius-1)*width:], -1)
		}
		share := 1 / F(min(y+radius, height-1)-max(y-radius, 0)+1)
		for x, sum := range sums {
			out[y*width+x] = sum * share
		}
	}
	return out
}

// addRow adds a row, times a sign, to sums of columns.
func addRow[P ~[]F, F Value](sums []F, row P, sign F) {
	for x, v := range row[:len(sums)] {
		sums[x] += sign * v
	}
}

// Guided gives a mask, 0 to 1, laid along the edges of a picture of three channels: within
// each square of half side radius it is a linear function of the colour (He and others,
// "Guided Image Filtering", 2013). eps is how much colour has to vary for an edge, as a
// variance; where it varies by less the mask is smoothed.
func Guided[P ~[]F, F Value](mask P, colour [3]P, width, height, radius int, eps float64) P {
	mean := func(plane P) P { return Box(plane, width, height, radius) }
	var colourMean, both, slope [3]P
	var pairs [6]P // 00 01 02 11 12 22
	var maskMean, out P
	var work sync.WaitGroup
	for c, plane := range colour {
		work.Go(func() { colourMean[c], both[c] = mean(plane), mean(Product(plane, mask)) })
		slope[c] = make(P, len(mask))
	}
	for i, at := range [6][2]int{{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}} {
		work.Go(func() { pairs[i] = mean(Product(colour[at[0]], colour[at[1]])) })
	}
	work.Go(func() { maskMean = mean(mask) })
	work.Wait()
	rest := make(P, len(mask))
	fit := func(i int) {
		m := [3]float64{float64(colourMean[0][i]), float64(colourMean[1][i]), float64(colourMean[2][i])}
		v := [6]float64{
			float64(pairs[0][i]) - m[0]*m[0] + eps, float64(pairs[1][i]) - m[0]*m[1], float64(pairs[2][i]) - m[0]*m[2],
			float64(pairs[3][i]) - m[1]*m[1] + eps, float64(pairs[4][i]) - m[1]*m[2], float64(pairs[5][i]) - m[2]*m[2] + eps,
		}
		k := float64(maskMean[i])
		a := solve(v, [3]float64{float64(both[0][i]) - m[0]*k, float64(both[1][i]) - m[1]*k, float64(both[2][i]) - m[2]*k})
		for c := range slope {
			slope[c][i] = F(a[c])
		}
		rest[i] = F(k - a[0]*m[0] - a[1]*m[1] - a[2]*m[2])
	}
	parallel.Do(height, func(y int) {
		for i := y * width; i < (y+1)*width; i++ {
			fit(i)
		}
	})
	work.Go(func() { out = mean(rest) })
	for c := range slope {
		work.Go(func() { slope[c] = mean(slope[c]) })
	}
	work.Wait()
	for c := range slope {
		for i := range out {
			out[i] += slope[c][i] * colour[c][i]
		}
	}
	for i, v := range out {
		out[i] = min(max(v, 0), 1)
	}
	return out
}

// Product multiplies the values of two planes, pixel by pixel.
func Product[P ~[]F, F Value](a, b P) P {
	out := make(P, len(a))
	for i, v := range a {
		out[i] = v * b[i]
	}
	return out
}

// solve solves a symmetric system of three, whose matrix has the rows 012, 134, 245.
func solve(m [6]float64, y [3]float64) [3]float64 {
	c0, c1, c2 := m[3]*m[5]-m[4]*m[4], m[2]*m[4]-m[1]*m[5], m[1]*m[4]-m[2]*m[3]
	det := m[0]*c0 + m[1]*c1 + m[2]*c2
	c3, c4, c5 := m[0]*m[5]-m[2]*m[2], m[1]*m[2]-m[0]*m[4], m[0]*m[3]-m[1]*m[1]
	return [3]float64{
		(c0*y[0] + c1*y[1] + c2*y[2]) / det,
		(c1*y[0] + c3*y[1] + c4*y[2]) / det,
		(c2*y[0] + c4*y[1] + c5*y[2]) / det,
	}
}
