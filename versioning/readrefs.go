package versioning

import "github.com/chemigram/chemigram/versioning/internal/journal"

// knownRefs are the refs as they were when a history last looked. They are not
// written to.
type knownRefs struct {
	journal string // its id
	last    uint64 // the newest transaction
	mark    journal.Mark
	refs    *refTable
}

// readRefs finds where the refs are: from the newest checkpoint, or from what
// this process knew before, onwards.
func (v *view) readRefs() error {
	if v.Last() == 0 {
		return fail("", Corrupt, journal.Name, "it has no transaction")
	}
	newest, err := v.Row(v.Last())
	if err != nil {
		return err
	}
	from := newest.Checkpoint
	known := v.history.known.Load()
	if known != nil && known.last >= from && v.continues(known) {
		if known.last == v.Last() {
			v.refs = known.refs
			return nil
		}
		v.refs, from = known.refs.clone(), known.last+1
	}
	seq := from
	for t, err := range v.Transactions(from) {
		if err != nil {
			return err
		}
		if t.Checkpoint != nil {
			v.refs = fromCheckpoint(t.Checkpoint)
		} else if v.refs != nil {
			v.refs.apply(seq, t.Moves)
		}
		seq++
	}
	if v.refs == nil {
		return fail("", Corrupt, journal.Name, "it has no checkpoint")
	}
	if v.Indexed() == v.Last() {
		v.keepRefs()
	}
	return nil
}

// continues reports whether the journal is the one that refs are known of, or goes on from
// there. Another copy of it, put in its place from a backup or by a program that keeps
// folders alike, may have gone another way.
func (v *view) continues(known *knownRefs) bool {
	if known.journal != v.ID() || known.last > v.Last() {
		return false
	}
	mark, err := v.Mark(known.last)
	return err == nil && mark == known.mark
}

// keepRefs keeps where the refs are after the newest transaction for the next view.
func (v *view) keepRefs() {
	if mark, err := v.Mark(v.Last()); err == nil {
		v.history.known.Store(&knownRefs{v.ID(), v.Last(), mark, v.refs})
	}
}
