package vocab

import (
	"slices"

	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
	"github.com/chemigram/chemigram/xmp/mask"
)

// The origins of an instance list the moves that set the same fields in the order in
// which they were applied. So the last of them that sets a field is the one whose value
// it has, and a move that is taken away leaves what is not its own.

// ownPlace is the place of the compiler's move among the origins of what the edit
// begins from, or -1.
func (c *compiler) ownPlace() int {
	return slices.IndexFunc(c.start.Origins, func(o xmp.Origin) bool { return o.Entry == c.entry.Name })
}

// owns reports whether a field of the instance is the move's to take back: no later
// move has set it. What no move made is a value's to set, but not a strength's of 0.
func (c *compiler) owns(field string) bool {
	own := c.ownPlace()
	for i, o := range c.start.Origins {
		if i > own && o.Entry != c.entry.Name && c.rival(o).sets(field) {
			return false
		}
	}
	lost := len(c.start.Origins) == 0 && c.op.Instance != "" // darktable's own window does not keep origins
	return own >= 0 || !c.none || lost
}

// rival gives what a move does to the compiler's instance.
func (c *compiler) rival(o xmp.Origin) rival {
	if c.entry.vocabulary == nil {
		return rival{}
	}
	entry := c.entry.vocabulary.entries[o.Entry]
	if entry == nil {
		return rival{}
	}
	for _, s := range entry.style {
		if s.op.String() == c.op.String() {
			return rival{whole: true}
		}
	}
	for _, op := range entry.Ops {
		if op.String() == c.op.String() {
			return rival{op: &op}
		}
	}
	return rival{}
}

// rival is what another move does to an instance: nothing, an op's, or all.
type rival struct {
	op    *Op
	whole bool
}

// switched stands for whether the instance is on, which every op sets.
const switched = ""

// sets reports whether the move sets a field.
func (r rival) sets(field string) bool {
	if r.op == nil {
		return r.whole
	}
	return field == switched || slices.ContainsFunc(r.op.changes(), func(ch change) bool { return ch.field == field })
}

// coveredBy reports whether an op leaves nothing of the move.
func (r rival) coveredBy(op Op) bool {
	if r.op == nil || (r.op.Enabled == nil) != (op.Enabled == nil) {
		return false
	}
	over := rival{op: &op}
	return !slices.ContainsFunc(r.op.changes(), func(ch change) bool { return !over.sets(ch.field) })
}

// overlaps reports whether the move sets something that an op sets, too.
func (r rival) overlaps(op Op) bool {
	over := rival{op: &op}
	return r.whole || r.op != nil && (r.op.Enabled != nil || op.Enabled != nil ||
		slices.ContainsFunc(r.op.changes(), func(ch change) bool { return over.sets(ch.field) }))
}

// leave gives the edit of a move that has nothing to take back: only its origin goes.
func (c *compiler) leave() xmp.Edit {
	if c.ownPlace() < 0 {
		return nil
	}
	next := c.start
	next.Origins = c.others()
	return c.put(next)
}

// others lists the origins but for the move's own.
func (c *compiler) others() []xmp.Origin {
	return slices.DeleteFunc(slices.Clone(c.start.Origins), func(o xmp.Origin) bool { return o.Entry == c.entry.Name })
}

// takeBack gives the edit that takes a style's instance away, but for what later moves
// have set there.
func (c *compiler) takeBack() xmp.Edit {
	own := c.ownPlace()
	later := c.start.Origins[own+1:]
	now, err := iop.Decode(c.op.Module, c.start.Modversion, c.start.Params)
	switch {
	case err == nil && slices.ContainsFunc(later, func(o xmp.Origin) bool { return c.rival(o).op != nil }):
		return c.put(c.withLater(later, now))
	case c.hasBase:
		return c.put(c.base)
	}
	return xmp.Remove{Operation: c.op.Module, MultiName: c.op.multiName()}
}

// withLater is the instance as it is without any move, with what later moves set.
func (c *compiler) withLater(later []xmp.Origin, now iop.Params) xmp.Entry {
	next, p := c.start, c.ref
	if c.hasBase {
		next.BlendVersion, next.Blend = c.base.BlendVersion, c.base.Blend
	} else if plain, err := mask.DefaultBlend(c.app.Target.BlendVersion()); err == nil {
		next.BlendVersion, next.Blend = c.app.Target.BlendVersion(), plain
	}
	for _, o := range later {
		if op := c.rival(o).op; op != nil {
			for _, ch := range op.changes() {
				if v, err := now.Get(ch.field); err == nil {
					if q, err := p.With(ch.field, v); err == nil {
						p = q
					}
				}
			}
		}
	}
	next.Modversion, next.Params, next.Origins = p.Modversion(), p.Encode(), c.others()
	return next
}
