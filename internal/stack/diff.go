package stack

import (
	"bytes"

	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

// Change is what differs in one module instance.
type Change struct {
	// Module is darktable's name of it, and Instance the instance's: empty for
	// the base instance.
	Module, Instance string
	// Kind is "added", "removed", "changed", "enabled", "disabled", or "mask" when
	// only the blending differs, with its mask.
	Kind string
	// Fields that differ.
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
func Diff(a, b *xmp.Sidecar) []Change {
	var changes []Change
	for _, before := range a.History() {
		if _, stays := b.Find(before.Operation, InstanceName(before)); !stays {
			changes = append(changes, newChange("removed", &before, nil))
		}
	}
	for _, after := range b.History() {
		before, found := a.Find(after.Operation, InstanceName(after))
		if !found {
			changes = append(changes, newChange("added", nil, &after))
		} else if kind := changeKind(before, after); kind != "" {
			changes = append(changes, newChange(kind, &before, &after))
		}
	}
	return changes
}

// changeKind is how an instance that both versions have differs, or "".
func changeKind(before, after xmp.Entry) string {
	switch {
	case !before.Enabled && after.Enabled:
		return "enabled"
	case before.Enabled && !after.Enabled:
		return "disabled"
	case before.Modversion != after.Modversion || !bytes.Equal(before.Params, after.Params):
		return "changed"
	case !bytes.Equal(before.Blend, after.Blend):
		return "mask"
	}
	return ""
}

// newChange describes how an instance differs; nil is a version without it.
func newChange(kind string, before, after *xmp.Entry) Change {
	entry := after
	if entry == nil {
		entry = before
	}
	fields, err := changedFields(before, after)
	return Change{Module: entry.Operation, Instance: InstanceName(*entry), Kind: kind, Fields: fields, Opaque: err != nil}
}

// changedFields lists the fields that differ. An added instance is compared with
// the module's defaults.
func changedFields(a, b *xmp.Entry) ([]FieldChange, error) {
	if b == nil {
		return nil, nil
	}
	after, err := iop.Decode(b.Operation, b.Modversion, b.Params)
	if err != nil {
		return nil, err
	}
	var before iop.Params
	if a == nil {
		before, err = iop.Defaults(b.Operation, b.Modversion)
	} else {
		before, err = iop.Decode(a.Operation, a.Modversion, a.Params)
	}
	if err != nil {
		return nil, err
	}
	var fields []FieldChange
	for _, d := range iop.Diff(before, after) {
		change := FieldChange{Name: d.Name, Before: d.Before.String(), After: d.After.String()}
		if a == nil {
			change.Before = ""
		}
		if info, err := iop.Field(b.Operation, b.Modversion, d.Name); err == nil {
			change.Unit = info.Unit
		}
		fields = append(fields, change)
	}
	return fields, nil
}
