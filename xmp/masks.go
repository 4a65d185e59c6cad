package xmp

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/fnv"
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
		f := byID[id].export()
		forms = append(forms, mask.Form{
			ID: id, Type: mask.FormType(f.Type), Name: f.Name, Version: f.Version,
			Points: f.Points, Count: f.Count, Source: f.Source,
		})
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
		if err := d.maskable(e); err != nil {
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

// maskable refuses masks on modules for which darktable ignores them.
func (d *draft) maskable(e *entry) error {
	m, known := d.target.Module(e.operation)
	ownWay := e.operation == "retouch" || e.operation == "spots" // they draw where they work
	if !known || m.SupportsMasks() || ownWay {
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

// numberForms gives the forms of our entries the numbers that belong to their
// instances' names, and a place behind all others. So neither depends on
// the order of edits.
func (d *draft) numberForms() {
	list := &d.drawing
	if len(list.forms) == 0 {
		return
	}
	var ours, foreign []*entry
	foreign = append(foreign, d.undone...)
	for _, e := range d.active {
		if list.owns(e) {
			ours = append(ours, e)
		} else {
			foreign = append(foreign, e)
		}
	}
	slices.SortFunc(ours, func(a, b *entry) int {
		return cmp.Or(cmp.Compare(a.operation, b.operation), cmp.Compare(a.multiName, b.multiName), cmp.Compare(a.priority, b.priority))
	})
	fixed := list.reach(foreign)
	byID := list.byID()
	var order []uint32 // of our forms
	owned := map[uint32]instance{}
	for _, e := range ours {
		for id := range list.walk(e, byID) {
			if _, twice := owned[id]; !twice && !fixed[id] {
				owned[id] = e.instance()
				order = append(order, id)
			}
		}
	}
	taken := map[uint32]bool{0: true}
	for id := range byID {
		if _, ok := owned[id]; !ok {
			taken[id] = true
		}
	}
	numbers := make(map[uint32]uint32, len(order))
	index := map[instance]int{}
	for _, id := range order {
		owner := owned[id]
		number := formNumber(owner, index[owner])
		index[owner]++
		for taken[number] {
			number = (number + 1) & formMask
		}
		numbers[id], taken[number] = number, true
	}
	others := slices.DeleteFunc(slices.Clone(list.forms), func(f *form) bool { return numbers[uint32(f.id)] != 0 })
	for _, id := range order {
		others = append(others, byID[id].renumbered(numbers))
	}
	list.forms = others
	for i, e := range d.active {
		if slices.Contains(ours, e) {
			changed := *e
			changed.renumber(numbers)
			d.active[i] = &changed
		}
	}
}

// formMask keeps form numbers positive, of 31 bits, as darktable's are.
const formMask = 1<<31 - 1

// formNumber is the number that belongs to an instance's nth form.
func formNumber(of instance, n int) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(of.operation + "\x00" + of.name + "\x00" + string(itoa(nil, n))))
	return h.Sum32() & formMask
}

func (l *drawing) byID() map[uint32]*form {
	byID := make(map[uint32]*form, len(l.forms))
	for _, f := range l.forms {
		byID[uint32(f.id)] = f
	}
	return byID
}

// reach gives the forms that entries use, directly or through groups.
func (l *drawing) reach(entries []*entry) map[uint32]bool {
	reached := map[uint32]bool{}
	if len(l.forms) == 0 {
		return reached
	}
	byID := l.byID()
	for _, e := range entries {
		for id := range l.walk(e, byID) {
			reached[id] = true
		}
	}
	return reached
}

// walk gives the forms that an entry uses, each group before its members.
func (l *drawing) walk(e *entry, byID map[uint32]*form) func(yield func(uint32) bool) {
	return func(yield func(uint32) bool) {
		root, ok := e.formID()
		if !ok {
			return
		}
		seen := map[uint32]bool{}
		rest := []uint32{root}
		for len(rest) > 0 {
			id := rest[0]
			rest = rest[1:]
			f := byID[id]
			if f == nil || seen[id] {
				continue
			}
			seen[id] = true
			if !yield(id) {
				return
			}
			for _, m := range f.members() {
				rest = append(rest, m.ID)
			}
		}
	}
}

// formID is the form that the entry's blend parameters name. An entry whose
// blend parameters are of no known layout names none.
func (e *entry) formID() (uint32, bool) {
	b, ok := e.blendValue()
	return b.MaskID, ok && b.MaskID != 0
}

func (e *entry) blendValue() (mask.Blend, bool) {
	if !e.blended {
		return mask.Blend{}, false
	}
	data, err := e.blend.bytes()
	if err != nil {
		return mask.Blend{}, false
	}
	b, err := mask.DecodeBlend(e.blendVersion, data)
	return b, err == nil
}

// renumber makes the entry use forms by their new numbers.
func (e *entry) renumber(numbers map[uint32]uint32) {
	if b, ok := e.blendValue(); ok && changes(numbers, b.MaskID) {
		b.MaskID = numbers[b.MaskID]
		if data, err := b.Encode(); err == nil {
			e.blend = hexBlob(data)
		}
	}
	const formSize, forms = 44, 300
	if e.operation != "retouch" || e.params.size() < 2*formSize*forms {
		return
	}
	data, err := e.params.bytes()
	if err != nil {
		return
	}
	data = slices.Clone(data)
	same := true
	for at := 0; at < formSize*forms; at += formSize {
		if id := binary.LittleEndian.Uint32(data[at:]); changes(numbers, id) {
			binary.LittleEndian.PutUint32(data[at:], numbers[id])
			same = false
		}
	}
	if !same {
		e.params = hexBlob(data)
	}
}

func changes(numbers map[uint32]uint32, id uint32) bool {
	to, ok := numbers[id]
	return ok && to != id
}

// members gives a group's members; other forms, and groups of no known layout,
// have none.
func (f *form) members() []mask.GroupMember {
	if mask.FormType(f.kind)&mask.TypeGroup == 0 {
		return nil
	}
	points, err := f.points.bytes()
	if err != nil {
		return nil
	}
	s, err := mask.Form{Type: mask.FormType(f.kind), Version: f.version, Count: f.count, Points: points}.Shape()
	if err != nil {
		return nil
	}
	return s.(mask.Group).Members
}

// renumbered gives the form with its own and its members' new numbers.
func (f *form) renumbered(numbers map[uint32]uint32) *form {
	changed := *f
	if to, ok := numbers[uint32(f.id)]; ok {
		changed.id = int(to)
	}
	members := f.members()
	same := true
	for i := range members {
		m := &members[i]
		for _, id := range []*uint32{&m.ID, &m.Parent} {
			if changes(numbers, *id) {
				*id = numbers[*id]
				same = false
			}
		}
	}
	if !same {
		changed.points = hexBlob(mask.NewForm(0, "", mask.Group{Members: members}).Points)
	}
	return &changed
}

// at gives the form in the list of another history entry.
func (f *form) at(num int) *form {
	if f.num == num {
		return f
	}
	changed := *f
	changed.num = num
	return &changed
}
