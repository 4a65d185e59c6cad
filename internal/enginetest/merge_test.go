package enginetest

import (
	"fmt"
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
	undecided          map[conflict]bool   // what has no base
	conflicts          []conflict
}

// mergedBase is what a merge begins with that has several bases: they are merged one by
// one, each with what it comes from by itself. What is in conflict has no base.
func (r rules) mergedBase(bases []*snapshot) (base look, undecided map[conflict]bool) {
	base, undecided = bases[0].look, map[conflict]bool{}
	for n, other := range bases[1:] {
		under, unknown := r.mergedBase(mergeBases(bases[:n+1], []*snapshot{other}))
		m := &merger{rules: r, base: under, undecided: unknown, ours: base, theirs: other.look}
		m.take = func(conflict) bool { return false }
		base = m.merge()
		for _, c := range m.conflicts {
			undecided[c] = true
		}
	}
	return base, undecided
}

// hasUndecided reports whether something of an instance has no base.
func (m *merger) hasUndecided(id instance) bool {
	for c := range m.undecided {
		if c.id == id {
			return true
		}
	}
	return false
}

// String shows the instances that the three sides do not have alike.
func (m *merger) String() string {
	if m == nil {
		return ""
	}
	var b strings.Builder
	for _, id := range m.ids() {
		base, ours, theirs := m.base[id], m.ours[id], m.theirs[id]
		if !alike(base, ours) || !alike(base, theirs) {
			fmt.Fprintf(&b, "\n%s:%s\n base %+v\n ours %+v\n theirs %+v", id.module, id.label, base, ours, theirs)
		}
	}
	return b.String()
}

// ids are the instances of the three sides.
func (m *merger) ids() []instance {
	ids := map[instance]bool{}
	for _, l := range []look{m.base, m.ours, m.theirs} {
		for id := range l {
			ids[id] = true
		}
	}
	return slices.SortedFunc(maps.Keys(ids), compareInstances)
}

// startingLook is the conflict of two starting looks.
var startingLook = conflict{id: instance{module: "look"}}

func (m *merger) merge() look {
	base, ours, theirs := m.base.startingLooks(), m.ours.startingLooks(), m.theirs.startingLooks()
	unknown := m.undecided[startingLook]
	bothChanged := unknown || !slices.Equal(ours, base) && !slices.Equal(theirs, base)
	if len(ours) > 0 && len(theirs) > 0 && !slices.Equal(ours, theirs) && bothChanged {
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
	for _, id := range m.ids() {
		merged := m.instance(id, m.base[id], m.ours[id], m.theirs[id])
		if !alike(merged, m.ours[id]) {
			out = out.with(id, merged)
		}
	}
	return out
}

func (m *merger) instance(id instance, base, ours, theirs *settings) *settings {
	known := !m.hasUndecided(id)
	switch {
	case alike(ours, theirs), known && alike(theirs, base):
		return ours
	case known && alike(ours, base):
		return theirs
	case m.pick && ours == nil && base != nil && theirs != nil && id.module != "retouch":
		return m.changeAlone(id, base, theirs)
	case ours != nil && theirs != nil && id.module != "retouch" && !m.undecided[conflict{id, ""}]:
		return m.fields(id, base, ours, theirs)
	}
	return choose(m, conflict{id, ""}, ours, theirs)
}

// changeAlone gives only what changed from base to theirs, on the defaults.
func (m *merger) changeAlone(id instance, base, theirs *settings) *settings {
	alone := theirs.clone()
	for _, v := range values(id.module, theirs.fields, m.defaults[id.module]) {
		if leaves := v.leaves; sameLeaves(leaves, base.fields, theirs.fields) {
			for _, leaf := range leaves {
				alone.fields[leaf] = m.defaults[id.module][leaf]
			}
		}
	}
	added := slices.DeleteFunc(slices.Clone(alone.madeBy), func(move string) bool { return slices.Contains(base.madeBy, move) })
	if len(added) > 0 {
		alone.madeBy = added
	}
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
	out.enabled = part(m, conflict{id, "enabled"}, base != nil && !m.undecided[conflict{id, "enabled"}], was.enabled, ours.enabled, theirs.enabled)
	out.mask = part(m, conflict{id, "mask"}, base != nil && !m.undecided[conflict{id, "mask"}], was.mask, ours.mask, theirs.mask)
	for _, v := range values(id.module, ours.fields, theirs.fields) {
		differ := slices.DeleteFunc(slices.Clone(v.leaves), func(leaf string) bool { return ours.fields[leaf] == theirs.fields[leaf] })
		unknown := m.isUndecided(id, v)
		if len(differ) == 0 || !unknown && sameLeaves(v.leaves, was.fields, theirs.fields) {
			continue
		}
		name := v.name
		if fields := wholeFields(differ); len(fields) == 1 {
			name = fields[0]
		}
		if (unknown || !sameLeaves(v.leaves, was.fields, ours.fields)) && !choose(m, conflict{id, name}, false, true) {
			continue
		}
		for _, leaf := range differ {
			out.fields[leaf] = theirs.fields[leaf]
		}
	}
	return out
}

// isUndecided reports whether a value, under its own name or that of one of its fields,
// has no base.
func (m *merger) isUndecided(id instance, v value) bool {
	return m.undecided[conflict{id, v.name}] ||
		slices.ContainsFunc(wholeFields(v.leaves), func(field string) bool { return m.undecided[conflict{id, field}] })
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

// wholeField is the field that a leaf belongs to: an array is one.
func wholeField(leaf string) string {
	field, _, _ := strings.Cut(leaf, "[")
	return field
}

func wholeFields(leaves []string) (fields []string) {
	for _, leaf := range leaves {
		fields = append(fields, wholeField(leaf))
	}
	slices.Sort(fields)
	return slices.Compact(fields)
}

// A value is a field of a module, or several that mean something only together, under
// the name of the first.
type value struct {
	name   string
	leaves []string
}

// values lists the values that two settings of a module have, by name.
func values(module string, a, b map[string]string) (all []value) {
	leaves := map[string][]string{}
	for leaf := range a {
		name := wholeField(leaf)
		if c, ok := iop.CompoundOf(module, name); ok && (!c.Keyed || a[c.Fields[0]] != b[c.Fields[0]]) {
			name = c.Fields[0]
		}
		leaves[name] = append(leaves[name], leaf)
	}
	for _, name := range slices.Sorted(maps.Keys(leaves)) {
		all = append(all, value{name, leaves[name]})
	}
	return all
}

// sameLeaves reports whether the leaves have the same values in both.
func sameLeaves(leaves []string, a, b map[string]string) bool {
	return !slices.ContainsFunc(leaves, func(leaf string) bool { return a[leaf] != b[leaf] })
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
