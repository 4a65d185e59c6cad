package cnn

import "github.com/chemigram/chemigram/internal/parallel"

// A Map holds numbers on a grid, row by row, the channels of a place side by side.
type Map struct {
	Width, Height, Channels int
	Values                  []float32
}

// Between gives between which place of a map and the next a pixel lies, and how much of
// the way to that one. There are two places or more.
func Between(pixel, pixels, places int) (place int, rest float32) {
	at := (float32(pixel)+0.5)/float32(pixels)*float32(places) - 0.5
	at = min(max(at, 0), float32(places-1))
	place = min(int(at), places-2)
	return place, at - float32(place)
}

// A plane is a Map with a border of zeros, one place wide.
type plane struct {
	width, height, channels int
	values                  []float32
}

func newPlane(width, height, channels int) *plane {
	return &plane{width, height, channels, make([]float32, (width+2)*(height+2)*channels)}
}

// at is where the channels of a place begin. From -1 to the width and height, with the
// border, there are places.
func (p *plane) at(x, y int) int { return ((y+1)*(p.width+2) + x + 1) * p.channels }

// inner is a plane without its border.
func (p *plane) inner() Map {
	m := Map{p.width, p.height, p.channels, make([]float32, 0, p.width*p.height*p.channels)}
	for y := range p.height {
		m.Values = append(m.Values, p.values[p.at(0, y):p.at(p.width, y)]...)
	}
	return m
}

// A view is some channels of a plane, so that layers write side by side.
type view struct {
	*plane
	first, count int
}

func (p *plane) from(first, count int) view { return view{p, first, count} }

// A layer is a convolution of three by three places, or of one, after which a tenth of what
// is negative is left, or all of it.
type layer struct {
	in, out int
	// side is how many places are taken in each direction, and straight says that what is
	// negative stays.
	side     int
	straight bool
	// weights are those of each channel that is made: nine places, row by row, with
	// the channels of each side by side. A layer that is run by tiles has what [layer.tile]
	// made of them.
	weights, tiles []float32
	bias           []float32
}

// convolve writes what the layer makes of a view to another, which has a place for every
// stride-th of the first in each direction; by tiles, for each.
func (l *layer) convolve(in, out view, stride int) {
	row, count := func(y int) { l.row(in, out, stride, y) }, out.height
	if l.tiles != nil {
		row, count = func(y int) { l.tileRow(in, out, y) }, (out.height+1)/2
	}
	parallel.Do(count, row)
}

// row makes a row, four places and two channels at a time. A row has four places or more.
func (l *layer) row(in, out view, stride, y int) {
	n, step, places, middle := l.in, stride*in.channels, l.side*l.side, l.side/2
	for o := 0; o < l.out; o += 2 {
		first, second := l.weights[o*places*n:][:places*n], l.weights[(o+1)*places*n:][:places*n]
		for x := 0; x < out.width; x += 4 {
			x := min(x, out.width-4) // the last ones are made again
			var sums [8]float32
			for place := range places {
				at := in.values[in.at(x*stride+place%l.side-middle, y*stride+place/l.side-middle)+in.first:]
				for i, v := range products(at, step, first[place*n:][:n], second[place*n:][:n]) {
					sums[i] += v
				}
			}
			for i, v := range sums {
				out.values[out.at(x+i/2, y)+out.first+o+i%2] = l.bend(v + l.bias[o+i%2])
			}
		}
	}
}

// products gives the products of four vectors, which begin a step apart, with v and w, so
// that each number that is read is used several times. The race detector does not look at
// its many reads, for which it would take ten seconds: what is read was whole before.
//
//go:norace
func products(vectors []float32, step int, v, w []float32) [8]float32 {
	n := len(v)
	w = w[:n]
	a, b, c, d := vectors[:n], vectors[step:][:n], vectors[2*step:][:n], vectors[3*step:][:n]
	var a0, a1, b0, b1, c0, c1, d0, d1 float32
	for i, p := range v {
		q := w[i]
		a0 += a[i] * p
		a1 += a[i] * q
		b0 += b[i] * p
		b1 += b[i] * q
		c0 += c[i] * p
		c1 += c[i] * q
		d0 += d[i] * p
		d1 += d[i] * q
	}
	return [8]float32{a0, a1, b0, b1, c0, c1, d0, d1}
}

// bend leaves a tenth of what is negative, or all of it.
func (l *layer) bend(v float32) float32 {
	if l.straight {
		return v
	}
	return max(v, 0.1*v)
}

// pool keeps the largest of three by three places, of every second place.
func pool(in *plane) *plane {
	out := newPlane(in.width/2, in.height/2, in.channels)
	for y := range out.height {
		for x := range out.width {
			to := out.values[out.at(x, y):][:out.channels]
			copy(to, in.values[in.at(2*x, 2*y):])
			for v := max(2*y-1, 0); v <= 2*y+1; v++ {
				for u := max(2*x-1, 0); u <= 2*x+1; u++ {
					for c, value := range in.values[in.at(u, v):][:in.channels] {
						to[c] = max(to[c], value)
					}
				}
			}
		}
	}
	return out
}
