package versioning

import (
	"fmt"
	"maps"
	"strings"

	"github.com/chemigram/chemigram/versioning/internal/journal"
)

// inspectRefs finds where the refs are by replaying the moves, and those that
// lead to nothing.
func (x *inspection) inspectRefs() {
	whole := x.replayMoves()
	for _, name := range x.refs.names() {
		if x.isWhole(x.refs.Refs[name].To) {
			continue
		}
		if name == baselineRef { // it never was anywhere else
			delete(x.refs.Refs, name)
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
		x.rewrite = true
		x.add(f)
	}
	x.replaceBaseline()
	x.inspectHead()
}

// replayMoves makes x.refs of all moves, and returns each ref's newest position
// that is whole.
func (x *inspection) replayMoves() (whole map[string]journal.Position) {
	v := x.v
	x.refs, x.heads, x.moved = newRefTable(), map[uint64]uint64{}, map[string]uint64{}
	whole = map[string]journal.Position{}
	complete := true // nothing is missing since the last checkpoint
	for seq := uint64(1); seq <= v.Last(); seq++ {
		if v.isGone(seq) && !x.parents[seq] {
			complete = false
			continue
		}
		t, err := v.Transaction(seq)
		if err != nil || x.damaged[seq] {
			complete = false
			x.heads[seq], _ = x.refs.head()
			if x.reading {
				x.guessMoves(seq)
			}
			continue
		}
		x.refs.apply(seq, t.Moves)
		x.noteMoves(seq, t.Moves)
		if t.Checkpoint != nil && (!complete || isRewrite(t.Moves)) {
			x.refs, complete, x.unsure = fromCheckpoint(t.Checkpoint), true, 0
			_, based := x.refs.Refs[baselineRef]
			x.unbased = !based && t.Moves != nil && t.Moves.Verb == verbRepair
		}
		if t.Checkpoint != nil && (t.Checkpoint.Head != x.refs.Head || !maps.Equal(t.Checkpoint.Refs, x.refs.Refs)) {
			r, _ := v.Row(seq)
			x.addDamage(seq, r, DamagedTransaction, "", "its checkpoint is not what the moves before it lead to")
			complete = false
		}
		for name, p := range x.refs.Refs {
			if x.isWhole(p.To) {
				whole[name] = p
			}
		}
	}
	return whole
}

func (x *inspection) inspectHead() {
	if at, _ := x.refs.head(); x.isWhole(at) {
		return
	}
	x.add(Finding{
		Fault: DanglingRef, File: journal.Name, Name: headRef, Detail: "what it names is not there",
		Advice: "Repair attaches it to a branch", Repaired: x.repair,
	})
	x.rewrite = true
	x.refs.Head = journal.Position{Symbolic: x.anyBranch()}
}

// anyBranch returns the branch main, or else another. Where none is left it makes
// main, at the newest whole record.
func (x *inspection) anyBranch() string {
	if _, ok := x.refs.Refs[mainRef]; ok {
		return mainRef
	}
	for _, name := range x.refs.names() {
		if strings.HasPrefix(name, headsPrefix) {
			return name
		}
	}
	for seq := x.v.Last(); seq > 0; seq-- {
		if x.isWhole(seq) {
			x.makeRef(mainRef, seq)
			break
		}
	}
	return mainRef
}
