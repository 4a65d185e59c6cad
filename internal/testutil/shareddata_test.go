package testutil

import (
	"os"
	"path/filepath"
	"testing"
)

func TestSharedDataIsFoundWhereTheEnvironmentSays(t *testing.T) {
	shared := t.TempDir()
	want := filepath.Join(shared, "data", "xmp")
	if err := os.MkdirAll(want, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("CHEMIGRAM_SHARED", shared)
	if got := SharedData(t, "xmp"); got != want {
		t.Errorf("SharedData is %s, want %s", got, want)
	}
}

func TestAbsentSharedDataSkips(t *testing.T) {
	t.Setenv("CHEMIGRAM_SHARED", t.TempDir())
	t.Run("inner", func(t *testing.T) {
		t.Cleanup(func() {
			if !t.Skipped() {
				t.Error("the test was not skipped")
			}
		})
		SharedData(t, "xmp", "none.xmp")
		t.Error("SharedData returned")
	})
}
