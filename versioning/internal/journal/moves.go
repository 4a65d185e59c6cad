package journal

import (
	"bytes"
	"encoding/json"
	"time"
)

// Moves are the movements of refs that a transaction publishes, and why.
type Moves struct {
	Time   time.Time `json:"time"`
	Verb   string    `json:"verb"`
	Actor  string    `json:"actor,omitempty"`
	Reason string    `json:"reason,omitempty"`
	Moves  []Move    `json:"moves,omitempty"`
}

// Move is the movement of one ref. Numbers are sequence numbers.
type Move struct {
	Ref      string `json:"ref"`
	To       uint64 `json:"to,omitempty"`       // the record; 0 when the ref is deleted
	Symbolic string `json:"symbolic,omitempty"` // HEAD only: the branch that it names
	Back     uint64 `json:"back,omitempty"`     // the movement that undo returns to
	At       uint64 `json:"at,omitempty"`       // undo and redo: the movement at which the branch now is
	Undone   uint64 `json:"undone,omitempty"`   // undo: the movement that it takes back
	Redo     uint64 `json:"redo,omitempty"`     // the undo that redo takes back next
}

// Checkpoint is where HEAD and the refs are after a transaction.
type Checkpoint struct {
	Head Position            `json:"head"`
	Refs map[string]Position `json:"refs,omitempty"`
	// Gaps has, for each record that Repair took out and that is a parent of one
	// that is there, the nearest records before it.
	Gaps map[uint64][]uint64 `json:"gaps,omitempty"`
	// Kept are records to which only what Repair took out led.
	Kept []uint64 `json:"kept,omitempty"`
	// Unsure is above every transaction of which Repair could not find out
	// whether one that it took out led to it; 0 is none.
	Unsure uint64 `json:"unsure,omitempty"`
}

// Position is where one ref is. Numbers are sequence numbers.
type Position struct {
	Symbolic string `json:"symbolic,omitempty"` // HEAD only: the branch that it names
	To       uint64 `json:"to,omitempty"`       // the record
	At       uint64 `json:"at,omitempty"`       // the movement that undo takes back
	Redo     uint64 `json:"redo,omitempty"`     // the undo that redo takes back
}

func (t *Transaction) decodeJSON(kind byte, text []byte) error {
	if kind == 'C' {
		t.Checkpoint = new(Checkpoint)
		return json.Unmarshal(text, t.Checkpoint)
	}
	t.Moves = new(Moves)
	return json.Unmarshal(text, t.Moves)
}

// EncodeJSON is json.Marshal without the escapes that only HTML needs, which
// no JSON of a journal has.
func EncodeJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
