package prove

import (
	"context"
	"fmt"
	"math"

	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/vocab/measure"
)

// checkClaims compares each claim with what the entry does at its defaults.
func (b *batch) checkClaims(ctx context.Context, e *vocab.Entry) ([]Finding, error) {
	var found []Finding
	for _, c := range e.Claims {
		before, after, err := b.measure(ctx, c, e, c.At)
		if err != nil {
			return nil, err
		}
		f := Finding{Check: "claim", Claim: c.String(), Before: before, After: after}
		f.OK = holds(c, before, after)
		if !f.OK {
			f.Message = fmt.Sprintf("%.3g became %.3g", before, after)
		}
		found = append(found, f)
	}
	return found, nil
}

// measure gives a claim's measure before and after a move.
func (b *batch) measure(
	ctx context.Context, c vocab.Claim, e *vocab.Entry, values map[string]float64,
) (before, after float64, err error) {
	base, err := b.start(ctx, c.Scene, e)
	if err != nil {
		return 0, 0, err
	}
	state, err := b.apply(ctx, c.Scene, e, nil, values, 1)
	if err != nil {
		return 0, 0, err
	}
	p, err := b.picture(c.Scene, base)
	if err != nil {
		return 0, 0, err
	}
	q, err := b.picture(c.Scene, state)
	if err != nil {
		return 0, 0, err
	}
	region := c.Mask(p)
	if region != nil && (p.Width != q.Width || p.Height != q.Height) {
		return 0, 0, fmt.Errorf("%s: %w; a claim about tones needs the same frame", c, measure.ErrSize)
	}
	return c.Measure.Of(p, region), c.Measure.Of(q, region), nil
}

// holds reports whether a claim is true of a measure before and after a move.
func holds(c vocab.Claim, before, after float64) bool {
	switch c.Moves {
	case vocab.Up:
		return after > before && isBetween(after-before, c)
	case vocab.Down:
		return after < before && isBetween(before-after, c)
	case vocab.Hold:
		return math.Abs(after-before) <= c.Within
	case vocab.To:
		return math.Abs(after-c.Target) <= c.Within
	}
	return false
}

// isBetween reports whether a change is as large as a claim says.
func isBetween(change float64, c vocab.Claim) bool {
	return change >= c.AtLeast && (c.AtMost == 0 || change <= c.AtMost)
}
