package storage

import (
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"testing"
)

// everywhere runs a test on every kind of folder.
func everywhere(t *testing.T, test func(t *testing.T, dir Folder)) {
	t.Parallel()
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		test(t, NewMemory())
	})
	t.Run("disk", func(t *testing.T) {
		t.Parallel()
		test(t, Disk(filepath.Join(t.TempDir(), "image", "history")))
	})
}

func wantContent(t *testing.T, dir Folder, name, want string) {
	t.Helper()
	if got, err := ReadFile(dir, name); err != nil || string(got) != want {
		t.Errorf("%s is %q, %v; want %q", name, got, err, want)
	}
}

func TestReplace(t *testing.T) {
	everywhere(t, func(t *testing.T, dir Folder) {
		for _, text := range []string{"first", "second, longer", ""} {
			for _, name := range []string{"journal", "trash/old"} {
				if err := errors.Join(Replace(dir, name, []byte(text), true), dir.Sync(".")); err != nil {
					t.Fatal(err)
				}
				wantContent(t, dir, name, text)
			}
		}
		if names, err := dir.List("trash"); err != nil || !slices.Equal(names, []string{"old"}) {
			t.Errorf("trash has %q, %v", names, err)
		}
	})
}

func TestAFileStaysReadableWhenItsNameIsGivenToAnother(t *testing.T) {
	everywhere(t, func(t *testing.T, dir Folder) {
		if err := Replace(dir, "a", []byte("old"), false); err != nil {
			t.Fatal(err)
		}
		f, err := dir.Open("a", false)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := Replace(dir, "a", []byte("new"), false); err != nil {
			t.Fatal(err)
		}
		if got, err := ReadRange(f, 0, 3); err != nil || string(got) != "old" {
			t.Errorf("it reads as %q, %v", got, err)
		}
		wantContent(t, dir, "a", "new")
	})
}

func TestReadsAndWritesOfAFile(t *testing.T) {
	everywhere(t, func(t *testing.T, dir Folder) {
		f, err := dir.Create("a")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteAt([]byte("journal"), 3); err != nil {
			t.Fatal(err)
		}
		wantContent(t, dir, "a", "\x00\x00\x00journal")
		if err := f.Truncate(5); err != nil {
			t.Fatal(err)
		}
		if size, err := f.Size(); err != nil || size != 5 {
			t.Errorf("it has %d bytes, %v", size, err)
		}
		if _, err := ReadRange(f, 2, 4); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("reading over the end: %v", err)
		}
	})
}

func TestWhatIsNotThere(t *testing.T) {
	everywhere(t, func(t *testing.T, dir Folder) {
		if names, err := dir.List("trash"); err != nil || len(names) > 0 {
			t.Errorf("a missing folder lists %q, %v", names, err)
		}
		if _, err := dir.Open("a", true); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("opening: %v", err)
		}
		if err := dir.Remove("a"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("removing: %v", err)
		}
		if err := dir.Rename("a", "b"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("renaming: %v", err)
		}
	})
}

func TestOneHoldsALock(t *testing.T) {
	everywhere(t, func(t *testing.T, dir Folder) {
		unlock, ok, err := dir.TryLock("lock", true)
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		if _, ok, err := dir.TryLock("lock", true); err != nil || ok {
			t.Errorf("a second one gets it: %t, %v", ok, err)
		}
		unlock()
		again, ok, err := dir.TryLock("lock", false)
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		again()
	})
}
