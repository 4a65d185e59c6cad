package vocab

import (
	"bytes"
	"fmt"
	"math"
	"slices"

	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
	"github.com/chemigram/chemigram/xmp/mask"
)

// compiler makes the edit of one op.
type compiler struct {
	entry    *Entry
	op       Op
	app      Application
	values   map[string]float64
	strength float64
	none     bool // a strength of 0 was asked for

	base    xmp.Entry // the baseline's, when hasBase
	hasBase bool
	start   xmp.Entry  // what the edit begins from
	present bool       // start is in the current sidecar
	ref     iop.Params // the values that fields have without any move
	framed  map[string]float64
}

// compile gives no edit when there is nothing to change.
func (c *compiler) compile() (xmp.Edit, error) {
	if err := c.begin(); err != nil {
		return nil, err
	}
	if c.op.Enabled != nil {
		return c.toggle(), nil
	}
	if c.strength == 0 && !slices.ContainsFunc(c.op.changes(), func(ch change) bool { return c.owns(ch.field) }) {
		return c.leave(), nil
	}
	p, err := c.app.Target.Decode(c.op.Module, c.start.Modversion, c.start.Params)
	if err != nil {
		return nil, c.uncomposable("", err, "its parameters cannot be edited by name")
	}
	if c.op.Frame != nil && (c.strength > 0 || c.present && c.op.Module == "ashift") {
		if c.framed, err = c.frame(p); err != nil {
			return nil, err
		}
	}
	for _, ch := range c.op.changes() {
		v, err := c.fieldValue(ch, p)
		if err != nil {
			return nil, err
		}
		q, err := p.With(ch.field, v)
		if err != nil {
			return nil, c.uncomposable(ch.field, err, "the baseline and the move together are too much")
		}
		p = q
	}
	edit := c.finish(p.Encode())
	if put, ok := edit.(xmp.Put); ok && c.app.Within != nil {
		return c.limit(put)
	}
	return edit, nil
}

// begin finds the instance in the current sidecar or in the baseline, or makes a
// new one, and the values that its fields are relative to.
func (c *compiler) begin() error {
	name := c.op.multiName()
	c.base, c.hasBase = c.app.Baseline.Find(c.op.Module, name)
	c.start, c.present = c.app.Current.Find(c.op.Module, name)
	switch {
	case c.present:
	case c.hasBase:
		c.start = c.base
	default:
		if err := c.newInstance(name); err != nil {
			return err
		}
	}
	if newest, _ := c.app.Target.Reads(c.op.Module); c.start.Modversion > newest {
		return &Error{
			Kind: Unavailable, Entry: c.entry.Name, Key: c.op.Module,
			Message: fmt.Sprintf("the sidecar has it in version %d; darktable %s knows %d", c.start.Modversion, c.app.Target.Version(), newest),
		}
	}
	var err error
	if c.hasBase && c.base.Enabled {
		c.ref, err = c.app.Target.Decode(c.op.Module, c.base.Modversion, c.base.Params)
	} else {
		c.ref, err = reference(c.op.Module, c.start.Modversion)
	}
	if err != nil {
		return c.uncomposable("", err, "its parameters cannot be edited by name")
	}
	return nil
}

// newInstance makes the instance as the target would write it, without effect.
func (c *compiler) newInstance(name string) error {
	modversion, _ := c.app.Target.Modversion(c.op.Module)
	p, err := reference(c.op.Module, modversion)
	if err != nil {
		return c.uncomposable("", err, "darktable %s's layout is not known", c.app.Target.Version())
	}
	version := c.app.Target.BlendVersion()
	blend, err := mask.DefaultBlend(version)
	if err != nil {
		return c.uncomposable("", err, "blend parameters cannot be made")
	}
	c.start = xmp.Entry{
		Operation: c.op.Module, Enabled: true, Modversion: modversion, Params: p.Encode(),
		MultiName: name, BlendVersion: version, Blend: blend,
	}
	return nil
}

