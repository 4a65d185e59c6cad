package workspace

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/filestamp"
	"github.com/chemigram/chemigram/internal/testutil"
)

// taken is the time of every raw of these tests.
var taken = time.Date(2024, 5, 1, 12, 0, 0, 5e6, time.UTC)

// photograph is a raw's content of one size, large enough that a sample has only a
// part of it.
func photograph(seed byte) []byte {
	content := make([]byte, 300<<10)
	for i := range content {
		seed = seed*5 + byte(i>>8) + 1
		content[i] = seed
	}
	return content
}

func writeRawFile(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, taken, taken); err != nil {
		t.Fatal(err)
	}
}

// settle waits until a file's stamp can be relied on.
func settle(t *testing.T, path string) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	stamp := filestamp.Of(info)
	testutil.WaitFor(t, "the clock of the file system to move on", func() bool { return stamp.IsSettled(time.Now()) })
}

// withRaw gives an image of a raw that was seen, and is remembered.
func withRaw(t *testing.T) (w *Workspace, img *Image) {
	t.Helper()
	w = openNew(t)
	img = add(t, w, "a")
	writeRawFile(t, img.Raw.Path, photograph(1))
	raw, err := w.ReadRaw(t.Context(), img.Raw.Path, nil)
	if err != nil {
		t.Fatal(err)
	}
	file := img.File
	file.Raw = raw
	img = &Image{Dir: img.Dir, File: file, History: img.History, workspace: w}
	settle(t, raw.Path)
	if err := img.CheckRaw(t.Context()); err != nil {
		t.Fatal(err)
	}
	if seen, ok := w.seenRaw(raw.Path); !ok || !seen.matches(stampOf(t, raw.Path)) {
		t.Fatalf("the raw is not remembered: %+v", seen)
	}
	return w, img
}

func stampOf(t *testing.T, path string) filestamp.Stamp {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return filestamp.Of(info)
}

// flipped is a photograph with one byte changed, far from its ends.
func flipped() []byte {
	content := photograph(1)
	content[150<<10] ^= 1
	return content
}

func TestARawOfTheSameSizeAndTimeIsNotTakenForTheOther(t *testing.T) {
	t.Parallel()
	for name, replace := range map[string]func(t *testing.T, path string){
		"renamed over": func(t *testing.T, path string) {
			writeRawFile(t, path+".new", flipped())
			if err := os.Rename(path+".new", path); err != nil {
				t.Fatal(err)
			}
		},
		"removed and made again": func(t *testing.T, path string) {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			writeRawFile(t, path, flipped())
		},
		"written over": func(t *testing.T, path string) { writeRawFile(t, path, flipped()) },
		"one byte of it": func(t *testing.T, path string) {
			f, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			_, err = f.WriteAt([]byte{flipped()[150<<10]}, 150<<10)
			if err := errors.Join(err, f.Close(), os.Chtimes(path, taken, taken)); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if runtime.GOOS == "windows" {
				t.Skip("Windows notes no times of change; a sample tells photographs apart there")
			}
			w, img := withRaw(t)
			replace(t, img.Raw.Path)
			if info, err := os.Stat(img.Raw.Path); err != nil || info.Size() != img.Raw.Size || !info.ModTime().Equal(img.Raw.ModifiedAt) {
				t.Fatalf("the new file has another size or time: %v", err)
			}
			if err := img.CheckRaw(t.Context()); !errors.Is(err, fault.State) {
				t.Errorf("err = %v, want a state fault", err)
			}
			again, err := Open(w.Root(), nil) // as another process
			if err != nil {
				t.Fatal(err)
			}
			if same, err := again.IsUnchanged(t.Context(), img.Raw); same || err != nil {
				t.Errorf("another process takes it for the same (%v)", err)
			}
			writeRawFile(t, img.Raw.Path, photograph(1))
			if err := img.CheckRaw(t.Context()); err != nil {
				t.Errorf("put back: %v", err)
			}
		})
	}
}

// What a file system does not say, a sample of the content does.
func TestAnotherPhotographIsNoticedWhereTheFileSystemSaysNothing(t *testing.T) {
	t.Parallel()
	w, img := withRaw(t)
	writeRawFile(t, img.Raw.Path, photograph(2))
	seen, _ := w.seenRaw(img.Raw.Path)
	seen.Stamp = stampOf(t, img.Raw.Path) // as if inode and time of change had stayed
	w.raws.keep(seen)
	if err := img.CheckRaw(t.Context()); !errors.Is(err, fault.State) {
		t.Errorf("err = %v, want a state fault", err)
	}
}

