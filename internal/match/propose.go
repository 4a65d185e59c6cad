package match

import (
	"cmp"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/chemigram/chemigram/internal/colour"
)

// A proposer looks for points by prediction alone.
type proposer struct {
	predictor
	axes []axis
	// from are the colours of a sample of the picture as it is, and off by how much
	// predictions about it are wrong near where it was developed last.
	from, off []colour.Lab
	// apart is how far colours of the sample are from the reference.
	apart func([]colour.Lab) float64
	// dear is what a step of a move costs, so that none is made for nothing.
	dear float64
	// glare is what colours cost of which a channel is near its top.
	glare float64
	// stop ends the search for a point early; nil never does.
	stop func() bool
	// slow says that distances take long to work out: fewer ways are tried.
	slow bool
	// hopeful are the axes that were among the best to add somewhere.
	hopeful []bool
}

// cost is how far a point is predicted to be from the reference; buffer is overwritten.
func (p *proposer) cost(at point, buffer []colour.Lab) float64 {
	copy(buffer, p.from)
	p.apply(at, buffer)
	return p.costOf(at, buffer)
}

// costOf is the cost of a point of which the sample is predicted to become these colours,
// which are overwritten.
func (p *proposer) costOf(at point, buffer []colour.Lab) float64 {
	steps := 0.0
	for i, v := range at {
		steps += math.Abs(v / p.axes[i].step)
	}
	for i, o := range p.off {
		buffer[i] = plus(buffer[i], o, 1)
	}
	return p.apart(buffer) + p.dear*steps + p.glareOf(buffer)
}

// glareOf is what colours cost that are about to be clipped.
func (p *proposer) glareOf(colours []colour.Lab) float64 {
	if p.glare == 0 {
		return 0
	}
	const from = 0.85
	sum := 0.0
	for _, c := range colours {
		light := colour.FromSRGB().Light(c)
		over := max(0, max(light[0], light[1], light[2])-from) / (1 - from)
		sum += over * over
	}
	return p.glare * sum / float64(len(colours))
}

// learn corrects predictions by what the sample became at a point.
func (p *proposer) learn(at point, became []colour.Lab) {
	predicted := slices.Clone(p.from)
	p.apply(at, predicted)
	p.off = make([]colour.Lab, len(predicted))
	for i := range predicted {
		p.off[i] = plus(became[i], predicted[i], -1)
	}
}

// found is a point with its cost.
type found struct {
	point
	cost float64
}

// propose gives the best point, with so many moves of those that are free at most: from a
// point on, moves are added as long as each brings the picture nearer by worth.
func (p *proposer) propose(at point, free []bool, most int, worth float64) point {
	best := found{slices.Clone(at), p.cost(at, slices.Clone(p.from))}
	return p.descend(p.add(p.descend(best, 4), free, most, worth), 8).point
}

// exchange takes each move of a point out in turn to see whether another does more, or
// whether it does less than worth.
func (p *proposer) exchange(at point, free []bool, worth float64) point {
	best := found{slices.Clone(at), p.cost(at, slices.Clone(p.from))}
	rounds := 2
	if p.slow {
		rounds = 1
	}
	for range rounds {
		before := best.cost
		best = p.exchangeEach(best, free, worth)
		if before-best.cost < worth {
			break
		}
	}
	return p.descend(best, 8).point
}

// exchangeEach is one round of exchange.
func (p *proposer) exchangeEach(best found, free []bool, worth float64) found {
	for _, i := range p.movesOf(best.point) {
		if !p.axes[i].set(best.point, i) || p.stopped() {
			continue
		}
		without := found{point: slices.Clone(best.point)}
		p.clear(without.point, i)
		without.cost = p.cost(without.point, slices.Clone(p.from))
		without = p.descend(without, 2)
		if without.cost <= best.cost+worth {
			best = without
			continue
		}
		others := p.without(free, i)
		for k, is := range p.hopeful {
			others[k] = others[k] && (is || !p.slow)
		}
		if other := p.add(without, others, len(p.movesOf(best.point)), worth); other.cost < best.cost {
			best = other
		}
	}
	return best
}

func (p *proposer) stopped() bool { return p.stop != nil && p.stop() }

// movesOf are the first axes of the moves of a point.
func (p *proposer) movesOf(at point) (first []int) {
	for i, a := range p.axes {
		if !(a.toned && a.hue != 0) && a.set(at, i) {
			first = append(first, i)
		}
	}
	return first
}

// set reports whether a point has the move whose axes begin at i.
func (a axis) set(at point, i int) bool { return at[i] != 0 || a.toned && at[i+1] != 0 }

// clear takes the move whose axes begin at i out of a point.
func (p *proposer) clear(at point, i int) {
	at[i] = 0
	if p.axes[i].toned {
		at[i+1] = 0
	}
}

// without is free without the move whose axes begin at i.
func (p *proposer) without(free []bool, i int) []bool {
	out := slices.Clone(free)
	out[i] = false
	if p.axes[i].toned {
		out[i+1] = false
	}
	return out
}

// add adds moves.
func (p *proposer) add(best found, free []bool, most int, worth float64) found {
	for len(p.movesOf(best.point)) < most && !p.stopped() {
		next := p.descend(p.better(best, free), 3)
		if best.cost-next.cost < worth {
			break
		}
		best = next
	}
	return best
}

