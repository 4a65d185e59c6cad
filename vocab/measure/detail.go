package measure

import (
	"math"
	"slices"
)

// fineDetail is, for each pixel, the distance of its lightness from the mean
// of its four neighbours.
func (p *Picture) fineDetail() []float32 {
	out := make([]float32, len(p.L))
	for y := range p.Height {
		for x := range p.Width {
			n := p.lightness(x-1, y) + p.lightness(x+1, y) + p.lightness(x, y-1) + p.lightness(x, y+1)
			out[y*p.Width+x] = float32(math.Abs(float64(p.lightness(x, y) - n/4)))
		}
	}
	return out
}

// lightness repeats the edge outside the picture.
func (p *Picture) lightness(x, y int) float32 {
	return p.L[min(max(y, 0), p.Height-1)*p.Width+min(max(x, 0), p.Width-1)]
}

// midDetail is lightness without what is finer than about a 150th and coarser
// than about a 20th of the long edge.
func (p *Picture) midDetail() []float32 {
	long := max(p.Width, p.Height)
	fine := p.blur(max(1, long/300))
	coarse := p.blur(max(2, long/40))
	for i := range fine {
		fine[i] -= coarse[i]
	}
	return fine
}

// blur averages lightness over a square, twice.
func (p *Picture) blur(radius int) []float32 {
	out := slices.Clone(p.L)
	line := make([]float32, max(p.Width, p.Height))
	for range 2 {
		for y := range p.Height {
			boxLine(out, line, y*p.Width, 1, p.Width, radius)
		}
		for x := range p.Width {
			boxLine(out, line, x, p.Width, p.Height, radius)
		}
	}
	return out
}

// boxLine averages n values that begin at first and lie step apart, in place.
func boxLine(v, line []float32, first, step, n, radius int) {
	for i := range n {
		line[i] = v[first+i*step]
	}
	var sum float32
	count := 0
	for i := range min(radius, n) {
		sum += line[i]
		count++
	}
	for i := range n {
		if in := i + radius; in < n {
			sum += line[in]
			count++
		}
		if out := i - radius - 1; out >= 0 {
			sum -= line[out]
			count--
		}
		v[first+i*step] = sum / float32(count)
	}
}
