package files

import (
	"os"
	"path/filepath"
	"testing"
)

// All files can be written into one folder, each has a row of its own, and no two are
// the same.
func TestAllFilesCanBeWritten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	t.Cleanup(func() { _ = Unseal(dir) })
	names, rows, contents := map[string]bool{}, map[string]bool{}, map[string]string{}
	for _, f := range All() {
		if what := f.Kind + ": " + f.What; rows[what] || names[f.Name] {
			t.Errorf("%s (%s) is there twice", what, f.Name)
		} else {
			rows[what], names[f.Name] = true, true
		}
		if f.Large {
			continue
		}
		path, err := f.Write(dir)
		if err != nil {
			t.Errorf("%s: %s: %v", f.Kind, f.What, err)
			continue
		}
		data, err := os.ReadFile(path)
		if err != nil || len(data) == 0 {
			t.Errorf("%s: %s: %d bytes, %v", f.Kind, f.What, len(data), err)
		}
		if other := contents[string(data)]; other != "" && f.Through == "" {
			t.Errorf("%s and %s are the same", filepath.Base(path), other)
		}
		contents[string(data)] = filepath.Base(path)
	}
	if len(rows) < 120 {
		t.Errorf("there are %d files", len(rows))
	}
}
