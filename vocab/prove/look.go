package prove

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/vocab/measure"
)

// checkLook checks two more things of a starting look: greys stay in order, and
// at most one percent more of the natural scene clips.
func (b *batch) checkLook(ctx context.Context, e *vocab.Entry) ([]Finding, error) {
	if e.Layer != vocab.L2 {
		return nil, nil
	}
	ramp, err := b.apply(ctx, vocab.Ramp, e, nil, sampleValues(e), 1)
	if err != nil {
		return nil, err
	}
	p, err := b.picture(vocab.Ramp, ramp)
	if err != nil {
		return nil, err
	}
	found := []Finding{{Check: "ramp", OK: true}}
	if x, drop := largestDrop(p); drop > 0.5 {
		found[0].OK, found[0].Message = false, fmt.Sprintf("the grey ramp falls by %.2g in lightness near %.2f of its width", drop, x)
	}
	if slices.ContainsFunc(e.Claims, func(c vocab.Claim) bool { return c.Measure == measure.ClippedFraction }) {
		return found, nil
	}
	clip := vocab.Claim{Measure: measure.ClippedFraction, Moves: vocab.Hold, Within: 1, Scene: vocab.Natural}
	before, after, err := b.measure(ctx, clip, e, sampleValues(e))
	if err != nil {
		return nil, err
	}
	f := Finding{Check: "clip", Claim: clip.String(), Before: before, After: after, OK: after <= before+clip.Within}
	if !f.OK {
		f.Message = fmt.Sprintf("%.2f percent clipped became %.2f", before, after)
	}
	return append(found, f), nil
}

// largestDrop follows the columns' mean lightness from the dark end to the
// light one, without the last hundredth, where darktable's reconstruction of
// clipped highlights has nothing to go by. x is where the drop ends, as a share
// of the width.
func largestDrop(p *measure.Picture) (x, drop float64) {
	highest := math.Inf(-1)
	for column := range p.Width - p.Width/100 {
		sum := 0.0
		for y := p.Height / 4; y < 3*p.Height/4; y++ {
			sum += float64(p.L[y*p.Width+column])
		}
		l := sum / float64(3*p.Height/4-p.Height/4)
		highest = max(highest, l)
		if highest-l > drop {
			x, drop = float64(column)/float64(p.Width), highest-l
		}
	}
	return x, drop
}
