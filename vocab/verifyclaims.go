package vocab

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/chemigram/chemigram/vocab/measure"
)

// String is the claim as a line, such as "warmth up by at least 2".
func (c Claim) String() string {
	s := string(c.Measure)
	if c.In != measure.Everywhere {
		s += " in " + string(c.In)
	}
	switch c.Moves {
	case Hold:
		s += fmt.Sprintf(" holds within %g", c.Within)
	case To:
		s += fmt.Sprintf(" goes to %g within %g", c.Target, c.Within)
	default:
		s += fmt.Sprintf(" %s by at least %g", c.Moves, c.AtLeast)
	}
	if c.Scene != Natural && c.Scene != "" {
		s += " on the " + string(c.Scene)
	}
	return s
}

// measure gives a claim's measure before and after a move.
func (v *wave) measure(ctx context.Context, c Claim, e *Entry, values map[string]float64) (before, after float64, err error) {
	base, err := v.start(ctx, c.Scene, e)
	if err != nil {
		return 0, 0, err
	}
	state, err := v.apply(ctx, c.Scene, e, nil, values, 1)
	if err != nil {
		return 0, 0, err
	}
	p, err := v.picture(c.Scene, base)
	if err != nil {
		return 0, 0, err
	}
	q, err := v.picture(c.Scene, state)
	if err != nil {
		return 0, 0, err
	}
	mask := c.In.Mask(p)
	if mask != nil && (p.Width != q.Width || p.Height != q.Height) {
		return 0, 0, fmt.Errorf("%s: %w; a claim about tones needs the same frame", c, measure.ErrSize)
	}
	return c.Measure.Of(p, mask), c.Measure.Of(q, mask), nil
}

// claims holds each claim against the entry at its defaults.
func (v *wave) claims(ctx context.Context, e *Entry) ([]Finding, error) {
	var found []Finding
	for _, c := range e.Claims {
		before, after, err := v.measure(ctx, c, e, c.At)
		if err != nil {
			return nil, err
		}
		f := Finding{Check: "claim", Claim: c.String(), Before: before, After: after}
		f.OK = c.holds(before, after)
		if !f.OK {
			f.Message = fmt.Sprintf("%.3g became %.3g", before, after)
		}
		found = append(found, f)
	}
	return found, nil
}

func (c Claim) holds(before, after float64) bool {
	switch c.Moves {
	case Up:
		return after > before && after-before >= c.AtLeast
	case Down:
		return after < before && before-after >= c.AtLeast
	case Hold:
		return math.Abs(after-before) <= c.Within
	case To:
		return math.Abs(after-c.Target) <= c.Within
	}
	return false
}

// sweeps follows each claim that has a direction over the range of each
// parameter that says how much.
func (v *wave) sweeps(ctx context.Context, e *Entry) ([]Finding, error) {
	var found []Finding
	for _, c := range e.Claims {
		if c.Moves != Up && c.Moves != Down {
			continue
		}
		for _, p := range e.amounts() {
			if c.Parameter != "" && c.Parameter != p.Name {
				continue
			}
			f, err := v.sweep(ctx, e, c, p)
			if err != nil {
				return nil, err
			}
			found = append(found, f)
		}
	}
	return found, nil
}

// points are a range's ends, its neutral value and a claim's own, and where these
// are fewer than a number, others evenly between the ends.
func (p Parameter) points(own float64, least int) []float64 {
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

// sweep renders a range's points. The measure has to move one way: a step back may be at most a fiftieth
// of the whole way.
func (v *wave) sweep(ctx context.Context, e *Entry, c Claim, p Parameter) (Finding, error) {
	f := Finding{Check: "sweep", Claim: c.String() + " over " + p.Name}
	own := p.Default
	if given, ok := c.At[p.Name]; ok {
		own = given
	}
	points := p.points(own, v.Sweep)

	direction := 1.0
	if (own < p.Neutral) != (c.Moves == Down) {
		direction = -1
	}
	for _, x := range points {
		values := map[string]float64{}
		maps.Copy(values, c.At)
		values[p.Name] = x
		_, after, err := v.measure(ctx, c, e, values)
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
		f.Message = fmt.Sprintf("at %.3g it is %.4g: not one way", points, f.Sweep)
	}
	return f, nil
}
