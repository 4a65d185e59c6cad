package versioning

import (
	"context"
	"path"
	"strings"
	"time"

	"github.com/chemigram/chemigram/versioning/internal/journal"
)

// PruneOptions say what Prune may take.
type PruneOptions struct {
	// OlderThan keeps what was in use within this time, and trash younger than
	// it; default 30 days. A negative one keeps nothing of that.
	OlderThan time.Duration
	Audit     Audit // required
}

// Pruned says what Prune took.
type Pruned struct {
	Records int      // that nothing leads to any more
	Trash   []string // the journals removed from trash for good
	Freed   int64    // bytes of the journal; they are in trash for now
}

// Prune takes out the records that no branch, no tag and not HEAD leads to,
// and that no movement within OlderThan came from or went to; after Repair took
// records out, also none that those might have led to. The journal with
// them goes to trash, and what has been in trash for OlderThan is deleted: this
// is the only way in which a history loses anything. A journal in trash is a
// whole history: put it into a folder of its own, named "journal", and Open
// that. It costs the history's length.
func (h *History) Prune(ctx context.Context, o PruneOptions) (Pruned, error) {
	const op = "Prune"
	if err := o.Audit.check(); err != nil {
		return Pruned{}, withOp(op, err)
	}
	if o.OlderThan == 0 {
		o.OlderThan = 30 * 24 * time.Hour
	}
	release, err := h.turn(ctx, op, false)
	if err != nil {
		return Pruned{}, withOp(op, err)
	}
	defer release()
	now := h.opts.Now().UTC()
	p := pruning{ctx: ctx, history: h, cutoff: now.Add(-max(o.OlderThan, 0))}
	if o.OlderThan < 0 {
		p.cutoff = now.Add(time.Hour) // no clock is that far off within one history
	}
	done, err := p.run(now, o.Audit)
	return done, withOp(op, err)
}

type pruning struct {
	ctx     context.Context //nolint:containedctx // a pruning is one call
	history *History
	cutoff  time.Time // what was in use after it is kept
}

func (p pruning) run(now time.Time, a Audit) (done Pruned, err error) {
	// It builds on every transaction, so every one must be whole.
	x := &inspection{history: p.history, ctx: p.ctx}
	defer x.close()
	if err := x.openJournal(); err != nil {
		return done, err
	}
	if err := x.inspectTransactions(); err != nil {
		return done, err
	}
	if x.inspectRefs(); len(x.findings) > 0 {
		return done, fail("", Corrupt, journal.Name, "it is damaged (%s); repair it first", x.findings[0])
	}
	v := x.v
	v.refs = x.refs
	used, err := p.used(v)
	if err != nil {
		return done, err
	}
	keep := func(seq uint64) bool {
		r, err := v.Row(seq)
		return err == nil && !r.Has(journal.IsGone) && (!r.Has(journal.HasRecord) || used[seq])
	}
	for seq := uint64(1); seq <= v.Last(); seq++ {
		if r, err := v.Row(seq); err == nil && r.Has(journal.HasRecord) && !used[seq] {
			done.Records++
			done.Freed += int64(r.Length)
		}
	}
	if done.Trash, err = p.emptyTrash(); err != nil || done.Records == 0 {
		return done, err
	}
	if err := p.ctx.Err(); err != nil {
		return done, err
	}
	v.refs.Gaps = v.neededGaps(used)
	return done, v.rewrite(keep, journal.Transaction{
		Moves:      &journal.Moves{Time: now, Verb: verbPrune, Actor: a.Actor, Reason: a.Reason},
		Checkpoint: v.refs.checkpoint(),
	})
}

// used finds the transactions whose records are in use, and those that hold their
// states. Where Repair could not find out what came before a record that it took
// out, everything older is in use.
func (p pruning) used(v *view) (map[uint64]bool, error) {
	from, err := p.roots(v)
	if err != nil {
		return nil, err
	}
	used := map[uint64]bool{}
	for unsure := v.refs.Unsure; len(from) > 0; {
		for r, err := range v.ancestry(from...) {
			if err != nil {
				return nil, err
			}
			used[r.seq] = true
			for _, parent := range r.row.Parents {
				if _, known := v.refs.Gaps[parent]; parent != 0 && v.isGone(parent) && !known {
					unsure = max(unsure, parent)
				}
			}
		}
		if from, err = v.neededBy(used, unsure); err != nil {
			return nil, err
		}
	}
	return used, nil
}

// neededBy finds the records that are not in use yet and are older than unsure,
// or hold the state of one in use.
func (v *view) neededBy(used map[uint64]bool, unsure uint64) (more []uint64, err error) {
	for seq := uint64(1); seq <= v.Last(); seq++ {
		r, err := v.Row(seq)
		if err != nil {
			return nil, err
		}
		if !r.Has(journal.HasRecord) {
			continue
		}
		if used[seq] && !used[r.StateSeq] {
			more = append(more, r.StateSeq)
		}
		if !used[seq] && seq < unsure {
			more = append(more, seq)
		}
	}
	return more, nil
}

// neededGaps are the gaps that records in use have before them.
func (v *view) neededGaps(used map[uint64]bool) map[uint64][]uint64 {
	gaps := map[uint64][]uint64{}
	for seq := range used {
		r, err := v.Row(seq)
		if err != nil {
			continue
		}
		for _, parent := range r.Parents {
			if before, ok := v.refs.Gaps[parent]; ok {
				gaps[parent] = before
			}
		}
	}
	return gaps
}

// roots finds the records that HEAD and the refs are at, those that they were at
// since the cutoff, and those to which only what Repair took out led.
func (p pruning) roots(v *view) ([]uint64, error) {
	var roots []uint64
	add := func(seqs ...uint64) {
		for _, seq := range seqs {
			if seq != 0 && !v.isGone(seq) {
				roots = append(roots, seq)
			}
		}
	}
	head, _ := v.refs.head()
	add(head)
	for _, at := range v.refs.Refs {
		add(at.To)
	}
	add(v.refs.Kept...)
	was := newRefTable()
	for seq := uint64(1); seq <= v.Last(); seq++ {
		if v.isGone(seq) {
			continue
		}
		t, err := v.Transaction(seq)
		if err != nil {
			return nil, err
		}
		if t.Moves == nil {
			continue
		}
		if t.Moves.Time.After(p.cutoff) {
			for _, mv := range t.Moves.Moves {
				add(mv.To, was.Refs[mv.Ref].To)
			}
			add(was.Head.To)
		}
		was.apply(seq, t.Moves)
		if t.Checkpoint != nil {
			was = fromCheckpoint(t.Checkpoint) // transactions before it may be gone
		}
	}
	return roots, nil
}

// emptyTrash deletes what has been in trash since before the cutoff.
func (p pruning) emptyTrash() (removed []string, err error) {
	names, err := p.history.folder.List(trashName)
	if err != nil {
		return nil, journal.FileError(trashName, err)
	}
	for _, name := range names {
		stamp, _, _ := strings.Cut(name, "-")
		at, err := time.Parse(trashTime, stamp)
		if err != nil || !at.Before(p.cutoff) {
			continue
		}
		if err := p.history.folder.Remove(path.Join(trashName, name)); err != nil {
			return removed, journal.FileError(name, err)
		}
		removed = append(removed, name)
	}
	return removed, nil
}
