package xmp

import (
	"fmt"
	"slices"

	"github.com/chemigram/chemigram/xmp/mask"
)

// drawing is the list of drawn forms in force, while it is edited.
//
// Only one list is in force at the end of a history: that of the newest
// mask_num. So the edited sidecar has one list, which holds every form that any
// entry uses, whichever entry brought it.
type drawing struct {
	forms []*form
	// loose are the forms that go when no entry uses them any more: those that
	// our entries used when the edits began, and those that the edits brought.
	// Others are darktable's stock of shapes, used or not, and stay.
	loose map[uint32]bool
	// put are the entries that came with forms.
	put map[instance]bool
}

// instance names a module instance, whatever its number.
type instance struct{ operation, name string }

func (e *entry) instance() instance { return instance{e.operation, e.multiName} }

// readForms takes up the list in force.
func (d *draft) readForms() {
	num := d.from.formsInForce()
	for _, f := range d.from.forms {
		if f.num == num {
			d.drawing.forms = append(d.drawing.forms, f)
		}
	}
	d.drawing.put = map[instance]bool{}
	d.drawing.loose = map[uint32]bool{}
	if len(d.drawing.forms) > 0 {
		foreign := func(e *entry) bool { return !d.drawing.owns(e) }
		d.drawing.loose = d.drawing.reach(slices.DeleteFunc(slices.Clone(d.active), foreign))
	}
}

// owns tells whether an entry's forms are ours to number and to remove: those
// that the edits brought, and those that earlier edits did. The latter have the
// numbers that we give; an entry of ours may also use a form of darktable's.
func (l *drawing) owns(e *entry) bool {
	if l.put[e.instance()] {
		return true
	}
	const detours = 16 // around numbers that are taken; one is rare already
	root, ok := e.formID()
	return ok && len(e.origins) > 0 && (root-formNumber(e.instance(), 0))&formMask < detours
}

// FormsOf gives the drawn forms that the active entry of a module instance uses,
// found as [Sidecar.Find] finds it: what to [Put] with the entry into another
// sidecar.
func (s *Sidecar) FormsOf(operation, name string) []mask.Form {
	i := find(s.entries[:s.end], operation, name)
	if i < 0 {
		return nil
	}
	list := drawing{}
	num := s.formsInForce()
	for _, f := range s.forms {
		if f.num == num {
			list.forms = append(list.forms, f)
		}
	}
	byID := list.byID()
	var forms []mask.Form
	for id := range list.walk(s.entries[i], byID) {
		forms = append(forms, byID[id].export())
	}
	return forms
}

// draw takes up the forms that a Put brings, under numbers that are free for
// the time being, and makes the entry use them.
func (d *draft) draw(e *entry, forms []mask.Form) error {
	fail := func(message string) error {
		return &Error{Kind: BadValue, Operation: e.operation, Instance: e.multiName, Message: message}
	}
	b, ok := e.blendValue()
	if ok && b.MaskMode&(mask.Drawn|mask.Parametric) != 0 {
		if err := d.maskable(e, &b); err != nil {
			return err
		}
	}
	taken := d.drawing.byID()
	if len(forms) == 0 {
		if ok && b.MaskMode&mask.Drawn != 0 && b.MaskID != 0 && taken[b.MaskID] == nil {
			return fail(fmt.Sprintf("the mask is form %d, which neither the sidecar has nor came with the entry", b.MaskID))
		}
		return nil
	}
	numbers := map[uint32]uint32{}
	next := uint32(1)
	for _, f := range forms {
		if _, twice := numbers[f.ID]; twice || f.ID == 0 {
			return fail("forms need numbers that are not 0 and differ")
		}
		if badChar(f.Name) >= 0 {
			return fail("a form's name has characters that XML cannot hold")
		}
		for taken[next] != nil {
			next++
		}
		numbers[f.ID], taken[next] = next, &form{}
	}
	if !ok || numbers[b.MaskID] == 0 {
		return fail("the blend parameters name none of the forms that come with them")
	}
	for i := range forms {
		f := &forms[i]
		made := &form{
			id: int(f.ID), kind: int(f.Type), label: f.Name, version: f.Version,
			points: hexBlob(f.Points), count: f.Count, source: hexBlob(f.Source),
		}
		for _, m := range made.members() {
			if numbers[m.ID] == 0 {
				return fail("a group of forms has a member that does not come with it")
			}
		}
		made = made.renumbered(numbers)
		d.drawing.loose[uint32(made.id)] = true
		d.drawing.forms = append(d.drawing.forms, made)
	}
	e.renumber(numbers)
	d.drawing.put[e.instance()] = true
	return nil
}

// maskable refuses masks that darktable ignores, applying the edit everywhere:
// on modules that do not blend, and in a colour space that is not theirs.
func (d *draft) maskable(e *entry, b *mask.Blend) error {
	m, known := d.target.Module(e.operation)
	ownWay := e.operation == "retouch" || e.operation == "spots" // they draw where they work
	raw := mask.SpaceOf(e.operation) == mask.ColorSpaceRaw
	switch {
	case ownWay:
		return nil
	case b.Version >= 10 && (b.ColorSpace == mask.ColorSpaceNone || raw != (b.ColorSpace == mask.ColorSpaceRaw)):
		return &Error{
			Kind: BadValue, Operation: e.operation, Instance: e.multiName,
			Message: fmt.Sprintf("a mask in the blend colour space %v is ignored; the module's is %v", b.ColorSpace, mask.SpaceOf(e.operation)),
		}
	case !known || m.SupportsMasks():
		return nil
	}
	return &Error{
		Kind: Unsupported, Operation: e.operation, Instance: e.multiName, Message: "no mask is possible",
		Err: &mask.Error{Kind: mask.NoBlending, Field: e.operation, Detail: "darktable " + d.target.Version() + " does not blend the module"},
	}
}

// finishForms gives the sidecar's lists of forms: the one in force, without the
// forms that lost their last use, and those of undone entries.
//
// The list in force is given to the first entry: whatever the history's length,
// it is then in force at its end. Lists that were superseded have no effect any
// more, and are left out.
func (d *draft) finishForms() []*form {
	list := &d.drawing
	used := list.reach(d.active)
	for id := range list.reach(d.undone) {
		used[id] = true
	}
	list.forms = slices.DeleteFunc(list.forms, func(f *form) bool {
		return list.loose[uint32(f.id)] && !used[uint32(f.id)]
	})
	d.numberForms()
	forms := make([]*form, 0, len(list.forms))
	for _, f := range list.forms {
		forms = append(forms, f.at(0))
	}
	for _, f := range d.from.forms {
		if f.num >= d.from.end {
			forms = append(forms, f.at(f.num-d.from.end+len(d.active)))
		}
	}
	return forms
}
