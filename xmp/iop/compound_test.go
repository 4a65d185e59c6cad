package iop

import (
	"strings"
	"testing"
)

// Every array whose number of elements is a field, and every pair of arrays of one
// length that are coordinates, is one value.
func TestArraysAndTheirCountsAreOneValue(t *testing.T) {
	t.Parallel()
	for _, release := range Releases() {
		for _, m := range release.Modules() {
			p, err := Defaults(m.Operation, m.Modversion)
			if err != nil {
				continue
			}
			arrays, counts := map[string]bool{}, map[string]bool{}
			for name := range p.All() {
				field, index, indexed := strings.Cut(name, "[")
				switch {
				case strings.Contains(index, "."):
					arrays[field] = true
				case strings.Contains(field, "num_") || strings.HasSuffix(field, "_nodes") || strings.HasSuffix(field, "_count") || field == "octaves":
					counts[field] = true
				case indexed:
					arrays[field] = true
				}
			}
			for count := range counts {
				if len(arrays) == 0 || m.Operation == "retouch" { // retouch is merged whole
					continue
				}
				c, ok := CompoundOf(m.Operation, count)
				if !ok || c.Keyed || !arrays[c.Fields[0]] {
					t.Errorf("%s %s of version %d: %s counts elements, and is no part of a value with an array: %v", release.Version(), m.Operation, m.Modversion, count, c)
				}
			}
			for x := range arrays {
				if y := strings.TrimSuffix(x, "x") + "y"; strings.HasSuffix(x, "x") && arrays[y] {
					c, _ := CompoundOf(m.Operation, x)
					if d, ok := CompoundOf(m.Operation, y); !ok || c.Fields[0] != d.Fields[0] {
						t.Errorf("%s: %s and %s are not one value", m.Operation, x, y)
					}
				}
			}
		}
	}
}

func TestCompoundsNameFieldsOnce(t *testing.T) {
	t.Parallel()
	for operation, all := range compounds {
		seen := map[string]bool{}
		for _, c := range all {
			for _, field := range c.Fields {
				if seen[field] {
					t.Errorf("%s: %s is in two values", operation, field)
				}
				seen[field] = true
			}
		}
		known := map[string]bool{}
		for _, release := range Releases() {
			if m, ok := release.Module(operation); ok {
				if p, err := Defaults(operation, m.Modversion); err == nil {
					for name := range p.All() {
						field, _, _ := strings.Cut(name, "[")
						field, _, _ = strings.Cut(field, ".")
						known[field] = true
					}
				}
			}
		}
		for field := range seen {
			if !known[field] {
				t.Errorf("%s has no field %s", operation, field)
			}
		}
	}
}
