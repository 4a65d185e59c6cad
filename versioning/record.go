package versioning

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/chemigram/chemigram/versioning/internal/journal"
)

// Record is one immutable event of a history.
type Record struct {
	ID          Hash               // SHA-256 of the record as it is stored
	State       Hash               // the state after the event
	Parents     []Hash             // the records before it: none for the first, two for a merge
	Time        time.Time          // when it was published, in UTC
	Op          string             // the verb that made it
	Label       string             // a person's or an agent's name for it
	Actor       string             // who asked for it
	Entry       string             // the vocabulary entry that was applied
	Values      map[string]float64 // the entry's values
	Darktable   string             // the version that the state was written for
	Annotations json.RawMessage    // the caller's own, kept as it is

	// Damaged is set by Log when the record or its state cannot be read. Where the
	// record cannot, only its ID, State, Parents and Time are told, as far as they
	// are known; what is not is zero.
	Damaged bool
}

// clone returns a record that shares nothing that could be written to.
func (r Record) clone() Record {
	r.Parents, r.Values, r.Annotations = slices.Clone(r.Parents), maps.Clone(r.Values), bytes.Clone(r.Annotations)
	return r
}

// summary is what the index keeps of the record.
func (r Record) summary() journal.Summary { return journal.NewSummary(r.Time, r.Op, r.Actor) }

// Change describes a new record; the fields are those of Record.
type Change struct {
	Op, Label, Actor, Entry, Darktable string
	Values                             map[string]float64
	Annotations                        json.RawMessage

	// Expect makes the change a compare-and-swap: when it is not zero, HEAD
	// must be at this record, or the method fails with Conflict. A caller that
	// holds the lock since it read HEAD does not need it.
	Expect Hash

	// Onto is the ref or hash of the record that the new one follows, when that is
	// not HEAD's: the branch goes from where it is to a new record there, and Undo
	// goes back.
	Onto string

	// Merged are further parents, for a merge.
	Merged []Hash
}

// storedRecord is a record's JSON, in FORMAT.md's order.
type storedRecord struct {
	State       Hash               `json:"state"`
	Parents     []Hash             `json:"parents,omitempty"`
	Time        time.Time          `json:"time"`
	Op          string             `json:"op,omitempty"`
	Label       string             `json:"label,omitempty"`
	Actor       string             `json:"actor,omitempty"`
	Entry       string             `json:"entry,omitempty"`
	Values      map[string]float64 `json:"values,omitempty"`
	Darktable   string             `json:"darktable,omitempty"`
	Annotations json.RawMessage    `json:"annotations,omitempty"`
}

// maxRecord is the size in bytes above which a record is refused.
const maxRecord = 1 << 20

// newRecord makes the record of a change and the bytes to store.
func newRecord(state Hash, parents []Hash, at time.Time, c Change) (Record, []byte, error) {
	for name, s := range map[string]string{
		"op": c.Op, "label": c.Label, "actor": c.Actor, "entry": c.Entry, "darktable": c.Darktable,
	} {
		if !utf8.ValidString(s) {
			return Record{}, nil, fail("", Invalid, s, "%s is not valid UTF-8", name)
		}
	}
	for name, v := range c.Values {
		if math.IsNaN(v) || math.IsInf(v, 0) || !utf8.ValidString(name) {
			return Record{}, nil, fail("", Invalid, name, "values must be finite numbers with UTF-8 names, not %v", v)
		}
	}
	if c.Annotations != nil && !json.Valid(c.Annotations) {
		return Record{}, nil, fail("", Invalid, "annotations", "must be JSON")
	}
	text, err := journal.EncodeJSON(storedRecord{
		State: state, Parents: parents, Time: at.UTC(), Op: c.Op, Label: c.Label, Actor: c.Actor,
		Entry: c.Entry, Values: c.Values, Darktable: c.Darktable, Annotations: c.Annotations,
	})
	if err != nil {
		return Record{}, nil, &Error{Kind: Invalid, Name: "record", Err: err}
	}
	if len(text) > maxRecord {
		return Record{}, nil, fail("", Invalid, "record", "has %d bytes; at most %d are kept", len(text), maxRecord)
	}
	rec, err := parseRecord(text)
	return rec, text, err
}

// parseRecord reads a record as it is stored.
func parseRecord(text []byte) (Record, error) {
	var s storedRecord
	if err := json.Unmarshal(text, &s); err != nil {
		return Record{}, &Error{Kind: Corrupt, Name: "record", Err: err}
	}
	return Record{
		ID: sha256.Sum256(text), State: s.State, Parents: s.Parents, Time: s.Time, Op: s.Op,
		Label: s.Label, Actor: s.Actor, Entry: s.Entry, Values: s.Values, Darktable: s.Darktable,
		Annotations: s.Annotations,
	}, nil
}

// recordRow returns the row of a transaction that holds a record.
func (v *view) recordRow(seq uint64) (journal.Row, error) {
	r, err := v.Row(seq)
	if err == nil && !r.Has(journal.HasRecord) {
		err = fail("", Corrupt, journal.Name, "transaction %d should hold a record; Verify says what is lost", seq)
	}
	return r, err
}

// record returns the record of transaction seq, checked.
func (v *view) record(seq uint64) (Record, error) {
	r, err := v.recordRow(seq)
	if err != nil {
		return Record{}, err
	}
	if rec, ok := v.history.records.get(r.ID); ok {
		return rec.clone(), nil
	}
	text, err := v.records.Text(seq)
	if err != nil {
		return Record{}, err
	}
	rec, err := parseRecord(text)
	if err != nil {
		return Record{}, err
	}
	if rec.ID != r.ID {
		return Record{}, fail("", Corrupt, Hash(r.ID).String(), "the record's bytes are not those that were written; Verify says what to do")
	}
	v.history.records.put(rec.ID, rec.clone())
	v.history.stateSeqs.put(rec.State, r.StateSeq)
	return rec, nil
}

// Record returns a record by its id.
func (h *History) Record(ctx context.Context, id Hash) (rec Record, err error) {
	err = h.read(ctx, "Record", func(v *view) error {
		seq, ok := v.find(func(r journal.Row) bool { return r.Has(journal.HasRecord) && r.ID == id })
		if !ok {
			return fail("", Missing, id.String(), "no record of this hash is here")
		}
		rec, err = v.record(seq)
		return err
	})
	return rec, err
}
