package versioning

import (
	"maps"
	"slices"

	"github.com/chemigram/chemigram/versioning/internal/journal"
)

// refTable is where HEAD and the refs are after a transaction.
type refTable journal.Checkpoint

func newRefTable() *refTable { return &refTable{Refs: map[string]journal.Position{}} }

// apply makes the moves of transaction seq.
func (t *refTable) apply(seq uint64, m *journal.Moves) {
	if m == nil {
		return
	}
	for _, mv := range m.Moves {
		if mv.Ref == headRef {
			t.Head = journal.Position{Symbolic: mv.Symbolic, To: mv.To}
			continue
		}
		switch {
		case mv.To == 0:
			delete(t.Refs, mv.Ref)
		case mv.Undone != 0: // an undo
			t.Refs[mv.Ref] = journal.Position{To: mv.To, At: mv.At, Redo: seq}
		case mv.At != 0: // a redo
			t.Refs[mv.Ref] = journal.Position{To: mv.To, At: mv.At, Redo: mv.Redo}
		default:
			t.Refs[mv.Ref] = journal.Position{To: mv.To, At: seq}
		}
	}
}

// head returns the record that HEAD is at, and the branch that it names.
func (t *refTable) head() (seq uint64, branch string) {
	if t.Head.Symbolic != "" {
		return t.Refs[t.Head.Symbolic].To, t.Head.Symbolic
	}
	return t.Head.To, ""
}

func (t *refTable) names() []string { return slices.Sorted(maps.Keys(t.Refs)) }

// lookup finds a ref by its full name, or by its name: branch before tag
// before a remote's branch.
func (t *refTable) lookup(name string) (full string, p journal.Position, ok bool) {
	for _, prefix := range []string{"", headsPrefix, tagsPrefix, remotesPrefix} {
		if p, ok = t.Refs[prefix+name]; ok {
			return prefix + name, p, true
		}
	}
	return "", journal.Position{}, false
}

func (t *refTable) clone() *refTable {
	c := &refTable{Head: t.Head, Refs: maps.Clone(t.Refs), Gaps: t.Gaps, Kept: t.Kept, Unsure: t.Unsure}
	if c.Refs == nil {
		c.Refs = map[string]journal.Position{}
	}
	return c
}

// checkpoint returns the table as a transaction holds it.
func (t *refTable) checkpoint() *journal.Checkpoint { return (*journal.Checkpoint)(t) }

// fromCheckpoint returns a table that may be written to.
func fromCheckpoint(c *journal.Checkpoint) *refTable { return (*refTable)(c).clone() }
