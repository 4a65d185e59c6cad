package probe

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chemigram/chemigram/internal/owned"
)

// What killed processes have left of measuring goes when another begins, and what
// belongs to one that lives stays.
func TestLeftoversOfMeasuringAreRemoved(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	if os.TempDir() != temp {
		t.Skip("the folder of temporary files is another one here")
	}
	alive, err := owned.MakeFolder(temp, folderPrefix)
	if err != nil {
		t.Fatal(err)
	}
	defer alive.Remove()
	left := filepath.Join(temp, folderPrefix+"1-2")
	if err := os.Mkdir(left, 0o700); err != nil {
		t.Fatal(err)
	}
	New(Options{})
	for path, want := range map[string]bool{alive.Path(): true, left: false} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s is there: %t, want %t", path, err == nil, want)
		}
	}
}
