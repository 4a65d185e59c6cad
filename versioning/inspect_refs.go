package versioning

import (
	"fmt"
	"maps"

	"github.com/chemigram/chemigram/versioning/internal/journal"
)

// inspectRefs finds where the refs are by replaying the moves, and those that
// lead to nothing.
func (x *inspection) inspectRefs() {
	whole, ok := x.replayMoves()
	if !ok {
		return
	}
	for _, name := range x.refs.names() {
		if x.isWhole(x.refs.Refs[name].To) {
			continue
		}
		f := Finding{Fault: DanglingRef, File: journal.Name, Name: name, Detail: "its record or state is damaged", Repaired: x.repair}
		if back, ok := whole[name]; ok {
			f.Advice = fmt.Sprintf("Repair moves it to its newest whole position, transaction %d", back.To)
			x.refs.Refs[name] = back
		} else {
			f.Advice = "Repair removes it"
			delete(x.refs.Refs, name)
		}
		x.add(f)
	}
	x.inspectHead()
}

// replayMoves makes x.refs of all moves, and returns each ref's newest position
// that is whole. It is not ok when a checkpoint contradicts the moves.
func (x *inspection) replayMoves() (whole map[string]journal.Position, ok bool) {
	v := x.v
	x.refs = newRefTable()
	whole = map[string]journal.Position{}
	complete := true // nothing is missing since the last checkpoint
	for seq := uint64(1); seq <= v.Last(); seq++ {
		if v.isGone(seq) {
			complete = false
			continue
		}
		t, err := v.Transaction(seq)
		if err != nil || x.damaged[seq] {
			complete = false
			continue
		}
		x.refs.apply(seq, t.Moves)
		if t.Checkpoint != nil && (!complete || isRewrite(t.Moves)) {
			x.refs, complete = fromCheckpoint(t.Checkpoint), true
		}
		if t.Checkpoint != nil && (t.Checkpoint.Head != x.refs.Head || !maps.Equal(t.Checkpoint.Refs, x.refs.Refs)) {
			r, _ := v.Row(seq)
			x.addDamage(seq, r, DamagedTransaction, "", "its checkpoint is not what the moves before it lead to")
			return nil, false
		}
		for name, p := range x.refs.Refs {
			if x.isWhole(p.To) {
				whole[name] = p
			}
		}
	}
	return whole, true
}

func (x *inspection) inspectHead() {
	at, branch := x.refs.head()
	if x.isWhole(at) {
		return
	}
	x.add(Finding{
		Fault: DanglingRef, File: journal.Name, Name: headRef, Detail: "what it names is not there",
		Advice: "Repair attaches it to a branch", Repaired: x.repair,
	})
	if _, ok := x.refs.Refs[mainRef]; ok && branch != mainRef {
		x.refs.Head = journal.Position{Symbolic: mainRef}
		return
	}
	if names := x.refs.names(); len(names) > 0 {
		x.refs.Head = journal.Position{Symbolic: names[0]}
	}
}
