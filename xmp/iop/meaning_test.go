package iop

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// The table names modules, fields, gates and values that exist.
func TestMeaningsAreOfRealFields(t *testing.T) {
	t.Parallel()
	r := newestRelease(t)
	for op, fields := range meanings() {
		infos, err := r.Fields(op)
		if err != nil {
			t.Error(err)
			continue
		}
		used := map[string]bool{}
		byName := map[string]FieldInfo{}
		for _, f := range infos {
			byName[f.Name] = f
			for _, name := range starred(f.Name) {
				used[name] = true
			}
			if x, ok := f.Neutral.Float(); ok && (x < f.Min || x > f.Max) && f.Kind != "enum" {
				t.Errorf("%s.%s: neutral %v is outside %v to %v", op, f.Name, x, f.Min, f.Max)
			}
		}
		for name, m := range fields {
			if !used[name] {
				t.Errorf("%s has no field %s", op, name)
			}
			gate, value, _ := strings.Cut(m.gate, ":")
			switch g, ok := byName[gate]; {
			case m.gate == "":
			case !ok:
				t.Errorf("%s.%s: no gate %s", op, name, gate)
			case value == "" && g.Neutral.IsZero():
				t.Errorf("%s.%s: its gate %s has no neutral value", op, name, gate)
			case g.Kind == "enum" && !slices.ContainsFunc(g.Enum, func(c EnumValue) bool { return c.Name == value }):
				t.Errorf("%s.%s: its gate %s cannot be %s", op, name, gate, value)
			}
		}
	}
}

// neutralised returns a module with all fields neutral that have a neutral value;
// false when none has.
func neutralised(t *testing.T, r Release, op string) (Params, bool) {
	t.Helper()
	p, err := r.Defaults(op)
	if err != nil {
		return Params{}, false // an older release may not have it
	}
	infos, err := r.Fields(op)
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, f := range infos {
		if f.Neutral.IsZero() {
			continue
		}
		found = true
		if p, err = p.With(f.Name, f.Neutral); err != nil {
			t.Fatal(err)
		}
	}
	return p, found
}

// unchanged is the mean ΔE2000 below which two developments count as the same.
const unchanged = 0.1

// Neutral in, baseline out, for all modules at once. A gated field may have any
// value while its gate is shut.
func (d *developer) neutralMeansNoChange(t *testing.T) {
	var neutral, gated []Params
	for _, op := range slices.Sorted(maps.Keys(meanings())) {
		p, ok := neutralised(t, d.release, op)
		if !ok || op == "toneequal" {
			continue
		}
		neutral = append(neutral, p)
		if q := withGatedFieldsMoved(t, d.release, p); !q.Equal(p) {
			gated = append(gated, q)
		}
	}
	d.mustNotChange(t, unchanged, neutral...)
	d.mustNotChange(t, unchanged, gated...)

	// The tone equalizer interpolates between its zones with bells, which do not
	// quite add up to a flat line: neutral is within 1.5 % of the light.
	tones, _ := neutralised(t, d.release, "toneequal")
	d.mustNotChange(t, 2*unchanged, tones)
}

func withGatedFieldsMoved(t *testing.T, r Release, p Params) Params {
	t.Helper()
	infos, err := r.Fields(p.Operation())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range infos {
		if f.Gate == "" || strings.Contains(f.Gate, ":") || !f.Bounded {
			continue
		}
		if p, err = p.With(f.Name, Number(f.Min+0.9*(f.Max-f.Min))); err != nil {
			t.Fatal(err)
		}
	}
	return p
}