// fieldValue evaluates one change. p are the parameters before it.
func (c *compiler) fieldValue(ch change, p iop.Params) (iop.Value, error) {
	ref, err := c.ref.Get(ch.field)
	if err != nil {
		return iop.Value{}, c.uncomposable(ch.field, err, "version %d of the module has no such field", c.ref.Modversion())
	}
	old, err := p.Get(ch.field)
	if err != nil {
		return iop.Value{}, c.uncomposable(ch.field, err, "version %d of the module has no such field", p.Modversion())
	}
	switch {
	case c.strength == 0 && c.framed != nil && isPlace(c.op.Module, ch.field):
		return iop.Number(c.framed[ch.field]), nil // as the other moves of the frame need it
	case c.strength == 0 && c.owns(ch.field):
		return ref, nil
	case c.strength == 0:
		return old, nil
	}
	if ch.action == actFrame {
		return iop.Number(c.framed[ch.field]), nil
	}
	if !old.IsNumeric() {
		return ch.expr.Constant, nil
	}
	from, _ := ref.Float()
	to := ch.expr.number(c.values)
	switch ch.action {
	case actAdd:
		to += from
	case actMultiply:
		to *= from
	}
	if c.strength < 1 && c.entry.scales(c.op.Module, ch) {
		to = from + c.strength*(to-from)
	}
	if info, err := p.Field(ch.field); err == nil && info.Kind != "float" {
		to = math.Round(to) // the field holds whole numbers
	}
	return iop.Number(to), nil
}

// finish decides what is left of the instance: the baseline's own form,
// nothing, or an entry that says which moves made it.
func (c *compiler) finish(params []byte) xmp.Edit {
	next := c.start
	next.Params = params
	next.Origins, next.Enabled = c.origins(), c.enabled()
	if c.strength == 0 && len(next.Origins) == 0 {
		switch {
		case c.hasBase && sameEffect(next, c.base):
			return c.put(c.base)
		case !c.hasBase && c.doesNothing(next):
			if !c.present {
				return nil
			}
			return xmp.Remove{Operation: c.op.Module, MultiName: c.op.multiName()}
		}
	}
	return c.put(next)
}

// put sets the op's instance to an entry. The base instance is found by its number,
// whatever darktable calls it.
func (c *compiler) put(entry xmp.Entry) xmp.Put {
	entry.MultiName, entry.MultiPriority = c.op.multiName(), 0
	return xmp.Put{Entry: entry}
}

// origins lists the moves that made the instance, this one at its present version: by
// name, but this one behind those that set the same fields. When it is taken back, those
// go, too, of which it had left nothing.
func (c *compiler) origins() []xmp.Origin {
	own := xmp.Origin{
		Entry: c.entry.Name, Pack: c.entry.Pack.Name, Version: c.entry.Pack.Version, Layer: string(c.entry.Layer),
	}
	if c.strength == 0 {
		var left []xmp.Origin
		for i, o := range c.start.Origins {
			if o.Entry != own.Entry && (i > c.ownPlace() || !c.rival(o).coveredBy(c.op)) {
				left = append(left, o)
			}
		}
		return left
	}
	others := c.others()
	at := 0
	for i, o := range others {
		if c.rival(o).overlaps(c.op) {
			at = i + 1
		}
	}
	for at < len(others) && others[at].Entry < own.Entry {
		at++
	}
	return slices.Insert(others, at, own)
}

func sameEffect(a, b xmp.Entry) bool {
	return a.Modversion == b.Modversion && bytes.Equal(a.Params, b.Params) && bytes.Equal(a.Blend, b.Blend)
}

func (c *compiler) doesNothing(next xmp.Entry) bool {
	p, err := reference(c.op.Module, next.Modversion)
	return err == nil && bytes.Equal(p.Encode(), next.Params)
}

func (c *compiler) uncomposable(field string, err error, format string, args ...any) error {
	return &Error{
		Kind: Uncomposable, Entry: c.entry.Name, Key: joinKey(c.op.String(), field),
		Message: fmt.Sprintf(format, args...), Err: err,
	}
}
