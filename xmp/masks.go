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
	// an entry used when the edits began, and those that the edits brought.
	// Shapes that nothing used are somebody's stock, and stay.
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
	d.drawing.loose = d.drawing.reach(d.active)
	d.drawing.put = map[instance]bool{}
}

// draw takes up the forms that a Put brings, under numbers that are free for
// the time being, and makes the entry use them.
func (d *draft) draw(e *entry, forms []mask.Form) error {
	fail := func(message string) error {
		return &Error{Kind: BadValue, Operation: e.operation, Instance: e.multiName, Message: message}
	}
	taken := d.drawing.byID()
	if len(forms) == 0 {
		if b, ok := e.blendValue(); ok && b.MaskMode&mask.Drawn != 0 && b.MaskID != 0 && taken[b.MaskID] == nil {
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
	if root, ok := e.formID(); !ok || numbers[root] == 0 {
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

// numberForms gives the forms of managed entries the numbers that belong to
// their instances' names, and a place behind all others. So neither depends on
// the order of edits.
func (d *draft) numberForms() {
	list := &d.drawing
	if len(list.forms) == 0 {
		return
	}
	var ours, foreign []*entry
	foreign = append(foreign, d.undone...)
	for _, e := range d.active {
		if e.managed() || list.put[e.instance()] {
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
			number = (number + 1) & (1<<31 - 1)
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

// formNumber is the number that belongs to an instance's nth form: positive, of
// 31 bits, as darktable's are.
func formNumber(of instance, n int) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(of.operation + "\x00" + of.name + "\x00" + string(itoa(nil, n))))
	return h.Sum32() & (1<<31 - 1)
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
