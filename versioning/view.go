package versioning

import (
	"context"
	"errors"

	"github.com/chemigram/chemigram/versioning/internal/journal"
)

// view is a history as it was at one instant. Like the journal in it, it needs
// no lock to be read.
type view struct {
	*journal.Journal
	history *History
	refs    *refTable
	records *journal.TextReader
	damage  *inspection // of a view that reads around damage; else nil
}

// view opens the history as it is now. It may be writable under the lock alone.
func (h *History) view(writable bool) (*view, error) {
	for before := (extent{}); ; {
		v, err := h.openView(writable)
		if err == nil || writable || errors.Is(err, NotInitialised) || errors.Is(err, TooNew) {
			return v, err
		}
		// A reader may have opened the journal of before a change and the index of
		// after it. It is damage when nothing has changed since.
		now := h.extent()
		if now == before {
			return nil, err
		}
		before = now
	}
}

// extent tells one instant of a history's files from another.
type extent struct {
	journal        string // its first line
	length, listed int64  // of the journal and the index
}

func (h *History) extent() (e extent) {
	e.journal, e.length = h.measure(journal.Name)
	_, e.listed = h.measure(journal.IndexName)
	return e
}

// measure returns the first bytes of a file and its length; what cannot be read
// is empty.
func (h *History) measure(name string) (first string, length int64) {
	f, err := h.folder.Open(name, false)
	if err != nil {
		return "", -1
	}
	defer f.Close()
	b := make([]byte, 256)
	n, _ := f.ReadAt(b, 0)
	length, _ = f.Size()
	return string(b[:n]), length
}

func (h *History) openView(writable bool) (*view, error) {
	j, err := journal.Open(h.folder, journal.Options{Writable: writable, Durable: h.opts.Durability == Full})
	if err != nil {
		return nil, err
	}
	v := newView(h, j)
	if err := v.readRefs(); err != nil {
		v.Close()
		return nil, err
	}
	return v, nil
}

func newView(h *History, j *journal.Journal) *view {
	return &view{Journal: j, history: h, records: j.Texts(journal.RecordText)}
}

// reader opens a view for a method that only reads.
func (h *History) reader(ctx context.Context) (*view, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return h.view(false)
}

// find returns the newest transaction whose row fits.
func (v *view) find(fits func(journal.Row) bool) (uint64, bool) {
	for seq := v.Last(); seq > 0; seq-- {
		if r, err := v.Row(seq); err == nil && fits(r) {
			return seq, true
		}
	}
	return 0, false
}

// isGone reports whether Prune or Repair took a transaction out.
func (v *view) isGone(seq uint64) bool {
	r, err := v.Row(seq)
	return err == nil && r.Has(journal.IsGone)
}
