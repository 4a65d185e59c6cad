package versioning

import (
	"slices"
	"time"

	"github.com/chemigram/chemigram/versioning/internal/journal"
)

// repairDamage does what VerifyOptions.Repair promises, after everything was
// inspected.
func (x *inspection) repairDamage() error {
	v, h := x.v, x.history
	if len(x.damaged) == 0 && !x.rewrite && !x.found(DamagedHeader) {
		if x.found(DamagedIndex) {
			v.writeIndex()
		}
		if v.Torn() > 0 {
			return h.completeIndex() // cuts the tail
		}
		return nil
	}
	if len(x.refs.Refs) == 0 {
		return fail("", Corrupt, journal.Name, "nothing in it can be saved; copy the folder from a backup")
	}
	x.findGaps()
	last := journal.Transaction{
		Moves:      &journal.Moves{Time: h.opts.Now().UTC().Truncate(time.Nanosecond), Verb: verbRepair, Moves: x.made},
		Checkpoint: x.refs.checkpoint(),
	}
	if err := v.rewrite(x.keeps, last); err != nil {
		return err
	}
	for i := range x.findings {
		if x.findings[i].Fault != UnknownFile && x.findings[i].Fault != DamagedTrash {
			x.findings[i].Repaired = true
		}
	}
	return nil
}

func (x *inspection) found(fault Fault) bool {
	return slices.ContainsFunc(x.findings, func(f Finding) bool { return f.Fault == fault })
}
