package versioning

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"slices"
	"time"
)

// The refs that Init makes.
const (
	headRef     = "HEAD"
	mainRef     = "refs/heads/main"
	baselineRef = "refs/tags/baseline"
)

// Init publishes the first record, tags it "baseline" and attaches HEAD to
// branch main. Doing it again with the same state changes nothing and gives
// the first record; with another state it fails with Conflict.
func (h *History) Init(ctx context.Context, state []byte, c Change) (Record, error) {
	const op = "Init"
	ctx, release, err := h.lock(ctx, op, true)
	if err != nil {
		return Record{}, named(op, err)
	}
	defer release()
	if v, err := h.view(true); KindOf(err) != NotInitialised {
		if err != nil {
			return Record{}, named(op, err)
		}
		defer v.close()
		rec, err := v.record(1)
		if err == nil && rec.State != HashOf(state) {
			err = fail(op, Conflict, rec.State.String(), "the history began with another state")
		}
		return rec, named(op, err)
	}
	if err := ctx.Err(); err != nil {
		return Record{}, err
	}
	now := h.opts.Now().UTC()
	rec, t, err := (&view{}).draft(state, HashOf(state), nil, now, c)
	if err != nil {
		return Record{}, named(op, err)
	}
	t.moves = &movesSection{Time: now, Verb: op, Moves: []move{
		{Ref: headRef, Symbolic: mainRef}, {Ref: mainRef, To: 1}, {Ref: baselineRef, To: 1},
	}}
	t.table = new(table).clone()
	t.table.apply(1, t.moves)
	if err := h.begin(*t); err != nil {
		return Record{}, named(op, err)
	}
	// An index of an earlier journal would be of no use.
	if err := h.folder.remove(indexName); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return rec, named(op, fileError(indexName, err))
	}
	return rec, nil
}

// Commit publishes a state as a new record on the branch that HEAD names.
// When the state is the head's own and there is no label, nothing is
// published, changed is false and rec is the head's. On a detached HEAD it
// fails with Detached.
func (h *History) Commit(ctx context.Context, state []byte, c Change) (rec Record, changed bool, err error) {
	const op = "Commit"
	hash := HashOf(state)
	err = h.update(ctx, op, func(v *view, now time.Time) (*transaction, error) {
		at, branch := v.table.head()
		head, err := v.row(at)
		if err != nil {
			return nil, err
		}
		if !c.Expect.IsZero() && head.id != c.Expect {
			return nil, fail(op, Conflict, head.id.String(), "HEAD moved meanwhile; read it again and decide anew")
		}
		if hash == head.state && c.Label == "" && len(c.Merged) == 0 {
			rec, err = v.record(at)
			return nil, err
		}
		if branch == "" {
			return nil, detached(op)
		}
		parents, err := v.parents(at, c.Merged)
		if err != nil {
			return nil, err
		}
		var t *transaction
		if rec, t, err = v.draft(state, hash, parents, now, c); err != nil {
			return nil, err
		}
		t.moves = &movesSection{Time: now, Verb: op, Moves: []move{
			{Ref: branch, To: v.last + 1, Back: v.table.Refs[branch].At},
		}}
		changed = true
		return t, nil
	})
	if err != nil {
		return Record{}, false, err
	}
	// The next verb most likely reads it, and the next Commit differs from it.
	h.states.put(rec.State, bytes.Clone(state))
	return rec, changed, nil
}

func detached(op string) error {
	return fail(op, Detached, "",
		"HEAD is detached, so there is no branch to move; make a branch here with Branch, then Checkout it")
}

// parents gives the transactions of a new record's parents.
func (v *view) parents(head uint64, merged []Hash) ([]uint64, error) {
	parents := []uint64{head}
	for _, id := range merged {
		at, ok := v.find(func(r row) bool { return r.has(hasRecord) && r.id == id })
		if !ok {
			return nil, fail("", Missing, id.String(), "no record of this hash is here")
		}
		if !slices.Contains(parents, at) {
			parents = append(parents, at)
		}
	}
	if len(parents) > 2 {
		return nil, fail("", Invalid, "Merged", "a record has at most two parents")
	}
	return parents, nil
}

// draft makes a record of a state, and the transaction that publishes both.
func (v *view) draft(state []byte, hash Hash, parents []uint64, now time.Time, c Change) (Record, *transaction, error) {
	if len(state) > maxText {
		return Record{}, nil, fail("", Invalid, "state", "has %d bytes; at most %d are kept", len(state), maxText)
	}
	seq := v.last + 1
	section := &recordSection{stateSeq: seq, parents: parents}
	var ids []Hash
	var near row // the first parent
	var nearSeq uint64
	for i, p := range parents {
		r, err := v.row(p)
		if err != nil {
			return Record{}, nil, err
		}
		if ids = append(ids, r.id); i == 0 {
			near, nearSeq = r, p
		}
	}
	if len(parents) > 0 && near.state == hash {
		section.stateSeq = near.stateSeq
	}
	before, err := v.countAncestors(parents)
	if err != nil {
		return Record{}, nil, err
	}
	rec, text, err := newRecord(hash, ids, now, c)
	if err != nil {
		return Record{}, nil, err
	}
	section.id, section.ancestors = rec.ID, before+1
	facts := aboutOf(rec)
	section.about = &facts
	section.text = v.packRecord(text, nearSeq)
	t := &transaction{record: section}
	if section.stateSeq == seq {
		t.state = &stateSection{hash: hash, text: v.packState(state, near.stateSeq)}
	}
	return rec, t, nil
}
