package segment

import "math"

// superpixelArea is how many pixels a superpixel has, about.
const superpixelArea = 150

// compactness is how many units of colour difference weigh as much as one step of
// the superpixels' grid.
const compactness = 8

// superpixels is a picture cut into small regions of like colour, after Achanta and
// others, "SLIC Superpixels Compared to State-of-the-Art Superpixel Methods" (2012).
type superpixels struct {
	width, height int
	// of is the superpixel of each pixel.
	of []int32
	// size is how many pixels each has.
	size []int
	// x and y are their centres, in pixels, and mean their mean colours.
	x, y []float64
	mean [][3]float64
	// next are the neighbours of each, and by how much they differ.
	next [][]neighbour
}

// A neighbour is a superpixel beside another one.
type neighbour struct {
	of int32
	// shared is how many pairs of pixels touch, and step the mean colour difference
	// across them.
	shared, step float64
}

func newSuperpixels(p *Picture, area float64) *superpixels {
	step := math.Sqrt(area)
	columns, rows := max(int(float64(p.Width)/step+0.5), 1), max(int(float64(p.Height)/step+0.5), 1)
	s := &superpixels{width: p.Width, height: p.Height, of: make([]int32, p.Width*p.Height)}
	for i := range s.of {
		s.of[i] = int32(i/p.Width*rows/p.Height*columns + i%p.Width*columns/p.Width)
	}
	s.measure(p, columns*rows)
	for range 5 {
		s.assign(p, step)
		s.measure(p, columns*rows)
	}
	s.join(step)
	s.measure(p, len(s.size))
	s.meet(p)
	return s
}

// measure sets sizes, centres and mean colours of n superpixels.
func (s *superpixels) measure(p *Picture, n int) {
	s.size, s.x, s.y, s.mean = make([]int, n), make([]float64, n), make([]float64, n), make([][3]float64, n)
	for i, k := range s.of {
		s.size[k]++
		s.x[k] += float64(i % p.Width)
		s.y[k] += float64(i / p.Width)
		s.mean[k][0] += float64(p.L[i])
		s.mean[k][1] += float64(p.A[i])
		s.mean[k][2] += float64(p.B[i])
	}
	for k, size := range s.size {
		share := 1 / float64(max(size, 1))
		s.x[k] *= share
		s.y[k] *= share
		for c := range 3 {
			s.mean[k][c] *= share
		}
	}
}

// assign gives each pixel to the superpixel that is nearest in place and colour.
func (s *superpixels) assign(p *Picture, step float64) {
	nearest := make(Plane, len(s.of))
	for i := range nearest {
		nearest[i] = math.MaxFloat32
	}
	weight := float32(compactness * compactness / (step * step))
	for k, size := range s.size {
		if size == 0 {
			continue
		}
		cx, cy := float32(s.x[k]), float32(s.y[k])
		l, a, b := float32(s.mean[k][0]), float32(s.mean[k][1]), float32(s.mean[k][2])
		for y := max(int(s.y[k]-step), 0); y <= min(int(s.y[k]+step), p.Height-1); y++ {
			dy := float32(y) - cy
			for x := max(int(s.x[k]-step), 0); x <= min(int(s.x[k]+step), p.Width-1); x++ {
				i := y*p.Width + x
				dx, dl, da, db := float32(x)-cx, p.L[i]-l, p.A[i]-a, p.B[i]-b
				if d := dl*dl + da*da + db*db + weight*(dx*dx+dy*dy); d < nearest[i] {
					nearest[i], s.of[i] = d, int32(k)
				}
			}
		}
	}
}

// join makes superpixels connected: each connected part becomes one of its own, but
// for small ones, which join the part before them.
func (s *superpixels) join(step float64) {
	least := int(step*step) / 4
	of := make([]int32, len(s.of))
	for i := range of {
		of[i] = -1
	}
	count := int32(0)
	var part []int
	for i := range of {
		if of[i] >= 0 {
			continue
		}
		before := int32(-1)
		if i%s.width > 0 {
			before = of[i-1]
		} else if i >= s.width {
			before = of[i-s.width]
		}
		part = append(part[:0], i)
		of[i] = count
		for k := 0; k < len(part); k++ {
			s.around(part[k], func(j int) {
				if of[j] < 0 && s.of[j] == s.of[i] {
					of[j] = count
					part = append(part, j)
				}
			})
		}
		if len(part) < least && before >= 0 {
			for _, j := range part {
				of[j] = before
			}
			continue
		}
		count++
	}
	s.of, s.size = of, make([]int, count)
}

// around calls f for the four neighbours of a pixel that lie in the picture.
func (s *superpixels) around(i int, f func(j int)) {
	x, y := i%s.width, i/s.width
	if x > 0 {
		f(i - 1)
	}
	if x < s.width-1 {
		f(i + 1)
	}
	if y > 0 {
		f(i - s.width)
	}
	if y < s.height-1 {
		f(i + s.width)
	}
}

// meet finds the neighbours.
func (s *superpixels) meet(p *Picture) {
	s.next = make([][]neighbour, len(s.size))
	add := func(k, other int32, step float64) {
		for i := range s.next[k] {
			if n := &s.next[k][i]; n.of == other {
				n.shared++
				n.step += step
				return
			}
		}
		s.next[k] = append(s.next[k], neighbour{other, 1, step})
	}
	touch := func(i, j int) {
		if k, other := s.of[i], s.of[j]; k != other {
			step := p.difference(i, j)
			add(k, other, step)
			add(other, k, step)
		}
	}
	for y := range s.height {
		for x := range s.width {
			i := y*s.width + x
			if x+1 < s.width {
				touch(i, i+1)
			}
			if y+1 < s.height {
				touch(i, i+s.width)
			}
		}
	}
	for _, list := range s.next {
		for i := range list {
			list[i].step /= list[i].shared
		}
	}
}

// difference is the distance of two pixels in CIELAB.
func (p *Picture) difference(i, j int) float64 {
	l, a, b := float64(p.L[i]-p.L[j]), float64(p.A[i]-p.A[j]), float64(p.B[i]-p.B[j])
	return math.Sqrt(l*l + a*a + b*b)
}

// distance is the distance of two colours in CIELAB.
func distance(a, b [3]float64) float64 {
	x, y, z := a[0]-b[0], a[1]-b[1], a[2]-b[2]
	return math.Sqrt(x*x + y*y + z*z)
}

// spread gives each pixel the value of its superpixel.
func (s *superpixels) spread(values []float64) Plane {
	out := make(Plane, len(s.of))
	for i, k := range s.of {
		out[i] = float32(values[k])
	}
	return out
}

// gather is the mean of a plane in each superpixel.
func (s *superpixels) gather(plane Plane) []float64 {
	out := make([]float64, len(s.size))
	for i, k := range s.of {
		out[k] += float64(plane[i])
	}
	for k := range out {
		out[k] /= float64(s.size[k])
	}
	return out
}
