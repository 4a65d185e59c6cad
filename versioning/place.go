package versioning

import (
	"context"
	"time"

	"github.com/chemigram/chemigram/versioning/internal/journal"
)

// Place is where a branch is, with what undo and redo lead to from there.
type Place struct {
	Branch string `json:"branch,omitempty"` // full name; empty when HEAD is detached
	Record Hash   `json:"record"`
	At     uint64 `json:"at,omitempty"`   // the movement that undo takes back
	Redo   uint64 `json:"redo,omitempty"` // the undo that redo takes back
}

// Place returns where HEAD's branch is now, for TakeBack.
func (h *History) Place(ctx context.Context) (Place, error) {
	const op = "Place"
	v, err := h.reader(ctx)
	if err != nil {
		return Place{}, withOp(op, err)
	}
	defer v.Close()
	at, branch := v.refs.head()
	row, err := v.recordRow(at)
	if err != nil {
		return Place{}, withOp(op, err)
	}
	p := Place{Branch: branch, Record: row.ID}
	if branch != "" {
		p.At, p.Redo = v.refs.Refs[branch].At, v.refs.Refs[branch].Redo
	}
	return p, nil
}

// TakeBack takes back the Commit of a state that was made at a place: the branch is
// there again, and undo and redo lead where they led then, as if the Commit had never
// been. It is for callers that commit to several histories, all or none. When the
// branch's newest movement is not that Commit, nothing is changed.
func (h *History) TakeBack(ctx context.Context, p Place, state Hash) (changed bool, err error) {
	const op = "TakeBack"
	err = h.update(ctx, op, func(v *view, now time.Time) (*journal.Transaction, error) {
		to, err := v.committedAt(p, state)
		if err != nil || to == 0 {
			return nil, err
		}
		changed = true
		return &journal.Transaction{Moves: &journal.Moves{Time: now, Verb: op, Moves: []journal.Move{
			{Ref: p.Branch, To: to, At: p.At, Redo: p.Redo},
		}}}, nil
	})
	return changed && err == nil, err
}

// committedAt gives the record at a place when the branch's newest movement is the
// Commit of a state that was made there, and 0 when it is not.
func (v *view) committedAt(p Place, state Hash) (record uint64, err error) {
	now, ok := v.refs.Refs[p.Branch]
	if !ok || now.At == p.At || p.At == 0 {
		return 0, nil
	}
	newest, err := v.movement(now.At, p.Branch)
	if err != nil || newest.Back != p.At || newest.To != now.At {
		return 0, err
	}
	made, err := v.recordRow(newest.To)
	if err != nil || made.State != state {
		return 0, err
	}
	before, err := v.movement(p.At, p.Branch)
	if err != nil {
		return 0, err
	}
	row, err := v.recordRow(before.To)
	if err != nil || Hash(row.ID) != p.Record {
		return 0, err
	}
	return before.To, nil
}
