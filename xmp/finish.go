package xmp

import (
	"cmp"
	"math"
	"slices"
)

// finish makes the sidecar of a draft.
func (d *draft) finish() (*Sidecar, error) {
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

// needsOrder tells whether the pipeline order must be spelled out: there is more
// than one instance of a module, which darktable would drop silently otherwise,
// or the order is not the built-in one. A list of fewer modules in the built-in
// order is what an older darktable wrote; the target completes it.
func (d *draft) needsOrder() bool {
	if d.order.HasInstances() {
		return true
	}
	builtin, ok := d.target.BuiltinOrder(d.version)
	if !ok {
		return true
	}
	rest := slices.Collect(instances(builtin))
	for m := range instances(d.order) {
		i := slices.Index(rest, m)
		if i < 0 {
			return true
		}
		rest = rest[i+1:]
	}
	return false
}
