package xmp

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/internal/testutil"
)

// corpus returns the real sidecars of darktable's users that lie beside the
// repository.
func corpus(tb testing.TB) map[string][]byte {
	tb.Helper()
	paths, err := filepath.Glob(filepath.Join(testutil.SharedData(tb, "xmp"), "*.xmp"))
	if err != nil || len(paths) == 0 {
		tb.Fatalf("no sidecars found: %v", err)
	}
	files := map[string][]byte{}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			tb.Fatal(err)
		}
		files[filepath.Base(path)] = data
	}
	return files
}

func TestRealSidecarsSurviveTheRoundTrip(t *testing.T) {
	t.Parallel()
	for name, data := range corpus(t) {
		s, err := Parse(data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		again, err := Parse(s.Bytes())
		if err != nil {
			t.Errorf("%s, rewritten: %v", name, err)
			continue
		}
		if !s.Equal(again) {
			t.Errorf("%s is another after Bytes and Parse", name)
		}
		canonical := s.Canonical()
		if again, err = Parse(canonical); err != nil {
			t.Errorf("%s, canonical: %v", name, err)
		} else if !bytes.Equal(canonical, again.Canonical()) {
			t.Errorf("%s: Canonical is not stable", name)
		}
		for _, e := range append(s.History(), s.Undone()...) {
			if e.Fault != nil {
				t.Errorf("%s: %s: %v", name, e.Operation, e.Fault)
			}
		}
	}
}

func TestRealSidecarsCanBeEditedAndRestored(t *testing.T) {
	t.Parallel()
	target := release(t, "5.4.1")
	for name, data := range corpus(t) {
		compact, err := mustParse(t, data).Compact(target)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want := compact.Canonical()
		s := compact
		for _, e := range compact.History() {
			if found, _ := compact.Find(e.Operation, e.MultiName); found.MultiPriority == e.MultiPriority {
				s = with(t, s, Put{Entry: e})
			}
		}
		if !bytes.Equal(want, s.Canonical()) {
			t.Errorf("%s: putting what is there changes it", name)
		}
		s = with(t, s, put("exposure", "b", 1), put("exposure", "a", 2), put("colorbalancergb", "c", 3))
		s = mustParse(t, s.Canonical()).WithOrigins(s.Origins())
		s = with(t, s, Remove{"exposure", "a"}, Remove{"colorbalancergb", "c"}, Remove{"exposure", "b"})
		if !bytes.Equal(want, s.Canonical()) {
			t.Errorf("%s: put and removed, it is another:\n%s", name, cmp.Diff(string(want), string(s.Canonical())))
		}
	}
}
