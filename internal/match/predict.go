package match

import (
	"math"
	"slices"

	"github.com/chemigram/chemigram/internal/colour"
)

// A predictor says about what a picture becomes by moves, without developing it. What one
// move does to a colour of the display is a map of the colours; as the moves follow each
// other in the pipeline and treat equal colours alike, what several do together is, nearly,
// one map after the other.
type predictor struct {
	// responses are in the order of the pipeline.
	responses []response
}

// response is what amounts of an axis do.
type response struct {
	axis int
	// amounts rise; there is one of 0, at which nothing changes.
	amounts []float64
	maps    []colourMap
}

// newPredictor makes one of the axes that a table has measured; known says which these are.
func newPredictor(t *Table, axes []axis) (p predictor, known []bool) {
	known = make([]bool, len(axes))
	nodes := nodesOf(t.From)
	at := map[string]int{} // of responses
	for i := range t.Effects {
		e := &t.Effects[i]
		for k, a := range axes {
			amount, ok := a.measured(e)
			if !ok {
				continue
			}
			place, seen := at[a.key()]
			if !seen {
				place = len(p.responses)
				at[a.key()] = place
				p.responses = append(p.responses, response{axis: k, amounts: []float64{0}, maps: []colourMap{nil}})
				known[k] = true
			}
			r := &p.responses[place]
			n, _ := slices.BinarySearch(r.amounts, amount)
			r.amounts, r.maps = slices.Insert(r.amounts, n, amount), slices.Insert(r.maps, n, nodes.mapOf(t.From, e.To))
		}
	}
	return p, known
}

// measured is the amount of an axis at which an effect was measured.
func (a axis) measured(e *Effect) (amount float64, ok bool) {
	if e.Move != a.entry.Name || e.Digest != a.entry.DevelopmentDigest() {
		return 0, false
	}
	switch {
	case !a.toned || e.Hue == a.hue:
		return e.Amount, true
	case e.Hue == a.hue+180:
		return -e.Amount, true
	}
	return 0, false
}

// key names an axis.
func (a axis) key() string {
	if a.toned && a.hue != 0 {
		return a.entry.Name + " across"
	}
	return a.entry.Name
}

// apply changes colours to what a point makes of them.
func (p predictor) apply(at point, colours []colour.Lab) { applyAll(p.responses, at, colours) }

func applyAll(responses []response, at point, colours []colour.Lab) {
	for _, r := range responses {
		if at[r.axis] != 0 {
			r.apply(at[r.axis], colours)
		}
	}
}

// split are the responses before that of an axis in the pipeline, and the others.
func (p predictor) split(axis int) (before, after []response) {
	i := slices.IndexFunc(p.responses, func(r response) bool { return r.axis == axis })
	if i < 0 {
		i = len(p.responses)
	}
	return p.responses[:i], p.responses[i:]
}

// apply is that of an amount: between measured ones, or beyond them, on a straight line.
func (r response) apply(amount float64, colours []colour.Lab) {
	n, _ := slices.BinarySearch(r.amounts, amount)
	n = min(max(n, 1), len(r.amounts)-1)
	share := (amount - r.amounts[n-1]) / (r.amounts[n] - r.amounts[n-1])
	for i, c := range colours {
		from := nodeOf(c)
		if m := r.maps[n-1]; m != nil {
			colours[i] = plus(colours[i], m.at(&from), 1-share)
		}
		if m := r.maps[n]; m != nil {
			colours[i] = plus(colours[i], m.at(&from), share)
		}
	}
}

// A colourMap is by how much colours change: at the nodes of a grid of CIELAB.
type colourMap []colour.Lab

const (
	// side is how many nodes there are along each axis of CIELAB; along a* and b* they are
	// nearer to each other where there is less colour.
	side = 17
	// mostChroma is a* or b* of the outermost nodes.
	mostChroma = 100.0
)

// place3 is a place between eight nodes: the first of them, and the share of each.
type place3 struct {
	first  int
	shares [8]float64
}

