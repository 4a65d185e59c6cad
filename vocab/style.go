package vocab

import (
	"encoding/binary"
	"fmt"
	"io/fs"
	"path"
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
	if left := e.orderLeftOut(style.Order); left != "" {
		e.Description = strings.TrimSpace(e.Description + " " + left)
	}
	if len(e.style) == 0 && len(d.errs) == 0 {
		d.fail(nil, "style", "%s has no module in it", e.Style)
	}
}

// builtinPreset begins the name of an instance to which a preset of darktable's own
// was applied: by darktable in a baseline, and in a style by its author, who chose
// everything in it.
const builtinPreset = "_builtin_"

// nameStyle names the instances of a style. darktable tells them apart by their
// numbers; those whose name another one has, or that have none beside others, get
// the number into the name.
func (e *Entry) nameStyle() {
	name := func(x xmp.Entry) string {
		return strings.TrimSpace(e.Name + " " + strings.ReplaceAll(strings.TrimPrefix(x.MultiName, builtinPreset), ":", " "))
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
// weakens them, see weaken; what cannot be weakened is then left as in the
// baseline.
func (e *Entry) compileStyle(a Application, strength float64) ([]xmp.Edit, error) {
	var edits []xmp.Edit
	swaps := e.swapsToneMapper(a.Baseline)
	for _, s := range e.style {
		c := compiler{entry: e, op: s.op, app: a, strength: strength}
		if err := c.begin(); err != nil {
			return nil, err
		}
		if strength == 0 {
			edits = append(edits, c.removeStyle()...)
			continue
		}
		next, weakened := c.weaken(s.entry, swaps)
		if !weakened {
			edits = append(edits, c.removeStyle()...)
			continue
		}
		var err error
		if next.BlendVersion, next.Blend, err = c.blendOf(next); err != nil {
			return nil, c.uncomposable("", err, "its blending cannot be written for darktable %s", a.Target.Version())
		}
		next.Origins = []xmp.Origin{{Entry: e.Name, Pack: e.Pack.Name, Version: e.Pack.Version, Layer: string(e.Layer)}}
		edits = append(edits, c.put(next))
	}
	return edits, nil
}

// blendOf gives the blend parameters of a style's instance as the target reads them.
// Without any the instance is blended as in the baseline.
func (c *compiler) blendOf(x xmp.Entry) (version int, data []byte, err error) {
	switch {
	case len(x.Blend) > 0:
		return mask.ConvertBlend(x.BlendVersion, x.Blend, c.app.Target.ReadsBlend())
	case c.hasBase:
		return c.base.BlendVersion, c.base.Blend, nil
	}
	version = c.app.Target.BlendVersion()
	data, err = mask.DefaultBlend(version)
	return version, data, err
}

// removeStyle removes a style's instance, or restores the baseline's, when the
// style made it.
func (c *compiler) removeStyle() []xmp.Edit {
	if !c.present || c.ownPlace() < 0 {
		return nil
	}
	return []xmp.Edit{c.takeBack()}
}
