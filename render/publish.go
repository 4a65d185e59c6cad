package render

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// vacant fails when something is at path, or when its folder is not there.
func vacant(path string) error {
	const op = "render"
	_, err := os.Lstat(path)
	switch {
	case err == nil:
		return taken(op, path)
	case !errors.Is(err, fs.ErrNotExist):
		return &Error{Op: op, Kind: System, Path: path, ExitCode: -1, Message: "cannot look for the output", Err: err}
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
		return &Error{Op: op, Kind: BadInput, Path: path, ExitCode: -1, Message: "the output's folder does not exist", Err: err}
	}
	return nil
}

func taken(op, path string) error {
	return &Error{Op: op, Kind: Exists, Path: path, ExitCode: -1, Message: "the output exists and is never overwritten", Err: fs.ErrExist}
}

// publish moves a finished file to path, which must not exist. Whoever looks at
// path sees the whole file or none.
func publish(from, path string) error {
	if err := os.Link(from, path); err == nil || errors.Is(err, fs.ErrExist) {
		return publishError(path, err)
	}
	// The scratch folder is on another disk, or on one without links.
	near, err := copyNear(from, path)
	if err != nil {
		return publishError(path, err)
	}
	defer os.Remove(near)
	if err := os.Link(near, path); err == nil || errors.Is(err, fs.ErrExist) {
		return publishError(path, err)
	}
	// Take the name first, so that the renaming replaces nobody's file.
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return publishError(path, err)
	}
	if err := errors.Join(f.Close(), os.Rename(near, path)); err != nil {
		return publishError(path, errors.Join(err, os.Remove(path)))
	}
	return nil
}

// copyNear copies a file into the folder of path, under a name of its own.
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
	w, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return "", err
	}
	_, err = io.Copy(w, r)
	if err = errors.Join(err, w.Chmod(info.Mode().Perm()), w.Close()); err != nil {
		return "", errors.Join(err, os.Remove(w.Name()))
	}
	return w.Name(), nil
}

func publishError(path string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrExist):
		return taken("publish", path)
	}
	return &Error{Op: "publish", Kind: System, Path: path, ExitCode: -1, Message: "cannot write the output", Err: err}
}
