package xmp

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
)

// corpus gives the real sidecars of darktable's users that lie beside the
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
