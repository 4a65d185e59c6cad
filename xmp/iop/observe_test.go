package iop

import (
	"maps"
	"testing"
)

// A darktable that is not in the tables is written to as its own baseline
// shows that it may be.
func TestObserveNeverGuesses(t *testing.T) {
	t.Parallel()
	between, err := ReleaseFor("4.8.1")
	if err != nil {
		t.Fatal(err)
	}
	seen := between.Observe(maps.All(map[string]int{
		"sigmoid":    3, // newer than 4.2.1's, known from 5.0.1
		"exposure":   6, // as 4.2.1
		"demosaic":   5, // known from sidecars only
		"colorequal": 4, // not in 4.2.1
		"crop":       2, // was in 4.8 alone
		"vignette":   9, // not known: 4 is the newest that is not newer
		"primaries":  0, // older than any that is known
		"newmodule":  1,
	}))
	for op, want := range map[string]int{
		"sigmoid": 3, "exposure": 6, "demosaic": 5, "colorequal": 4, "crop": 2, "vignette": 4, "primaries": 0, "newmodule": 0,
		"sharpen": 1, "agx": 0, // not shown: as 4.2.1
	} {
		if got, ok := seen.Modversion(op); got != want || ok != (want > 0) {
			t.Errorf("%s %d (%v), want %d", op, got, ok, want)
		}
	}
	if seen.Version() != "4.2.1" || seen.BlendVersion() != 11 {
		t.Errorf("%s, blend %d", seen.Version(), seen.BlendVersion())
	}
	if m, _ := seen.Module("colorequal"); !m.SupportsBlending() || m.Name == "" {
		t.Errorf("%+v", m)
	}
	if p, err := seen.Defaults("sigmoid"); err != nil || p.Modversion() != 3 {
		t.Errorf("%v, %v", p, err)
	}
	if got, _ := between.Modversion("sigmoid"); got != 1 {
		t.Errorf("the release itself changed: sigmoid %d", got)
	}
	after, err := ReleaseFor("6.0.0")
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := after.Observe(maps.All(map[string]int{"exposure": 9})).Modversion("exposure"); got != 7 {
		t.Errorf("exposure 9 is written as %d, want 7", got)
	}
	if zero := (Release{}).Observe(maps.All(map[string]int{"exposure": 7})); zero.Version() != "" {
		t.Error("the zero release has something")
	}
}

func TestLayoutsCanAllBeUsed(t *testing.T) {
	t.Parallel()
	n := 0
	for op, modversion := range Layouts() {
		n++
		p, err := Defaults(op, modversion)
		if err != nil {
			t.Error(err)
			continue
		}
		if infos, err := Fields(op, modversion); err != nil || len(infos) == 0 || infos[0].Name == "" {
			t.Errorf("%s %d: %d fields, %v", op, modversion, len(infos), err)
		}
		if q, err := Decode(op, modversion, p.Encode()); err != nil || !q.Equal(p) {
			t.Errorf("%s %d: its defaults do not decode: %v", op, modversion, err)
		}
	}
	t.Logf("%d layouts", n)
	if n < 124 { // the four releases' 113 and liquify, and 12 older ones
		t.Errorf("%d layouts", n)
	}
}
