package vocab

import (
	"fmt"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/xmp/iop"
)

// orderLeftOut says what of a style's own pipeline order is left out, or "": its modules
// develop in the order of the picture that it is put on, and the instances of a module in
// the order of their names, the base first. An order that any darktable has built in is
// none of its own.
func (e *Entry) orderLeftOut(order iop.Order) string {
	var modules, moved []string // without instances
	last := map[string]string{} // instance of each module
	for _, place := range order.All() {
		i := slices.IndexFunc(e.style, func(s styleOp) bool {
			return s.entry.Operation == place.Operation && s.entry.MultiPriority == place.Instance
		})
		if i < 0 {
			continue
		}
		op := e.style[i].op
		if before, ok := last[op.Module]; ok && op.Instance < before {
			moved = append(moved, fmt.Sprintf("%s (%s) after %s", op.Module, instanceWord(op.Instance), instanceWord(before)))
		}
		last[op.Module] = op.Instance
		if !slices.Contains(modules, op.Module) {
			modules = append(modules, op.Module)
		}
	}
	if moved = append(swapped(modules), moved...); len(moved) == 0 {
		return ""
	}
	return "The style's own order of modules is left out: " + strings.Join(moved, ", ") + "."
}

func instanceWord(name string) string {
	if name == "" {
		return "base"
	}
	return name
}

// swapped names the neighbours among some modules that no built-in order has so; none
// when there is an order that has all of them so. Of several orders it takes the one
// that knows most of the modules, and of these the nearest.
func swapped(modules []string) (pairs []string) {
	most := 0
	for _, release := range iop.Releases() {
		for version := range 10 {
			builtin, ok := release.BuiltinOrder(version)
			if !ok {
				continue
			}
			known := slices.DeleteFunc(slices.Clone(modules), func(m string) bool { return builtin.Index(m, 0) < 0 })
			here := swappedIn(known, builtin)
			if len(known) > most || len(known) == most && len(here) < len(pairs) {
				pairs, most = here, len(known)
			}
		}
	}
	return pairs
}

func swappedIn(modules []string, order iop.Order) (pairs []string) {
	for i := 1; i < len(modules); i++ {
		if order.Index(modules[i-1], 0) > order.Index(modules[i], 0) {
			pairs = append(pairs, modules[i-1]+" before "+modules[i])
		}
	}
	return pairs
}
