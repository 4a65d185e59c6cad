package stack

import (
	"bytes"
	"strings"

	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
	"github.com/chemigram/chemigram/xmp/mask"
)

// Change is what differs in one module instance.
type Change struct {
	// Module is darktable's name of it, and Instance the instance's: empty for
	// the base instance.
	Module, Instance string
	// Kind is "added", "removed", "changed", "enabled", "disabled", or "mask" when
	// only the blending differs, with its mask.
	Kind string
	// Fields that differ: parameters by darktable's names, masks and spots in the
	// words of a mask, such as "mask.shapes[0].x".
	Fields []FieldChange
	// Opaque is true when the parameters differ in a layout that is not known,
	// so that no fields can be named.
	Opaque bool
}

// FieldChange is one field that differs. The value before, or after, is empty
// where the instance was not there.
type FieldChange struct{ Name, Before, After, Unit string }

// Diff lists what differs between two versions of an edit: what was removed, then
// the rest in the order of the second stack.
func Diff(a, b *xmp.Sidecar) []Change { return DiffSeen(a, b, mask.Frame{}) }

// DiffSeen is Diff with the places of masks and spots as they are seen in the developed
// picture of a frame. Without one they are told in the picture as it came in.
func DiffSeen(a, b *xmp.Sidecar, frame mask.Frame) []Change {
	names := nameInstances(a, b)
	from, to := names.instances(a), names.instances(b)
	var changes []Change
	for _, entry := range from.all {
		if id := names.of(entry); to.state(id) == nil {
			changes = append(changes, newChange(id, "removed", from.state(id), nil, frame))
		}
	}
	for _, entry := range to.all {
		id := names.of(entry)
		before, after := from.state(id), to.state(id)
		if before == nil {
			changes = append(changes, newChange(id, "added", nil, after, frame))
		} else if kind := changeKind(before, after); kind != "" {
			change := newChange(id, kind, before, after, frame)
			if kind != "mask" || len(change.Fields) > 0 {
				changes = append(changes, change)
			}
		}
	}
	return changes
}

// DiffOrder tells how the pipelines of two versions differ in their order, as a change of a
// module "pipeline": none when what both have is in one order, or the order of one is not
// known.
func DiffOrder(release iop.Release, a, b *xmp.Sidecar) []Change {
	names := nameInstances(a, b)
	from, err := names.pipeline(release, a)
	to, toErr := names.pipeline(release, b)
	if err != nil || toErr != nil || from.sameOrder(to) {
		return nil
	}
	return []Change{{
		Module: "pipeline", Kind: "changed", Fields: []FieldChange{{Name: "order", Before: from.moved(to), After: to.moved(from)}},
	}}
}

// changeKind is how an instance that both versions have differs, or "".
func changeKind(before, after *state) string {
	a, b := before.entry, after.entry
	switch {
	case !a.Enabled && b.Enabled:
		return "enabled"
	case a.Enabled && !b.Enabled:
		return "disabled"
	case a.Modversion != b.Modversion || !bytes.Equal(a.Params, b.Params):
		return "changed"
	case !before.equalMask(after) && refersToForms(b.Operation):
		return "changed" // its spots
	case !before.equalMask(after):
		return "mask"
	}
	return ""
}

// newChange describes how an instance differs; nil is a version without it.
func newChange(id instanceID, kind string, before, after *state, frame mask.Frame) Change {
	fields, err := changedFields(before, after)
	if kind != "removed" {
		fields = append(fields, changedWords(before, after, frame)...)
	}
	return Change{Module: id.operation, Instance: id.instance(), Kind: kind, Fields: fields, Opaque: err != nil}
}

// changedFields lists the fields that differ. An added instance is compared with
// the module's defaults.
func changedFields(before, after *state) ([]FieldChange, error) {
	if after == nil {
		return nil, nil
	}
	b := after.entry
	to, err := iop.Decode(b.Operation, b.Modversion, b.Params)
	if err != nil {
		return nil, err
	}
	var from iop.Params
	if before == nil {
		from, err = iop.Defaults(b.Operation, b.Modversion)
	} else {
		a := before.entry
		from, err = iop.Decode(a.Operation, a.Modversion, a.Params)
	}
	if err != nil {
		return nil, err
	}
	var fields []FieldChange
	for _, d := range iop.Diff(from, to) {
		if refersToForms(b.Operation) && strings.HasSuffix(d.Name, ".formid") {
			continue // spots are told by what they are
		}
		change := FieldChange{Name: d.Name, Before: d.Before.String(), After: d.After.String()}
		if before == nil {
			change.Before = ""
		}
		if info, err := iop.Field(b.Operation, b.Modversion, d.Name); err == nil {
			change.Unit = info.Unit
		}
		fields = append(fields, change)
	}
	return fields, nil
}