// better is the best point with one axis more, of those that a first step tells to be the
// most promising.
func (p *proposer) better(best found, free []bool) found {
	const tried = 10
	var ways []found
	each(len(p.axes), p.from, func(i int, buffer []colour.Lab) found {
		a := p.axes[i]
		first := i
		if a.toned && a.hue != 0 {
			first--
		}
		if !free[i] || p.axes[first].set(best.point, first) {
			return found{cost: math.Inf(1)}
		}
		return p.first(best, i, buffer)
	}, &ways)
	order := make([]int, len(ways))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(ways[i].cost, ways[j].cost) })
	order = slices.DeleteFunc(order[:min(tried, len(order))], func(i int) bool { return ways[i].point == nil })
	if p.hopeful == nil {
		p.hopeful = make([]bool, len(p.axes))
	}
	for _, i := range order {
		p.hopeful[i] = true
	}
	var lines []found
	each(len(order), p.from, func(k int, buffer []colour.Lab) found { return p.line(ways[order[k]], order[k], buffer) }, &lines)
	for _, l := range lines {
		if l.cost < best.cost {
			best = l
		}
	}
	return best
}

// each works n things out, some at once, in their order.
func each(n int, sample []colour.Lab, work func(i int, buffer []colour.Lab) found, out *[]found) {
	*out = make([]found, n)
	var running sync.WaitGroup
	workers := max(1, min(n, runtime.GOMAXPROCS(0)))
	for w := range workers {
		running.Go(func() {
			buffer := slices.Clone(sample)
			for i := w; i < n; i += workers {
				(*out)[i] = work(i, buffer)
			}
		})
	}
	running.Wait()
}

// A way is an axis to go along from a point. What the moves make of the sample that come
// before the axis in the pipeline is the same all along it.
type way struct {
	*proposer
	axis   int
	before []colour.Lab // the sample as the moves before the axis make it
	after  []response
	buffer []colour.Lab
}

// way prepares one from a point; buffer is used for its predictions.
func (p *proposer) way(from point, i int, buffer []colour.Lab) way {
	before, after := p.split(i)
	w := way{proposer: p, axis: i, before: slices.Clone(p.from), after: after, buffer: buffer}
	applyAll(before, from, w.before)
	return w
}

// moved is a point so far along the axis, within its bounds; a point without cost when it
// is the same.
func (w way) moved(from point, by float64) found {
	a := w.axes[w.axis]
	value := min(max(from[w.axis]+by, a.low), a.high)
	if value == from[w.axis] {
		return found{cost: math.Inf(1)}
	}
	at := slices.Clone(from)
	at[w.axis] = value
	copy(w.buffer, w.before)
	applyAll(w.after, at, w.buffer)
	return found{at, w.costOf(at, w.buffer)}
}

// first is the better of a step along an axis in both directions.
func (p *proposer) first(from found, i int, buffer []colour.Lab) found {
	best := found{cost: math.Inf(1)}
	w := p.way(from.point, i, buffer)
	for _, step := range [...]float64{0.6, -0.6} {
		if next := w.moved(from.point, step*p.axes[i].step); next.cost < best.cost {
			best = next
		}
	}
	return best
}

// line goes along an axis to where it is best.
func (p *proposer) line(best found, i int, buffer []colour.Lab) found {
	w := p.way(best.point, i, buffer)
	step := 0.5 * math.Abs(p.axes[i].step)
	for range 6 {
		before := best.cost
		for _, by := range [...]float64{step, -step} {
			if next := w.moved(best.point, by); next.cost < best.cost {
				best = next
				break
			}
		}
		if best.cost == before {
			step /= 3
		}
	}
	return best
}

// descend goes along all axes of a point's moves in turn, so many times at most.
func (p *proposer) descend(best found, rounds int) found {
	buffer := slices.Clone(p.from)
	for range rounds {
		before := best.cost
		for _, i := range p.movesOf(best.point) {
			best = p.line(best, i, buffer)
			if p.axes[i].toned {
				best = p.line(best, i+1, buffer)
			}
		}
		if before-best.cost < 0.002*before {
			break
		}
	}
	return best
}

// A sample is a part of a view that predictions are made of: the mean colours of groups of
// cells.
type sample [][]int

// of are the colours of a view at a sample.
func (s sample) of(lab []colour.Lab) []colour.Lab {
	out := make([]colour.Lab, len(s))
	for i, group := range s {
		for _, cell := range group {
			out[i] = plus(out[i], lab[cell], 1/float64(len(group)))
		}
	}
	return out
}

// blocks are the groups of square blocks of a view, of cells that count.
func blocks(v View, block int, counts func(cell int) bool) sample {
	across, down := (v.width+block-1)/block, (v.height+block-1)/block
	groups := make(sample, across*down)
	for i := range v.lab {
		if counts(i) {
			at := i/v.width/block*across + i%v.width/block
			groups[at] = append(groups[at], i)
		}
	}
	return slices.DeleteFunc(groups, func(g []int) bool { return len(g) == 0 })
}

// sampled is a sample of a view with the distance of its colours from the reference.
func (s same) sampled(v View) (sample, func([]colour.Lab) float64) {
	p := s.pairs(v.unlost())
	groups := blocks(v, 5, func(cell int) bool { return p.weights[cell] > 0 })
	reference := groups.of(p.reference)
	return groups, func(lab []colour.Lab) float64 {
		sum := 0.0
		for i, c := range lab {
			c.L = min(max(c.L, 0), 100)
			sum += colour.DeltaE2000(c, reference[i])
		}
		return sum / float64(max(len(lab), 1))
	}
}

// sampled is, for a palette, a part of the cells, along half of the directions.
func (p palette) sampled(v View) (sample, func([]colour.Lab) float64) {
	const every = 6
	var cells sample
	for y := every / 2; y < v.height; y += every {
		for x := every / 2; x < v.width; x += every {
			cells = append(cells, []int{y*v.width + x})
		}
	}
	coarse := newPalette(p.of, paletteDirections/2)
	return cells, func(lab []colour.Lab) float64 { return coarse.apart(View{lab: lab}) }
}
