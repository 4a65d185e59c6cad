package match

import (
	"math"
	"slices"

	"github.com/chemigram/chemigram/internal/colour"
)

// comparison is what two pictures have in common to be compared by: the same places
// when one shows a part of the other, else the bands of their brightness.
type comparison struct {
	// overlaps is whether both show the same things.
	overlaps  bool
	place     place
	reference View
	bands     []colour.Lab
}

// compare looks for what a reference and a target have in common.
func compare(reference, target View) comparison {
	c := comparison{reference: reference, bands: reference.bands()}
	c.place, c.overlaps = find(reference, target)
	return c
}

// pairs are the colours of a target beside those of the reference. A pair that cannot
// be compared has no weight.
type pairs struct {
	target, reference []colour.Lab
	weights           []float64
}

// pairs are those of a target, whose geometry is that of the compared one.
func (c comparison) pairs(target View) pairs {
	if !c.overlaps {
		return pairs{target.bands(), c.bands, slices.Repeat([]float64{1}, bandCount)}
	}
	var p pairs
	for y := range target.height {
		for x := range target.width {
			i := y*target.width + x
			u, v := c.place.scale*float64(x)+c.place.dx, c.place.scale*float64(y)+c.place.dy
			here, there := c.reference.at(u, v)
			weight := 0.0
			if there && !target.lost[i] {
				// Beside an edge a small error of the place is a large one of the colour.
				weight = 1 / (1 + target.slope(x, y)/4)
			}
			p.target, p.reference, p.weights = append(p.target, target.lab[i]), append(p.reference, here), append(p.weights, weight)
		}
	}
	return p
}

// slope is how much the lightness changes about a cell.
func (v View) slope(x, y int) float64 {
	at := func(x, y int) float64 {
		return v.lab[min(max(y, 0), v.height-1)*v.width+min(max(x, 0), v.width-1)].L
	}
	return math.Hypot(at(x+1, y)-at(x-1, y), at(x, y+1)-at(x, y-1))
}

// block is the side, in cells, of the squares by whose means pictures are apart: a
// small error of the place is no difference of light.
const block = 9

// apart is the mean distance of a target from the reference where they are compared,
// in ΔE2000: of squares, or of bands.
func (c comparison) apart(target View) float64 {
	p := c.pairs(target)
	of := func(i int) int { return i }
	if c.overlaps {
		of = func(i int) int { return i/target.width/block*target.width + i%target.width/block }
	}
	n := make([]float64, len(p.weights))
	means := pairs{make([]colour.Lab, len(n)), make([]colour.Lab, len(n)), n}
	for i, w := range p.weights {
		at := of(i)
		means.weights[at] += w
		means.target[at] = plus(means.target[at], p.target[i], w)
		means.reference[at] = plus(means.reference[at], p.reference[i], w)
	}
	sum, total := 0.0, 0.0
	for i, w := range n {
		if w > 0 {
			a, b := plus(colour.Lab{}, means.target[i], 1/w), plus(colour.Lab{}, means.reference[i], 1/w)
			sum, total = sum+w*colour.DeltaE2000(a, b), total+w
		}
	}
	return sum / max(total, math.SmallestNonzeroFloat64)
}

// plus adds a share of a colour to a sum.
func plus(sum, c colour.Lab, share float64) colour.Lab {
	return colour.Lab{L: sum.L + share*c.L, A: sum.A + share*c.A, B: sum.B + share*c.B}
}

// A measure tells how far views are from a reference: left is what is left of three
// numbers of each of the things that are compared, and weights say how much each thing
// counts.
type measure interface {
	left(v View) (left, weights []float64)
}

// left are the differences of colours.
func (c comparison) left(target View) (left, weights []float64) {
	p := c.pairs(target)
	return residuals(p), p.weights
}

// fit finds amounts of moves. It is made of a picture as it is and with a step of
// each move.
type fit struct {
	measure
	// mild is how much a thing counts that is so far off, when others are typically so
	// far off; 1 is as much as at no distance.
	mild    func(size, typical float64) float64
	weights []float64
	// change of each number by one unit of a move, and what a unit does, squared.
	change   [][]float64
	strength []float64
	now      []float64 // what is left
}

// outliers lets count for less what stands out: it has another reason than the light.
func outliers(size, typical float64) float64 {
	size /= 2 * typical
	return 1 / (1 + size*size)
}

