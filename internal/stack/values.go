package stack

import (
	"slices"
	"strings"

	"github.com/chemigram/chemigram/xmp/iop"
)

// values tell which leaves of a module's parameters are one value between two
// settings: all elements of an array, and the fields of an [iop.Compound].
type values struct{ compounds []iop.Compound }

func newValues(a, b iop.Params) values {
	return values{slices.DeleteFunc(slices.Clone(iop.Compounds(a.Operation())), func(c iop.Compound) bool {
		return c.Keyed && sameValue(a, b, c.Fields[0])
	})}
}

func sameValue(a, b iop.Params, field string) bool {
	before, err := a.Get(field)
	after, afterErr := b.Get(field)
	return err == nil && afterErr == nil && before.Equal(after)
}

// name names the value that a leaf such as "nodes[3].x" belongs to.
func (v values) name(leaf string) string {
	name := fieldName(leaf)
	for _, c := range v.compounds {
		if slices.Contains(c.Fields, name) || slices.Contains(c.Fields, before(name, ".")) {
			return c.Fields[0]
		}
	}
	return name
}

// names lists the values that differ, in the order of the layout.
func (v values) names(differences []iop.Difference) []string {
	var names []string
	for _, d := range differences {
		if name := v.name(d.Name); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// changesOnto lists the leaves to set in other parameters to make the change that
// led from before to after: all of each value that changed, even where only a part
// of it did.
func changesOnto(before, after, onto iop.Params) []iop.Difference {
	in := newValues(after, onto)
	changed := in.names(iop.Diff(before, after))
	var leaves []iop.Difference
	for leaf, to := range after.All() {
		if !slices.Contains(changed, in.name(leaf)) {
			continue
		}
		from, err := before.Get(leaf)
		if err != nil {
			from = to
		}
		if same, err := onto.Get(leaf); err == nil && same.Equal(to) && from.Equal(to) {
			continue
		}
		leaves = append(leaves, iop.Difference{Name: leaf, Before: from, After: to})
	}
	return leaves
}

// fieldName is the field that a leaf belongs to: an array is one field.
func fieldName(leaf string) string { return before(leaf, "[") }

func before(text, separator string) string {
	head, _, _ := strings.Cut(text, separator)
	return head
}

// fieldNames lists the fields that differ, in the order of the layout.
func fieldNames(differences []iop.Difference) []string { return values{}.names(differences) }
