package xmp

import "github.com/chemigram/chemigram/xmp/mask"

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

// members gives a group's members; other forms, and groups of no known layout,
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
