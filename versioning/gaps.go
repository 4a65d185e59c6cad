package versioning

import (
	"slices"

	"github.com/chemigram/chemigram/versioning/internal/journal"
)

// isPruned reports whether Prune took a transaction out, as far as can be told: not Repair,
// and no damage.
func (v *view) isPruned(seq uint64) bool {
	_, gap := v.refs.Gaps[seq]
	return v.isGone(seq) && !gap && !v.isLost(seq)
}

// across returns the records that stand for a parent: itself, or, where Repair
// took it out, the nearest ones before it.
func (v *view) across(parent uint64) []uint64 {
	if !v.isGone(parent) {
		return []uint64{parent}
	}
	if before, ok := v.refs.Gaps[parent]; ok {
		return before
	}
	// An earlier program took it out, and did not write what came before.
	for seq := parent - 1; seq > 0; seq-- {
		if r, err := v.Row(seq); err == nil && r.Has(journal.HasRecord) {
			return []uint64{seq}
		}
	}
	return nil
}

// gapFinder finds what came before the records that Repair takes out.
type gapFinder struct {
	inspection *inspection
	before     map[uint64][]uint64 // of each of them
	unsure     uint64              // see journal.Checkpoint
}

// findGaps completes x.refs with the gaps that Repair makes, before it makes
// them.
func (x *inspection) findGaps() {
	f := gapFinder{x, map[uint64][]uint64{}, x.refs.Unsure}
	var kept []uint64 // after everything that is lost
	gaps := map[uint64][]uint64{}
	// Parents are older, so that whatever leads over several gaps is found.
	for seq := uint64(1); seq <= x.newest(); seq++ {
		if !x.keeps(seq) {
			f.find(seq)
			kept = append(kept, f.before[seq]...)
			continue
		}
		for _, p := range x.parentsOf(seq) {
			if before, ok := f.before[p]; ok {
				gaps[p] = before
			}
		}
	}
	x.refs.Gaps, x.refs.Unsure = gaps, f.unsure
	x.refs.Kept = f.unreached(append(kept, x.refs.Kept...))
}

// newest is the newest transaction that the journal has or the index lists.
func (x *inspection) newest() uint64 {
	seq := x.v.Last()
	for {
		if _, ok := x.v.Listed(x.index, seq+1); !ok {
			return seq
		}
		seq++
	}
}

// parentsOf returns the parents of a record that is there.
func (x *inspection) parentsOf(seq uint64) []uint64 {
	r, err := x.v.Row(seq)
	if err != nil || !r.Has(journal.HasRecord) {
		return nil
	}
	return olderThan(seq, r.Parents)
}

// find finds what came before one that is not kept.
func (f *gapFinder) find(seq uint64) {
	x := f.inspection
	parents, sure := f.parents(seq)
	if !sure {
		f.unsure = max(f.unsure, seq)
	}
	if before := f.nearest(parents); len(before) > 0 || x.parents[seq] {
		f.before[seq] = before
	}
}

// nearest returns the records that stand for some.
func (f *gapFinder) nearest(records []uint64) (there []uint64) {
	for _, seq := range records {
		if f.inspection.isWhole(seq) {
			there = append(there, seq)
		} else {
			there = append(there, f.before[seq]...)
		}
	}
	slices.Sort(there)
	return slices.Compact(there)
}

// parents returns the parents of a record that is not kept. It is not sure when
// it had to guess, or when the transaction did something else than publish a
// record.
func (f *gapFinder) parents(seq uint64) (parents []uint64, sure bool) {
	x := f.inspection
	if parents := x.parentsOf(seq); parents != nil {
		return parents, true
	}
	if before, ok := x.refs.Gaps[seq]; ok {
		return before, true
	}
	if x.v.isGone(seq) && !x.isLost(seq) && !x.parents[seq] {
		return nil, true // Prune took it, or nothing came of it
	}
	if listed, ok := x.v.Listed(x.index, seq); ok && listed.Has(journal.HasRecord) {
		return olderThan(seq, listed.Parents), true
	}
	return olderThan(seq, [2]uint64{x.heads[seq]}), false
}

// unreached returns those of some records to which no ref leads.
func (f *gapFinder) unreached(records []uint64) (out []uint64) {
	head, _ := f.inspection.refs.head()
	pending := []uint64{head}
	for _, at := range f.inspection.refs.Refs {
		pending = append(pending, at.To)
	}
	reached := map[uint64]bool{}
	for len(pending) > 0 {
		seq := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if !reached[seq] {
			reached[seq] = true
			pending = append(pending, f.nearest(f.inspection.parentsOf(seq))...)
		}
	}
	for _, seq := range f.nearest(records) {
		if !reached[seq] {
			out = append(out, seq)
		}
	}
	return out
}

func olderThan(seq uint64, parents [2]uint64) (older []uint64) {
	for _, p := range parents {
		if p != 0 && p < seq {
			older = append(older, p)
		}
	}
	return older
}

// keeps reports whether Repair keeps a transaction.
func (x *inspection) keeps(seq uint64) bool {
	r, err := x.v.Row(seq)
	switch {
	case err != nil, r.Has(journal.IsDamaged | journal.IsGone), x.damaged[seq]:
		return false
	case r.Has(journal.HasRecord):
		return x.isWhole(seq)
	}
	return true
}