// nodeOf is the place of a colour.
func nodeOf(c colour.Lab) (p place3) {
	var whole [3]int
	var part [3]float64
	for i, share := range [3]float64{min(max(c.L/100, 0), 1), bent(c.A), bent(c.B)} {
		at := share * (side - 1)
		whole[i] = min(int(at), side-2)
		part[i] = at - float64(whole[i])
	}
	p.first = (whole[0]*side+whole[1])*side + whole[2]
	for k, share := range [4]float64{
		(1 - part[0]) * (1 - part[1]), part[0] * (1 - part[1]), (1 - part[0]) * part[1], part[0] * part[1],
	} {
		p.shares[k], p.shares[k+4] = share*(1-part[2]), share*part[2]
	}
	return p
}

// bent is where a* or b* lies between the outermost nodes, from 0 to 1.
func bent(v float64) float64 {
	root := math.Sqrt(min(math.Abs(v)/mostChroma, 1))
	if v < 0 {
		root = -root
	}
	return (1 + root) / 2
}

// colourOf is the colour of a node.
func colourOf(node int) colour.Lab {
	bent := func(i int) float64 {
		share := 2*float64(i)/(side-1) - 1
		return math.Copysign(mostChroma*share*share, share)
	}
	return colour.Lab{L: 100 * float64(node/(side*side)) / (side - 1), A: bent(node / side % side), B: bent(node % side)}
}

// behind are the nodes about a place, counted from the first of them.
var behind = [8]int{0, side * side, side, side*side + side, 1, side*side + 1, side + 1, side*side + side + 1}

// at interpolates between the eight nodes about a place.
func (m colourMap) at(p *place3) (sum colour.Lab) {
	about := m[p.first:][:side*side+side+2]
	for k, share := range p.shares {
		sum = plus(sum, about[behind[k]], share)
	}
	return sum
}

// nodes say of which colours of a chart, by which shares, each node of a map is made: by a
// local linear regression over the nearest.
type nodes [][]share

type share struct {
	patch  int
	weight float64
}

// nearest is how many patches make a node.
const nearest = 12

func nodesOf(chart []colour.Lab) nodes {
	out := make(nodes, side*side*side)
	for i := range out {
		out[i] = regression(colourOf(i), chart)
	}
	return out
}

// mapOf is the map of what was measured on a chart.
func (n nodes) mapOf(from, to []colour.Lab) colourMap {
	m := make(colourMap, len(n))
	for i, shares := range n {
		for _, s := range shares {
			m[i] = plus(m[i], plus(to[s.patch], from[s.patch], -1), s.weight)
		}
	}
	return m
}

// regression gives the shares by which values at the patches of a chart make the one at a
// colour.
func regression(c colour.Lab, chart []colour.Lab) []share {
	type near struct {
		distance float64
		patch    int
	}
	found := make([]near, 0, nearest+1)
	wide := 1 + 0.05*c.Chroma()
	for i, q := range chart {
		l, a, b := (q.L-c.L)/1.5, (q.A-c.A)/wide, (q.B-c.B)/wide
		d := l*l + a*a + b*b
		if len(found) == nearest && d >= found[nearest-1].distance {
			continue
		}
		at, _ := slices.BinarySearchFunc(found, d, func(n near, d float64) int {
			if n.distance <= d {
				return -1
			}
			return 1
		})
		found = slices.Insert(found, at, near{d, i})
		found = found[:min(len(found), nearest)]
	}
	// Slopes are held small: beyond the chart's colours they would be guesses.
	const hold = 0.3
	reach := found[len(found)-1].distance + 1
	a := [][]float64{{0, 0, 0, 0, 1}, {0, hold, 0, 0, 0}, {0, 0, hold, 0, 0}, {0, 0, 0, hold, 0}}
	rows, weights := make([][4]float64, len(found)), make([]float64, len(found))
	for n, f := range found {
		q := chart[f.patch]
		rows[n] = [4]float64{1, (q.L - c.L) / 10, (q.A - c.A) / 10, (q.B - c.B) / 10}
		falloff := 1 - math.Pow(f.distance/reach, 1.5)
		weights[n] = falloff*falloff + 1e-3
		for i := range 4 {
			for j := range 4 {
				a[i][j] += weights[n] * rows[n][i] * rows[n][j]
			}
		}
	}
	first := solve(a)
	out := make([]share, len(found))
	for n, f := range found {
		out[n] = share{patch: f.patch}
		for i := range 4 {
			out[n].weight += first[i] * rows[n][i] * weights[n]
		}
	}
	return out
}
