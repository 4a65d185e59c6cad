package xmp

import (
	"cmp"
	"encoding/binary"
	"hash/fnv"
	"slices"
	"strconv"

	"github.com/chemigram/chemigram/xmp/mask"
)

// numberForms gives the forms of our entries the numbers that belong to their
// instances' names, and a place behind all others. So neither depends on
// the order of edits.
func (ed *editor) numberForms() {
	list := &ed.forms
	if len(list.forms) == 0 {
		return
	}
	var ours, foreign []*entry
	foreign = append(foreign, ed.undone...)
	for _, e := range ed.active {
		if list.owns(e) {
			ours = append(ours, e)
		} else {
			foreign = append(foreign, e)
		}
	}
	slices.SortFunc(ours, func(a, b *entry) int {
		return cmp.Or(cmp.Compare(a.operation, b.operation), cmp.Compare(a.multiName, b.multiName), cmp.Compare(a.priority, b.priority))
	})
	fixed := list.usedBy(foreign)
	byID := indexForms(list.forms)
	var order []uint32 // of our forms
	owned := map[uint32]instance{}
	for _, e := range ours {
		for id := range e.walkForms(byID) {
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
	for i, e := range ed.active {
		if slices.Contains(ours, e) {
			changed := *e
			changed.renumberForms(numbers)
			ed.active[i] = &changed
		}
	}
}

// formMask keeps form numbers positive, of 31 bits, as darktable's are.
const formMask = 1<<31 - 1

// formNumber is the number that belongs to an instance's nth form.
func formNumber(of instance, n int) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(of.operation + "\x00" + of.name + "\x00" + strconv.Itoa(n)))
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

// withNum gives the form in the list of another history entry.
func (f *form) withNum(num int) *form {
	if f.num == num {
		return f
	}
	changed := *f
	changed.num = num
	return &changed
}
