package vocab

import (
	"fmt"
	"slices"

	"github.com/chemigram/chemigram/xmp/iop"
	"github.com/chemigram/chemigram/xmp/mask"
)

// Available reports whether the entry works on a darktable, and why not.
func (e *Entry) Available(target iop.Release) (ok bool, reason string) {
	if r := e.Requires.Darktable; !r.Holds(target.Version()) {
		return false, fmt.Sprintf("requires darktable %s; installed is %s", r, target.Version())
	}
	for _, m := range slices.Concat(e.Requires.Modules, e.neededModules()) {
		if _, ok := target.Modversion(m); !ok {
			return false, fmt.Sprintf("darktable %s has no module %q", target.Version(), m)
		}
	}
	for _, o := range e.Ops {
		mv, _ := target.Modversion(o.Module)
		for _, c := range o.changes() {
			if _, err := iop.Field(o.Module, mv, c.field); err != nil {
				return false, fmt.Sprintf("darktable %s has no field %s in module %s", target.Version(), c.field, o.Module)
			}
		}
	}
	if e.prerequisite != nil {
		if ok, reason := e.prerequisite.Available(target); !ok {
			return false, fmt.Sprintf("it builds on %s, which %s", e.prerequisite.Name, reason)
		}
	}
	for _, s := range e.style {
		if mv, _ := target.Reads(s.entry.Operation); s.entry.Modversion > mv {
			return false, fmt.Sprintf("captured with a newer darktable: module %s has version %d, darktable %s knows %d",
				s.entry.Operation, s.entry.Modversion, target.Version(), mv)
		}
		if _, _, err := mask.ConvertBlend(s.entry.BlendVersion, s.entry.Blend, target.ReadsBlend()); err != nil {
			return false, fmt.Sprintf("captured with a newer darktable: the blending of module %s cannot be written for darktable %s, which knows version %d: %v",
				s.entry.Operation, target.Version(), target.ReadsBlend(), err)
		}
	}
	return true, ""
}

// neededModules lists the modules that a darktable has to have for the entry. One
// that is switched off may as well be missing.
func (e *Entry) neededModules() []string {
	off := func(m string) bool {
		return slices.ContainsFunc(e.Ops, func(o Op) bool { return o.Module == m && o.switchesOff() })
	}
	return slices.DeleteFunc(e.Touches(), off)
}
