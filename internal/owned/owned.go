// Package owned makes files and folders that belong to a process for as long as it lives:
// each has a lock that the process holds. What a killed process has left is known by its
// lock, which the system has freed, and not by its age; a process's id would mean nothing
// where containers share a folder.
package owned

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/gofrs/flock"

	"github.com/chemigram/chemigram/internal/regularfile"
)

// Lock makes the file at path and holds its lock until release, which removes it. It
// waits for those who look whether the lock is free.
func Lock(path string) (release func(), err error) {
	for {
		lock := flock.New(path)
		if err := lock.Lock(); err != nil {
			return nil, err
		}
		if isAt(lock, path) {
			return func() { remove(lock, path) }, nil
		}
		_ = lock.Close() // it was taken for a dead process's
	}
}

// Reclaim calls do when nobody holds the lock at path, which may be missing, and keeps
// others from it meanwhile. Then it removes the lock.
func Reclaim(path string, do func()) {
	lock, ok := tryLock(path)
	if !ok {
		return
	}
	do()
	remove(lock, path)
}

// tryLock takes the lock at path when nobody holds it and it can be a lock.
func tryLock(path string) (lock *flock.Flock, ok bool) {
	if info, err := os.Lstat(path); err == nil && regularfile.Check(path, info.Mode()) != nil {
		return nil, false
	}
	lock = flock.New(path)
	if got, err := lock.TryLock(); err != nil || !got || !isAt(lock, path) {
		_ = lock.Close()
		return nil, false
	}
	return lock, true
}

// isAt reports whether a lock that is held is that of the file at path, and not of one
// that was removed there.
func isAt(lock *flock.Flock, path string) bool {
	held, err := lock.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(path)
	return err == nil && os.SameFile(held, there)
}

// remove removes the file of a lock and frees it, in this order where the system can.
func remove(lock *flock.Flock, path string) {
	if runtime.GOOS == "windows" {
		_ = lock.Close()
	}
	_ = os.Remove(path)
	_ = lock.Close()
}

// lockName is that of the lock in a folder.
const lockName = "lock"

// A Folder is a folder that its process owns. The file "lock" is in it.
type Folder struct {
	path string
	lock *flock.Flock
}

// MakeFolder makes a folder in root, whose name begins with prefix and the process's id.
func MakeFolder(root, prefix string) (*Folder, error) {
	for {
		dir, err := os.MkdirTemp(root, fmt.Sprintf("%s%d-*", prefix, os.Getpid()))
		if err != nil {
			return nil, err
		}
		path := filepath.Join(dir, lockName)
		lock := flock.New(path)
		switch err := lock.Lock(); {
		case errors.Is(err, fs.ErrNotExist): // Sweep took it for a dead process's
		case err != nil:
			return nil, errors.Join(err, os.RemoveAll(dir))
		case isAt(lock, path):
			return &Folder{path: dir, lock: lock}, nil
		}
		_ = lock.Close()
	}
}

// Path is that of something in the folder, or of the folder itself.
func (f *Folder) Path(names ...string) string {
	return filepath.Join(append([]string{f.path}, names...)...)
}

// Remove removes the folder. What cannot be removed now is left for [Sweep].
func (f *Folder) Remove() { removeFolder(f.path, f.lock) }

func removeFolder(dir string, lock *flock.Flock) {
	if runtime.GOOS == "windows" { // which removes no file that is open
		_ = lock.Close()
	}
	_ = os.RemoveAll(dir)
	_ = lock.Close()
}

// made is how MakeFolder names a folder behind its prefix, and sweep one that it removes.
var made = regexp.MustCompile(`^[0-9]+-[0-9]+(-dead)*$`)

// Sweep removes the folders in root that [MakeFolder] made with one of the prefixes and
// whose process has died. One that has no lock has died, too, before it could take it.
func Sweep(root string, prefixes ...string) {
	entries, err := os.ReadDir(root)
	if err != nil {
		return
	}
	for _, e := range entries {
		isOurs := func(prefix string) bool {
			rest, ok := strings.CutPrefix(e.Name(), prefix)
			return ok && made.MatchString(rest)
		}
		if e.IsDir() && slices.ContainsFunc(prefixes, isOurs) {
			sweep(root, e.Name())
		}
	}
}

// sweep removes a folder that nobody owns. It moves it out of the way first, so that its
// maker, who has not taken the lock yet, finds it gone and makes another.
func sweep(root, name string) {
	dir := filepath.Join(root, name)
	lock, ok := tryLock(filepath.Join(dir, lockName))
	if !ok {
		return
	}
	if runtime.GOOS != "windows" { // which moves no folder with an open file
		away := dir + "-dead"
		if err := os.Rename(dir, away); err != nil {
			_ = lock.Close()
			return
		}
		dir = away
	}
	removeFolder(dir, lock)
}
