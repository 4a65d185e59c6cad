package match

import (
	"math"
	"slices"

	"github.com/chemigram/chemigram/internal/colour"
)

// palette compares the colours that two pictures have, wherever they are: in CIELAB, the
// colours are projected onto many directions, and the tenth brightest, reddest and so on
// of one is compared with that of the other. The mean difference is the sliced
// Wasserstein distance, which is how far the one's colours have to be moved to be the
// other's.
type palette struct {
	of         View // the reference
	directions []colour.Lab
	reference  []float64
}

const (
	paletteDirections = 24
	paletteShares     = 24 // of the cells, by their order along a direction
	paletteCells      = 6000
)

func newPalette(reference View, along int) palette {
	p := palette{of: reference, directions: directions(along)}
	p.reference = p.shares(reference)
	return p
}

// directions are n directions that are evenly spread over half of a sphere.
func directions(n int) []colour.Lab {
	out := make([]colour.Lab, n)
	golden := math.Pi * (3 - math.Sqrt(5))
	for i := range out {
		l := (float64(i) + 0.5) / float64(n)
		sin, cos := math.Sincos(golden * float64(i))
		flat := math.Sqrt(1 - l*l)
		out[i] = colour.Lab{L: l, A: flat * cos, B: flat * sin}
	}
	return out
}

// shares are the mean places of the view's cells along each direction, by their order.
func (p palette) shares(v View) []float64 {
	every := max(1, len(v.lab)/paletteCells)
	places := make([]float64, 0, len(v.lab)/every+1)
	out := make([]float64, 0, len(p.directions)*paletteShares)
	for _, d := range p.directions {
		places = places[:0]
		for i := 0; i < len(v.lab); i += every {
			c := v.lab[i]
			places = append(places, c.L*d.L+c.A*d.A+c.B*d.B)
		}
		slices.Sort(places)
		for i := range paletteShares {
			from, to := i*len(places)/paletteShares, (i+1)*len(places)/paletteShares
			to = max(to, from+1)
			sum := 0.0
			for _, place := range places[from:to] {
				sum += place
			}
			out = append(out, sum/float64(to-from))
		}
	}
	return out
}

// left are the differences of the shares, each as much worth as the others.
func (p palette) left(v View) (left, weights []float64) {
	left = p.shares(v)
	for i := range left {
		left[i] -= p.reference[i]
	}
	return left, slices.Repeat([]float64{1}, len(left)/3)
}

// apart is the sliced Wasserstein distance.
func (p palette) apart(v View) float64 {
	left, _ := p.left(v)
	sum := 0.0
	for _, d := range left {
		sum += math.Abs(d)
	}
	return sum / float64(len(left))
}

// spread is how much the colours of a view differ: their standard deviation in CIELAB.
func (v View) spread() float64 {
	var mean colour.Lab
	for _, c := range v.lab {
		mean = plus(mean, c, 1/float64(len(v.lab)))
	}
	sum := 0.0
	for _, c := range v.lab {
		l, a, b := c.L-mean.L, c.A-mean.A, c.B-mean.B
		sum += (l*l + a*a + b*b) / float64(len(v.lab))
	}
	return math.Sqrt(sum)
}