// residuals are the differences that are left, weighed as ΔE2000 weighs them, about.
func residuals(p pairs) []float64 {
	out := make([]float64, 0, 3*len(p.weights))
	for i, w := range p.weights {
		a, b := p.target[i], p.reference[i]
		if w == 0 {
			out = append(out, 0, 0, 0)
			continue
		}
		chroma := 1 + 0.045*b.Chroma()
		light := 1 + 0.015*(b.L-50)*(b.L-50)/math.Sqrt(20+(b.L-50)*(b.L-50))
		out = append(out, (a.L-b.L)/light, (a.A-b.A)/chroma, (a.B-b.B)/chroma)
	}
	return out
}

// newFit begins with a picture as it is.
func newFit(m measure, origin View) *fit {
	f := &fit{measure: m, mild: outliers}
	f.now, f.weights = m.left(origin)
	return f
}

// learn measures what a move does: with is a view of the picture with an amount more of
// it. Things that are lost in it are left out from here on.
func (f *fit) learn(with View, amount, strength float64) {
	change, weights := f.left(with)
	for i, w := range weights {
		f.weights[i] = min(f.weights[i], w)
	}
	for i := range change {
		change[i] = (change[i] - f.now[i]) / amount
	}
	f.change, f.strength = append(f.change, change), append(f.strength, strength)
}

// step gives how much more of each move brings the picture nearest.
func (f *fit) step() []float64 {
	out := make([]float64, len(f.change))
	for range 6 {
		out = solve(f.equations(f.weigh(out)))
	}
	return out
}

// equations are those of the least squares.
func (f *fit) equations(weights []float64) [][]float64 {
	n := len(f.change)
	a := make([][]float64, n)
	for i := range a {
		a[i] = make([]float64, n+1)
		for k, w := range weights {
			for ch := 3 * k; ch < 3*k+3; ch++ {
				weighed := w * f.change[i][ch]
				for j := range n {
					a[i][j] += weighed * f.change[j][ch]
				}
				a[i][n] -= weighed * f.now[ch]
			}
		}
		a[i][i] += 1e-4*a[i][i] + 1e-9
	}
	return a
}

// weigh gives the weights when the moves have been made.
func (f *fit) weigh(step []float64) []float64 {
	weights := make([]float64, len(f.weights))
	sizes := make([]float64, 0, len(weights))
	for k, w := range f.weights {
		sum := 0.0
		for ch := 3 * k; ch < 3*k+3; ch++ {
			left := f.now[ch]
			for i, s := range step {
				left += s * f.change[i][ch]
			}
			sum += left * left
		}
		weights[k] = math.Sqrt(sum)
		if w > 0 {
			sizes = append(sizes, weights[k])
		}
	}
	typical := 1.0
	if len(sizes) > 0 {
		slices.Sort(sizes)
		typical = max(sizes[len(sizes)/2], 0.3)
	}
	for k, w := range f.weights {
		weights[k] = w * f.mild(weights[k], typical)
	}
	return weights
}

// update tells what the picture is like after a step was made, and learns from how far
// that is from what was expected.
func (f *fit) update(now View, step []float64) {
	left, weights := f.left(now)
	for i, w := range weights {
		if w == 0 {
			f.weights[i] = 0
		}
	}
	length := 0.0
	for i, s := range step {
		// Moves are compared by how much they do.
		length += s * s * f.strength[i]
	}
	for ch := range left {
		expected := f.now[ch]
		for i, s := range step {
			expected += s * f.change[i][ch]
		}
		if length > 0 {
			for i, s := range step {
				f.change[i][ch] += (left[ch] - expected) * s * f.strength[i] / length
			}
		}
	}
	f.now = left
}

// solve solves linear equations by elimination; what cannot be told is 0.
func solve(a [][]float64) []float64 {
	n := len(a)
	for i := range n {
		pivot := i
		for j := i + 1; j < n; j++ {
			if math.Abs(a[j][i]) > math.Abs(a[pivot][i]) {
				pivot = j
			}
		}
		a[i], a[pivot] = a[pivot], a[i]
		if math.Abs(a[i][i]) < 1e-12 {
			continue
		}
		for j := range n {
			if j == i {
				continue
			}
			by := a[j][i] / a[i][i]
			for k := i; k <= n; k++ {
				a[j][k] -= by * a[i][k]
			}
		}
	}
	out := make([]float64, n)
	for i := range n {
		if math.Abs(a[i][i]) >= 1e-12 {
			out[i] = a[i][n] / a[i][i]
		}
	}
	return out
}

// meanDifference is how much brighter, warmer, and more magenta a target is than the
// reference; its contrast is not known.
func (c comparison) meanDifference(target View) (d amounts) {
	p := c.pairs(target)
	for i, w := range p.weights {
		d[exposure] += w * (p.target[i].L - p.reference[i].L)
		d[warmth] += w * (p.target[i].B - p.reference[i].B)
		d[tint] += w * (p.target[i].A - p.reference[i].A)
	}
	return d
}
