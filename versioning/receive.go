package versioning

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/chemigram/chemigram/versioning/internal/journal"
)

// remotesPrefix begins the names of refs that say where a branch is elsewhere.
const remotesPrefix = "refs/remotes/"

// MissingFrom lists the records that lead to some and not to any of others, each after its
// parents: what another history lacks that has those. Of those that are not here nothing
// is known. It costs a walk back to where they meet.
func (h *History) MissingFrom(ctx context.Context, tips, have []Hash) (ids []Hash, err error) {
	err = h.read(ctx, "MissingFrom", func(v *view) error {
		ids, err = v.missingFrom(ctx, tips, have)
		return err
	})
	return ids, err
}

func (v *view) missingFrom(ctx context.Context, tips, have []Hash) ([]Hash, error) {
	at := v.seqsOf(slices.Concat(tips, have))
	const wanted, known = 1, 2
	reached := map[uint64]int{}
	open := 0 // how many are wanted, and neither known nor visited
	reach := func(seq uint64, as int) {
		was := reached[seq]
		reached[seq] = was | as
		switch {
		case was == 0 && as == wanted:
			open++
		case was == wanted && as&known != 0:
			open--
		}
	}
	var from []uint64
	for _, id := range tips {
		seq, ok := at[id]
		if !ok {
			return nil, fail("", Missing, id.String(), "no record of this hash is here")
		}
		reach(seq, wanted)
		from = append(from, seq)
	}
	for _, id := range have {
		if seq, ok := at[id]; ok {
			reach(seq, known)
			from = append(from, seq)
		}
	}
	var ids []Hash
	for r, err := range v.ancestry(from...) {
		if err != nil {
			return nil, err
		}
		if open == 0 {
			break
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		as := reached[r.seq]
		if as == wanted {
			open--
			ids = append(ids, r.row.ID)
		} else {
			as = known
		}
		for _, p := range r.row.Parents {
			if p != 0 && as != 0 {
				for _, before := range v.across(p) {
					reach(before, as)
				}
			}
		}
	}
	slices.Reverse(ids)
	return ids, nil
}

// Here reports which of some records are here.
func (h *History) Here(ctx context.Context, ids []Hash) (here map[Hash]bool, err error) {
	err = h.read(ctx, "Here", func(v *view) error {
		here = map[Hash]bool{}
		for id := range v.seqsOf(ids) {
			here[id] = true
		}
		return nil
	})
	return here, err
}

// Receive takes the records of a pack that are not here yet, each as it is, with its
// state, and says how many. No ref leads to them: see Track. Each has to come after its
// parents, or they are here already; a record without a parent begins another history,
// and fails with Conflict. check, when it is not nil, looks at each new state first.
// Nothing is published of a pack that cannot be read; where it fails later, those before
// stay, and receiving it again goes on.
func (h *History) Receive(ctx context.Context, pack []byte, check func(state []byte) error) (received int, err error) {
	const op = "Receive"
	var ids []Hash
	for p, err := range ReadPack(ctx, pack) {
		if err != nil {
			return 0, withOp(op, err)
		}
		ids = append(append(ids, p.Record.ID), p.Record.Parents...)
	}
	release, err := h.turn(ctx, op, false)
	if err != nil {
		return 0, withOp(op, err)
	}
	defer release()
	v, err := h.view(true)
	if err != nil {
		return 0, withOp(op, err)
	}
	defer v.Close()
	if err := v.recover(); err != nil {
		return 0, withOp(op, err)
	}
	h.keepBaseline(v)
	at := v.seqsOf(ids)
	for p, err := range ReadPack(ctx, pack) {
		if err != nil {
			return received, withOp(op, err)
		}
		if _, here := at[p.Record.ID]; here {
			continue
		}
		if check != nil {
			if err := check(p.State); err != nil {
				return received, withOp(op, err)
			}
		}
		t, err := v.received(p, at, h.opts.Now().UTC())
		if err == nil {
			err = v.publish(*t)
		}
		if err != nil {
			return received, withOp(op, err)
		}
		at[p.Record.ID] = v.Last()
		received++
	}
	return received, nil
}

// received makes the transaction that publishes a record of another history.
func (v *view) received(p PackedRecord, at map[Hash]uint64, now time.Time) (*journal.Transaction, error) {
	if len(p.Record.Parents) == 0 {
		return nil, fail("", Conflict, p.Record.ID.String(), "it begins another history than the one that is here")
	}
	seq := v.Last() + 1
	made := &journal.Record{ID: p.Record.ID, StateSeq: seq}
	for _, id := range p.Record.Parents {
		parent, ok := at[id]
		if !ok {
			return nil, fail("", Missing, id.String(), "it is a parent of %s, and neither here nor before it in the pack", p.Record.ID)
		}
		if !slices.Contains(made.Parents, parent) {
			made.Parents = append(made.Parents, parent)
		}
	}
	near, err := v.recordRow(made.Parents[0])
	if err != nil {
		return nil, err
	}
	before, err := v.countAncestors(made.Parents)
	if err != nil {
		return nil, err
	}
	summary := p.Record.summary()
	made.Ancestors, made.Summary = before+1, &summary
	made.Text = v.Pack(journal.RecordText, p.Text, made.Parents[0], v.records.Text)
	t := &journal.Transaction{Record: made, Moves: &journal.Moves{Time: now, Verb: "Receive"}}
	if near.State == p.Record.State {
		made.StateSeq = near.StateSeq
	} else {
		t.State = &journal.State{Hash: p.Record.State, Text: v.Pack(journal.StateText, p.State, near.StateSeq, v.state)}
	}
	return t, nil
}

// Track says where a branch is in another history, of a name: the ref
// refs/remotes/NAME/BRANCH is at the record then.
func (h *History) Track(ctx context.Context, remote, branch string, id Hash) (changed bool, err error) {
	const op = "Track"
	if err := CheckRefName(remote + "/" + branch); err != nil {
		return false, withOp(op, err)
	}
	ref := remotesPrefix + remote + "/" + branch
	err = h.update(ctx, op, func(v *view, now time.Time) (*journal.Transaction, error) {
		seq, ok := v.seqsOf([]Hash{id})[id]
		if !ok {
			return nil, fail(op, Missing, id.String(), "no record of this hash is here")
		}
		if v.refs.Refs[ref].To == seq {
			return nil, nil
		}
		changed = true
		return &journal.Transaction{Moves: &journal.Moves{Time: now, Verb: op, Moves: []journal.Move{{Ref: ref, To: seq}}}}, nil
	})
	return changed && err == nil, err
}

// Untrack forgets where the branches of another history are.
func (h *History) Untrack(ctx context.Context, remote string) error {
	const op = "Untrack"
	prefix := remotesPrefix + remote + "/"
	return h.update(ctx, op, func(v *view, now time.Time) (*journal.Transaction, error) {
		moves := &journal.Moves{Time: now, Verb: op}
		for _, name := range slices.Sorted(maps.Keys(v.refs.Refs)) {
			if strings.HasPrefix(name, prefix) {
				moves.Moves = append(moves.Moves, journal.Move{Ref: name})
			}
		}
		if len(moves.Moves) == 0 {
			return nil, nil
		}
		return &journal.Transaction{Moves: moves}, nil
	})
}

// Adopt begins a history with the first record of another, which a pack has as its first:
// the same record, tagged "baseline", and HEAD on the branch main there. Receive takes the
// rest. Where there is a history already it fails with Conflict, unless it began so.
func (h *History) Adopt(ctx context.Context, pack []byte, check func(state []byte) error) (rec Record, err error) {
	const op = "Adopt"
	var first PackedRecord
	for p, err := range ReadPack(ctx, pack) {
		if err != nil {
			return Record{}, withOp(op, err)
		}
		first = p
		break
	}
	if len(first.Record.Parents) > 0 {
		return Record{}, fail(op, Invalid, first.Record.ID.String(), "it has a parent, so it is not the first of its history")
	}
	if check != nil {
		if err := check(first.State); err != nil {
			return Record{}, withOp(op, err)
		}
	}
	release, err := h.turn(ctx, op, true)
	if err != nil {
		return Record{}, withOp(op, err)
	}
	defer release()
	if v, err := h.view(true); !errors.Is(err, NotInitialised) {
		if err != nil {
			return Record{}, withOp(op, err)
		}
		defer v.Close()
		if r, err := v.recordRow(v.refs.Refs[baselineRef].To); err != nil || r.ID != first.Record.ID {
			return Record{}, fail(op, Conflict, "", "another history is here")
		}
		return first.Record, nil
	}
	summary := first.Record.summary()
	empty := newView(h, new(journal.Journal))
	t := &journal.Transaction{
		State: &journal.State{Hash: first.Record.State, Text: empty.Pack(journal.StateText, first.State, 0, nil)},
		Record: &journal.Record{
			ID: first.Record.ID, StateSeq: 1, Ancestors: 1, Summary: &summary,
			Text: empty.Pack(journal.RecordText, bytes.Clone(first.Text), 0, nil),
		},
	}
	if err := h.begin(t, op, h.opts.Now().UTC()); err != nil {
		return Record{}, withOp(op, err)
	}
	return first.Record, nil
}
