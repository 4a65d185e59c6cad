package vocab

import (
	"fmt"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/internal/suggest"
	"github.com/chemigram/chemigram/xmp/iop"
)

// checkField checks one change of one field against the layout of one darktable
// and reports whether it fits. A text that set gives to an enum field is read as a
// parameter's name; here it becomes a constant.
func checkField(d *decoder, n *node, e *Entry, o *Op, c change, key string, rel iop.Release) bool {
	mv, _ := rel.Modversion(o.Module)
	before := len(d.errs)
	f, err := iop.Field(o.Module, mv, c.field)
	if err != nil {
		d.failNear(n, key, suggest.Nearest(c.field, fieldNames(o.Module, mv)),
			"module %s has no field %q in darktable %s", o.Module, c.field, rel.Version())
		return false
	}
	if c.action == actFrame {
		return true // checkFraming knows what it needs
	}
	if !checkKind(d, n, o, &c, f, key) {
		return false
	}
	if c.expr.Parameter == "" {
		checkConstant(d, n, c, f, key)
	} else if _, ok := e.Parameter(c.expr.Parameter); !ok {
		d.failNear(n, key, suggest.Nearest(c.expr.Parameter, e.parameterNames()), "the entry has no parameter %q", c.expr.Parameter)
	} else {
		checkExtent(d, n, e, c, f, key)
	}
	return len(d.errs) == before
}

func checkKind(d *decoder, n *node, o *Op, c *change, f iop.FieldInfo, key string) bool {
	x := &c.expr
	switch f.Kind {
	case "enum", "text":
		if c.action != actSet {
			d.fail(n, key, "field %s is a choice: it can be set, not %s", c.field, participle(c.action))
			return false
		}
		if x.Parameter != "" {
			if x.Scale != 1 || x.Offset != 0 {
				d.fail(n, key, "field %s is a choice and takes no parameter", c.field)
				return false
			}
			*x = Expr{Constant: iop.Text(x.Parameter)}
			o.Set[c.field] = *x
		}
	case "bool":
		if _, isNumber := x.Constant.Float(); c.action != actSet || x.Parameter != "" || !isNumber {
			d.fail(n, key, "field %s is a switch: set it to true or false", c.field)
			return false
		}
	case "opaque":
		d.fail(n, key, "field %s cannot be written by name", c.field)
		return false
	}
	return true
}

func participle(a action) string {
	if a == actAdd {
		return "added to"
	}
	return "multiplied"
}

func checkConstant(d *decoder, n *node, c change, f iop.FieldInfo, key string) {
	switch f.Kind {
	case "enum":
		checkEnum(d, n, c, f, key)
	case "text", "bool":
	default:
		v, ok := c.expr.Constant.Float()
		if !ok || !c.expr.Constant.IsNumeric() {
			d.fail(n, key, "field %s wants a number or a parameter", c.field)
			return
		}
		if lo, hi := f.Min, f.Max; f.Bounded && c.action == actSet && (v < lo || v > hi) {
			d.fail(n, key, "%g is outside the field's range %s", v, formatRange(lo, hi))
		}
	}
}

func checkEnum(d *decoder, n *node, c change, f iop.FieldInfo, key string) {
	var names []string
	for _, v := range f.Enum {
		names = append(names, v.Name)
		if num, ok := c.expr.Constant.Float(); ok && num == float64(v.Value) {
			return
		}
	}
	if s := c.expr.Constant.String(); !slices.Contains(names, s) {
		d.failNear(n, key, suggest.Nearest(s, names), "field %s has no constant %s; want one of %s", c.field, s, strings.Join(names, ", "))
	}
}

// checkExtent checks that the whole range of a parameter fits the field. For
// add and multiply the baseline is not known yet: what is added must be a
// change that the field has room for, and a factor must not be negative.
func checkExtent(d *decoder, n *node, e *Entry, c change, f iop.FieldInfo, key string) {
	lo, hi := f.Min, f.Max
	from, to := c.expr.extent(e)
	switch {
	case c.action == actSet && f.Bounded && (from < lo || to > hi):
		d.fail(n, key, "parameter %s gives %s, which exceeds the field's range %s", c.expr.Parameter, formatRange(from, to), formatRange(lo, hi))
	case c.action == actAdd && f.Bounded && (to > hi-lo || from < lo-hi):
		d.fail(n, key, "parameter %s adds %s, which exceeds the whole of the field's range %s", c.expr.Parameter, formatRange(from, to), formatRange(lo, hi))
	case c.action == actMultiply && from < 0:
		d.fail(n, key, "parameter %s gives the factor %g; a factor is not below 0", c.expr.Parameter, from)
	}
	checkNeutral(d, n, e, c, key)
}

// checkNeutral checks that a relative change adds nothing at neutral, or
// multiplies by one.
func checkNeutral(d *decoder, n *node, e *Entry, c change, key string) {
	p, _ := e.Parameter(c.expr.Parameter)
	if !e.isAmount(p.Name) || c.action == actSet {
		return
	}
	want := 0.0
	if c.action == actMultiply {
		want = 1
	}
	if have := c.expr.Scale*p.Neutral + c.expr.Offset; have < want-1e-9 || have > want+1e-9 {
		d.fail(n, key, "at neutral (%g) the change is %g; want %g, which does nothing", p.Neutral, have, want)
	}
}

func formatRange(lo, hi float64) string { return fmt.Sprintf("%g..%g", lo, hi) }

func fieldNames(module string, modversion int) []string {
	p, err := iop.Defaults(module, modversion)
	if err != nil {
		return nil
	}
	var names []string
	for name := range p.All() {
		names = append(names, name)
	}
	return names
}
