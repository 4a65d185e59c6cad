package xmp

import (
	"cmp"
	"encoding/binary"
	"hash/fnv"
	"slices"
	"strconv"

	"github.com/chemigram/chemigram/xmp/mask"
)

// numberForms returns the forms of our entries the numbers that belong to their
// instances' names, and a place behind all others. So neither depends on the
// order of edits.
func (ed *editor) numberForms() {
	list := &ed.forms
	if len(list.forms) == 0 {
		return
	}
	var owners, others []*entry
	others = append(others, ed.undone...)
	for _, e := range ed.active {
		if list.owns(e) {
			owners = append(owners, e)
		} else {
			others = append(others, e)
		}
	}
	slices.SortFunc(owners, func(a, b *entry) int {
		return cmp.Or(cmp.Compare(a.operation, b.operation), cmp.Compare(a.multiName, b.multiName), cmp.Compare(a.priority, b.priority))
	})
	byID := indexForms(list.forms)
	owned := list.ownedForms(owners, byID, list.usedBy(others))
	numbers := chooseNumbers(owned, byID)
	list.forms = slices.DeleteFunc(slices.Clone(list.forms), func(f *form) bool { return numbers[uint32(f.id)] != 0 })
	for _, o := range owned {
		list.forms = append(list.forms, byID[o.id].renumbered(numbers))
	}
	for i, e := range ed.active {
		if slices.Contains(owners, e) {
			changed := *e
			changed.renumberForms(numbers)
			ed.active[i] = &changed
		}
	}
}

// ownedForm is a form and the first instance that uses it.
type ownedForm struct {
	id    uint32
	owner instance
}

// ownedForms lists the forms that only the owners' entries use, not those of fixed.
func (l *formList) ownedForms(owners []*entry, byID map[uint32]*form, fixed map[uint32]bool) []ownedForm {
	var owned []ownedForm
	listed := map[uint32]bool{}
	for _, e := range owners {
		for id := range e.walkForms(byID) {
			if !listed[id] && !fixed[id] {
				listed[id] = true
				owned = append(owned, ownedForm{id, l.shared.instance(e)})
			}
		}
	}
	return owned
}

// chooseNumbers returns each owned form the first free number from its own on.
func chooseNumbers(owned []ownedForm, byID map[uint32]*form) map[uint32]uint32 {
	taken := map[uint32]bool{}
	for id := range byID {
		taken[id] = true
	}
	for _, o := range owned {
		delete(taken, o.id)
	}
	taken[0] = true
	numbers := make(map[uint32]uint32, len(owned))
	count := map[instance]int{}
	for _, o := range owned {
		number := formNumber(o.owner, count[o.owner])
		count[o.owner]++
		for taken[number] {
			number = (number + 1) & formMask
		}
		numbers[o.id], taken[number] = number, true
	}
	return numbers
}

// formMask keeps form numbers positive, of 31 bits, as darktable's are.
const formMask = 1<<31 - 1

// formNumber is the number that belongs to an instance's nth form.
func formNumber(owner instance, n int) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(owner.operation + "\x00" + owner.name + "\x00" + strconv.Itoa(n)))
	return h.Sum32() & formMask
}

// renumberForms makes the entry use forms by their new numbers.
func (e *entry) renumberForms(numbers map[uint32]uint32) {
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

// changes reports whether a form gets another number.
func changes(numbers map[uint32]uint32, id uint32) bool {
	to, ok := numbers[id]
	return ok && to != id
}

// renumbered returns the form with its own and its members' new numbers.
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

// withNum returns the form in the list of another history entry.
func (f *form) withNum(num int) *form {
	if f.num == num {
		return f
	}
	changed := *f
	changed.num = num
	return &changed
}
