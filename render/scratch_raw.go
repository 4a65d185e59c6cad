package render

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// addRaw puts a raw into a folder, and gives its path there and what a sandbox
// must let darktable read for it. No sidecar lies beside that path: darktable reads
// one even when it is given another, and follows a link to the folder of the
// picture it points to. So where there is a sidecar, or copied is set, darktable
// gets a copy.
func addRaw(dir, raw string, copied bool) (path string, reads []string, err error) {
	raw, err = filepath.Abs(raw)
	if err == nil {
		raw, err = filepath.EvalSymlinks(raw)
	}
	if err != nil {
		return "", nil, err
	}
	f, err := os.Open(raw)
	if err != nil {
		return "", nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", nil, err
	}
	if !info.Mode().IsRegular() {
		return "", nil, &os.PathError{Op: "read", Path: raw, Err: errors.New("not a regular file")}
	}
	path = filepath.Join(dir, filepath.Base(raw))
	if !copied {
		beside, err := hasSidecar(raw)
		if err != nil {
			return "", nil, err
		}
		if !beside && os.Symlink(raw, path) == nil {
			return path, []string{raw}, nil
		}
	}
	return path, nil, writeNew(path, f)
}

// hasSidecar reports whether something that darktable may take for a sidecar of
// raw lies in its folder: NAME.EXT.xmp, NAME_01.EXT.xmp for a duplicate, and
// NAME.xmp as Lightroom writes it.
func hasSidecar(raw string) (bool, error) {
	dir, err := os.Open(filepath.Dir(raw))
	if errors.Is(err, os.ErrPermission) {
		return true, nil // a folder that may be entered and not listed
	}
	if err != nil {
		return false, err
	}
	defer dir.Close()
	stem := filepath.Base(raw)
	stem = strings.TrimSuffix(stem, filepath.Ext(stem))
	for {
		names, err := dir.Readdirnames(1024)
		for _, n := range names {
			if strings.HasPrefix(n, stem) && strings.EqualFold(filepath.Ext(n), ".xmp") {
				return true, nil
			}
		}
		if errors.Is(err, io.EOF) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
}

// writeNew copies r to a new file, by sharing blocks where the file system can.
func writeNew(path string, r io.Reader) (err error) {
	w, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	_, err = io.Copy(w, r)
	return err
}
