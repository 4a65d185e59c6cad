package versioning

import (
	"context"
	"errors"
	"time"

	"github.com/chemigram/chemigram/versioning/internal/journal"
)

// Undo takes back the newest movement of the branch that HEAD names, be it a
// Commit or a Reset, and returns the record where the branch now is. Nothing
// is lost: Redo goes forward again, until something else moves the branch. At
// the branch's first position, and where Prune has taken what was before, it fails with
// NothingToUndo. It steps over positions that are damaged.
func (h *History) Undo(ctx context.Context) (Record, error) {
	return h.moveBranch(ctx, "Undo", func(v *view, p journal.Position, branch string) (journal.Move, error) {
		at, to, err := v.positionBefore(p, branch)
		if err != nil {
			return journal.Move{}, err
		}
		return journal.Move{Ref: branch, To: to, At: at, Undone: p.At, Redo: p.Redo}, nil
	})
}

// positionBefore gives the movement before the newest one of a branch, and the record
// where it led. It steps over those whose record cannot be read, and over a gap that a
// damage left, to the commit of the record that is nearest before it.
func (v *view) positionBefore(p journal.Position, branch string) (at, to uint64, err error) {
	mv, err := v.movement(p.At, branch)
	switch {
	case errors.Is(err, Corrupt):
		return v.commitBefore(p.To, branch)
	case err != nil:
		return 0, 0, err
	case mv.Back == 0:
		return 0, 0, fail("", NothingToUndo, branch, "the branch is where it began")
	}
	for mv.Back != 0 {
		from := mv.To
		at = mv.Back
		mv, err = v.movement(at, branch)
		switch {
		case errors.Is(err, Missing) && v.isPruned(at), err == nil && v.isPruned(mv.To):
			return 0, 0, notKept(branch)
		case errors.Is(err, Missing), errors.Is(err, Corrupt):
			return v.commitBefore(from, branch)
		case err != nil:
			return 0, 0, err
		case !v.isGone(mv.To) && v.checkRecord(mv.To) == nil:
			return at, mv.To, nil
		}
	}
	return 0, 0, notKept(branch)
}

// commitBefore gives the commit to a branch of what a record's first parent was, or of the
// nearest record before it that can be read.
func (v *view) commitBefore(record uint64, branch string) (at, to uint64, err error) {
	for {
		r, err := v.Row(record)
		if err != nil {
			return 0, 0, err
		}
		if r.Has(journal.IsDamaged) {
			return 0, 0, fail("", Corrupt, branch, "what was before is damaged, and Repair finds what came before that")
		}
		if r.Parents[0] == 0 {
			return 0, 0, notKept(branch)
		}
		before := v.across(r.Parents[0])
		for _, seq := range before {
			if mv, err := v.movement(seq, branch); err == nil && mv.To == seq && v.checkRecord(seq) == nil {
				return seq, seq, nil
			}
		}
		if len(before) == 0 {
			return 0, 0, notKept(branch)
		}
		record = before[0]
	}
}

// checkRecord fails when a record or its state cannot be read.
func (v *view) checkRecord(seq uint64) error {
	r, err := v.Row(seq)
	if err != nil {
		return err
	}
	if _, err := v.record(seq); err != nil {
		return err
	}
	_, err = v.state(r.StateSeq)
	return err
}

func notKept(branch string) error {
	return fail("", NothingToUndo, branch, "what was before is not kept any more")
}

// Redo takes back the newest Undo of the branch that HEAD names. When the
// branch's newest movement is not an Undo (or a Redo after further Undos) it
// fails with NothingToRedo.
func (h *History) Redo(ctx context.Context) (Record, error) {
	return h.moveBranch(ctx, "Redo", func(v *view, p journal.Position, branch string) (journal.Move, error) {
		if p.Redo == 0 {
			return journal.Move{}, fail("", NothingToRedo, branch, "the branch's newest movement is not an undo")
		}
		undo, err := v.movement(p.Redo, branch)
		if err != nil {
			return journal.Move{}, err
		}
		again, err := v.movement(undo.Undone, branch)
		if errors.Is(err, Missing) || err == nil && v.isGone(again.To) {
			return journal.Move{}, fail("", NothingToRedo, branch, "what was undone is not kept any more")
		}
		if err != nil {
			return journal.Move{}, err
		}
		return journal.Move{Ref: branch, To: again.To, At: undo.Undone, Redo: undo.Redo}, nil
	})
}

func (h *History) moveBranch(ctx context.Context, op string, next func(*view, journal.Position, string) (journal.Move, error)) (rec Record, err error) {
	err = h.update(ctx, op, func(v *view, now time.Time) (*journal.Transaction, error) {
		_, branch := v.refs.head()
		if branch == "" {
			return nil, detached(op)
		}
		mv, err := next(v, v.refs.Refs[branch], branch)
		if err != nil {
			return nil, err
		}
		if rec, err = v.record(mv.To); err != nil {
			return nil, err
		}
		return &journal.Transaction{Moves: &journal.Moves{Time: now, Verb: op, Moves: []journal.Move{mv}}}, nil
	})
	if err != nil {
		return Record{}, err
	}
	return rec, nil
}

// movement reads a movement of a ref.
func (v *view) movement(seq uint64, ref string) (journal.Move, error) {
	t, err := v.Transaction(seq)
	if err != nil {
		return journal.Move{}, err
	}
	if t.Moves != nil {
		for _, mv := range t.Moves.Moves {
			if mv.Ref == ref {
				return mv, nil
			}
		}
	}
	return journal.Move{}, fail("", Corrupt, ref, "transaction %d should have moved it", seq)
}
