package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestWriteReplacesTheWholeFileAndLeavesNothingElse(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	for _, content := range []string{"a long first content", "short", ""} {
		if err := Write(path, []byte(content), 0o640); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(path)
		if err != nil || string(got) != content {
			t.Errorf("read %q, %v; want %q", got, err, content)
		}
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v; want 0640", info.Mode(), err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("%v, %v are in the folder, want the file alone", entries, err)
	}
}

func TestAFailedWriteLeavesTheOldContentAndNoTemporaryFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := Write(filepath.Join(dir, "missing", "file"), nil, 0o600); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("err = %v, want one of a missing folder", err)
	}
	folder := filepath.Join(dir, "folder")
	if err := os.MkdirAll(filepath.Join(folder, "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := Write(folder, []byte("x"), 0o600); err == nil {
		t.Error("a folder was replaced by a file")
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("%v, %v are in the folder, want the folder alone", entries, err)
	}
}

func TestTemporaryFilesAreKnownByName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{".tmp-123": true, "/a/b/.tmp-x": true, "image.json": false, "tmp-1": false} {
		if got := IsTemp(name); got != want {
			t.Errorf("IsTemp(%q) = %v, want %v", name, got, want)
		}
	}
}

// A writer whose folder is moved meanwhile, as an image is to the trash, leaves no
// temporary file in it.
func TestWriteGoesWithItsFolder(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows moves no folder in which a file is open")
	}
	dir := t.TempDir()
	from, to := filepath.Join(dir, "from"), filepath.Join(dir, "to")
	if err := os.Mkdir(from, 0o700); err != nil {
		t.Fatal(err)
	}
	moved := false
	Observe(func(*os.File) {
		if !moved {
			moved = os.Rename(from, to) == nil
		}
	})
	defer Observe(nil)
	if err := Write(filepath.Join(from, "file"), []byte("whole"), 0o600); err != nil || !moved {
		t.Fatalf("%v; moved: %t", err, moved)
	}
	entries, err := os.ReadDir(to)
	if err != nil || len(entries) != 1 || entries[0].Name() != "file" {
		t.Errorf("%v, %v are in the folder, want the file alone", entries, err)
	}
}
