package vocab

import (
	"fmt"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/internal/suggest"
	"github.com/chemigram/chemigram/vocab/measure"
	"github.com/chemigram/chemigram/xmp/iop"
)

// supported are the darktables that every entry must compile for, unless it
// requires otherwise.
var supported = []string{"4.2.1", "5.0.1", "5.4.1"}

// releasesFor lists the supported darktables that an entry is meant for.
func releasesFor(r Requires) ([]iop.Release, error) {
	var all []iop.Release
	for _, v := range supported {
		if !r.Darktable.Holds(v) {
			continue
		}
		rel, err := iop.ReleaseFor(v)
		if err != nil {
			return nil, err
		}
		all = append(all, rel)
	}
	return all, nil
}

// checkEntry checks that an entry is consistent and fits darktable's layouts. n is
// the entry's node, for line numbers.
func checkEntry(d *decoder, n *node, e *Entry) {
	if (e.Style == "") == (len(e.Ops) == 0) {
		d.fail(n, "ops", "an entry has either ops or a style")
	}
	if e.AppliesTo != nil && e.Layer != L1 {
		d.fail(n, "applies_to", "only an entry of layer L1 can be bound to cameras; this one is %s", e.Layer)
	}
	if e.Mask != nil && e.Mask.Name == "" {
		d.checkMask(n, "mask", *e.Mask)
	}
	if e.Region != "" && e.Mask == nil {
		d.fail(n, "region", "a move that works on the %s needs a mask, too, that stands for it on the scenes of proofs", e.Region)
	}
	checkParameters(d, n, e)
	for i := range e.Claims {
		checkClaim(d, n, e, &e.Claims[i], fmt.Sprintf("claims[%d]", i))
	}
	if len(e.Claims) == 0 {
		d.fail(n, "claims", "an entry claims at least one thing that can be measured")
	}
	releases, err := releasesFor(e.Requires)
	if err != nil || len(releases) == 0 {
		d.fail(n, "requires.darktable", "%s holds none of the supported darktables: %s", e.Requires.Darktable, strings.Join(supported, ", "))
		return
	}
	checkOps(d, n, e, releases)
}

func checkParameters(d *decoder, n *node, e *Entry) {
	for i, p := range e.Parameters {
		key := fmt.Sprintf("parameters[%d]", i)
		if slices.IndexFunc(e.Parameters, func(q Parameter) bool { return q.Name == p.Name }) < i {
			d.fail(n, key, "the entry already has a parameter %q", p.Name)
		}
		if p.Min >= p.Max {
			d.fail(n, key+".min", "min %g is not below max %g", p.Min, p.Max)
		} else if p.Default < p.Min || p.Default > p.Max {
			d.fail(n, key+".default", "default %g is outside %g..%g", p.Default, p.Min, p.Max)
		}
		if p.Neutral < p.Min || p.Neutral > p.Max {
			d.fail(n, key+".neutral", "neutral %g is outside %g..%g", p.Neutral, p.Min, p.Max)
		}
		if e.Style != "" {
			d.fail(n, key, "an entry with a style has no parameters; it takes a strength")
		}
	}
}

func checkClaim(d *decoder, n *node, e *Entry, c *Claim, key string) {
	switch c.Moves {
	case Up, Down:
		if c.AtLeast < 0 {
			d.fail(n, key+".at_least", "want a size, not below 0; moves gives the direction")
		}
		if c.AtMost != 0 && c.AtMost <= c.AtLeast {
			d.fail(n, key+".at_most", "want more than at_least, %g, or nothing", c.AtLeast)
		}
		if c.Within != 0 || c.Target != 0 {
			d.fail(n, key, "within and target go with hold and to, not with %s", c.Moves)
		}
	case Hold, To:
		if c.Within <= 0 {
			d.fail(n, key+".within", "%s needs a within above 0", c.Moves)
		}
		if c.AtLeast != 0 || c.AtMost != 0 {
			d.fail(n, key+".at_least", "at_least and at_most go with up and down, not with %s", c.Moves)
		}
	}
	if c.In == measure.Others && len(c.besides) == 0 {
		d.fail(n, key+".in", "others is what is well away from where other claims say that something moves; none names a part")
	}
	if _, err := e.resolve(nil, c.At); err != nil {
		d.fail(n, key+".at", "%s", err)
	}
	if c.Parameter != "" {
		if _, ok := e.Parameter(c.Parameter); !ok {
			d.failNear(n, key+".parameter", suggest.Nearest(c.Parameter, e.parameterNames()), "the entry has no parameter %q", c.Parameter)
		} else if !e.isAmount(c.Parameter) {
			d.fail(n, key+".parameter", "parameter %q has no neutral value to sweep from", c.Parameter)
		}
	}
}

