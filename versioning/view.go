package versioning

import (
	"context"

	"github.com/chemigram/chemigram/versioning/internal/journal"
)

// view is a history as it was at one instant. Like the journal in it, it needs
// no lock to be read.
type view struct {
	*journal.Journal
	history *History
	refs    *refTable
	records *journal.TextReader
}

// view opens the history as it is now.
func (h *History) view(writable bool) (*view, error) {
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
