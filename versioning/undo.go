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
// the branch's first position it fails with NothingToUndo.
func (h *History) Undo(ctx context.Context) (Record, error) {
	return h.moveBranch(ctx, "Undo", func(v *view, p journal.Position, branch string) (journal.Move, error) {
		newest, err := v.movement(p.At, branch)
		if err != nil {
			return journal.Move{}, err
		}
		if newest.Back == 0 {
			return journal.Move{}, fail("", NothingToUndo, branch, "the branch is where it began")
		}
		before, err := v.movement(newest.Back, branch)
		if errors.Is(err, Missing) || err == nil && v.isGone(before.To) {
			return journal.Move{}, fail("", NothingToUndo, branch, "what was before is not kept any more")
		}
		if err != nil {
			return journal.Move{}, err
		}
		return journal.Move{Ref: branch, To: before.To, At: newest.Back, Undone: p.At, Redo: p.Redo}, nil
	})
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
