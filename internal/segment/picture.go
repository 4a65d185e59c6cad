package segment

import (
	"image"
	"math"

	"golang.org/x/image/draw"

	"github.com/chemigram/chemigram/internal/colour"
	"github.com/chemigram/chemigram/internal/smooth"
)

// workPixels is how many pixels a picture has in which regions are found.
const workPixels = 160_000

// A Picture is a developed picture in CIELAB, at the size at which regions are
// found: at most 160,000 pixels.
type Picture struct {
	Width, Height int
	// L, A and B are the planes, row by row: L* from 0 to 100.
	L, A, B Plane
}

// A Plane is one number for each pixel, row by row.
type Plane []float32

// NewPicture takes an encoded sRGB picture, at any size from 16 by 16 pixels.
func NewPicture(m image.Image) *Picture {
	size := m.Bounds().Size()
	if scale := math.Sqrt(workPixels / float64(size.X*size.Y)); scale < 1 {
		small := image.NewRGBA64(image.Rect(0, 0, max(int(float64(size.X)*scale), 1), max(int(float64(size.Y)*scale), 1)))
		draw.BiLinear.Scale(small, small.Bounds(), m, m.Bounds(), draw.Src, nil)
		m, size = small, small.Bounds().Size()
	}
	n := size.X * size.Y
	p := &Picture{Width: size.X, Height: size.Y, L: make(Plane, n), A: make(Plane, n), B: make(Plane, n)}
	tables, from := colour.FromSRGB(), m.Bounds().Min
	for y := range size.Y {
		for x := range size.X {
			r, g, b, _ := m.At(from.X+x, from.Y+y).RGBA()
			lab, i := tables.Lab(uint16(r), uint16(g), uint16(b)), y*size.X+x
			p.L[i], p.A[i], p.B[i] = float32(lab.L), float32(lab.A), float32(lab.B)
		}
	}
	return p
}

// planes are the three of the colour.
func (p *Picture) planes() [3]Plane { return [3]Plane{p.L, p.A, p.B} }

// blurred is a plane after three box filters of this radius, which come near a
// Gaussian filter.
func (p *Picture) blurred(plane Plane, radius int) Plane {
	for range 3 {
		plane = smooth.Box(plane, p.Width, p.Height, radius)
	}
	return plane
}

// slopes are a plane's differences across and down, by Sobel's filter: of a ramp
// that rises by 1 for each pixel they are 1.
func (p *Picture) slopes(plane Plane) (across, down Plane) {
	across, down = make(Plane, len(plane)), make(Plane, len(plane))
	for y := range p.Height {
		above, row, below := plane[max(y-1, 0)*p.Width:], plane[y*p.Width:], plane[min(y+1, p.Height-1)*p.Width:]
		for x := range p.Width {
			w, e := max(x-1, 0), min(x+1, p.Width-1)
			across[y*p.Width+x] = (above[e] + 2*row[e] + below[e] - above[w] - 2*row[w] - below[w]) / 8
			down[y*p.Width+x] = (below[w] + 2*below[x] + below[e] - above[w] - 2*above[x] - above[e]) / 8
		}
	}
	return across, down
}

// length is the length of vectors.
func length(x, y Plane) Plane {
	out := make(Plane, len(x))
	for i := range out {
		out[i] = float32(math.Sqrt(float64(x[i]*x[i] + y[i]*y[i])))
	}
	return out
}

// sums answers for the mean of a plane within any box.
type sums struct {
	width, height int
	at            []float64
}

func newSums(plane Plane, width, height int) *sums {
	s := &sums{width: width, height: height, at: make([]float64, (width+1)*(height+1))}
	for y := range height {
		row := 0.0
		for x := range width {
			row += float64(plane[y*width+x])
			s.at[(y+1)*(width+1)+x+1] = s.at[y*(width+1)+x+1] + row
		}
	}
	return s
}

// mean is the mean from (x0, y0) to before (x1, y1), of what lies in the picture; a
// box beside it is moved to its nearest edge.
func (s *sums) mean(x0, y0, x1, y1 int) float64 {
	x0, y0 = min(max(x0, 0), s.width-1), min(max(y0, 0), s.height-1)
	x1, y1 = min(max(x1, x0+1), s.width), min(max(y1, y0+1), s.height)
	w := s.width + 1
	sum := s.at[y1*w+x1] - s.at[y0*w+x1] - s.at[y1*w+x0] + s.at[y0*w+x0]
	return sum / float64((x1-x0)*(y1-y0))
}
