package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/chemigram/chemigram/internal/atomicfile"
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/regularfile"
)

// Numbered is the nth name that a file may have: STEM.EXT, STEM_2.EXT, …
func Numbered(stem, ext string, n int) string {
	if n == 1 {
		return stem + ext
	}
	return fmt.Sprintf("%s_%d%s", stem, n, ext)
}

// PublishNew gives a finished file the first name that is free: STEM.EXT,
// STEM_2.EXT, …
func PublishNew(from, stem, ext string) (path string, err error) {
	for n := 1; ; n++ {
		path = Numbered(stem, ext, n)
		if err := Publish(from, path); !errors.Is(err, fs.ErrExist) {
			return path, err
		}
	}
}

// FreePath is the first name that is free.
func FreePath(stem, ext string) (string, error) {
	for n := 1; ; n++ {
		path := Numbered(stem, ext, n)
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			return path, nil
		} else if err != nil {
			return "", err
		}
	}
}

// BackUp keeps a file that is to be replaced, beside it, under the first name
// that is free. It gives no path when there is no file.
func BackUp(path string) (backup string, err error) {
	if info, err := os.Lstat(path); err == nil {
		if err := regularfile.Check(path, info.Mode()); err != nil {
			return "", fault.New(fault.State, "%v, and is not replaced", err)
		}
	}
	for n := 1; ; n++ {
		backup = path + ".bak"
		if n > 1 {
			backup = fmt.Sprintf("%s.bak%d", path, n)
		}
		switch err := Publish(path, backup); {
		case err == nil:
			return backup, nil
		case errors.Is(err, fs.ErrNotExist):
			return "", nil
		case !errors.Is(err, fs.ErrExist):
			return "", err
		}
	}
}

// Publish puts a finished file also at another path, durably, whole or not at all,
// and never over what is there: it is fs.ErrExist then.
func Publish(from, to string) error {
	if err := atomicfile.Publish(from, to); err != nil {
		return err
	}
	f, _, err := regularfile.Open(to)
	if err != nil {
		return err
	}
	return errors.Join(atomicfile.Sync(f), f.Close(), atomicfile.SyncDir(filepath.Dir(to)))
}
