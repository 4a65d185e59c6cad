package prove

import (
	"context"
	"errors"
	"fmt"

	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/vocab/measure"
)

// checkOnset checks that a fiftieth of the move is a fiftieth of its effect, or
// near it: a module that changes the picture by its presence alone would jump.
// A move that only switches has no fiftieth.
func (b *batch) checkOnset(ctx context.Context, e *vocab.Entry) ([]Finding, error) {
	if isSwitch(e) {
		return nil, nil
	}
	base, err := b.start(ctx, vocab.Natural, e)
	if err != nil {
		return nil, err
	}
	before, err := b.picture(vocab.Natural, base)
	if err != nil {
		return nil, err
	}
	f := Finding{Check: "onset"}
	distance := func(strength float64) (float64, error) {
		s, err := b.apply(ctx, vocab.Natural, e, nil, sampleValues(e), strength)
		if err != nil {
			return 0, err
		}
		p, err := b.picture(vocab.Natural, s)
		if err != nil {
			return 0, err
		}
		return measure.MeanDeltaE(before, p, nil)
	}
	if f.After, err = distance(1); err == nil {
		f.Before, err = distance(0.02)
	}
	if errors.Is(err, measure.ErrSize) { // pictures of different frames have no distance
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	f.OK = f.Before <= 0.1+f.After/20
	if !f.OK {
		f.Message = fmt.Sprintf("a strength of 0.02 is ΔE %.3g already, the whole %.3g", f.Before, f.After)
	}
	return []Finding{f}, nil
}

// isSwitch reports whether the effect of an entry is the same at every strength
// above 0: it switches a module, or sets nothing but choices.
func isSwitch(e *vocab.Entry) bool {
	for _, o := range e.Ops {
		if o.Enabled != nil {
			return true
		}
		for _, x := range fields(o) {
			if x.Parameter != "" || x.Constant.IsNumeric() {
				return false
			}
		}
	}
	return e.Style == ""
}
