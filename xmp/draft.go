package xmp

import (
	"slices"

	"github.com/chemigram/chemigram/xmp/iop"
)

// draft is a sidecar that is being edited.
type draft struct {
	from    *Sidecar
	target  iop.Release
	active  []*entry // one per instance
	undone  []*entry
	order   iop.Order
	version int // of the pipeline order; 0 is a custom one
	drawing drawing
}

// draft compacts the history: of each instance the last active entry counts.
func (s *Sidecar) draft(target iop.Release) (*draft, error) {
	if err := s.editable(); err != nil {
		return nil, err
	}
	d := &draft{from: s, target: target, undone: s.entries[s.end:]}
	if err := d.readOrder(); err != nil {
		return nil, err
	}
	type numbered struct {
		operation string
		number    int
	}
	seen := make(map[numbered]bool, s.end)
	d.active = make([]*entry, 0, s.end+1)
	for _, e := range slices.Backward(s.entries[:s.end]) {
		if id := (numbered{e.operation, e.priority}); !seen[id] {
			seen[id] = true
			d.active = append(d.active, e)
		}
	}
	slices.Reverse(d.active)
	d.readForms()
	return d, nil
}

// editable refuses the formats that had no pipeline order, or another one.
func (s *Sidecar) editable() error {
	const remedy = "; let darktable 3.0 or newer write it first"
	if _, ok := s.property(name{nsDarktable, "iop_order_version"}); !ok {
		return failf(Unsupported, "the sidecar has no iop_order_version, as darktable wrote before 3.0"+remedy)
	}
	for _, e := range s.entries {
		for i := range e.more {
			if e.more[i].name == (name{nsDarktable, "iop_order"}) {
				return failf(Unsupported, "history entries with an iop_order of their own, as darktable 2.6 wrote"+remedy)
			}
		}
	}
	return nil
}

// managed tells whether the entry's number is ours to choose.
func (e *entry) managed() bool {
	return len(e.origins) > 0 && e.multiName != "" && e.priority != 0
}
