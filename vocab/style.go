package vocab

import (
	"encoding/binary"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
	"github.com/chemigram/chemigram/xmp/mask"
)

// styleOp is a module instance of a captured style.
type styleOp struct {
	op    Op // the module and the instance to write
	entry xmp.Entry
}

// loadStyle reads and checks the style that an entry names.
func (d *decoder) loadStyle(fsys fs.FS, e *Entry) {
	d.entry = e.Name
	if path.Ext(e.Style) != ".dtstyle" || !fs.ValidPath(e.Style) {
		d.fail(nil, "style", "%q is not the path of a .dtstyle file inside the pack", e.Style)
		return
	}
	data, err := readFile(fsys, e.Style)
	if err != nil {
		d.fileError(e.Style, err)
		return
	}
	style, err := xmp.ParseStyle(data)
	if err != nil {
		d.errs = append(d.errs, &Error{Kind: BadPack, Pack: d.pack, File: e.Style, Entry: e.Name, Message: "no usable style", Err: err})
		return
	}
	for _, x := range style.Entries {
		if strings.HasPrefix(x.MultiName, "_builtin_") {
			continue // darktable's own default, not the author's
		}
		if err := checkStyleEntry(x); err != nil {
			d.errs = append(d.errs, &Error{
				Kind: BadPack, Pack: d.pack, File: e.Style, Entry: e.Name, Key: x.Operation,
				Message: "cannot be carried", Err: err,
			})
			continue
		}
		e.style = append(e.style, styleOp{op: Op{Module: x.Operation}, entry: x})
	}
	e.nameStyle()
	if len(e.style) == 0 && len(d.errs) == 0 {
		d.fail(nil, "style", "%s sets nothing but darktable's own defaults", e.Style)
	}
}

// nameStyle names the instances of a style. darktable tells them apart by their
// numbers; those whose name another one has, or that have none beside others, get
// the number into the name.
func (e *Entry) nameStyle() {
	name := func(x xmp.Entry) string {
		return strings.TrimSpace(e.Name + " " + strings.ReplaceAll(x.MultiName, ":", " "))
	}
	type instance struct{ module, name string }
	count := map[instance]int{}
	for _, s := range e.style {
		if s.entry.MultiPriority > 0 {
			count[instance{s.op.Module, name(s.entry)}]++
		}
	}
	for i := range e.style {
		s := &e.style[i]
		if s.entry.MultiPriority == 0 {
			continue
		}
		s.op.Instance = name(s.entry)
		if count[instance{s.op.Module, s.op.Instance}] > 1 {
			s.op.Instance = fmt.Sprintf("%s (%d)", s.op.Instance, s.entry.MultiPriority)
		}
	}
}

// checkStyleEntry checks that darktable can read an instance of a style: darktable
// hangs on parameters of a wrong size, and a drawn mask without its shapes selects
// nothing sensible.
func checkStyleEntry(x xmp.Entry) error {
	if _, err := iop.Decode(x.Operation, x.Modversion, x.Params); err != nil {
		return err
	}
	if len(x.Blend) == 0 {
		return nil
	}
	plain, err := mask.DefaultBlend(x.BlendVersion)
	switch {
	case err != nil:
		return err
	case len(x.Blend) != len(plain):
		return fmt.Errorf("blend parameters of %d bytes; version %d has %d", len(x.Blend), x.BlendVersion, len(plain))
	case binary.LittleEndian.Uint32(x.Blend)&(drawnMask|rasterMask) != 0:
		return fmt.Errorf("it has a drawn or raster mask, whose shapes a style does not carry")
	}
	return nil
}

// Bits of the blend parameters' mask mode.
const (
	drawnMask  = 2
	rasterMask = 8
)

// compileStyle replaces whole instances by those of a style. A strength below 1
// applies to the fields that are real numbers.
func (e *Entry) compileStyle(a Application, strength float64) ([]xmp.Edit, error) {
	var edits []xmp.Edit
	for _, s := range e.style {
		c := compiler{entry: e, op: s.op, app: a, strength: strength}
		if err := c.begin(); err != nil {
			return nil, err
		}
		if strength == 0 {
			edits = append(edits, c.removeStyle()...)
			continue
		}
		next := s.entry
		params, err := c.scaleStyle(s.entry)
		if err != nil {
			return nil, err
		}
		next.Params = params
		if len(next.Blend) == 0 {
			next.BlendVersion, next.Blend = c.start.BlendVersion, c.start.Blend
		}
		next.Origins = []xmp.Origin{{Entry: e.Name, Pack: e.Pack.Name, Version: e.Pack.Version, Layer: string(e.Layer)}}
		edits = append(edits, c.put(next))
	}
	return edits, nil
}

// removeStyle removes a style's instance, or restores the baseline's, when the
// style made it.
func (c *compiler) removeStyle() []xmp.Edit {
	made := slices.ContainsFunc(c.start.Origins, func(o xmp.Origin) bool { return o.Entry == c.entry.Name })
	switch {
	case !c.present || !made:
		return nil
	case c.hasBase:
		return []xmp.Edit{c.put(c.base)}
	}
	return []xmp.Edit{xmp.Remove{Operation: c.op.Module, MultiName: c.op.multiName()}}
}

// scaleStyle gives a style's parameters at the compiler's strength.
func (c *compiler) scaleStyle(x xmp.Entry) ([]byte, error) {
	if c.strength == 1 {
		return x.Params, nil
	}
	p, err := iop.Decode(x.Operation, x.Modversion, x.Params)
	if err != nil {
		return nil, c.uncomposable("", err, "its parameters cannot be edited by name")
	}
	ref := c.ref
	if ref.Modversion() != x.Modversion {
		if ref, err = reference(x.Operation, x.Modversion); err != nil {
			return nil, c.uncomposable("", err, "its parameters cannot be edited by name")
		}
	}
	for name, v := range p.All() {
		info, err := iop.Field(x.Operation, x.Modversion, name)
		if err != nil || info.Kind != "float" || slices.Contains(directions[x.Operation], name) {
			continue
		}
		neutral, err := ref.Get(name)
		if err != nil {
			continue
		}
		from, _ := neutral.Float()
		to, _ := v.Float()
		if from == to || !finite(from) || !finite(to) {
			continue
		}
		if p, err = p.With(name, iop.Number(from+c.strength*(to-from))); err != nil {
			return nil, c.uncomposable(name, err, "the style cannot be applied at this strength")
		}
	}
	return p.Encode(), nil
}
