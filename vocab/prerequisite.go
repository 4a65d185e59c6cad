package vocab

import (
	"fmt"
	"slices"

	"github.com/chemigram/chemigram/xmp"
)

// Prerequisite is the entry that BuildsOn names; nil when it names none.
func (e *Entry) Prerequisite() *Entry { return e.prerequisite }

// MissingModule gives a module that the prerequisite switches on and that is off
// or missing in an edit; empty when there is none, or no prerequisite.
func (e *Entry) MissingModule(current *xmp.Sidecar) string {
	if e.prerequisite == nil {
		return ""
	}
	for _, o := range e.prerequisite.Ops {
		if o.switchesOff() {
			continue
		}
		if instance, ok := current.Find(o.Module, o.multiName()); !ok || !instance.Enabled {
			return o.Module
		}
	}
	return ""
}

// checkPrerequisite refuses a move whose prerequisite is not in use in the current
// edit. A move that does nothing needs none.
func (e *Entry) checkPrerequisite(current *xmp.Sidecar, strength float64) error {
	if strength == 0 {
		return nil
	}
	if module := e.MissingModule(current); module != "" {
		return &Error{
			Kind: NotInUse, Entry: e.Name, Key: module,
			Message: fmt.Sprintf("the module %s, which it adjusts, is not in use; apply %s first", module, e.BuildsOn),
		}
	}
	return nil
}

// bindPrerequisites looks up the moves that a pack's entries build on, in the
// pack itself and in those loaded before it.
func (v *Vocabulary) bindPrerequisites(src Source, entries []*Entry) []error {
	d := &decoder{pack: src.Name}
	for _, e := range entries {
		if e.BuildsOn == "" {
			continue
		}
		d.entry = e.Name
		first := v.entries[e.BuildsOn]
		if i := slices.IndexFunc(entries, func(o *Entry) bool { return o.Name == e.BuildsOn }); i >= 0 {
			first = entries[i]
		}
		switch {
		case first == nil:
			d.fail(nil, "builds_on", "neither this pack nor an earlier one has a move %q", e.BuildsOn)
		case first.BuildsOn != "":
			d.fail(nil, "builds_on", "%s builds on %s itself; name that one", e.BuildsOn, first.BuildsOn)
		case first.Style != "":
			d.fail(nil, "builds_on", "%s is a captured style; want a move with ops", e.BuildsOn)
		}
		e.prerequisite = first
	}
	return d.errs
}
