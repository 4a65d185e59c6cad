package versioning

import (
	"bytes"
	"context"
	"slices"
	"time"

	"github.com/chemigram/chemigram/versioning/internal/journal"
)

// Commit publishes a state as a new record on the branch that HEAD names. It follows
// HEAD's record, or c.Onto.
// When the state is the head's own and there is no label, nothing is
// published, changed is false and rec is the head's. On a detached HEAD it
// fails with Detached.
func (h *History) Commit(ctx context.Context, state []byte, c Change) (rec Record, changed bool, err error) {
	const op = "Commit"
	hash := HashOf(state)
	err = h.update(ctx, op, func(v *view, now time.Time) (*journal.Transaction, error) {
		at, branch := v.refs.head()
		head, err := v.recordRow(at)
		if err != nil {
			return nil, err
		}
		if !c.Expect.IsZero() && head.ID != c.Expect {
			return nil, fail(op, Conflict, Hash(head.ID).String(), "HEAD moved meanwhile; read it again and decide anew")
		}
		if c.Onto != "" && branch == "" {
			return nil, detached(op)
		}
		if hash == head.State && c.Label == "" && len(c.Merged) == 0 {
			rec, err = v.record(at)
			return nil, err
		}
		if branch == "" {
			return nil, detached(op)
		}
		follows := at
		if c.Onto != "" {
			if follows, err = v.resolve(c.Onto); err != nil {
				return nil, err
			}
		}
		parents, err := v.parents(follows, c.Merged)
		if err != nil {
			return nil, err
		}
		var t *journal.Transaction
		if rec, t, err = v.newSnapshot(state, hash, parents, now, c); err != nil {
			return nil, err
		}
		t.Moves = &journal.Moves{Time: now, Verb: op, Moves: []journal.Move{
			{Ref: branch, To: v.Last() + 1, Back: v.refs.Refs[branch].At},
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

// parents returns the transactions of a new record's parents.
func (v *view) parents(first uint64, merged []Hash) ([]uint64, error) {
	parents := []uint64{first}
	for _, id := range merged {
		at, ok := v.find(func(r journal.Row) bool { return r.Has(journal.HasRecord) && r.ID == id })
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

// newSnapshot makes a record of a state, and the transaction that publishes both.
func (v *view) newSnapshot(state []byte, hash Hash, parents []uint64, now time.Time, c Change) (Record, *journal.Transaction, error) {
	if len(state) > journal.MaxText {
		return Record{}, nil, fail("", Invalid, "state", "has %d bytes; at most %d are kept", len(state), journal.MaxText)
	}
	seq := v.Last() + 1
	made := &journal.Record{StateSeq: seq, Parents: parents}
	var ids []Hash
	var near journal.Row // the first parent
	var nearSeq uint64
	for i, p := range parents {
		r, err := v.recordRow(p)
		if err != nil {
			return Record{}, nil, err
		}
		if ids = append(ids, r.ID); i == 0 {
			near, nearSeq = r, p
		}
	}
	if len(parents) > 0 && near.State == hash {
		made.StateSeq = near.StateSeq
	}
	before, err := v.countAncestors(parents)
	if err != nil {
		return Record{}, nil, err
	}
	rec, text, err := newRecord(hash, ids, now, c)
	if err != nil {
		return Record{}, nil, err
	}
	summary := rec.summary()
	made.ID, made.Ancestors, made.Summary = rec.ID, before+1, &summary
	made.Text = v.Pack(journal.RecordText, text, nearSeq, v.records.Text)
	t := &journal.Transaction{Record: made}
	if made.StateSeq == seq {
		t.State = &journal.State{Hash: hash, Text: v.Pack(journal.StateText, state, near.StateSeq, v.state)}
	}
	return rec, t, nil
}
