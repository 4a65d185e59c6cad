package iop

import (
	"iter"
	"maps"
	"slices"
)

// Layouts yields every module and modversion whose parameters can be decoded,
// in order.
func Layouts() iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		for _, op := range slices.Sorted(maps.Keys(modules())) {
			last := 0
			for _, l := range modules()[op].layouts() {
				if l.modversion != last && !yield(op, l.modversion) {
					return
				}
				last = l.modversion
			}
		}
	}
}
