package journal

import (
	"fmt"
	"time"
)

// New returns the content of a journal with its first transaction.
func New(now time.Time, first Transaction) ([]byte, error) {
	f, err := first.frame(1)
	if err != nil {
		return nil, err
	}
	return append(newHeader(now).encode(), f...), nil
}

// Rewrite returns the content of a new journal that has only the transactions
// that keep chooses, with the sequence numbers that they have, and one more.
func (j *Journal) Rewrite(now time.Time, keep func(seq uint64) bool, last Transaction) ([]byte, error) {
	content := newHeader(now).encode()
	for seq := uint64(1); seq <= j.last; seq++ {
		if !keep(seq) {
			continue
		}
		f, err := j.frameWithout(seq, keep)
		if err != nil {
			return nil, err
		}
		content = append(content, f...)
	}
	f, err := last.frame(j.last + 1)
	if err != nil {
		return nil, err
	}
	content = append(content, f...)
	if !isPlausible(j.last+1, int64(len(content))) {
		return nil, &Error{Kind: Invalid, File: Name, Message: fmt.Sprintf("more than %d transactions would be missing from it; take out fewer", maxGone)}
	}
	return content, nil
}

// frameWithout returns a transaction's frame for a journal that lacks some. A
// text that differs from one that is not kept is packed whole.
func (j *Journal) frameWithout(seq uint64, keep func(uint64) bool) ([]byte, error) {
	r, err := j.Row(seq)
	if err != nil {
		return nil, err
	}
	t, err := j.Transaction(seq)
	if err != nil {
		return nil, err
	}
	changed := false
	for _, s := range []Section{StateText, RecordText} {
		p := t.text(s)
		if p == nil || p.base == 0 || keep(p.base) {
			continue
		}
		text, err := j.Texts(s).Text(seq)
		if err != nil {
			return nil, err
		}
		*p, changed = packWhole(text), true
	}
	if !changed {
		return j.frameOf(seq, r)
	}
	return t.frame(seq)
}
