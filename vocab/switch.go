package vocab

import (
	"fmt"
	"slices"

	"github.com/chemigram/chemigram/xmp"
)

// indispensable are modules without which darktable develops no raw.
var indispensable = []string{"rawprepare", "temperature", "demosaic", "colorin", "colorout", "gamma"}

// checkSwitch checks an op that switches a module.
func checkSwitch(d *decoder, n *node, o *Op, key string) {
	switch {
	case len(o.changes()) > 0:
		d.fail(n, key+".enabled", "an op switches a module or changes its fields; leave enabled out, and the module is on")
	case o.Instance != "":
		d.fail(n, key+".enabled", "only a module's base instance can be switched; one of the move's own is there while the move is")
	case o.switchesOff() && slices.Contains(indispensable, o.Module):
		d.fail(n, key+".enabled", "darktable develops no raw without %s", o.Module)
	}
}

// toggle switches the instance at any strength above 0. At 0 it is on or off as
// in the baseline, where a module that is not there is off.
func (c *compiler) toggle() xmp.Edit {
	if !c.present && !c.hasBase && (c.strength == 0 || c.op.switchesOff()) {
		return nil
	}
	return c.finish(c.start.Params)
}

// enabled tells whether the finished instance is on.
func (c *compiler) enabled() bool {
	switch {
	case c.strength > 0:
		return !c.op.switchesOff()
	case c.op.Enabled != nil:
		return c.hasBase && c.base.Enabled
	}
	return c.start.Enabled
}

// grounded refuses a move whose BuildsOn is not at work in the current edit. A
// move that does nothing needs no ground.
func (e *Entry) grounded(current *xmp.Sidecar, strength float64) error {
	if strength == 0 {
		return nil
	}
	if module := e.missingGround(current); module != "" {
		return &Error{
			Kind: NotInUse, Entry: e.Name, Key: module,
			Message: fmt.Sprintf("the module %s, which it adjusts, is not in use; apply %s first", module, e.BuildsOn),
		}
	}
	return nil
}

// missingGround gives a module that BuildsOn puts to work and that is off or
// missing in an edit; empty when there is none.
func (e *Entry) missingGround(current *xmp.Sidecar) string {
	if e.ground == nil {
		return ""
	}
	for _, o := range e.ground.Ops {
		if o.switchesOff() {
			continue
		}
		if at, ok := current.Find(o.Module, o.multiName()); !ok || !at.Enabled {
			return o.Module
		}
	}
	return ""
}

// bindGrounds looks up the moves that a pack's entries build on, in the pack
// itself and in those loaded before it.
func (v *Vocabulary) bindGrounds(src Source, entries []*Entry) []error {
	d := &decoder{pack: src.Name}
	for _, e := range entries {
		if e.BuildsOn == "" {
			continue
		}
		d.entry = e.Name
		e.ground = v.entries[e.BuildsOn]
		if i := slices.IndexFunc(entries, func(o *Entry) bool { return o.Name == e.BuildsOn }); i >= 0 {
			e.ground = entries[i]
		}
		switch {
		case e.ground == nil:
			d.fail(nil, "builds_on", "neither this pack nor an earlier one has a move %q", e.BuildsOn)
		case e.ground.BuildsOn != "":
			d.fail(nil, "builds_on", "%s builds on %s itself; name that one", e.BuildsOn, e.ground.BuildsOn)
		case e.ground.Style != "":
			d.fail(nil, "builds_on", "%s is a captured style; want a move with ops", e.BuildsOn)
		}
	}
	return d.errs
}

// toggles tells whether the entry switches a module that another one changes.
func (e *Entry) toggles(other *Entry) bool {
	return slices.ContainsFunc(e.Ops, func(o Op) bool {
		return o.Enabled != nil && slices.Contains(other.Touches(), o.Module)
	})
}
