package prove

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/chemigram/chemigram/vocab"
)

// checkSweeps follows each claim that has a direction over the range of each
// parameter that says how much.
func (b *batch) checkSweeps(ctx context.Context, e *vocab.Entry) ([]Finding, error) {
	var found []Finding
	for _, c := range e.Claims {
		if c.Moves != vocab.Up && c.Moves != vocab.Down {
			continue
		}
		for _, p := range e.Amounts() {
			if c.Parameter != "" && c.Parameter != p.Name {
				continue
			}
			f, err := b.sweep(ctx, e, c, p)
			if err != nil {
				return nil, err
			}
			found = append(found, f)
		}
	}
	return found, nil
}

// sweep measures a claim over the range of a parameter. The measure has to be
// monotonic: a step back may be at most a fiftieth of the whole change.
func (b *batch) sweep(ctx context.Context, e *vocab.Entry, c vocab.Claim, p vocab.Parameter) (Finding, error) {
	f := Finding{Check: "sweep", Claim: c.String() + " over " + p.Name}
	own := p.Default
	if given, ok := c.At[p.Name]; ok {
		own = given
	}
	points := sweepPoints(p, own, b.Sweep)

	direction := 1.0
	if (own < p.Neutral) != (c.Moves == vocab.Down) {
		direction = -1
	}
	for _, x := range points {
		values := map[string]float64{}
		maps.Copy(values, c.At)
		values[p.Name] = x
		_, after, err := b.measure(ctx, c, e, values)
		if err != nil {
			return f, err
		}
		f.Sweep = append(f.Sweep, after)
	}
	f.Before, f.After = f.Sweep[0], f.Sweep[len(f.Sweep)-1]
	whole := direction * (f.After - f.Before)
	f.OK = whole > 0
	for i, x := range f.Sweep[1:] {
		f.OK = f.OK && direction*(x-f.Sweep[i]) >= -whole/50
	}
	if !f.OK {
		f.Message = fmt.Sprintf("at %.3g it is %.4g: not monotonic", points, f.Sweep)
	}
	return f, nil
}

// sweepPoints are a range's ends, its neutral value and a claim's own, and, where
// these are fewer than least, others evenly between the ends.
func sweepPoints(p vocab.Parameter, own float64, least int) []float64 {
	points := []float64{p.Min, p.Max, p.Neutral, own}
	slices.Sort(points)
	points = slices.Compact(points)
	if len(points) < least {
		for i := range least {
			points = append(points, min(p.Min+(p.Max-p.Min)*float64(i)/float64(least-1), p.Max))
		}
	}
	slices.Sort(points)
	return slices.Compact(points)
}
