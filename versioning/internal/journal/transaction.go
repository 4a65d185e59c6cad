package journal

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
)

// Hash is a SHA-256.
type Hash = [sha256.Size]byte

// Transaction is what one frame publishes; every part may be missing.
type Transaction struct {
	State      *State
	Record     *Record
	Moves      *Moves
	Checkpoint *Checkpoint
}

// State is a state that a transaction holds.
type State struct {
	Hash Hash
	Text Packed
}

// Record is a record that a transaction holds. Numbers are sequence numbers.
type Record struct {
	ID        Hash
	StateSeq  uint64 // the transaction that holds the state
	Ancestors uint64 // how many it has, itself included
	Parents   []uint64
	Text      Packed
	// Summary is known of a record that was just made; the journal does not
	// store it.
	Summary *Summary
}

// Section is one of the two texts that a transaction may hold.
type Section bool

// The sections with texts.
const (
	StateText  Section = false
	RecordText Section = true
)

// most is how many bytes a text of the section may have.
func (s Section) most() uint64 {
	if s == RecordText {
		return MaxRecord
	}
	return MaxText
}

// text returns a text of the transaction, or nil.
func (t Transaction) text(s Section) *Packed {
	switch {
	case s == StateText && t.State != nil:
		return &t.State.Text
	case s == RecordText && t.Record != nil:
		return &t.Record.Text
	}
	return nil
}

// encode returns the payload of the transaction's frame.
func (t Transaction) encode() ([]byte, error) {
	var b []byte
	section := func(kind byte, body []byte) {
		b = append(b, kind)
		b = binary.AppendUvarint(b, uint64(len(body)))
		b = append(b, body...)
	}
	if s := t.State; s != nil {
		section('S', s.Text.append(s.Hash[:]))
	}
	if r := t.Record; r != nil {
		body := append([]byte(nil), r.ID[:]...)
		body = binary.AppendUvarint(body, r.StateSeq)
		body = binary.AppendUvarint(body, r.Ancestors)
		body = binary.AppendUvarint(body, uint64(len(r.Parents)))
		for _, p := range r.Parents {
			body = binary.AppendUvarint(body, p)
		}
		section('R', r.Text.append(body))
	}
	if t.Moves != nil {
		body, err := EncodeJSON(t.Moves)
		if err != nil {
			return nil, &Error{Kind: Invalid, Err: err}
		}
		section('M', body)
	}
	if t.Checkpoint != nil {
		body, err := EncodeJSON(t.Checkpoint)
		if err != nil {
			return nil, &Error{Kind: Invalid, Err: err}
		}
		section('C', body)
	}
	return b, nil
}

// frame returns the transaction's frame.
func (t Transaction) frame(seq uint64) ([]byte, error) {
	payload, err := t.encode()
	if err != nil {
		return nil, err
	}
	if len(payload) > maxPayload {
		return nil, &Error{Kind: Invalid, Message: fmt.Sprintf("a transaction of %d bytes is too large: at most %d are written", len(payload), maxPayload)}
	}
	return encodeFrame(seq, payload), nil
}

var errTransaction = errors.New("a transaction cannot be read")

// decodeTransaction reads a whole payload.
func decodeTransaction(payload []byte) (Transaction, error) { return decodePayload(payload, true) }

// decodeTexts reads the state and the record of a payload, and leaves the JSON
// of the rest unread.
func decodeTexts(payload []byte) (Transaction, error) { return decodePayload(payload, false) }

func decodePayload(payload []byte, whole bool) (Transaction, error) {
	var t Transaction
	for c := (cursor{b: payload}); len(c.b) > 0; {
		kind := c.take(1)[0]
		length := c.uvarint()
		if length > maxPayload {
			return t, errTransaction
		}
		body := cursor{b: c.take(int(length))}
		if c.bad {
			return t, errTransaction
		}
		switch kind {
		case 'S':
			t.State = &State{Hash: body.hash(), Text: body.packed()}
		case 'R':
			r := &Record{ID: body.hash(), StateSeq: body.uvarint(), Ancestors: body.uvarint()}
			n := body.uvarint()
			if n > 2 {
				return t, errTransaction
			}
			for range n {
				r.Parents = append(r.Parents, body.uvarint())
			}
			r.Text = body.packed()
			t.Record = r
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
