package versioning

import (
	"crypto/sha256"
	"fmt"

	"github.com/chemigram/chemigram/versioning/internal/journal"
)

// inspectTransactions reads every transaction and everything in it.
func (x *inspection) inspectTransactions() error {
	v := x.v
	x.damaged, x.summaries = map[uint64]bool{}, map[uint64]journal.Summary{}
	states, records := v.Texts(journal.StateText), v.Texts(journal.RecordText)
	var missing []span // since a journal was last written anew, without some
	for seq := uint64(1); seq <= v.Last(); seq++ {
		if err := x.ctx.Err(); err != nil {
			return err
		}
		r, err := v.Row(seq)
		if err != nil {
			return err
		}
		if r.Has(journal.IsGone) {
			if n := len(missing); n > 0 && missing[n-1].last+1 == seq {
				missing[n-1].last = seq
			} else {
				missing = append(missing, span{seq, seq})
			}
			continue
		}
		t, err := v.Transaction(seq)
		if err != nil {
			x.addDamage(seq, r, DamagedTransaction, "", fmt.Sprintf("transaction %d cannot be read", seq))
			continue
		}
		if isRewrite(t.Moves) {
			missing = nil
		}
		if s := t.State; s != nil {
			text, err := states.Text(seq)
			if err != nil || sha256.Sum256(text) != s.Hash {
				x.addDamage(seq, r, DamagedState, Hash(s.Hash).String(), "its bytes are not those that were written")
			}
		}
		if t.Record != nil {
			if why := x.recordProblem(seq, r, t.Record, records); why != "" {
				x.addDamage(seq, r, DamagedRecord, Hash(r.ID).String(), why)
			}
		}
		if why := x.movesProblem(seq, t.Moves); why != "" {
			x.addDamage(seq, r, DamagedTransaction, "", why)
		}
	}
	for _, m := range missing {
		r, err := v.Row(m.first)
		if err != nil {
			return err
		}
		x.addDamage(m.first, r, DamagedTransaction, "", m.String())
	}
	return nil
}

// span is transactions that follow one another and are missing.
type span struct{ first, last uint64 }

func (s span) String() string {
	if s.first == s.last {
		return fmt.Sprintf("transaction %d is missing", s.first)
	}
	return fmt.Sprintf("the transactions %d to %d are missing", s.first, s.last)
}

// recordProblem says what is wrong with a record, or "".
func (x *inspection) recordProblem(seq uint64, r journal.Row, stored *journal.Record, records *journal.TextReader) string {
	text, err := records.Text(seq)
	if err != nil {
		return "it cannot be read"
	}
	rec, err := parseRecord(text)
	if err != nil || rec.ID != r.ID {
		return "its bytes are not those that were written"
	}
	x.summaries[seq] = rec.summary()
	if len(rec.Parents) != len(stored.Parents) {
		return "it has other parents in the journal than in itself"
	}
	for i, p := range stored.Parents {
		if p == 0 || p >= seq {
			return "it has a parent that is not older"
		}
		parent, err := x.v.Row(p)
		if err != nil || parent.Has(journal.HasRecord) && parent.ID != rec.Parents[i] {
			return "it has other parents in the journal than in itself"
		}
	}
	at := stored.StateSeq
	holder, err := x.v.Row(at)
	if err != nil || at == 0 || at > seq {
		return "its state is not in the journal"
	}
	if holder.Has(journal.IsDamaged|journal.IsGone) || x.damaged[at] {
		return "its state " + rec.State.String() + " is damaged"
	}
	if holder.State != rec.State {
		return "it has another state in the journal than in itself"
	}
	return ""
}

// movesProblem says what is wrong with the moves of a transaction, or "".
func (x *inspection) movesProblem(seq uint64, m *journal.Moves) string {
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
		target, err := x.v.Row(mv.To)
		if err != nil || mv.To > seq || !target.Has(journal.HasRecord|journal.IsDamaged|journal.IsGone) {
			return "it moves " + mv.Ref + " to what is no record"
		}
	}
	return ""
}
