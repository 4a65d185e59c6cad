package versioning

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"time"
)

// transaction is the payload of a frame.
type transaction struct {
	state  *stateSection
	record *recordSection
	moves  *movesSection
	table  *table // the checkpoint
}

type stateSection struct {
	hash Hash
	text packed
}

type recordSection struct {
	id        Hash
	stateSeq  uint64
	ancestors uint64
	parents   []uint64
	text      packed
	about     *about // of a record that is just made; not written
}

// movesSection says which refs moved, when and why.
type movesSection struct {
	Time   time.Time `json:"time"`
	Verb   string    `json:"verb"`
	Actor  string    `json:"actor,omitempty"`
	Reason string    `json:"reason,omitempty"`
	Moves  []move    `json:"moves,omitempty"`
}

// move is the movement of one ref.
type move struct {
	Ref      string `json:"ref"`
	To       uint64 `json:"to,omitempty"`
	Symbolic string `json:"symbolic,omitempty"`
	Back     uint64 `json:"back,omitempty"`
	At       uint64 `json:"at,omitempty"`
	Undone   uint64 `json:"undone,omitempty"`
	Redo     uint64 `json:"redo,omitempty"`
}

// of gives the movement of a ref.
func (m *movesSection) of(ref string) (move, bool) {
	if m != nil {
		for _, mv := range m.Moves {
			if mv.Ref == ref {
				return mv, true
			}
		}
	}
	return move{}, false
}

func (t transaction) encode() ([]byte, error) {
	var b []byte
	section := func(kind byte, body []byte) {
		b = append(b, kind)
		b = binary.AppendUvarint(b, uint64(len(body)))
		b = append(b, body...)
	}
	if s := t.state; s != nil {
		section('S', s.text.append(s.hash[:]))
	}
	if r := t.record; r != nil {
		body := append([]byte(nil), r.id[:]...)
		body = binary.AppendUvarint(body, r.stateSeq)
		body = binary.AppendUvarint(body, r.ancestors)
		body = binary.AppendUvarint(body, uint64(len(r.parents)))
		for _, p := range r.parents {
			body = binary.AppendUvarint(body, p)
		}
		section('R', r.text.append(body))
	}
	if t.moves != nil {
		body, err := marshal(t.moves)
		if err != nil {
			return nil, err
		}
		section('M', body)
	}
	if t.table != nil {
		body, err := marshal(t.table)
		if err != nil {
			return nil, err
		}
		section('C', body)
	}
	return b, nil
}

var errTransaction = errors.New("a transaction cannot be read")

// decodeTransaction reads a payload whole.
func decodeTransaction(payload []byte) (transaction, error) { return decodePayload(payload, true) }

// decodeTexts reads the state and the record of a payload, and leaves the JSON
// of the rest unread.
func decodeTexts(payload []byte) (transaction, error) { return decodePayload(payload, false) }

func decodePayload(payload []byte, whole bool) (transaction, error) {
	var t transaction
	for c := (cursor{b: payload}); len(c.b) > 0; {
		kind := c.take(1)[0]
		length := c.uvarint()
		if length > maxFrame {
			return t, errTransaction
		}
		body := cursor{b: c.take(int(length))}
		if c.bad {
			return t, errTransaction
		}
		switch kind {
		case 'S':
			t.state = &stateSection{hash: body.hash(), text: body.packed()}
		case 'R':
			r := &recordSection{id: body.hash(), stateSeq: body.uvarint(), ancestors: body.uvarint()}
			n := body.uvarint()
			if n > 2 {
				return t, errTransaction
			}
			for range n {
				r.parents = append(r.parents, body.uvarint())
			}
			r.text = body.packed()
			t.record = r
		case 'M', 'C':
			if !whole {
				continue
			}
			if err := t.decodeJSON(kind, body.b); err != nil {
				return t, err
			}
		default:
			return t, errTransaction
		}
		if body.bad {
			return t, errTransaction
		}
	}
	return t, nil
}

func (t *transaction) decodeJSON(kind byte, text []byte) error {
	if kind == 'C' {
		t.table = new(table)
		return json.Unmarshal(text, t.table)
	}
	t.moves = new(movesSection)
	return json.Unmarshal(text, t.moves)
}
