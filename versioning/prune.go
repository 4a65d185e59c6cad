package versioning

import (
	"context"
	"strings"
	"time"
)

// PruneOptions say what Prune may take.
type PruneOptions struct {
	// OlderThan keeps what was in use within this time, and trash younger than
	// it; default 30 days. A negative one keeps nothing of that.
	OlderThan time.Duration
	Audit     Audit // demanded
}

// Pruned says what Prune took.
type Pruned struct {
	Records int      // that nothing leads to any more
	Trash   []string // the journals removed from trash for good
	Freed   int64    // bytes of the journal; they are in trash for now
}

// Prune takes out the records that no branch, no tag and not HEAD leads to,
// and that no movement within OlderThan came from or went to. The journal with
// them goes to trash, and what has been in trash for OlderThan is deleted: this
// is the only way in which a history loses anything. A journal in trash is a
// whole history: put it into a folder of its own, named "journal", and Open
// that. It costs the history's length.
func (h *History) Prune(ctx context.Context, o PruneOptions) (Pruned, error) {
	const op = "Prune"
	if err := o.Audit.check(); err != nil {
		return Pruned{}, named(op, err)
	}
	if o.OlderThan == 0 {
		o.OlderThan = 30 * 24 * time.Hour
	}
	ctx, release, err := h.Lock(ctx, op)
	if err != nil {
		return Pruned{}, named(op, err)
	}
	defer release()
	now := h.opts.Now().UTC()
	p := pruning{ctx: ctx, history: h, cut: now.Add(-max(o.OlderThan, 0))}
	if o.OlderThan < 0 {
		p.cut = now.Add(time.Hour) // no clock is that far off within one history
	}
	done, err := p.run(now, o.Audit)
	return done, named(op, err)
}

type pruning struct {
	ctx     context.Context //nolint:containedctx // a pruning is one call
	history *History
	cut     time.Time
}

func (p pruning) run(now time.Time, a Audit) (done Pruned, err error) {
	// It builds on every transaction, so every one must be whole.
	x := &inspection{history: p.history, ctx: p.ctx}
	defer x.close()
	if err := x.journal(); err != nil {
		return done, err
	}
	if err := x.transactions(); err != nil {
		return done, err
	}
	if x.replay(); len(x.findings) > 0 {
		return done, fail("", Corrupt, journalName, "it is damaged (%s); Verify with Repair first", x.findings[0])
	}
	v := x.v
	v.table = x.table
	used, err := p.used(v)
	if err != nil {
		return done, err
	}
	keep := func(seq uint64) bool {
		r, err := v.row(seq)
		return err == nil && !r.has(isGone) && (!r.has(hasRecord) || used[seq])
	}
	for seq := uint64(1); seq <= v.last; seq++ {
		if r, err := v.row(seq); err == nil && r.has(hasRecord) && !used[seq] {
			done.Records++
			done.Freed += int64(r.length)
		}
	}
	if done.Trash, err = p.emptyTrash(); err != nil || done.Records == 0 {
		return done, err
	}
	if err := p.ctx.Err(); err != nil {
		return done, err
	}
	return done, v.rewrite(keep, transaction{
		moves: &movesSection{Time: now, Verb: verbPrune, Actor: a.Actor, Reason: a.Reason},
		table: v.table,
	})
}

// used finds the transactions whose records are in use.
func (p pruning) used(v *view) (map[uint64]bool, error) {
	head, _ := v.table.head()
	from := []uint64{head}
	for _, at := range v.table.Refs {
		from = append(from, at.To)
	}
	was := new(table).clone()
	for seq := uint64(1); seq <= v.last; seq++ {
		t, err := v.transaction(seq)
		if KindOf(err) == Missing {
			continue
		}
		if err != nil {
			return nil, err
		}
		if t.moves == nil {
			continue
		}
		if t.moves.Time.After(p.cut) {
			for _, mv := range t.moves.Moves {
				from = append(from, mv.To, was.Refs[mv.Ref].To)
			}
			from = append(from, was.Head.To)
		}
		was.apply(seq, t.moves)
		if t.table != nil {
			was = t.table.clone() // transactions before it may be gone
		}
	}
	used := map[uint64]bool{}
	for s, err := range v.ancestry(dropZeros(from)...) {
		if err != nil {
			return nil, err
		}
		used[s.seq] = true
	}
	return used, nil
}

func dropZeros(seqs []uint64) []uint64 {
	var some []uint64
	for _, seq := range seqs {
		if seq != 0 {
			some = append(some, seq)
		}
	}
	return some
}

func (p pruning) emptyTrash() (removed []string, err error) {
	names, err := p.history.folder.list(trashName)
	if err != nil {
		return nil, fileError(trashName, err)
	}
	for _, name := range names {
		stamp, _, _ := strings.Cut(name, "-")
		at, err := time.Parse(trashTime, stamp)
		if err != nil || !at.Before(p.cut) {
			continue
		}
		if err := p.history.folder.remove(joinName(trashName, name)); err != nil {
			return removed, fileError(name, err)
		}
		removed = append(removed, name)
	}
	return removed, nil
}
