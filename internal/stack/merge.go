package stack

import (
	"fmt"
	"slices"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

// Versions are the versions of an edit that a merge works on: what Base became in
// Ours and in Theirs.
type Versions struct {
	Base, Ours, Theirs *xmp.Sidecar
	// Undecided are the conflicts that [MergeBases] left in the base: it has some value
	// there, but it is not what both sides come from.
	Undecided []Conflict
	// WithoutLook takes the starting look away that a version has within a mask, or for
	// "" on the whole picture.
	WithoutLook func(version *xmp.Sidecar, within string) (*xmp.Sidecar, error)
}

// Side is one of the two sides of a conflict.
type Side string

// The sides.
const (
	Ours   Side = "ours"
	Theirs Side = "theirs"
)

// Choices decide conflicts.
type Choices struct {
	// Resolve decides conflicts one by one.
	Resolve []Resolution
	// Prefer decides all others; "" leaves them open.
	Prefer Side
}

// Resolution decides the conflict with this module, instance and field, by a side
// or, for a field of one value, by a value as text.
type Resolution struct {
	Module, Instance, Field string
	Take                    Side
	Value                   string
}

// Conflict is what both sides changed in different ways, with the three values.
type Conflict struct {
	// Module is darktable's name of it, and Instance the instance's: empty for
	// the base instance.
	Module, Instance string
	// Field is the parameter, all elements of an array being one; "enabled";
	// "mask" for blending, mask and drawn forms together; or empty for the whole
	// instance. The order of the whole pipeline is the field "order" of a module
	// "pipeline"; starting looks are a module "look", with the mask as instance.
	Field              string
	Base, Ours, Theirs string
}

// Merge merges what both sides made of their base, by module instance and field.
// When choices leave conflicts open, it gives these and no sidecar. A resolution
// that fits no conflict is refused.
func Merge(release iop.Release, v Versions, choices Choices) (*xmp.Sidecar, []Conflict, error) {
	return (&merger{Versions: v, choices: choices}).merge(release)
}

// CherryPick makes the change that led from base to theirs on ours, which does not
// come from base: an instance that ours does not have was not removed there, and
// gets the change alone.
func CherryPick(release iop.Release, v Versions, choices Choices) (*xmp.Sidecar, []Conflict, error) {
	return (&merger{Versions: v, choices: choices, cherryPick: true}).merge(release)
}

// merger is a merge in progress.
type merger struct {
	Versions
	choices    Choices
	cherryPick bool
	forBase    bool       // conflicts are left undecided, and the merge goes on with ours
	left       []Conflict // these conflicts

	conflicts []Conflict // that no choice decides
	used      []bool     // which resolutions decided a conflict
}

func (m *merger) merge(release iop.Release) (*xmp.Sidecar, []Conflict, error) {
	m.used = make([]bool, len(m.choices.Resolve))
	if err := m.mergeLooks(); err != nil || len(m.conflicts) > 0 {
		return nil, m.conflicts, err // the others depend on which look it is
	}
	names := nameInstances(m.Base, m.Ours, m.Theirs)
	edits, err := m.edits(names)
	if err != nil {
		return nil, nil, err
	}
	order, err := m.mergeOrder(release, names)
	if err != nil {
		return nil, nil, err
	}
	if err := m.checkUsed(); err != nil || len(m.conflicts) > 0 {
		return nil, m.conflicts, err
	}
	merged, err := m.Ours.With(release, edits...)
	if err != nil {
		return nil, nil, err
	}
	merged, err = names.arranged(release, merged, order)
	return merged, nil, err
}

// edits gives what turns ours into the merged version, but for the pipeline's order.
func (m *merger) edits(names naming) ([]xmp.Edit, error) {
	base, ours, theirs := names.instances(m.Base), names.instances(m.Ours), names.instances(m.Theirs)
	var edits []xmp.Edit
	seen := map[instanceID]bool{}
	for _, entry := range slices.Concat(ours.all, theirs.all, base.all) {
		id := names.of(entry)
		if seen[id] {
			continue
		}
		seen[id] = true
		merged, err := m.mergeInstance(id, base.state(id), ours.state(id), theirs.state(id))
		switch {
		case err != nil:
			return nil, err
		case merged.equal(ours.state(id)):
		case merged == nil:
			edits = append(edits, id.remove())
		default:
			edits = append(edits, id.put(merged.entry, merged.forms))
		}
	}
	return edits, nil
}

// has reports whether a conflict is one of the instance, or of a part of it.
func (id instanceID) has(c Conflict) bool {
	return c.Module == id.operation && c.Instance == id.instance()
}

// sameAs reports whether two conflicts are about the same.
func (c Conflict) sameAs(d Conflict) bool {
	return c.Module == d.Module && c.Instance == d.Instance && c.Field == d.Field
}

// isUndecided reports whether a field of an instance, or all of it, has no base.
func (m *merger) isUndecided(id instanceID, field string) bool {
	return slices.ContainsFunc(m.Undecided, Conflict{Module: id.operation, Instance: id.instance(), Field: field}.sameAs)
}

// checkUsed refuses resolutions that decided nothing.
func (m *merger) checkUsed() error {
	var violations []fault.Violation
	for i, used := range m.used {
		if r := m.choices.Resolve[i]; !used {
			violations = append(violations, fault.Violation{
				Pointer: fmt.Sprintf("/resolve/%d", i), Expected: "a conflict of this merge, as it is listed without resolve",
				Got: fmt.Sprintf("%q of %q", r.Field, instanceID{operation: r.Module, name: r.Instance}),
			})
		}
	}
	return fault.Violated(violations)
}

// mergeInstance merges one module instance; nil stands for none.
func (m *merger) mergeInstance(id instanceID, base, ours, theirs *state) (*state, error) {
	switch {
	case ours.equal(theirs):
		return ours, nil
	case slices.ContainsFunc(m.Undecided, id.has): // something of it has no base
	case theirs.equal(base):
		return ours, nil
	case ours.equal(base):
		return theirs, nil
	}
	if m.cherryPick && ours == nil {
		if merged, ok := changeAlone(base, theirs); ok {
			return merged, nil
		}
	}
	if ours != nil && theirs != nil && !refersToForms(id.operation) && !m.isUndecided(id, "") {
		if p, ok := decodeAll(base, ours, theirs); ok {
			return m.mergeFields(id, p)
		}
	}
	side, _, err := m.decide(Conflict{
		Module: id.operation, Instance: id.instance(),
		Base: base.String(), Ours: ours.String(), Theirs: theirs.String(),
	}, false)
	if side == Theirs {
		return theirs, err
	}
	return ours, err
}

// decide finds what was chosen for a conflict: a side, or a value where the
// conflict can have one. A conflict that nothing decides is noted, and the merge
// goes on with ours.
func (m *merger) decide(c Conflict, oneValue bool) (side Side, value string, err error) {
	if m.forBase {
		m.left = append(m.left, c)
		return Ours, "", nil
	}
	if slices.ContainsFunc(m.Undecided, c.sameAs) {
		c.Base = ""
	}
	for i, r := range m.choices.Resolve {
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
			Pointer: fmt.Sprintf("/resolve/%d", i), Expected: "take, or for a field of one value a field_value instead",
			Got: fmt.Sprintf("take %q, field_value %q", r.Take, fault.Shorten(r.Value)),
		}})
	}
	if m.choices.Prefer != "" {
		return m.choices.Prefer, "", nil
	}
	m.conflicts = append(m.conflicts, c)
	return Ours, "", nil
}