// A copy of the same content, from a backup or with other rights, is the raw; it is
// read once more, and remembered for other processes.
func TestARestoredRawIsReadOnceAndRemembered(t *testing.T) {
	t.Parallel()
	w, img := withRaw(t)
	before, _ := w.seenRaw(img.Raw.Path)
	writeRawFile(t, img.Raw.Path+".backup", photograph(1))
	if err := os.Rename(img.Raw.Path+".backup", img.Raw.Path); err != nil {
		t.Fatal(err)
	}
	later := taken.Add(time.Hour)
	if err := os.Chtimes(img.Raw.Path, later, later); err != nil {
		t.Fatal(err)
	}
	settle(t, img.Raw.Path)
	if err := img.CheckRaw(t.Context()); err != nil {
		t.Fatal(err)
	}
	again, err := Open(w.Root(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if seen, ok := again.seenRaw(img.Raw.Path); !ok || seen.Stamp == before.Stamp || !seen.matches(stampOf(t, img.Raw.Path)) {
		t.Errorf("it is not remembered: %+v", seen)
	}
}

// On a file system that numbers its files anew, the number is left out.
func TestInodesThatDoNotStayAreLeftOut(t *testing.T) {
	t.Parallel()
	w, img := withRaw(t)
	seen, _ := w.seenRaw(img.Raw.Path)
	if seen.Stamp.Inode == 0 {
		t.Skip("no inodes here")
	}
	seen.Stamp.Inode++
	w.raws.keep(seen)
	for range 2 {
		if err := img.CheckRaw(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if seen, _ = w.seenRaw(img.Raw.Path); seen.Stamp.Inode != 0 {
		t.Errorf("the inode is remembered: %+v", seen)
	}
}

// What was read to take its digest is not read whole once more to check it.
func TestARawIsRememberedFromItsFirstReading(t *testing.T) {
	t.Parallel()
	w := openNew(t)
	path := filepath.Join(t.TempDir(), "a.nef")
	writeRawFile(t, path, photograph(1))
	settle(t, path)
	raw, err := w.ReadRaw(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if seen, ok := w.seenRaw(path); !ok || seen.SHA256 != raw.SHA256 || !seen.matches(stampOf(t, path)) {
		t.Errorf("the raw is not remembered: %+v", seen)
	}
	writeRawFile(t, path, photograph(2))
	if same, err := w.IsUnchanged(t.Context(), raw); err != nil || same {
		t.Errorf("another photograph is taken for the one that was read (%v)", err)
	}
}

// A file that is still being written is read again at each check: its file system's
// clock may not have moved on.
func TestARawThatWasJustWrittenIsNotRemembered(t *testing.T) {
	t.Parallel()
	w := openNew(t)
	path := filepath.Join(t.TempDir(), "a.nef")
	now := time.Now()
	for seed := range byte(20) {
		if err := errors.Join(os.WriteFile(path, photograph(seed), 0o600), os.Chtimes(path, now, now)); err != nil {
			t.Fatal(err)
		}
		raw, err := w.ReadRaw(t.Context(), path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if same, err := w.IsUnchanged(t.Context(), raw); err != nil || !same {
			t.Fatalf("photograph %d is not what it is: %v", seed, err)
		}
		if err := errors.Join(os.WriteFile(path, photograph(seed+1), 0o600), os.Chtimes(path, now, now)); err != nil {
			t.Fatal(err)
		}
		if same, err := w.IsUnchanged(t.Context(), raw); err != nil || same {
			t.Fatalf("photograph %d is taken for the one before it (%v)", seed+1, err)
		}
	}
}

func TestWhatWasSeenOfRawsMayBeDamagedOrAbsent(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]func(path string) error{
		"removed":  os.Remove,
		"torn":     func(path string) error { return os.Truncate(path, 40) },
		"a folder": func(path string) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o700)) },
		"a bit": func(path string) error {
			data, err := os.ReadFile(path)
			return errors.Join(err, os.WriteFile(path, bytes.Replace(data, []byte(`"size": 3`), []byte(`"size": 2`), 1), 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, img := withRaw(t)
			if err := damage(w.Path(rawsDir, rawsName(img.Raw.Path))); err != nil {
				t.Fatal(err)
			}
			again, err := Open(w.Root(), nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := again.seenRaw(img.Raw.Path); ok {
				t.Error("what is damaged is believed")
			}
			if same, err := again.IsUnchanged(t.Context(), img.Raw); err != nil || !same {
				t.Errorf("the raw is not known: %v", err)
			}
		})
	}
}

func TestAReadOnlyWorkspaceRemembersInMemory(t *testing.T) {
	t.Parallel()
	w, img := withRaw(t)
	if err := os.RemoveAll(w.Path("cache")); err != nil {
		t.Fatal(err)
	}
	reader, err := Open(w.Root(), &Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	if same, err := reader.IsUnchanged(t.Context(), img.Raw); err != nil || !same {
		t.Fatal(err)
	}
	if _, ok := reader.seenRaw(img.Raw.Path); !ok {
		t.Error("the raw is not remembered")
	}
	if _, err := os.Lstat(w.Path("cache")); err == nil {
		t.Error("a read-only workspace was written to")
	}
}
