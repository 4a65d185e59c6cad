package versioning

import (
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/chemigram/chemigram/versioning/internal/journal"
)

// inspectTransactions reads every transaction and everything in it.
func (x *inspection) inspectTransactions() error {
	before := len(x.findings)
	err := x.readTransactions()
	if err == nil && x.foreign && x.copied {
		// Records name another one as the first: the copy is not of this history.
		x.findings = x.findings[:before]
		if err = x.mendWithoutCopy(); err == nil {
			err = x.readTransactions()
		}
	}
	return err
}

func (x *inspection) readTransactions() error {
	v := x.v
	x.damaged, x.summaries = map[uint64]bool{}, map[uint64]journal.Summary{}
	x.vouched, x.parents, x.named = map[uint64]bool{}, map[uint64]bool{}, map[uint64]Hash{}
	states, records := v.Texts(journal.StateText), v.Texts(journal.RecordText)
	x.missing = nil // since a journal was last written anew, without some
	for seq := uint64(1); seq <= v.Last(); seq++ {
		if err := x.ctx.Err(); err != nil {
			return err
		}
		r, err := v.Row(seq)
		if err != nil {
			return err
		}
		if r.Has(journal.IsGone) {
			if n := len(x.missing); n > 0 && x.missing[n-1].last+1 == seq {
				x.missing[n-1].last = seq
			} else {
				x.missing = append(x.missing, span{seq, seq})
			}
			continue
		}
		t, err := v.Transaction(seq)
		if err != nil {
			x.addDamage(seq, r, DamagedTransaction, "", fmt.Sprintf("transaction %d cannot be read", seq))
			continue
		}
		if isRewrite(t.Moves) {
			x.missing = nil
		}
		x.inspectTransaction(seq, r, t, states, records)
	}
	for _, m := range x.missing {
		r, err := v.Row(m.first)
		if err != nil {
			return err
		}
		x.addDamage(m.first, r, DamagedTransaction, "", m.String())
	}
	x.inspectMended()
	return nil
}

// isLost reports whether a transaction cannot be read, and was not taken out by
// Prune or Repair.
func (x *inspection) isLost(seq uint64) bool {
	return x.damaged[seq] || slices.ContainsFunc(x.missing, func(s span) bool { return s.first <= seq && seq <= s.last })
}

// span is transactions that follow one another and are missing.
type span struct{ first, last uint64 }

func (s span) String() string {
	if s.first == s.last {
		return fmt.Sprintf("transaction %d is missing", s.first)
	}
	return fmt.Sprintf("the transactions %d to %d are missing", s.first, s.last)
}

// inspectTransaction looks at what is in a transaction.
func (x *inspection) inspectTransaction(seq uint64, r journal.Row, t journal.Transaction, states, records *journal.TextReader) {
	if s := t.State; s != nil {
		text, err := states.Text(seq)
		if err != nil || sha256.Sum256(text) != s.Hash {
			x.addDamage(seq, r, DamagedState, Hash(s.Hash).String(), "its bytes are not those that were written")
		}
	}
	if t.Record != nil {
		why := x.recordProblem(seq, r, t.Record, records)
		if why != "" {
			x.addDamage(seq, r, DamagedRecord, Hash(r.ID).String(), why)
		}
		for _, p := range t.Record.Parents {
			x.parents[p] = true
			x.vouched[p] = x.vouched[p] || why == ""
		}
		if at := t.Record.StateSeq; at != seq {
			x.vouched[at] = x.vouched[at] || why == ""
		}
	}
	if why := x.movesProblem(seq, t.Moves); why != "" {
		x.addDamage(seq, r, DamagedTransaction, "", why)
	}
}

// inspectMended decides what is kept of the transactions that were mended: those
// of which a whole record names the hash, so that nobody has to guess.
func (x *inspection) inspectMended() {
	for seq := uint64(1); seq <= x.v.Last(); seq++ {
		if !x.v.Mended(seq) || x.damaged[seq] {
			continue
		}
		r, _ := x.v.Row(seq)
		copied := seq == 1 && x.copied
		if !copied && !x.vouched[seq] {
			x.addDamage(seq, r, DamagedTransaction, "", fmt.Sprintf("transaction %d cannot be read", seq))
			continue
		}
		detail := fmt.Sprintf("a byte of transaction %d is not as it was written; its hashes say which, and nothing is lost", seq)
		if copied {
			detail = "the first transaction cannot be read; its copy is whole, and nothing is lost"
		}
		x.rewrite = true
		x.add(Finding{
			Fault: DamagedTransaction, File: journal.Name, Offset: r.Offset, Detail: detail,
			Advice: "Repair writes it again", Repaired: x.repair,
		})
	}
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
		x.named[p] = rec.Parents[i]
		if p == 0 || p >= seq {
			return "it has a parent that is not older"
		}
		parent, err := x.v.Row(p)
		if err != nil || parent.Has(journal.HasRecord) && parent.ID != rec.Parents[i] {
			x.foreign = x.foreign || p == 1 && x.copied
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
