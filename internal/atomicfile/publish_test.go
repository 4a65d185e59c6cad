package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
)

func TestPublishNeitherOverwritesNorLeavesATemporaryFile(t *testing.T) {
	t.Parallel()
	publishTwice(t, t.TempDir(), t.TempDir())
}

func TestPublishAcrossFileSystems(t *testing.T) {
	t.Parallel()
	from := t.TempDir()
	other, err := os.MkdirTemp("/dev/shm", "chemigram-test-") //nolint:usetesting // on another disk than TempDir
	if err != nil {
		t.Skip("no second file system to publish to")
	}
	t.Cleanup(func() { _ = os.RemoveAll(other) })
	probe := filepath.Join(from, "probe")
	if err := os.WriteFile(probe, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if errors.Is(os.Link(probe, filepath.Join(other, "probe")), nil) {
		t.Skip("no second file system to publish to")
	}
	publishTwice(t, from, other)
}

// publishTwice publishes a file of one folder in an empty one, and tries again.
func publishTwice(t *testing.T, source, target string) {
	t.Helper()
	from := filepath.Join(source, "new")
	if err := os.WriteFile(from, []byte("new"), 0o640); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(target, "picture.jpg")
	if err := Publish(from, to); err != nil {
		t.Fatal(err)
	}
	if err := Publish(from, to); !errors.Is(err, fs.ErrExist) {
		t.Errorf("got %v, want one that says it exists", err)
	}
	entries, _ := os.ReadDir(target)
	if len(entries) != 1 {
		t.Errorf("the folder has %v", entries)
	}
	if info, err := os.Stat(to); err != nil || info.Mode().Perm() != 0o640 || info.Size() != 3 {
		t.Errorf("got %v, %v", info, err)
	}
}

func TestPublishReportsAMissingFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := Publish(filepath.Join(dir, "missing"), filepath.Join(dir, "a")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want one that says it does not exist", err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		t.Errorf("the folder has %v, %v", entries, err)
	}
}

func TestOneOfManyPublishersGetsTheName(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	from, to := filepath.Join(dir, "new"), filepath.Join(dir, "a")
	if err := os.WriteFile(from, []byte("new"), 0o600); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	var won atomic.Int32
	for range 8 {
		all.Go(func() {
			if err := Publish(from, to); err == nil {
				won.Add(1)
			} else if !errors.Is(err, fs.ErrExist) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if won.Load() != 1 {
		t.Errorf("%d of 8 published, want 1", won.Load())
	}
}
