package xmp

import (
	"fmt"
	"slices"

	"github.com/chemigram/chemigram/xmp/internal/rdf"
	"github.com/chemigram/chemigram/xmp/mask"
)

// formList is the list of drawn forms in force, while a history is edited.
//
// Only one list is in force at the end of a history: that of the newest
// mask_num. So the edited sidecar has one list, which holds every form that any
// entry uses, whichever entry brought it.
type formList struct {
	forms []*form
	// removable are the forms that are removed when no entry uses them any more:
	// those that our entries used when the edits began, and those that the edits
	// brought. Others are shapes that the user drew in darktable; used or not,
	// they stay.
	removable map[uint32]bool
	// put are the entries that came with forms.
	put map[instance]bool
	// shared are the names that do not tell instances apart.
	shared sharedNames
}

// newFormList begins with the list in force, which active entries use.
func newFormList(inForce []*form, active []*entry, shared sharedNames) formList {
	l := formList{forms: slices.Clone(inForce), put: map[instance]bool{}, removable: map[uint32]bool{}, shared: shared}
	if len(l.forms) > 0 {
		foreign := func(e *entry) bool { return !l.owns(e) }
		l.removable = l.usedBy(slices.DeleteFunc(slices.Clone(active), foreign))
	}
	return l
}

// owns reports whether an entry's forms are ours to number and to remove: those
// that the edits brought, and those that earlier edits did. The latter have the
// numbers that we give; an entry of ours may also use a form of darktable's.
func (l *formList) owns(e *entry) bool {
	id := l.shared.instance(e)
	if l.put[id] {
		return true
	}
	const tries = 16 // to find a free number; a second one is rare already
	root, ok := e.formID()
	return ok && len(e.origins) > 0 && (root-formNumber(id, 0))&formMask < tries
}

// FormsOf returns the drawn forms that the active entry of a module instance uses,
// found as [Sidecar.Find] finds it: what to [Put] with the entry into another
// sidecar.
func (s *Sidecar) FormsOf(operation, name string) []mask.Form {
	return s.formsOf(find(s.entries[:s.end], operation, name))
}

// FormsOfNumber is FormsOf for the instance with a MultiPriority.
func (s *Sidecar) FormsOfNumber(operation string, number int) []mask.Form {
	return s.formsOf(findNumber(s.entries[:s.end], operation, number))
}

// formsOf returns the forms that an entry uses; an index below 0 has none.
func (s *Sidecar) formsOf(i int) []mask.Form {
	if i < 0 {
		return nil
	}
	byID := indexForms(s.formsInForce())
	var forms []mask.Form
	for id := range s.entries[i].walkForms(byID) {
		forms = append(forms, byID[id].export())
	}
	return forms
}

// addForms adds the forms that a Put brings, under numbers that are free until
// numberForms gives them others, and makes the entry use them.
func (ed *editor) addForms(e *entry, forms []mask.Form) error {
	fail := func(message string) error {
		return &Error{Kind: BadValue, Operation: e.operation, Instance: e.multiName, Message: message}
	}
	b, ok := e.blendValue()
	if ok && b.MaskMode&(mask.Drawn|mask.Parametric) != 0 {
		if err := ed.checkMaskable(e, &b); err != nil {
			return err
		}
	}
	taken := indexForms(ed.forms.forms)
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
		if !rdf.IsText(f.Name) {
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
		ed.forms.removable[uint32(made.id)] = true
		ed.forms.forms = append(ed.forms.forms, made)
	}
	e.renumberForms(numbers)
	ed.forms.put[ed.shared.instance(e)] = true
	return nil
}

// checkMaskable refuses masks that darktable ignores, applying the edit everywhere:
// on modules that do not blend, and in a colour space that is not theirs.
func (ed *editor) checkMaskable(e *entry, b *mask.Blend) error {
	m, known := ed.target.Module(e.operation)
	drawsItself := e.operation == "retouch" || e.operation == "spots" // their forms are where they work
	raw := mask.SpaceOf(e.operation) == mask.ColorSpaceRaw
	switch {
	case drawsItself:
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
		Err: &mask.Error{Kind: mask.NoBlending, Field: e.operation, Message: "darktable " + ed.target.Version() + " does not blend the module"},
	}
}

// finalForms returns the sidecar's lists of forms: the one in force, without the
// forms that lost their last use, and those of undone entries.
//
// The list in force is given to the first entry: whatever the history's length,
// it is then in force at its end. Lists that were superseded have no effect any
// more, and are left out.
func (ed *editor) finalForms() []*form {
	list := &ed.forms
	used := list.usedBy(ed.active)
	for id := range list.usedBy(ed.undone) {
		used[id] = true
	}
	list.forms = slices.DeleteFunc(list.forms, func(f *form) bool {
		return list.removable[uint32(f.id)] && !used[uint32(f.id)]
	})
	ed.numberForms()
	forms := make([]*form, 0, len(list.forms))
	for _, f := range list.forms {
		forms = append(forms, f.withNum(0))
	}
	for _, f := range ed.from.forms {
		if f.num >= ed.from.end {
			forms = append(forms, f.withNum(f.num-ed.from.end+len(ed.active)))
		}
	}
	return forms
}
