package versioning

import (
	"slices"
	"strings"
	"time"
)

// The verbs that write a new journal. Their transaction has a checkpoint.
const (
	verbRepair = "Repair"
	verbPrune  = "Prune"
)

func isRewrite(m *movesSection) bool {
	return m != nil && (m.Verb == verbRepair || m.Verb == verbPrune)
}

func isRepairTrash(name string) bool { return strings.HasSuffix(name, "-repair") }

// trashTime is how trash is named, so that names sort by time.
const trashTime = "20060102T150405.000000000Z"

// rewrite puts a new journal in place that has only the transactions that keep
// chooses, and a last one that says why; the old one goes to trash whole. The
// sequence numbers stay. v has no index, and is closed afterwards. The caller
// holds the lock.
func (v *view) rewrite(keep func(seq uint64) bool, last transaction) error {
	h, now := v.history, last.moves.Time
	content := newHeader(now).encode()
	for seq := uint64(1); seq <= v.last; seq++ {
		if !keep(seq) {
			continue
		}
		frame, err := v.kept(seq, keep)
		if err != nil {
			return err
		}
		content = append(content, frame...)
	}
	payload, err := last.encode()
	if err != nil {
		return &Error{Kind: Invalid, Err: err}
	}
	content = append(content, encodeFrame(v.last+1, payload)...)

	old, err := readAll(h.folder, journalName)
	if err != nil {
		return fileError(journalName, err)
	}
	name := joinName(trashName, now.Format(trashTime)+"-"+strings.ToLower(last.moves.Verb))
	if err := h.writeWhole(name, old); err != nil {
		return err
	}
	v.close() // Windows does not replace a file that is open
	h.forget()
	if err := h.writeWhole(journalName, content); err != nil {
		return err
	}
	return h.reindex()
}

// kept gives a transaction's frame for a journal that lacks some. A text that
// differs from one that is not kept is packed whole.
func (v *view) kept(seq uint64, keep func(uint64) bool) ([]byte, error) {
	r, err := v.row(seq)
	if err != nil {
		return nil, err
	}
	t, err := v.transaction(seq)
	if err != nil {
		return nil, err
	}
	again := false
	for _, of := range []section{stateOf, recordOf} {
		p := of(t)
		if p == nil || p.base == 0 || keep(p.base) {
			continue
		}
		text, err := v.text(seq, of)
		if err != nil {
			return nil, err
		}
		*p, again = pack(text, nil, 0, 0), true
	}
	if !again {
		return readRange(v.journal, r.offset, int64(r.length))
	}
	payload, err := t.encode()
	return encodeFrame(seq, payload), err
}

// reindex makes the index of a new journal.
func (h *History) reindex() error {
	v, err := h.view(true)
	if err != nil {
		return err
	}
	defer v.close()
	return v.settle()
}

// mend does what Repair promises, after everything was looked at.
func (x *inspection) mend() error {
	v, h := x.v, x.history
	headerBad := slices.ContainsFunc(x.findings, func(f Finding) bool { return f.Fault == DamagedHeader })
	if len(x.bad) == 0 && !headerBad {
		if slices.ContainsFunc(x.findings, func(f Finding) bool { return f.Fault == DamagedIndex }) {
			v.index = nil
			if err := v.writeIndex(); err != nil {
				return err
			}
		}
		if v.torn > 0 {
			return h.reindex() // cuts the tail
		}
		return nil
	}
	if len(x.table.Refs) == 0 {
		return fail("", Corrupt, journalName, "nothing in it can be saved; copy the folder from a backup")
	}
	last := transaction{
		moves: &movesSection{Time: h.opts.Now().UTC().Truncate(time.Nanosecond), Verb: verbRepair},
		table: x.table,
	}
	keep := func(seq uint64) bool {
		r, err := v.row(seq)
		return err == nil && !r.has(isDamaged|isGone) && !x.bad[seq]
	}
	if err := v.rewrite(keep, last); err != nil {
		return err
	}
	for i := range x.findings {
		if x.findings[i].Fault != UnknownFile && x.findings[i].Fault != DamagedTrash {
			x.findings[i].Repaired = true
		}
	}
	return nil
}
