package versioning

import (
	"context"
	"time"
)

// Undo takes back the newest movement of the branch that HEAD names, be it a
// Commit or a Reset, and gives the record where the branch now stands. Nothing
// is lost: Redo goes forward again, until something else moves the branch. At
// the branch's first position it fails with NothingToUndo.
func (h *History) Undo(ctx context.Context) (Record, error) {
	return h.walk(ctx, "Undo", func(v *view, p position, branch string) (move, error) {
		newest, err := v.movement(p.At, branch)
		if err != nil {
			return move{}, err
		}
		if newest.Back == 0 {
			return move{}, fail("", NothingToUndo, branch, "the branch is where it began")
		}
		before, err := v.movement(newest.Back, branch)
		if KindOf(err) == Missing || err == nil && v.isGone(before.To) {
			return move{}, fail("", NothingToUndo, branch, "what was before is not kept any more")
		}
		if err != nil {
			return move{}, err
		}
		return move{Ref: branch, To: before.To, At: newest.Back, Undone: p.At, Redo: p.Redo}, nil
	})
}

// Redo takes back the newest Undo of the branch that HEAD names. When the
// branch's newest movement is not an Undo (or a Redo after further Undos) it
// fails with NothingToRedo.
func (h *History) Redo(ctx context.Context) (Record, error) {
	return h.walk(ctx, "Redo", func(v *view, p position, branch string) (move, error) {
		if p.Redo == 0 {
			return move{}, fail("", NothingToRedo, branch, "the branch's newest movement is not an undo")
		}
		undo, err := v.movement(p.Redo, branch)
		if err != nil {
			return move{}, err
		}
		again, err := v.movement(undo.Undone, branch)
		if KindOf(err) == Missing || err == nil && v.isGone(again.To) {
			return move{}, fail("", NothingToRedo, branch, "what was undone is not kept any more")
		}
		if err != nil {
			return move{}, err
		}
		return move{Ref: branch, To: again.To, At: undo.Undone, Redo: undo.Redo}, nil
	})
}

func (h *History) walk(ctx context.Context, op string, next func(*view, position, string) (move, error)) (rec Record, err error) {
	err = h.update(ctx, op, func(v *view, now time.Time) (*transaction, error) {
		_, branch := v.table.head()
		if branch == "" {
			return nil, detached(op)
		}
		mv, err := next(v, v.table.Refs[branch], branch)
		if err != nil {
			return nil, err
		}
		if rec, err = v.record(mv.To); err != nil {
			return nil, err
		}
		return &transaction{moves: &movesSection{Time: now, Verb: op, Moves: []move{mv}}}, nil
	})
	if err != nil {
		return Record{}, err
	}
	return rec, nil
}

func (v *view) isGone(seq uint64) bool {
	r, err := v.row(seq)
	return err == nil && r.has(isGone)
}

// movement reads a movement of a ref.
func (v *view) movement(seq uint64, ref string) (move, error) {
	t, err := v.transaction(seq)
	if err != nil {
		return move{}, err
	}
	mv, ok := t.moves.of(ref)
	if !ok {
		return move{}, fail("", Corrupt, ref, "transaction %d should have moved it", seq)
	}
	return mv, nil
}
