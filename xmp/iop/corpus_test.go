package iop

import (
	"bytes"
	"fmt"
	"math"
	"testing"
)

// Every history entry of the real sidecars is understood, keeps its bytes, and
// keeps them when each of its leaves is set to what it holds already.
func TestRealHistoryEntriesAreReadAndKeptByteForByte(t *testing.T) {
	t.Parallel()
	entries, _ := corpus(t)
	decoded := 0
	for _, e := range entries {
		p, err := Decode(e.operation, e.modversion, e.params)
		if err != nil {
			t.Logf("%s: opaque: %v", e.file, err)
			continue
		}
		decoded++
		if !bytes.Equal(p.Encode(), e.params) {
			t.Fatalf("%s: %s: decoding and encoding changed the bytes", e.file, e.operation)
		}
		q, err := p.WithAll(p.All())
		if err != nil {
			t.Fatalf("%s: %s: its own value is refused: %v", e.file, e.operation, err)
		}
		if d := Diff(p, q); len(d) > 0 {
			t.Fatalf("%s: %s: %v", e.file, e.operation, d)
		}
		if !bytes.Equal(q.Encode(), e.params) {
			t.Fatalf("%s: %s: setting its own values changed the bytes", e.file, e.operation)
		}
	}
	share := float64(decoded) / float64(len(entries))
	t.Logf("%d of %d history entries decoded: %.1f %%", decoded, len(entries), 100*share)
	if share < 0.99 {
		t.Errorf("%.1f %% decoded, want at least 99 %%", 100*share)
	}
}

// A wrong layout of the right size shows in its values: enum numbers without a
// constant, bools that are neither, floats beyond reason.
func TestRealValuesArePlausible(t *testing.T) {
	t.Parallel()
	// What is known to be odd in real edits.
	odd := map[string]string{
		"temperature 3 g2":       "NaN or infinite when the camera has no second green",
		"temperature 3 green":    "the same, in one file",
		"temperature 4 various":  "the same field, renamed",
		"filmicrgb 4 version":    "3.6 added a colour science without a new modversion",
		"filmicrgb 4 shadows":    "3.6 added a curve",
		"filmicrgb 4 highlights": "3.6 added a curve",
	}
	entries, _ := corpus(t)
	faults := map[string]int{}
	for _, e := range entries {
		p, err := Decode(e.operation, e.modversion, e.params)
		if err != nil {
			continue
		}
		for f := range leaves(p.layout.fields) {
			v := f.read(p.blob[f.at:])
			x, _ := v.Float()
			bad := false
			switch f.kind {
			case kindEnum:
				bad = v.text == ""
			case kindBool:
				bad = x != 0 && x != 1 || int64(v.bits) != 0 && int64(v.bits) != 1
			case kindFloat:
				bad = math.Abs(x) > 1e6 || x != 0 && math.Abs(x) < 1e-30 || math.IsNaN(x)
			}
			if name := fmt.Sprintf("%s %d %s", e.operation, e.modversion, f.name); bad && odd[name] == "" {
				faults[name+" = "+v.String()+" in "+e.file]++
			}
		}
	}
	for f, n := range faults {
		t.Errorf("%s (%d times)", f, n)
	}
}

func TestRealPipelineOrdersAreAccepted(t *testing.T) {
	t.Parallel()
	_, orders := corpus(t)
	newest := Releases()[len(Releases())-1]
	for _, list := range orders {
		o, err := ParseOrder(list)
		if err != nil {
			t.Fatal(err)
		}
		if o.String() != list {
			t.Errorf("written as %s\nread as %s", o, list)
		}
		if err := o.Validate(newest); err != nil {
			t.Errorf("%v: %s", err, list)
		}
	}
	t.Logf("%d orders", len(orders))
}
