package versioning

import (
	"context"
	"strings"
	"time"
)

// Checkout moves HEAD: a branch attaches it; a tag or hash detaches it.
func (h *History) Checkout(ctx context.Context, refOrHash string) (head Head, err error) {
	const op = "Checkout"
	err = h.update(ctx, op, func(v *view, now time.Time) (*transaction, error) {
		next, err := v.headFor(refOrHash)
		if err != nil {
			return nil, err
		}
		after := &table{Head: next, Refs: v.table.Refs}
		if head, err = v.headOf(after); err != nil || next == v.table.Head {
			return nil, err
		}
		return &transaction{moves: &movesSection{Time: now, Verb: op, Moves: []move{
			{Ref: headRef, Symbolic: next.Symbolic, To: next.To},
		}}}, nil
	})
	if err != nil {
		return Head{}, err
	}
	return head, nil
}

func (v *view) headFor(refOrHash string) (position, error) {
	if refOrHash == "" || refOrHash == headRef {
		return v.table.Head, nil
	}
	if full, _, ok := v.table.lookup(refOrHash); ok && strings.HasPrefix(full, headsPrefix) {
		return position{Symbolic: full}, nil
	}
	seq, err := v.resolve(refOrHash)
	return position{To: seq}, err
}

// Reset moves the branch that HEAD names to a record. Where the branch was
// stays in the history, and Undo goes back there. When the branch is there
// already, changed is false.
func (h *History) Reset(ctx context.Context, to string) (rec Record, changed bool, err error) {
	const op = "Reset"
	err = h.update(ctx, op, func(v *view, now time.Time) (*transaction, error) {
		at, branch := v.table.head()
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
		return &transaction{moves: &movesSection{Time: now, Verb: op, Moves: []move{
			{Ref: branch, To: seq, Back: v.table.Refs[branch].At},
		}}}, nil
	})
	if err != nil {
		return Record{}, false, err
	}
	return rec, changed, nil
}
