package measure

import (
	"math"
	"slices"
)

func (p *Picture) chroma() []float32 {
	c := make([]float32, len(p.A))
	for i := range c {
		c[i] = float32(math.Hypot(float64(p.A[i]), float64(p.B[i])))
	}
	return c
}

// fineDetail is, for each pixel, the distance of its lightness from the mean
// of its four neighbours.
func (p *Picture) fineDetail() []float32 {
	out := make([]float32, len(p.L))
	for y := range p.Height {
		for x := range p.Width {
			n := p.at(x-1, y) + p.at(x+1, y) + p.at(x, y-1) + p.at(x, y+1)
			out[y*p.Width+x] = float32(math.Abs(float64(p.at(x, y) - n/4)))
		}
	}
	return out
}

// at repeats the edge outside the picture.
func (p *Picture) at(x, y int) float32 {
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

// noise takes the standard deviation of lightness, against the plane through
// it, in blocks of 8 by 8, and gives the mean of the calmest quarter.
func (p *Picture) noise(mask []bool) float64 {
	const side = 8
	var devs []float64
	for y := 0; y+side <= p.Height; y += side {
		for x := 0; x+side <= p.Width; x += side {
			if mask == nil || mask[(y+side/2)*p.Width+x+side/2] {
				devs = append(devs, p.blockNoise(x, y, side))
			}
		}
	}
	if len(devs) == 0 {
		return math.NaN()
	}
	slices.Sort(devs)
	calm := devs[:max(1, len(devs)/4)]
	sum := 0.0
	for _, d := range calm {
		sum += d
	}
	return sum / float64(len(calm))
}

func (p *Picture) blockNoise(x0, y0, side int) float64 {
	var s, sx, sy, ss float64
	half := float64(side-1) / 2
	var xx float64
	for dy := range side {
		for dx := range side {
			l := float64(p.L[(y0+dy)*p.Width+x0+dx])
			u, v := float64(dx)-half, float64(dy)-half
			s, sx, sy, ss = s+l, sx+l*u, sy+l*v, ss+l*l
			xx += u * u
		}
	}
	n := float64(side * side)
	return math.Sqrt(max(0, ss/n-sq(s/n)-(sq(sx)+sq(sy))/(xx*n)))
}

// falloff compares the four corners, each an eighth of the edges, with the
// middle quarter of the picture.
func (p *Picture) falloff() float64 {
	corners, centre := make([]bool, len(p.L)), make([]bool, len(p.L))
	w, h := max(1, p.Width/8), max(1, p.Height/8)
	for y := range p.Height {
		for x := range p.Width {
			i := y*p.Width + x
			corners[i] = (x < w || x >= p.Width-w) && (y < h || y >= p.Height-h)
			centre[i] = x >= 3*w && x < p.Width-3*w && y >= 3*h && y < p.Height-3*h
		}
	}
	return mean(p.L, corners) - mean(p.L, centre)
}
