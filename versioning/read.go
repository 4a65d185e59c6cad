package versioning

import (
	"bytes"
	"context"
)

// reader gives a view for a method that only reads.
func (h *History) reader(ctx context.Context) (*view, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return h.view(false)
}

// Head gives the present position.
func (h *History) Head(ctx context.Context) (Head, error) {
	const op = "Head"
	v, err := h.reader(ctx)
	if err != nil {
		return Head{}, named(op, err)
	}
	defer v.close()
	head, err := v.headOf(v.table)
	return head, named(op, err)
}

func (v *view) headOf(t *table) (Head, error) {
	at, branch := t.head()
	rec, err := v.record(at)
	if err != nil {
		return Head{}, err
	}
	return Head{Ref: branch, Detached: branch == "", Record: rec}, nil
}

// State gives a state's bytes, checked against its hash. Finding one that is
// not among the newest, nor of a record that was just read, costs a search of
// the index: about two milliseconds for 10,000 records.
func (h *History) State(ctx context.Context, state Hash) ([]byte, error) {
	const op = "State"
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if text, ok := h.states.get(state); ok {
		return bytes.Clone(text), nil
	}
	v, err := h.reader(ctx)
	if err != nil {
		return nil, named(op, err)
	}
	defer v.close()
	holds := func(r row) bool { return r.has(hasState) && r.state == state }
	seq, ok := h.places.get(state)
	if ok {
		r, err := v.row(seq)
		ok = err == nil && holds(r) // another process may have pruned
	}
	if !ok {
		seq, ok = v.find(holds)
	}
	if !ok {
		return nil, fail(op, Missing, state.String(), "no state of this hash is here")
	}
	text, err := v.state(seq)
	return bytes.Clone(text), named(op, err)
}

// find gives the newest transaction whose row fits.
func (v *view) find(fits func(row) bool) (uint64, bool) {
	for seq := v.last; seq > 0; seq-- {
		if r, err := v.row(seq); err == nil && fits(r) {
			return seq, true
		}
	}
	return 0, false
}

// Record gives a record by its id.
func (h *History) Record(ctx context.Context, id Hash) (Record, error) {
	const op = "Record"
	v, err := h.reader(ctx)
	if err != nil {
		return Record{}, named(op, err)
	}
	defer v.close()
	seq, ok := v.find(func(r row) bool { return r.has(hasRecord) && r.id == id })
	if !ok {
		return Record{}, fail(op, Missing, id.String(), "no record of this hash is here")
	}
	rec, err := v.record(seq)
	return rec, named(op, err)
}
