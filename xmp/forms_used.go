package xmp

import (
	"iter"

	"github.com/chemigram/chemigram/xmp/mask"
)

func indexForms(forms []*form) map[uint32]*form {
	byID := make(map[uint32]*form, len(forms))
	for _, f := range forms {
		byID[uint32(f.id)] = f
	}
	return byID
}

// usedBy returns the forms that entries use, directly or through groups.
func (l *formList) usedBy(entries []*entry) map[uint32]bool {
	used := map[uint32]bool{}
	if len(l.forms) == 0 {
		return used
	}
	byID := indexForms(l.forms)
	for _, e := range entries {
		for id := range e.walkForms(byID) {
			used[id] = true
		}
	}
	return used
}

// walkForms yields the forms that the entry uses, each group before its members.
func (e *entry) walkForms(byID map[uint32]*form) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		root, ok := e.formID()
		if !ok {
			return
		}
		visited := map[uint32]bool{}
		rest := []uint32{root}
		for len(rest) > 0 {
			id := rest[0]
			rest = rest[1:]
			f := byID[id]
			if f == nil || visited[id] {
				continue
			}
			visited[id] = true
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

// blendValue decodes the blend parameters; false when there are none, or their
// layout is not known.
func (e *entry) blendValue() (mask.Blend, bool) {
	if !e.hasBlend {
		return mask.Blend{}, false
	}
	data, err := e.blend.bytes()
	if err != nil {
		return mask.Blend{}, false
	}
	b, err := mask.DecodeBlend(e.blendVersion, data)
	return b, err == nil
}

// members returns a group's members; other forms, and groups of no known layout,
// have none.
func (f *form) members() []mask.GroupMember {
	if mask.FormType(f.kind)&mask.TypeGroup == 0 {
		return nil
	}
	s, err := f.export().Shape()
	if err != nil {
		return nil
	}
	return s.(mask.Group).Members
}