func (e *Entry) parameterNames() []string {
	names := make([]string, len(e.Parameters))
	for i, p := range e.Parameters {
		names[i] = p.Name
	}
	return names
}

func checkOps(d *decoder, n *node, e *Entry, releases []iop.Release) {
	used := map[string]bool{}
	seen := map[string]bool{}
	for i := range e.Ops {
		o := &e.Ops[i]
		key := fmt.Sprintf("ops[%d]", i)
		if instance := o.String(); seen[instance] {
			d.fail(n, key, "another op already changes %s; one op can hold all its fields", instance)
		} else {
			seen[instance] = true
		}
		checkOp(d, n, e, o, key, releases)
		for _, p := range o.parameters() {
			used[p] = true
		}
	}
	for i, p := range e.Parameters {
		if !used[p.Name] && e.Style == "" {
			d.fail(n, fmt.Sprintf("parameters[%d]", i), "no op uses the parameter %q", p.Name)
		}
	}
}

func checkOp(d *decoder, n *node, e *Entry, o *Op, key string, releases []iop.Release) {
	if o.Enabled != nil {
		checkSwitch(d, n, o, key)
	}
	if o.switchesOff() {
		if known := modulesOf(releases); !slices.Contains(known, o.Module) {
			d.failNear(n, key+".module", suggest.Nearest(o.Module, known), "darktable has no module %q", o.Module)
		}
		return // a darktable without the module has nothing to switch off
	}
	for _, rel := range releases {
		if _, ok := rel.Modversion(o.Module); !ok {
			known := modulesOf(releases)
			if !slices.Contains(known, o.Module) {
				d.failNear(n, key+".module", suggest.Nearest(o.Module, known), "darktable has no module %q", o.Module)
			} else {
				d.fail(n, key+".module", "darktable %s has no module %q; say which darktable the entry requires", rel.Version(), o.Module)
			}
			return
		}
	}
	if len(o.changes()) == 0 && o.Enabled == nil {
		d.fail(n, key, "the op changes nothing; want set, add, multiply, frame or enabled")
	}
	if o.Inset != nil {
		checkInset(d, n, e, *o.Inset, joinKey(key, "inset"))
	}
	if o.Frame != nil {
		checkFraming(d, n, e, o, joinKey(key, "frame"))
	}
	fields := map[string]bool{}
	for _, c := range o.changes() {
		path := joinKey(joinKey(key, string(c.action)), c.field)
		if fields[c.field] {
			d.fail(n, path, "the field is in more than one of set, add, multiply and frame")
		}
		fields[c.field] = true
		for _, rel := range releases {
			if !checkField(d, n, e, o, c, path, rel) {
				break
			}
		}
	}
}

// checkInset checks how far an op keeps away from a mask's edge.
func checkInset(d *decoder, n *node, e *Entry, x Expr, key string) {
	lo, hi := x.number(nil), x.number(nil)
	if x.Parameter != "" {
		if _, ok := e.Parameter(x.Parameter); !ok {
			d.failNear(n, key, suggest.Nearest(x.Parameter, e.parameterNames()), "the entry has no parameter %q", x.Parameter)
			return
		}
		lo, hi = x.extent(e)
	}
	if lo < 0 || hi > mostInset {
		d.fail(n, key, "%s is outside 0 to %d pixels, by which darktable can blur a mask", formatRange(lo, hi), mostInset)
	}
}

// modulesOf lists the modules that any of the releases has, by the pipeline
// orders.
func modulesOf(releases []iop.Release) []string {
	var names []string
	for _, rel := range releases {
		for version := 1; version <= 5; version++ {
			order, _ := rel.Order(version)
			names = append(names, order...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
