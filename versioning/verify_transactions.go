package versioning

import (
	"crypto/sha256"
	"fmt"
)

// transactions reads every transaction and everything in it.
func (x *inspection) transactions() error {
	v := x.v
	x.bad, x.about = map[uint64]bool{}, map[uint64]about{}
	states, records := newMemo(v, stateOf), newMemo(v, recordOf)
	var missing []uint64 // since a journal was last written anew, without some
	for seq := uint64(1); seq <= v.last; seq++ {
		if err := x.ctx.Err(); err != nil {
			return err
		}
		r, err := v.row(seq)
		if err != nil {
			return err
		}
		if r.has(isGone) {
			missing = append(missing, seq)
			continue
		}
		t, err := v.transaction(seq)
		if err != nil {
			x.damage(seq, r, DamagedTransaction, "", fmt.Sprintf("transaction %d cannot be read", seq))
			continue
		}
		if isRewrite(t.moves) {
			missing = nil
		}
		if s := t.state; s != nil {
			text, err := states.text(seq)
			if err != nil || sha256.Sum256(text) != s.hash {
				x.damage(seq, r, DamagedState, s.hash.String(), "its bytes are not those that were written")
			}
		}
		if t.record != nil {
			if why := x.recordFault(seq, r, t, records); why != "" {
				x.damage(seq, r, DamagedRecord, r.id.String(), why)
			}
		}
		if why := x.movesFault(seq, t.moves); why != "" {
			x.damage(seq, r, DamagedTransaction, "", why)
		}
	}
	for _, seq := range missing {
		r, err := v.row(seq)
		if err != nil {
			return err
		}
		x.damage(seq, r, DamagedTransaction, "", fmt.Sprintf("transaction %d is missing", seq))
	}
	return nil
}

func (x *inspection) damage(seq uint64, r row, fault Fault, name, detail string) {
	x.bad[seq] = true
	x.add(Finding{
		Fault: fault, File: journalName, Offset: r.offset, Name: name, Detail: detail,
		Advice: adviceDamage, Repaired: x.repair,
	})
}

// recordFault says what is wrong with a record, or "".
func (x *inspection) recordFault(seq uint64, r row, t transaction, records *memo) string {
	text, err := records.text(seq)
	if err != nil {
		return "it cannot be read"
	}
	rec, err := parseRecord(text)
	if err != nil || rec.ID != r.id {
		return "its bytes are not those that were written"
	}
	x.about[seq] = aboutOf(rec)
	if len(rec.Parents) != len(t.record.parents) {
		return "it has other parents in the journal than in itself"
	}
	for i, p := range t.record.parents {
		if p == 0 || p >= seq {
			return "it has a parent that is not older"
		}
		parent, err := x.v.row(p)
		if err != nil || parent.has(hasRecord) && parent.id != rec.Parents[i] {
			return "it has other parents in the journal than in itself"
		}
	}
	at := t.record.stateSeq
	holder, err := x.v.row(at)
	if err != nil || at == 0 || at > seq {
		return "its state is not in the journal"
	}
	if holder.has(isDamaged|isGone) || x.bad[at] {
		return "its state " + rec.State.String() + " is damaged"
	}
	if holder.state != rec.State {
		return "it has another state in the journal than in itself"
	}
	return ""
}

// movesFault says what is wrong with the moves of a transaction, or "".
func (x *inspection) movesFault(seq uint64, m *movesSection) string {
	if m == nil {
		return ""
	}
	for _, mv := range m.Moves {
		for _, at := range []uint64{mv.Back, mv.At, mv.Undone, mv.Redo} {
			if at >= seq {
				return "it moves " + mv.Ref + " after something that is not older"
			}
		}
		if mv.To == 0 {
			continue
		}
		target, err := x.v.row(mv.To)
		if err != nil || mv.To > seq || !target.has(hasRecord|isDamaged|isGone) {
			return "it moves " + mv.Ref + " to what is no record"
		}
	}
	return ""
}
