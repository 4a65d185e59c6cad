package atomicfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Publish gives the finished file from the name to, which must not exist: it
// fails with an error that is fs.ErrExist when it does, and never replaces what
// is there. Whoever looks at to sees the whole file or none, also when it lies
// on another file system. The file from may still be there afterwards.
//
// Publish flushes nothing to the disk. Within a file system, the file survives a
// crash when the caller syncs from before and calls [SyncDir] after it; the copy on
// another one is left to the system.
func Publish(from, to string) error {
	if err := os.Link(from, to); err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	// from is on another file system, or on one without links.
	near, err := copyNear(from, to)
	if err != nil {
		return err
	}
	defer os.Remove(near)
	if err := os.Link(near, to); err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	// Create the name first, so that the renaming replaces nobody's file.
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Close(), os.Rename(near, to)); err != nil {
		return errors.Join(err, os.Remove(to))
	}
	return nil
}

// copyNear copies a file, with its permissions, into the folder of path under a
// temporary name.
func copyNear(from, path string) (near string, err error) {
	r, err := os.Open(from)
	if err != nil {
		return "", err
	}
	defer r.Close()
	info, err := r.Stat()
	if err != nil {
		return "", err
	}
	w, err := os.CreateTemp(filepath.Dir(path), tempPrefix+"*")
	if err != nil {
		return "", err
	}
	_, err = io.Copy(w, r)
	if err = errors.Join(err, w.Chmod(info.Mode().Perm()), w.Close()); err != nil {
		return "", errors.Join(err, os.Remove(w.Name()))
	}
	return w.Name(), nil
}
