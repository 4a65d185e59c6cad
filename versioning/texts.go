package versioning

import (
	"crypto/sha256"
	"errors"
)

// maxDepth bounds how many differences lie between a text and a whole one. A
// greater one saves little space, makes reads slower, and lets damage reach
// further.
const maxDepth = 8

// maxReach bounds how many transactions begin their chains at one whole text,
// and so what is lost with it. It costs a whole text, some 5 KB, for as many.
const maxReach = 64

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
func (v *view) text(seq uint64, of section) ([]byte, error) { return newMemo(v, of).text(seq) }

// state gives the bytes of the state that transaction seq holds, checked.
func (v *view) state(seq uint64) ([]byte, error) {
	r, err := v.row(seq)
	if err != nil {
		return nil, err
	}
	if text, ok := v.history.states.get(r.state); ok {
		return text, nil
	}
	text, err := v.text(seq, stateOf)
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
	if rec, ok := v.history.records.get(r.id); ok && r.has(hasRecord) {
		return rec.clone(), nil
	}
	if v.records == nil {
		v.records = newMemo(v, recordOf)
	}
	text, err := v.records.text(seq)
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
	v.history.records.put(rec.ID, rec.clone())
	v.history.places.put(rec.State, r.stateSeq)
	return rec, nil
}

// packState and packRecord pack a text as a difference from that of
// transaction near, where that makes it small, and whole otherwise.
func (v *view) packState(state []byte, near uint64) packed {
	return v.packSection(state, near, stateOf, func(seq uint64) ([]byte, error) { return v.state(seq) })
}

func (v *view) packRecord(record []byte, near uint64) packed {
	return v.packSection(record, near, recordOf, func(seq uint64) ([]byte, error) { return v.text(seq, recordOf) })
}

func (v *view) packSection(text []byte, near uint64, of section, read func(uint64) ([]byte, error)) packed {
	whole := func() packed { return pack(text, nil, 0, 0) }
	if near == 0 {
		return whole()
	}
	base, depth, err := v.baseFor(near, of)
	if err != nil {
		return whole() // or there is damage, which must not spread to here
	}
	baseText, err := read(base)
	if err != nil {
		return whole()
	}
	diff := pack(text, baseText, base, depth+1)
	// Packed whole, sidecars shrink to a twelfth: a difference that is less than
	// half of that needs no trial.
	if len(diff.stream) < max(256, len(text)/24) {
		return diff
	}
	if w := whole(); len(w.stream) < 2*len(diff.stream) {
		return w
	}
	return diff
}

// errWhole says that a text must be packed whole.
var errWhole = errors.New("the whole text is too far away")

// baseFor chooses what to differ from: transaction near, or, when that has
// maxDepth already, the whole text that its chain begins with.
func (v *view) baseFor(near uint64, of section) (seq, depth uint64, err error) {
	for {
		t, err := v.read(near, decodeTexts)
		if err != nil {
			return 0, 0, err
		}
		p := of(t)
		if p == nil || p.base >= near {
			return 0, 0, fail("", Corrupt, journalName, "transaction %d has no text to differ from", near)
		}
		if p.base == 0 && v.last-near > maxReach {
			return 0, 0, errWhole
		}
		if p.depth < maxDepth && depth == 0 || p.base == 0 {
			return near, p.depth, nil
		}
		near, depth = p.base, p.depth
	}
}
