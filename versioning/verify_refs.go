package versioning

import (
	"fmt"
	"maps"
	"slices"
)

// replay finds where the refs stand, and complains of those that stand
// nowhere.
func (x *inspection) replay() {
	v := x.v
	x.table = new(table).clone()
	good := map[string]position{}
	complete := true // nothing is missing since the last checkpoint
	for seq := uint64(1); seq <= v.last; seq++ {
		t, err := v.transaction(seq)
		if err != nil || x.bad[seq] {
			complete = false
			continue
		}
		x.table.apply(seq, t.moves)
		if t.table != nil && (!complete || isRewrite(t.moves)) {
			x.table, complete = t.table.clone(), true
		}
		if t.table != nil && (t.table.Head != x.table.Head || !maps.Equal(t.table.Refs, x.table.Refs)) {
			r, _ := v.row(seq)
			x.damage(seq, r, DamagedTransaction, "", "its checkpoint is not what the moves before it lead to")
			return
		}
		for name, p := range x.table.Refs {
			if x.whole(p.To) {
				good[name] = p
			}
		}
	}
	for _, name := range x.table.names() {
		if p := x.table.Refs[name]; !x.whole(p.To) {
			f := Finding{Fault: DanglingRef, File: journalName, Name: name, Detail: "its record or state is damaged", Repaired: x.repair}
			if back, ok := good[name]; ok {
				f.Advice = fmt.Sprintf("Repair moves it to its newest whole position, transaction %d", back.To)
				x.table.Refs[name] = back
			} else {
				f.Advice = "Repair removes it"
				delete(x.table.Refs, name)
			}
			x.add(f)
		}
	}
	x.replayHead()
}

func (x *inspection) replayHead() {
	at, branch := x.table.head()
	if x.whole(at) {
		return
	}
	f := Finding{Fault: DanglingRef, File: journalName, Name: headRef, Detail: "what it names is not there", Advice: "Repair attaches it to a branch", Repaired: x.repair}
	x.add(f)
	if _, ok := x.table.Refs[mainRef]; ok && branch != mainRef {
		x.table.Head = position{Symbolic: mainRef}
		return
	}
	for _, name := range slices.Sorted(maps.Keys(x.table.Refs)) {
		x.table.Head = position{Symbolic: name}
		return
	}
}

// whole tells whether a record and its state can be read.
func (x *inspection) whole(seq uint64) bool {
	r, err := x.v.row(seq)
	return err == nil && r.has(hasRecord) && !x.bad[seq] && !x.bad[r.stateSeq]
}
