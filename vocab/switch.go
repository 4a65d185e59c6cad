package vocab

import (
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

// checkSwitch checks an op that switches a module.
func checkSwitch(d *decoder, n *node, o *Op, key string) {
	switch {
	case len(o.changes()) > 0:
		d.fail(n, key+".enabled", "an op switches a module or changes its fields; leave enabled out, and the module is on")
	case o.Instance != "":
		d.fail(n, key+".enabled", "only a module's base instance can be switched; an instance of the move's own is on while the move is applied")
	case o.switchesOff() && iop.Required(o.Module):
		d.fail(n, key+".enabled", "darktable develops no raw without %s", o.Module)
	}
}

// toggle switches the instance at any strength above 0. At 0 it is on or off as
// in the baseline, where a missing module is off.
func (c *compiler) toggle() xmp.Edit {
	if !c.present && !c.hasBase && (c.strength == 0 || c.op.switchesOff()) {
		return nil
	}
	if c.strength == 0 && c.present && !c.owns(switched) {
		return c.leave()
	}
	return c.finish(c.start.Params)
}

// enabled reports whether the finished instance is on.
func (c *compiler) enabled() bool {
	switch {
	case c.strength > 0:
		return !c.op.switchesOff()
	case c.op.Enabled != nil:
		return c.hasBase && c.base.Enabled
	}
	return c.start.Enabled
}
