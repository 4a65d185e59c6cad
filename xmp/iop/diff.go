package iop

import "bytes"

// Difference is one leaf that differs between two parameter sets.
type Difference struct {
	Name          string
	Before, After Value
}

// Diff lists the leaves that differ. Parameters of different modversions are
// compared on the leaves whose names both have.
func Diff(a, b Params) []Difference {
	if a.layout == nil || b.layout == nil {
		return nil
	}
	same := a.Modversion() == b.Modversion() && a.Operation() == b.Operation()
	if same && bytes.Equal(a.blob, b.blob) {
		return nil
	}
	var out []Difference
	for f := range leaves(a.layout.fields) {
		g, at := f.field, f.at
		if !same {
			var n int
			var ok bool
			if g, at, n, ok = lookup(b.layout.fields, string(f.path)); !ok || n != 1 {
				continue
			}
		}
		before, after := f.read(a.blob[f.at:]), g.read(b.blob[at:])
		if !before.Equal(after) {
			out = append(out, Difference{string(f.path), before, after})
		}
	}
	return out
}
