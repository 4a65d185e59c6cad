package xmp

import (
	"cmp"
	"math"
	"slices"
)

// finish makes the sidecar of a draft.
func (d *draft) finish() (*Sidecar, error) {
	if n := len(d.active) + len(d.undone); n > MaxEntries {
		return nil, failf(TooLarge, "%d history entries; at most %d could be read again", n, MaxEntries)
	}
	if err := d.number(); err != nil {
		return nil, err
	}
	d.sort()
	s := *d.from
	s.history = true
	s.forms = d.finishForms()
	s.entries = slices.Concat(d.active, d.undone)
	s.end = len(d.active)
	s.props = slices.DeleteFunc(slices.Clone(s.props), func(p property) bool {
		return p.name.space == nsDarktable && stale[p.name.local]
	})
	if d.needsOrder() {
		s.props = withText(s.props, orderList, d.order.String())
	} else {
		s.props = without(s.props, orderList)
	}
	return &s, nil
}

// stale are darktable's hashes of a history that is no more.
var stale = map[string]bool{"history_basic_hash": true, "history_auto_hash": true, "history_current_hash": true}

// sort puts the active entries into pipeline order; modules without a place come
// last, by name.
func (d *draft) sort() {
	type ranked struct {
		rank  int
		entry *entry
	}
	all := make([]ranked, len(d.active))
	for i, e := range d.active {
		all[i] = ranked{d.order.Index(e.operation, e.priority), e}
		if all[i].rank < 0 {
			all[i].rank = math.MaxInt
		}
	}
	slices.SortFunc(all, func(a, b ranked) int {
		return cmp.Or(
			cmp.Compare(a.rank, b.rank),
			cmp.Compare(a.entry.operation, b.entry.operation),
			cmp.Compare(a.entry.priority, b.entry.priority),
		)
	})
	for i := range all {
		d.active[i] = all[i].entry
	}
}
