package xmp

import (
	"slices"

	"github.com/chemigram/chemigram/xmp/iop"
)

// editor holds the history of a sidecar while edits are applied.
type editor struct {
	from         *Sidecar
	target       iop.Release
	active       []*entry // one per instance
	undone       []*entry
	order        iop.Order
	orderVersion int // 0 is a custom order
	forms        formList
	shared       sharedNames
	// inserted are the numbers that instances of shared names got in these edits.
	inserted map[instance]int
}

// newEditor compacts the history: of each instance the last active entry counts.
// The edits to come say which names they share.
func newEditor(s *Sidecar, target iop.Release, edits []Edit) (*editor, error) {
	if err := s.checkEditable(); err != nil {
		return nil, err
	}
	ed := &editor{from: s, target: target, undone: s.entries[s.end:]}
	if err := ed.readOrder(); err != nil {
		return nil, err
	}
	type numbered struct {
		operation string
		number    int
	}
	found := make(map[numbered]bool, s.end)
	ed.active = make([]*entry, 0, s.end+1)
	for _, e := range slices.Backward(s.entries[:s.end]) {
		if id := (numbered{e.operation, e.priority}); !found[id] {
			found[id] = true
			ed.active = append(ed.active, e)
		}
	}
	slices.Reverse(ed.active)
	ed.shared, ed.inserted = findSharedNames(ed.active, edits), map[instance]int{}
	ed.forms = newFormList(s.formsInForce(), ed.active, ed.shared)
	return ed, nil
}

// checkEditable refuses the formats that had no pipeline order, or another one.
func (s *Sidecar) checkEditable() error {
	const remedy = "; let darktable 3.0 or newer write it first"
	if _, ok := s.props.Text(nameOrderVersion); !ok {
		return errorf(Unsupported, "the sidecar has no iop_order_version, as darktable wrote before 3.0"+remedy)
	}
	for _, e := range s.entries {
		for i := range e.more {
			if e.more[i].Name == nameEntryOrder {
				return errorf(Unsupported, "history entries with an iop_order of their own, as darktable 2.6 wrote"+remedy)
			}
		}
	}
	return nil
}

// isManaged reports whether an entry's number is ours to choose.
func (ed *editor) isManaged(e *entry) bool {
	return len(e.origins) > 0 && e.priority != 0 && !ed.shared.has(e.operation, e.multiName)
}

// sidecar returns the edited sidecar.
func (ed *editor) sidecar() (*Sidecar, error) {
	if n := len(ed.active) + len(ed.undone); n > MaxEntries {
		return nil, errorf(TooLarge, "%d history entries; at most %d could be read again", n, MaxEntries)
	}
	if err := ed.numberInstances(); err != nil {
		return nil, err
	}
	ed.sortByPipeline()
	s := *ed.from
	s.hasHistory = true
	s.props = s.props.Without(nameHistoryEnd)
	s.forms = ed.finalForms()
	s.entries = slices.Concat(ed.active, ed.undone)
	s.end = len(ed.active)
	s.props = ed.orderProperties(s.props)
	return s.withoutHashes(), nil
}
