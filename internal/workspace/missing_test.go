package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/versioning"
)

// An image whose folder goes and comes back at any moment was missing when an error about
// it says so.
func TestWhatComesAndGoesWasMissing(t *testing.T) {
	t.Parallel()
	w := openNew(t)
	add(t, w, "a")
	dir, away := w.ImageDir("a"), w.Path("away")
	gone := map[string]error{
		"no history": versioning.NotInitialised,
		"no file":    &fs.PathError{Op: "open", Path: filepath.Join(dir, imageName), Err: fs.ErrNotExist},
	}
	var stop atomic.Bool
	moved := make(chan error, 1)
	go func() {
		for !stop.Load() {
			if err := errors.Join(os.Rename(dir, away), os.Rename(away, dir)); err != nil {
				moved <- err
				return
			}
		}
		moved <- nil
	}()
	for range 3000 {
		for name, err := range gone {
			if got := w.Missing("a", err); !errors.Is(got, fault.NotFound) {
				t.Errorf("%s: %v, want not_found", name, got)
			}
		}
		if t.Failed() {
			break
		}
	}
	stop.Store(true)
	if err := <-moved; err != nil {
		t.Error(err)
	}
}

// What an image lacks while it is there is no reason to say that it is missing.
func TestAnImageThatIsThereIsNotMissing(t *testing.T) {
	t.Parallel()
	w := openNew(t)
	add(t, w, "a")
	elsewhere := &fs.PathError{Op: "open", Path: filepath.Join(t.TempDir(), "x"), Err: fs.ErrNotExist}
	lacking := &fs.PathError{Op: "open", Path: filepath.Join(w.ImageDir("a"), "no-such-file"), Err: fs.ErrNotExist}
	for _, err := range []error{nil, errors.New("another"), elsewhere, lacking} {
		if got := w.Missing("a", err); got != nil {
			t.Errorf("%v: %v, want nothing", err, got)
		}
	}
	if err := os.Remove(filepath.Join(w.ImageDir("a"), "history", "journal")); err != nil {
		t.Fatal(err)
	}
	if got := w.Missing("a", versioning.NotInitialised); got != nil {
		t.Errorf("without a journal: %v, want nothing", got)
	}
}
