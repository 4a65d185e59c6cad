package versioning

import (
	"maps"
	"slices"
)

// table is where HEAD and the refs stand after a transaction.
type table struct {
	Head position            `json:"head"`
	Refs map[string]position `json:"refs,omitempty"`
}

// position is where one ref stands. Numbers are sequence numbers.
type position struct {
	Symbolic string `json:"symbolic,omitempty"` // HEAD only: the branch it names
	To       uint64 `json:"to,omitempty"`       // the record
	At       uint64 `json:"at,omitempty"`       // the movement that undo takes back
	Redo     uint64 `json:"redo,omitempty"`     // the undo that redo takes back
}

// apply makes the moves of transaction seq.
func (t *table) apply(seq uint64, m *movesSection) {
	if m == nil {
		return
	}
	for _, mv := range m.Moves {
		if mv.Ref == headRef {
			t.Head = position{Symbolic: mv.Symbolic, To: mv.To}
			continue
		}
		switch {
		case mv.To == 0:
			delete(t.Refs, mv.Ref)
		case mv.Undone != 0: // an undo
			t.Refs[mv.Ref] = position{To: mv.To, At: mv.At, Redo: seq}
		case mv.At != 0: // a redo
			t.Refs[mv.Ref] = position{To: mv.To, At: mv.At, Redo: mv.Redo}
		default:
			t.Refs[mv.Ref] = position{To: mv.To, At: seq}
		}
	}
}

// head gives the record that HEAD is at, and the branch that it names.
func (t *table) head() (seq uint64, branch string) {
	if t.Head.Symbolic != "" {
		return t.Refs[t.Head.Symbolic].To, t.Head.Symbolic
	}
	return t.Head.To, ""
}

func (t *table) names() []string { return slices.Sorted(maps.Keys(t.Refs)) }

func (t *table) clone() *table {
	c := &table{Head: t.Head, Refs: maps.Clone(t.Refs)}
	if c.Refs == nil {
		c.Refs = map[string]position{}
	}
	return c
}
