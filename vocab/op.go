package vocab

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/chemigram/chemigram/xmp/iop"
)

// Op is what an entry does to one module instance. A field is named as in
// darktable's own layout, "exposure", "center.x", "nodes[3].y", and may be in only
// one of Set, Add and Multiply.
type Op struct {
	Module string
	// Instance is empty for the module's base instance. Otherwise the move has
	// an instance of its own, which darktable shows as "chemigram" and this
	// name.
	Instance string
	// Enabled, when not nil, switches the module's base instance on or off
	// and changes no field. Without it, an op that changes fields switches its
	// instance on.
	Enabled *bool
	// Set gives fields a value.
	Set map[string]Expr
	// Add and Multiply change fields relative to this image's baseline.
	Add      map[string]Expr
	Multiply map[string]Expr
	// Frame, when not nil, changes the frame as its proportions ask for. The fields
	// that it sets are its own.
	Frame *Framing
	// Inset, when not nil, keeps the op away from a mask's edge, in pixels of the
	// full size: it begins at 1.3 times so many within the edge, and is whole at 2.5
	// times. So a blur of that radius brings nothing into the masked part from beyond
	// its edge. Without a mask it means nothing.
	Inset *Expr
}

// Expr is the value that an op gives to one field: a constant, or a parameter
// times Scale plus Offset.
type Expr struct {
	Constant  iop.Value // when Parameter is empty
	Parameter string
	Scale     float64
	Offset    float64
}

// number evaluates an expression for a numeric field.
func (x Expr) number(values map[string]float64) float64 {
	if x.Parameter == "" {
		v, _ := x.Constant.Float()
		return v
	}
	return x.Scale*values[x.Parameter] + x.Offset
}

// extent gives the least and the greatest value that an expression can have.
func (x Expr) extent(e *Entry) (lo, hi float64) {
	p, _ := e.Parameter(x.Parameter)
	lo, hi = x.Scale*p.Min+x.Offset, x.Scale*p.Max+x.Offset
	return min(lo, hi), max(lo, hi)
}

// MarshalJSON writes the expression as a pack has it.
func (x Expr) MarshalJSON() ([]byte, error) {
	switch {
	case x.Parameter == "":
		return x.Constant.MarshalJSON()
	case x.Scale == 1 && x.Offset == 0:
		return json.Marshal(x.Parameter)
	}
	return json.Marshal(struct {
		Parameter string  `json:"parameter"`
		Scale     float64 `json:"scale"`
		Offset    float64 `json:"offset,omitempty"`
	}{x.Parameter, x.Scale, x.Offset})
}

// MarshalJSON writes the op as a pack has it.
func (o Op) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Module   string          `json:"module"`
		Instance string          `json:"instance,omitempty"`
		Enabled  *bool           `json:"enabled,omitempty"`
		Set      map[string]Expr `json:"set,omitempty"`
		Add      map[string]Expr `json:"add,omitempty"`
		Multiply map[string]Expr `json:"multiply,omitempty"`
		Frame    *Framing        `json:"frame,omitempty"`
		Inset    *Expr           `json:"inset,omitempty"`
	}{o.Module, o.Instance, o.Enabled, o.Set, o.Add, o.Multiply, o.Frame, o.Inset})
}

// switchesOff reports whether the op switches the module off.
func (o Op) switchesOff() bool { return o.Enabled != nil && !*o.Enabled }

// multiName is what darktable shows beside the module's name.
func (o Op) multiName() string {
	if o.Instance == "" {
		return ""
	}
	return "chemigram " + o.Instance
}

// String names the instance: the module, and what darktable shows beside it.
func (o Op) String() string {
	if o.Instance == "" {
		return o.Module
	}
	return fmt.Sprintf("%s (%s)", o.Module, o.multiName())
}

// action is how an op changes a field.
type action string

const (
	actSet      action = "set"
	actAdd      action = "add"
	actMultiply action = "multiply"
	actFrame    action = "frame"
)

// change is what an op does to one field.
type change struct {
	field  string
	action action
	expr   Expr
}

// changes lists what the op does, sorted by field and action.
func (o Op) changes() []change {
	var all []change
	for act, fields := range o.actions() {
		for name, x := range fields {
			all = append(all, change{name, act, x})
		}
	}
	slices.SortFunc(all, func(a, b change) int {
		return cmp.Or(cmp.Compare(a.field, b.field), cmp.Compare(a.action, b.action))
	})
	return all
}

func (o Op) actions() map[action]map[string]Expr {
	all := map[action]map[string]Expr{actSet: o.Set, actAdd: o.Add, actMultiply: o.Multiply}
	if o.Frame != nil {
		all[actFrame] = map[string]Expr{}
		for _, field := range o.Frame.fields() {
			all[actFrame][field] = Expr{Parameter: o.Frame.parameter(), Scale: 1}
		}
	}
	return all
}

// Fields lists the fields that the op changes, sorted.
func (o Op) Fields() []string {
	var names []string
	for _, ch := range o.changes() {
		names = append(names, ch.field)
	}
	return names
}

// parameters lists the parameters that the op uses, sorted.
func (o Op) parameters() []string {
	names := map[string]bool{}
	for _, fields := range o.actions() {
		for _, x := range fields {
			if x.Parameter != "" {
				names[x.Parameter] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}
