package match

import (
	"math"
	"slices"
)

const (
	// ridge keeps amounts small that make hardly a difference.
	ridge = 2e-3
	// reach is how many steps of a move a fit is believed.
	reach = 3.0
)

// choice chooses amounts of few moves by a fit.
type choice struct {
	axes []axis
	// free says which axes may differ from 0.
	free []bool
	// at is where the fit is, and trust how many steps from there it is believed.
	at    point
	trust float64
	// cost of a point x is x·q·x - 2·b·x + whole, of things that weigh so much together.
	q                [][]float64
	b                point
	whole, weightSum float64
}

// newChoice makes the fit's cost of the point that it takes to be best.
func newChoice(f *fit, axes []axis, free []bool, at point, trust float64) *choice {
	c := &choice{axes: axes, free: free, at: at, trust: trust}
	best := at
	for range 5 {
		step := make([]float64, len(at))
		for i := range step {
			step[i] = best[i] - at[i]
		}
		c.expand(f, f.weigh(step))
		best, _ = c.solve(free)
	}
	return c
}

// expand writes the cost as that of a point, not of a step from where the fit is.
func (c *choice) expand(f *fit, weights []float64) {
	n := len(c.axes)
	a := f.equations(weights)
	c.q, c.b = make([][]float64, n), make(point, n)
	c.whole, c.weightSum = dot(weights, f.now, f.now), 0
	for _, w := range weights {
		c.weightSum += w
	}
	for i := range n {
		c.q[i] = slices.Clone(a[i][:n])
		c.b[i] = a[i][n]
		c.whole += 2 * a[i][n] * c.at[i]
		for j := range n {
			c.b[i] += a[i][j] * c.at[j]
			c.whole += c.at[i] * a[i][j] * c.at[j]
		}
	}
	for i := range n {
		c.q[i][i] *= 1 + ridge
	}
}

// apart is about how far the picture is from the reference at a cost.
func (c *choice) apart(cost float64) float64 {
	return math.Sqrt(max(cost, 0) / max(c.weightSum, math.SmallestNonzeroFloat64))
}

// solve gives the best point in which only some axes differ from 0, and its cost. An
// axis that would leave its bounds stays on them.
func (c *choice) solve(free []bool) (point, float64) {
	n := len(c.axes)
	x, held := make(point, n), make([]bool, n)
	for i := range n {
		held[i] = !free[i]
	}
	for {
		c.solveHeld(x, held)
		worst, beyond := -1, 1e-9
		for i := range n {
			low, high := c.bounds(i)
			if over := max(low-x[i], x[i]-high) / math.Abs(c.axes[i].step); !held[i] && over > beyond {
				worst, beyond = i, over
			}
		}
		if worst < 0 {
			return x, c.cost(x)
		}
		low, high := c.bounds(worst)
		x[worst], held[worst] = min(max(x[worst], low), high), true
	}
}

// bounds of an axis: its own, and not farther away than the fit is believed.
func (c *choice) bounds(i int) (low, high float64) {
	a := c.axes[i]
	far := c.trust * math.Abs(a.step)
	return max(a.low, c.at[i]-far), min(a.high, c.at[i]+far)
}

// solveHeld solves for the axes that are not held where they are.
func (c *choice) solveHeld(x point, held []bool) {
	var index []int
	for i := range x {
		if !held[i] {
			index = append(index, i)
		}
	}
	a := make([][]float64, len(index))
	for k, i := range index {
		a[k] = make([]float64, len(index)+1)
		a[k][len(index)] = c.b[i]
		for j := range x {
			if held[j] {
				a[k][len(index)] -= c.q[i][j] * x[j]
			}
		}
		for l, j := range index {
			a[k][l] = c.q[i][j]
		}
	}
	for k, v := range solve(a) {
		x[index[k]] = v
	}
}

func (c *choice) cost(x point) float64 {
	sum := c.whole
	for i := range x {
		sum -= 2 * c.b[i] * x[i]
		for j := range x {
			sum += x[i] * c.q[i][j] * x[j]
		}
	}
	return sum
}

// few gives the best point with so many moves at most, of which each brings the picture
// nearer by worth: the one that brings it nearer by least is left out, again and again.
func (c *choice) few(most int, worth float64) point {
	free := slices.Clone(c.free)
	best, cost := c.solve(free)
	for {
		moves := 0
		least, leastCost, leastPoint := -1, math.Inf(1), point(nil)
		for i, a := range c.axes {
			if !free[i] || a.toned && a.hue != 0 {
				continue
			}
			moves++
			if x, without := c.solve(c.without(free, i)); without < leastCost {
				least, leastCost, leastPoint = i, without, x
			}
		}
		if least < 0 || moves <= most && c.apart(leastCost)-c.apart(cost) >= worth {
			return best
		}
		free, best, cost = c.without(free, least), leastPoint, leastCost
	}
}

// without is free without the move of an axis.
func (c *choice) without(free []bool, i int) []bool {
	out := slices.Clone(free)
	out[i] = false
	if c.axes[i].toned {
		out[i+1] = false
	}
	return out
}
