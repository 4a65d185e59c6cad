package xmp

import (
	"fmt"
	"slices"

	"github.com/chemigram/chemigram/xmp/internal/rdf"
	"github.com/chemigram/chemigram/xmp/iop"
	"github.com/chemigram/chemigram/xmp/mask"
)

// Edit is one change of the history stack: [Put], [Remove],
// [RemoveNumber] or [Reorder].
type Edit interface{ apply(*editor) error }

// Put sets one module instance whole. The instance is found by operation and
// MultiName; its MultiPriority is chosen by the sidecar. "" with MultiPriority 0 is
// the base instance, which is found by its own name, too, when no other instance has
// that name. Where a name does not tell instances apart, because it is empty, or
// because several instances have it in the sidecar or among the edits, the instance
// is the one with that name and MultiPriority, and keeps its number; a new one gets
// it, if it is free. A new named instance gets its place in the pipeline right after the module's
// last instance, and the pipeline order is written out. An instance that is
// there keeps the properties that [Entry] does not have.
//
// A Put of what is there already changes nothing. With Blend nil, an instance
// that has no blend parameters still has none, and a new one gets the target's
// neutral ones.
//
// Forms are the drawn forms that the entry's mask consists of. The blend
// parameters name one of them, groups name others, and the retouch module's
// parameters, too. The numbers given hold among them only: in the sidecar they
// get others, which follow from the instance's name. Forms replace those that
// the instance had; without any, Blend may name a form that is there already.
// Forms that a Put brought are removed when no entry uses them any more; forms
// drawn in darktable stay.
type Put struct {
	Entry Entry
	Forms []mask.Form
	// Numbered says that the MultiPriority tells the instance from others of its
	// name, even where the sidecar and the edits have no others.
	Numbered bool
}

// Remove takes the active entries of one module instance out of the stack,
// found as [Put] finds it. Without any it fails with UnknownInstance.
type Remove struct{ Operation, MultiName string }

// RemoveNumber takes the active entries of a module's instance with a MultiPriority
// out of the stack: for instances whose name does not tell them apart. Without any
// it fails with UnknownInstance.
type RemoveNumber struct {
	Operation     string
	MultiPriority int
}

// With applies edits and gives the new, compact sidecar. target is the
// darktable that will develop it.
//
// The result depends on what is put, not on the order of Puts of different
// instances: active entries are sorted by pipeline order, and a module's
// managed instances (named ones that have origins) are numbered by name, after
// the numbers of all others, which stay as they are.
//
// Errors are of kind UnknownInstance, BadValue, BadBlob (a Put of an entry with
// a Fault), TooLarge (what Parse would not read again), NoPlace (the target's
// pipeline order does not have the module), or Unsupported: darktable 2 and
// older wrote no pipeline order, and there an edit could change the picture in
// other ways too; or a mask on a module that darktable does not
// blend, with a *[mask.Error] of kind NoBlending within.
func (s *Sidecar) With(target iop.Release, edits ...Edit) (*Sidecar, error) {
	ed, err := newEditor(s, target, edits)
	if err != nil {
		return nil, err
	}
	for _, e := range edits {
		if err := e.apply(ed); err != nil {
			return nil, err
		}
	}
	return ed.sidecar()
}

// Compact returns the sidecar with one active entry per module instance, in
// pipeline order: the form that every edit leaves behind. It renders as before.
func (s *Sidecar) Compact(target iop.Release) (*Sidecar, error) { return s.With(target) }

func (p Put) apply(ed *editor) error {
	in := &p.Entry
	switch {
	case in.Operation == "":
		return errorf(BadValue, "an entry without an operation cannot be put")
	case in.Fault != nil:
		return &Error{Kind: BadBlob, Operation: in.Operation, Instance: in.MultiName, Message: "an entry that could not be decoded cannot be put", Err: in.Fault}
	case len(in.Params) > MaxBlob || len(in.Blend) > MaxBlob:
		return &Error{Kind: TooLarge, Operation: in.Operation, Instance: in.MultiName, Message: "parameters of more than a megabyte"}
	case !rdf.IsText(in.Operation) || !rdf.IsText(in.MultiName):
		return errorf(BadValue, "operation %q, instance %q: no characters of an XML document", in.Operation, in.MultiName)
	}
	i := ed.find(in.Operation, in.MultiName, in.MultiPriority)
	if i < 0 {
		return ed.insert(in, p.Forms)
	}
	old := ed.active[i]
	if len(p.Forms) == 0 && old.equals(in) && slices.Equal(old.origins, in.Origins) {
		return nil
	}
	e := *old
	if !old.equals(in) {
		e.set(in)
	}
	e.origins = slices.Clone(in.Origins)
	ed.active[i] = &e
	return ed.addForms(&e, p.Forms)
}

// set takes over all settings of an Entry; origins, name and number stay.
func (e *entry) set(in *Entry) {
	e.enabled, e.modversion = in.Enabled, in.Modversion
	e.params = hexBlob(in.Params)
	e.hasBlend = in.Blend != nil
	e.blendVersion, e.blend = 0, blob{}
	if e.hasBlend {
		e.blendVersion, e.blend = in.BlendVersion, hexBlob(in.Blend)
	}
}

// insert adds an entry for an instance that is not there.
func (ed *editor) insert(in *Entry, forms []mask.Form) error {
	e := &entry{operation: in.Operation, multiName: in.MultiName, origins: slices.Clone(in.Origins)}
	blended := *in
	if in.Blend == nil {
		var err error
		blended.BlendVersion = ed.target.BlendVersion()
		if blended.Blend, err = mask.DefaultBlend(blended.BlendVersion); err != nil {
			return &Error{Kind: Unsupported, Operation: in.Operation, Message: "no neutral blend parameters", Err: err}
		}
	}
	e.set(&blended)
	switch {
	case ed.shared.has(in.Operation, in.MultiName) && in.MultiPriority != 0:
		e.priority = ed.sharedNumber(in)
	case in.MultiName != "":
		e.priority = ed.freeNumber(in.Operation)
	}
	if in.MultiName != "" {
		e.more = rdf.Properties{{Name: nameEditedName, Text: "1"}}
	}
	if err := ed.addToOrder(e); err != nil {
		return err
	}
	ed.active = append(ed.active, e)
	return ed.addForms(e, forms)
}

func (r Remove) apply(ed *editor) error {
	i := find(ed.active, r.Operation, r.MultiName)
	if i < 0 {
		return &Error{Kind: UnknownInstance, Operation: r.Operation, Instance: r.MultiName, Message: "the history has no such module instance"}
	}
	ed.remove(i)
	return nil
}

func (r RemoveNumber) apply(ed *editor) error {
	i := findNumber(ed.active, r.Operation, r.MultiPriority)
	if i < 0 {
		return &Error{Kind: UnknownInstance, Operation: r.Operation, Message: fmt.Sprintf("the history has no instance %d of the module", r.MultiPriority)}
	}
	ed.remove(i)
	return nil
}

// remove takes an active entry out.
func (ed *editor) remove(i int) {
	gone := ed.active[i]
	ed.active = slices.Delete(ed.active, i, i+1)
	if !ed.uses(gone.operation, gone.priority) {
		ed.order = ed.order.Remove(gone.operation, gone.priority)
	}
}
