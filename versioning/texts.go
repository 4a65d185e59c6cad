package versioning

import (
	"crypto/sha256"
)

// maxDepth bounds how many differences lie between a text and a whole one. A
// greater one saves little space, makes reads slower, and lets damage reach
// further.
const maxDepth = 8

// section chooses the state or the record of a transaction.
type section func(transaction) *packed

func stateOf(t transaction) *packed {
	if t.state == nil {
		return nil
	}
	return &t.state.text
}

func recordOf(t transaction) *packed {
	if t.record == nil {
		return nil
	}
	return &t.record.text
}

// text unpacks a section of a transaction.
func (v *view) text(seq uint64, of section) ([]byte, packed, error) {
	corrupt := fail("", Corrupt, journalName, "transaction %d cannot be unpacked", seq)
	var chain []packed
	for at := seq; at != 0; {
		t, err := v.transaction(at)
		if err != nil {
			return nil, packed{}, err
		}
		p := of(t)
		if p == nil || p.base >= at || len(chain) > maxDepth {
			return nil, packed{}, corrupt
		}
		chain = append(chain, *p)
		at = p.base
	}
	var text []byte
	for i := len(chain) - 1; i >= 0; i-- {
		var err error
		if text, err = chain[i].unpack(text); err != nil {
			corrupt.Err = err
			return nil, packed{}, corrupt
		}
	}
	return text, chain[0], nil
}

// state gives the bytes of the state that transaction seq holds, checked.
func (v *view) state(seq uint64) ([]byte, error) {
	r, err := v.row(seq)
	if err != nil {
		return nil, err
	}
	if text, ok := v.history.states.get(r.state); ok {
		return text, nil
	}
	text, _, err := v.text(seq, stateOf)
	if err != nil {
		return nil, err
	}
	if sha256.Sum256(text) != r.state {
		return nil, fail("", Corrupt, r.state.String(), "the state's bytes are not those that were written; Verify says what to do")
	}
	v.history.states.put(r.state, text)
	return text, nil
}

// record gives the record of transaction seq, checked.
func (v *view) record(seq uint64) (Record, error) {
	r, err := v.row(seq)
	if err != nil {
		return Record{}, err
	}
	text, _, err := v.text(seq, recordOf)
	if err != nil {
		return Record{}, err
	}
	rec, err := parseRecord(text)
	if err != nil {
		return Record{}, err
	}
	if rec.ID != r.id {
		return Record{}, fail("", Corrupt, r.id.String(), "the record's bytes are not those that were written; Verify says what to do")
	}
	return rec, nil
}

// packSection packs a text as a difference from a section of transaction
// near, where that makes it small, and whole otherwise.
func (v *view) packSection(text []byte, near uint64, of section) packed {
	if near == 0 {
		return pack(text, nil, 0, 0)
	}
	base, p, err := v.text(near, of)
	if err != nil {
		return pack(text, nil, 0, 0) // damage there must not spread to here
	}
	if p.depth >= maxDepth {
		// Begin a new chain at the whole text that the old one began with.
		for p.base != 0 {
			near = p.base
			if base, p, err = v.text(near, of); err != nil {
				return pack(text, nil, 0, 0)
			}
		}
	}
	diff := pack(text, base, near, p.depth+1)
	if len(diff.stream) < 256 {
		return diff
	}
	if whole := pack(text, nil, 0, 0); len(whole.stream) < 2*len(diff.stream) {
		return whole
	}
	return diff
}
