package chemigram

import (
	"bytes"
	"context"

	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

// DiffParams are the parameters of Diff.
type DiffParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// HashA is the version before.
	HashA RefOrHash `json:"hash_a"`
	// HashB is the version after.
	HashB RefOrHash `json:"hash_b"`
}

// DiffResult lists what differs between two versions.
type DiffResult struct {
	// Changes by module instance, in pipeline order.
	Changes []ModuleChange `json:"changes"`
}

// ModuleChange is what differs in one module instance.
type ModuleChange struct {
	// Module is darktable's name of it.
	Module string `json:"module"`
	// Instance is the instance's name; empty for the base instance.
	Instance string `json:"instance"`
	// Kind is added, removed, changed, enabled, disabled, or mask when only
	// its blending differs.
	Kind ChangeKind `json:"kind"`
	// Fields that differ.
	Fields []FieldChange `json:"fields"`
	// Opaque is true when the parameters differ but their layout is unknown,
	// so that no fields can be named.
	Opaque bool `json:"opaque"`
}

// ChangeKind is how a module instance differs between two versions.
type ChangeKind string

// FieldChange is one parameter that differs.
type FieldChange struct {
	// Name of the field, as darktable's module calls it.
	Name string `json:"name"`
	// Before is its value in the first version; empty when it was not there.
	Before string `json:"before"`
	// After is its value in the second version; empty when it is not there.
	After string `json:"after"`
	// Unit of the values, when it is known.
	Unit string `json:"unit"`
}

// Diff tells what differs between two versions of an edit, in darktable's
// modules and named fields.
func (e *Engine) Diff(ctx context.Context, p DiffParams) (_ DiffResult, err error) {
	defer seal(&err, "diff", p.ImageID)
	if err := validate(&p); err != nil {
		return DiffResult{}, err
	}
	img, err := e.image(p.ImageID)
	if err != nil {
		return DiffResult{}, err
	}
	a, err := img.At(ctx, string(p.HashA))
	if err != nil {
		return DiffResult{}, err
	}
	b, err := img.At(ctx, string(p.HashB))
	if err != nil {
		return DiffResult{}, err
	}
	return DiffResult{Changes: diffSidecars(a.Sidecar, b.Sidecar)}, nil
}

func diffSidecars(a, b *xmp.Sidecar) []ModuleChange {
	changes := []ModuleChange{}
	before := a.History()
	for _, entry := range before {
		if _, stays := b.Find(entry.Operation, instanceName(entry)); !stays {
			changes = append(changes, change("removed", &entry, nil))
		}
	}
	for _, after := range b.History() {
		was, there := a.Find(after.Operation, instanceName(after))
		switch {
		case !there:
			changes = append(changes, change("added", nil, &after))
		case was.Enabled != after.Enabled && after.Enabled:
			changes = append(changes, change("enabled", &was, &after))
		case was.Enabled != after.Enabled:
			changes = append(changes, change("disabled", &was, &after))
		case was.Modversion != after.Modversion || !bytes.Equal(was.Params, after.Params):
			changes = append(changes, change("changed", &was, &after))
		case !bytes.Equal(was.Blend, after.Blend):
			changes = append(changes, change("mask", &was, &after))
		}
	}
	return changes
}

// change describes the difference of one instance, which is in a, in b, or in
// both.
func change(kind ChangeKind, a, b *xmp.Entry) ModuleChange {
	of := b
	if of == nil {
		of = a
	}
	c := ModuleChange{Module: of.Operation, Instance: instanceName(*of), Kind: kind, Fields: []FieldChange{}}
	fields, err := fieldChanges(a, b)
	c.Opaque = err != nil
	c.Fields = append(c.Fields, fields...)
	return c
}

// fieldChanges names the fields that differ. An added instance is compared
// with the module's defaults, and lists what departs from them.
func fieldChanges(a, b *xmp.Entry) ([]FieldChange, error) {
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
	var out []FieldChange
	for _, d := range iop.Diff(before, after) {
		change := FieldChange{Name: d.Name, Before: d.Before.String(), After: d.After.String()}
		if a == nil {
			change.Before = ""
		}
		if info, err := iop.Field(b.Operation, b.Modversion, d.Name); err == nil {
			change.Unit = info.Unit
		}
		out = append(out, change)
	}
	return out, nil
}
