package versioning

import (
	"context"
	"strings"
	"time"

	"github.com/chemigram/chemigram/versioning/internal/journal"
)

// Checkout moves HEAD: a branch attaches it; a tag or hash detaches it.
func (h *History) Checkout(ctx context.Context, refOrHash string) (head Head, err error) {
	const op = "Checkout"
	err = h.update(ctx, op, func(v *view, now time.Time) (*journal.Transaction, error) {
		next, err := v.headFor(refOrHash)
		if err != nil {
			return nil, err
		}
		after := &refTable{Head: next, Refs: v.refs.Refs}
		if head, err = v.headOf(after); err != nil || next == v.refs.Head {
			return nil, err
		}
		return &journal.Transaction{Moves: &journal.Moves{Time: now, Verb: op, Moves: []journal.Move{
			{Ref: headRef, Symbolic: next.Symbolic, To: next.To},
		}}}, nil
	})
	if err != nil {
		return Head{}, err
	}
	return head, nil
}

func (v *view) headFor(refOrHash string) (journal.Position, error) {
	if refOrHash == "" || refOrHash == headRef {
		return v.refs.Head, nil
	}
	if full, _, ok := v.refs.lookup(refOrHash); ok && strings.HasPrefix(full, headsPrefix) {
		return journal.Position{Symbolic: full}, nil
	}
	seq, err := v.resolve(refOrHash)
	return journal.Position{To: seq}, err
}

// Reset moves the branch that HEAD names to a record. Where the branch was
// stays in the history, and Undo goes back there. When the branch is there
// already, changed is false.
func (h *History) Reset(ctx context.Context, to string) (rec Record, changed bool, err error) {
	const op = "Reset"
	err = h.update(ctx, op, func(v *view, now time.Time) (*journal.Transaction, error) {
		at, branch := v.refs.head()
		if branch == "" {
			return nil, detached(op)
		}
		seq, err := v.resolve(to)
		if err != nil {
			return nil, err
		}
		if rec, err = v.record(seq); err != nil || seq == at {
			return nil, err
		}
		changed = true
		return &journal.Transaction{Moves: &journal.Moves{Time: now, Verb: op, Moves: []journal.Move{
			{Ref: branch, To: seq, Back: v.refs.Refs[branch].At},
		}}}, nil
	})
	if err != nil {
		return Record{}, false, err
	}
	return rec, changed, nil
}
