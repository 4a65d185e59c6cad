package versioning

import (
	"context"
	"errors"
)

// VerifyOptions say what Verify does besides reading.
type VerifyOptions struct {
	// Repair repairs what can be repaired without a choice: it removes temporary
	// files and the torn tail, makes the index again, and writes again those
	// damaged transactions of which the hashes say what was written, and the
	// first one from its copy. It takes the others out of the journal, keeping
	// the damaged journal in trash. A ref that led to one goes back to its newest
	// position that is whole, as far as the journal knows; logs, merges and Prune
	// go over the gap. When the baseline is lost, the oldest record that is whole
	// becomes the baseline.
	Repair bool
}

// Verify reads everything and returns what is wrong; nothing wrong is an empty
// list. It costs the history's length. It holds the lock while it looks at
// which files there are, and until it is done with Repair. Where it may not
// write, it does without, and looks again when it finds something while a writer is
// at work.
func (h *History) Verify(ctx context.Context, o *VerifyOptions) ([]Finding, error) {
	const op = "Verify"
	repair := o != nil && o.Repair
	release, err := h.turn(ctx, op, false)
	if errors.Is(err, ReadOnly) && !repair {
		found, err := h.verifyUnlocked(ctx)
		return found, withOp(op, err)
	}
	if err != nil {
		return nil, withOp(op, err)
	}
	defer release()
	found, err := h.verify(ctx, repair, release)
	return found, withOp(op, err)
}

// verifyUnlocked is verify while others may write.
func (h *History) verifyUnlocked(ctx context.Context) ([]Finding, error) {
	for {
		before := h.extent()
		found, err := h.verify(ctx, false, func() {})
		if len(found) == 0 && err == nil || h.extent() == before {
			return found, err
		}
	}
}

// verify is Verify under the lock, which it releases as soon as it can.
func (h *History) verify(ctx context.Context, repair bool, release func()) ([]Finding, error) {
	h.clearCaches()
	if repair {
		if err := h.beginAgain(); err != nil {
			return nil, err
		}
	}
	x := &inspection{history: h, ctx: ctx, repair: repair}
	defer x.close()
	if err := x.open(); err != nil {
		return x.findings, err
	}
	if !repair {
		release()
	}
	if err := x.inspect(); err != nil || !repair {
		return x.findings, err
	}
	if err := x.repairDamage(); err != nil {
		return x.findings, err
	}
	return x.findings, x.repairBaseline()
}
