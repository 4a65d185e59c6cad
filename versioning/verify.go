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
// which files there are, and until it is done with Repair; where it may not
// write, it does without, and may then take a writer at work for one that died.
func (h *History) Verify(ctx context.Context, o *VerifyOptions) ([]Finding, error) {
	const op = "Verify"
	repair := o != nil && o.Repair
	release, err := h.turn(ctx, op, false)
	if errors.Is(err, ReadOnly) && !repair {
		release, err = func() {}, nil
	}
	if err != nil {
		return nil, withOp(op, err)
	}
	defer release()
	h.clearCaches()
	x := &inspection{history: h, ctx: ctx, repair: repair}
	defer x.close()
	if err := x.open(); err != nil {
		return x.findings, withOp(op, err)
	}
	if !repair {
		release()
	}
	if err := x.inspect(); err != nil {
		return x.findings, withOp(op, err)
	}
	if repair {
		if err = x.repairDamage(); err == nil {
			err = x.repairBaseline()
		}
	}
	return x.findings, withOp(op, err)
}
