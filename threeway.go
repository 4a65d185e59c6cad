package chemigram

import (
	"fmt"
	"slices"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/xmp"
)

// threeWay merges the history stacks of two sidecars that come from a third.
type threeWay struct {
	base, ours, theirs *xmp.Sidecar
	choices            choices
	pick               bool // base is no ancestor of ours: what ours lacks, ours did not remove

	conflicts []MergeConflict // that no choice decides
	used      []bool          // which resolutions decided something
}

// choices decide conflicts.
type choices struct {
	prefer  Side
	resolve []Resolution
}

// edits are what makes ours the merged sidecar.
func (m *threeWay) edits() ([]xmp.Edit, error) {
	m.used = make([]bool, len(m.choices.resolve))
	var edits []xmp.Edit
	seen := map[place]bool{}
	for _, entry := range slices.Concat(m.ours.History(), m.theirs.History(), m.base.History()) {
		at := place{entry.Operation, instanceName(entry)}
		if seen[at] {
			continue
		}
		seen[at] = true
		base, ours, theirs := pieceOf(m.base, at), pieceOf(m.ours, at), pieceOf(m.theirs, at)
		merged, err := m.merge(at, base, ours, theirs)
		switch {
		case err != nil:
			return nil, err
		case merged.same(ours):
		case merged == nil:
			edits = append(edits, xmp.Remove{Operation: at.operation, MultiName: at.instance})
		default:
			entry := merged.entry
			entry.MultiName = at.instance // a base instance may be called after a preset
			edits = append(edits, xmp.Put{Entry: entry, Forms: merged.forms})
		}
	}
	var unknown []fault.Violation
	for i, used := range m.used {
		if r := m.choices.resolve[i]; !used {
			unknown = append(unknown, fault.Violation{
				Pointer: fmt.Sprintf("/resolve/%d", i), Expected: "a conflict of this merge, as it is listed without resolve",
				Got: fmt.Sprintf("%q of %q", r.Field, place{r.Module, r.Instance}),
			})
		}
	}
	return edits, fault.Violated(unknown)
}

// place names a module instance.
type place struct{ operation, instance string }

func (p place) String() string {
	if p.instance == "" {
		return p.operation
	}
	return p.operation + ":" + p.instance
}

// merge merges one module instance; nil stands for none.
func (m *threeWay) merge(at place, base, ours, theirs *piece) (*piece, error) {
	switch {
	case ours.same(theirs), theirs.same(base):
		return ours, nil
	case ours.same(base):
		return theirs, nil
	}
	if m.pick && ours == nil {
		if piece, ok := changeAlone(base, theirs); ok {
			return piece, nil
		}
	}
	if ours != nil && theirs != nil && !paramsNameForms(at.operation) {
		fields, ok := decodeFields(base, ours, theirs)
		if ok {
			return m.mergeFields(at, fields)
		}
	}
	side, _, err := m.decide(MergeConflict{
		Module: at.operation, Instance: at.instance,
		Base: base.String(), Ours: ours.String(), Theirs: theirs.String(),
	}, false)
	if side == Theirs {
		return theirs, err
	}
	return ours, err
}

// decide finds what was chosen for a conflict: a side, or a value where the
// conflict can have one. What nobody decides is listed, and ours for now.
func (m *threeWay) decide(c MergeConflict, oneValue bool) (side Side, value string, err error) {
	for i, r := range m.choices.resolve {
		if r.Module != c.Module || r.Instance != c.Instance || r.Field != c.Field {
			continue
		}
		m.used[i] = true
		switch {
		case r.Value == "" && r.Take != "":
			return r.Take, "", nil
		case r.Value != "" && r.Take == "" && oneValue:
			return Ours, r.Value, nil
		}
		return "", "", fault.Violated([]fault.Violation{{
			Pointer: fmt.Sprintf("/resolve/%d", i), Expected: "take, or for a field of one value a value instead",
			Got: fmt.Sprintf("take %q, value %q", r.Take, fault.Shorten(r.Value)),
		}})
	}
	if m.choices.prefer != "" {
		return m.choices.prefer, "", nil
	}
	m.conflicts = append(m.conflicts, c)
	return Ours, "", nil
}

// paramsNameForms tells whether a module's parameters name drawn forms, so that
// none of them means anything without the forms and the others.
func paramsNameForms(operation string) bool { return operation == "retouch" || operation == "spots" }
