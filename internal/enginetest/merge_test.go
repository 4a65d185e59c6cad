package enginetest

import (
	"maps"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/xmp/iop"
)

// A conflict is what both sides changed in different ways. field is "" for the whole
// instance.
type conflict struct {
	id    instance
	field string
}

// merger merges what two sides made of their base, by instance and field.
type merger struct {
	rules
	base, ours, theirs look
	pick               bool                // a cherry_pick: what ours does not have was not removed there
	take               func(conflict) bool // whether theirs is taken
	open               bool                // nothing decides conflicts
	conflicts          []conflict
}

// startingLook is the conflict of two starting looks.
var startingLook = conflict{id: instance{module: "look"}}

func (m *merger) merge() look {
	base, ours, theirs := m.base.startingLooks(), m.ours.startingLooks(), m.theirs.startingLooks()
	if len(ours) > 0 && len(theirs) > 0 && !slices.Equal(ours, theirs) && !slices.Equal(ours, base) && !slices.Equal(theirs, base) {
		if choose(m, startingLook, false, true) {
			m.ours = m.withoutLayer(m.ours, "L2", "")
		} else {
			m.theirs = m.withoutLayer(m.theirs, "L2", "")
		}
		if m.open {
			return m.ours
		}
	}
	out := m.ours
	ids := map[instance]bool{}
	for _, l := range []look{m.base, m.ours, m.theirs} {
		for id := range l {
			ids[id] = true
		}
	}
	for _, id := range slices.SortedFunc(maps.Keys(ids), compareInstances) {
		merged := m.instance(id, m.base[id], m.ours[id], m.theirs[id])
		if !alike(merged, m.ours[id]) {
			out = out.with(id, merged)
		}
	}
	return out
}

func (m *merger) instance(id instance, base, ours, theirs *settings) *settings {
	switch {
	case alike(ours, theirs), alike(theirs, base):
		return ours
	case alike(ours, base):
		return theirs
	case m.pick && ours == nil && base != nil && theirs != nil && id.module != "retouch":
		return m.changeAlone(id, base, theirs)
	case ours != nil && theirs != nil && id.module != "retouch":
		return m.fields(id, base, ours, theirs)
	}
	return choose(m, conflict{id, ""}, ours, theirs)
}

// changeAlone gives only what changed from base to theirs, on the defaults.
func (m *merger) changeAlone(id instance, base, theirs *settings) *settings {
	alone := theirs.clone()
	for name := range alone.fields {
		if alone.fields[name] == base.fields[name] {
			alone.fields[name] = m.defaults[id.module][name]
		}
	}
	alone.madeBy = slices.DeleteFunc(alone.madeBy, func(move string) bool { return slices.Contains(base.madeBy, move) })
	return alone
}

// fields merges an instance that both sides have and changed.
func (m *merger) fields(id instance, base, ours, theirs *settings) *settings {
	out := ours.clone()
	for _, move := range theirs.madeBy {
		out.by(move, true)
	}
	was := base
	if was == nil {
		was = &settings{fields: m.defaults[id.module]}
	}
	out.enabled = part(m, conflict{id, "enabled"}, base != nil, was.enabled, ours.enabled, theirs.enabled)
	out.mask = part(m, conflict{id, "mask"}, base != nil, was.mask, ours.mask, theirs.mask)
	for _, name := range wholeFields(ours.fields) {
		values := func(s *settings) string { return strings.Join(elements(s.fields, name), " ") }
		if part(m, conflict{id, name}, true, values(was), values(ours), values(theirs)) == values(ours) {
			continue
		}
		for leaf := range out.fields {
			if wholeField(leaf) == name {
				out.fields[leaf] = theirs.fields[leaf]
			}
		}
	}
	return out
}

// part merges one thing that all three have; known is whether the base has it.
func part[T comparable](m *merger, c conflict, known bool, base, ours, theirs T) T {
	switch {
	case ours == theirs, known && theirs == base:
		return ours
	case known && ours == base:
		return theirs
	}
	return choose(m, c, ours, theirs)
}

func choose[T any](m *merger, c conflict, ours, theirs T) T {
	m.conflicts = append(m.conflicts, c)
	if m.take(c) {
		return theirs
	}
	return ours
}

// wholeField is the field that a name belongs to: an array is one.
func wholeField(name string) string {
	name, _, _ = strings.Cut(name, "[")
	return name
}

func wholeFields(fields map[string]string) []string {
	var names []string
	for name := range fields {
		names = append(names, wholeField(name))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// elements are the values of a field.
func elements(fields map[string]string, whole string) (values []string) {
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if wholeField(name) == whole {
			values = append(values, fields[name])
		}
	}
	return values
}

// carry gives target the look of source, both of which began as the baseline: all
// that was edited, but for what belongs to one picture and, unless they are wanted,
// what has a mask. skipped are those instances that source has.
func (r rules) carry(source, target look, masked bool) (next look, skipped []instance) {
	stays := func(l look, id instance) bool {
		return iop.BelongsToPicture(id.module) || !masked && l[id].mask != ""
	}
	next = target
	for id := range target {
		if !stays(target, id) && !alike(target[id], r.baseline[id]) {
			next = next.with(id, r.baseline[id])
		}
	}
	for _, id := range source.instances() {
		switch {
		case alike(source[id], r.baseline[id]):
		case stays(source, id):
			skipped = append(skipped, id)
		default:
			next = next.with(id, source[id])
		}
	}
	return next, skipped
}
