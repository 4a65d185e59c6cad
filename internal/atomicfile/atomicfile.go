// Package atomicfile makes a file appear at a path whole or not at all.
package atomicfile

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
)

const tempPrefix = ".tmp-"

// IsTemp reports whether a file name is that of a temporary file, which a crash
// may have left behind.
func IsTemp(name string) bool { return strings.HasPrefix(filepath.Base(name), tempPrefix) }

// IsClutter reports whether a file name is one that file managers leave in the folders
// that they show, such as .DS_Store and Thumbs.db.
func IsClutter(name string) bool {
	name = strings.ToLower(filepath.Base(name))
	return strings.HasPrefix(name, "._") || slices.Contains(clutter, name)
}

var clutter = []string{".ds_store", ".localized", "thumbs.db", "ehthumbs.db", "desktop.ini", ".directory", "@eadir"}

// Write puts data at path, over what is there: temporary file in the same
// folder, sync, rename, sync of the folder. A reader sees the old content or
// the new, never a part. Where the folder is moved meanwhile, the file goes with it.
func Write(path string, data []byte, perm os.FileMode) (err error) {
	dir, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer dir.Close()
	name := tempPrefix + rand.Text()
	temp, err := dir.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = dir.Remove(name)
		}
	}()
	_, err = temp.Write(data)
	err = errors.Join(err, temp.Chmod(perm), Sync(temp))
	if err = errors.Join(err, temp.Close()); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err = dir.Rename(name, filepath.Base(path)); err != nil || runtime.GOOS == "windows" {
		return err
	}
	self, err := dir.Open(".")
	if err != nil {
		return err
	}
	return errors.Join(Sync(self), self.Close())
}

// MkdirAll makes a folder, and the parents that it lacks, so that they survive a power
// cut: the folder that each is in is synced.
func MkdirAll(path string, perm os.FileMode) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil
	}
	parent := filepath.Dir(path)
	if parent != path {
		if err := MkdirAll(parent, perm); err != nil {
			return err
		}
	}
	if err := os.Mkdir(path, perm); err != nil {
		if info, statErr := os.Stat(path); statErr != nil || !info.IsDir() {
			return err
		}
	}
	return SyncDir(parent)
}

// SyncDir makes the names in a folder durable, where the system knows how.
func SyncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(Sync(d), d.Close())
}

// Sync makes what a file or folder has survive a power cut.
func Sync(f *os.File) error {
	err := f.Sync()
	if see := observer.Load(); see != nil && err == nil {
		(*see)(f)
	}
	return err
}

var observer atomic.Pointer[func(*os.File)]

// Observe has a function called with each file and folder that was synced, for tests
// that cut the power. nil ends it.
func Observe(see func(*os.File)) {
	if see == nil {
		observer.Store(nil)
		return
	}
	observer.Store(&see)
}
