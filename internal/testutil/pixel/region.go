package pixel

import (
	"math"
	"runtime"
	"sync"
)

// Rect is a part of a picture, in fractions of its width and height, counted
// from the top left corner.
type Rect struct{ X, Y, Width, Height float64 }

// Whole is all of a picture.
var Whole = Rect{Width: 1, Height: 1}

// Contains reports whether the rectangle contains a point.
func (r Rect) Contains(u, v float64) bool {
	return u >= r.X && u < r.X+r.Width && v >= r.Y && v < r.Y+r.Height
}

// bounds returns the bounds of a rectangle in pixels: of at least one pixel, and
// within the picture.
func (m *Image) bounds(r Rect) (x0, y0, x1, y1 int) {
	span := func(from, length float64, n int) (int, int) {
		a := min(max(int(math.Round(from*float64(n))), 0), n-1)
		b := min(max(int(math.Round((from+length)*float64(n))), a+1), n)
		return a, b
	}
	x0, x1 = span(r.X, r.Width, m.Width)
	y0, y1 = span(r.Y, r.Height, m.Height)
	return x0, y0, x1, y1
}

// At is the colour of the pixel at x, y.
func (m *Image) At(x, y int) Colour {
	p := m.Pix[3*(y*m.Width+x):]
	return Colour{float64(p[0]), float64(p[1]), float64(p[2])}
}

// Mean is the mean colour of a part of the picture, in linear light.
func (m *Image) Mean(r Rect) Colour {
	x0, y0, x1, y1 := m.bounds(r)
	var sum Colour
	for y := y0; y < y1; y++ {
		row := m.Pix[3*(y*m.Width+x0) : 3*(y*m.Width+x1)]
		for i := 0; i < len(row); i += 3 {
			sum.R += float64(row[i])
			sum.G += float64(row[i+1])
			sum.B += float64(row[i+2])
		}
	}
	n := float64((x1 - x0) * (y1 - y0))
	return Colour{sum.R / n, sum.G / n, sum.B / n}
}

// MeanLuma is the mean of [Colour.Luma] in a part of the picture.
func (m *Image) MeanLuma(r Rect) float64 {
	x0, y0, x1, y1 := m.bounds(r)
	sum := 0.0
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			sum += m.At(x, y).Luma()
		}
	}
	return sum / float64((x1-x0)*(y1-y0))
}

// Blur is the picture averaged over squares of 2·radius+1 pixels; at the border,
// over the part of the square that lies in the picture.
func (m *Image) Blur(radius int) *Image {
	out := &Image{Width: m.Width, Height: m.Height, Pix: make([]float32, len(m.Pix))}
	half := make([]float32, len(m.Pix))
	for y := range m.Height {
		boxLine(half[3*m.Width*y:], m.Pix[3*m.Width*y:], m.Width, 3, radius)
	}
	for x := range m.Width {
		boxLine(out.Pix[3*x:], half[3*x:], m.Height, 3*m.Width, radius)
	}
	return out
}

// boxLine averages n pixels that lie stride apart.
func boxLine(dst, src []float32, n, stride, radius int) {
	var sum [3]float64
	count := 0
	add := func(i, sign int) {
		if i >= 0 && i < n {
			for c := range 3 {
				sum[c] += float64(sign) * float64(src[i*stride+c])
			}
			count += sign
		}
	}
	for i := -radius; i < radius; i++ {
		add(i, 1)
	}
	for i := range n {
		add(i+radius, 1)
		for c := range 3 {
			dst[i*stride+c] = float32(sum[c] / float64(count))
		}
		add(i-radius, -1)
	}
}

// bands calls f for parts of 0..n in parallel, one for each core.
func bands(n int, f func(from, to int)) {
	workers := min(runtime.GOMAXPROCS(0), n)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() { f(n*w/workers, n*(w+1)/workers) })
	}
	wg.Wait()
}
