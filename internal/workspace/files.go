package workspace

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/chemigram/chemigram/internal/atomicfile"
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/regularfile"
)

// OpenFile opens a regular file of a folder, for reading, and gives its size. A
// link may lead to another place in the folder, and not out of it.
func OpenFile(dir, name string) (*os.File, int64, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, 0, err
	}
	defer root.Close()
	f, info, err := regularfile.OpenIn(root, name)
	if refused, ok := errors.AsType[*regularfile.Error](err); ok {
		return nil, 0, fault.New(fault.Permission, "%s in %s is a %s, and not a file", name, dir, refused.Is).With("violation", "not_a_file")
	}
	if err != nil {
		if link, lstatErr := root.Lstat(name); lstatErr == nil && link.Mode()&fs.ModeSymlink != 0 && !errors.Is(err, fs.ErrNotExist) {
			return nil, 0, fault.New(fault.Permission, "%s is a link that leads out of %s: put the file itself there", name, dir).
				With("violation", "outside_roots")
		}
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// openOwn opens a file that the workspace itself writes, of a folder in it. Such a file
// is no link, so that one that is there leads to what is not the workspace's, and is
// refused.
func openOwn(dir, name string) (*os.File, error) {
	if err := RefuseLink(dir, name); err != nil {
		return nil, err
	}
	f, _, err := regularfile.Open(filepath.Join(dir, name))
	if refused, ok := errors.AsType[*regularfile.Error](err); ok {
		return nil, fault.New(fault.Permission, "%v", refused).With("violation", "not_a_file")
	}
	return f, err
}

// mostOwn is how many bytes a small file of the workspace may have.
const mostOwn = 1 << 20

// readOwn reads a small file that the workspace itself writes.
func readOwn(dir, name string) ([]byte, error) {
	f, err := openOwn(dir, name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, mostOwn+1))
	if err == nil && len(data) > mostOwn {
		err = fault.New(fault.State, "%s is larger than the %d bytes that it may have", f.Name(), mostOwn)
	}
	return data, err
}

// ReadRange reads a part of a file, or what is left of it when somebody has just
// cut it.
func ReadRange(r io.ReaderAt, from, length int64) ([]byte, error) {
	return io.ReadAll(io.NewSectionReader(r, from, length))
}

// ReadBounded reads a small file, and no more than most bytes of it.
func ReadBounded(dir, name string, most int64) ([]byte, error) {
	f, _, err := OpenFile(dir, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadRange(f, 0, most)
}

// asNotExist makes fs.ErrNotExist of what is said of a path through a file.
func asNotExist(err error) error {
	if errors.Is(err, syscall.ENOTDIR) {
		return errors.Join(fs.ErrNotExist, err)
	}
	return err
}

// RefuseLink refuses a link in the place of a file or folder.
func RefuseLink(dir, name string) error {
	info, err := os.Lstat(filepath.Join(dir, name))
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return fault.New(fault.Permission, "%s is a link, which is not followed: put the file itself there", filepath.Join(dir, name)).
			With("violation", "outside_roots")
	}
	return nil
}

// MakeFolder makes a folder of the workspace, and refuses a link in its place.
func (w *Workspace) MakeFolder(name string) (dir string, err error) {
	dir = w.Path(name)
	if err := atomicfile.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	return dir, RefuseLink(w.root, name)
}

// OpenUserFile opens a regular file that a user names, below the allowed roots;
// what says what kind of file is expected, such as "a bundle".
func OpenUserFile(path string, roots []string, what string) (*os.File, fs.FileInfo, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, nil, err
	}
	if err := Allowed(path, roots, what); err != nil {
		return nil, nil, err
	}
	f, info, err := regularfile.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fault.Unknown("file", path, nil)
	}
	return f, info, asInput(err)
}

// Write puts data at path, over what is there, whole or not at all; the path's folder
// is made when it is missing.
func Write(path string, data []byte, perm fs.FileMode) error {
	if err := atomicfile.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return atomicfile.Write(path, data, perm)
}

// Create makes a file that is only appended to, in a folder of the workspace. Its name
// survives a power cut.
func (w *Workspace) Create(folder, name string) (*os.File, error) {
	dir, err := w.MakeFolder(folder)
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	if err := atomicfile.SyncDir(dir); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Sync makes what was written to a file of the workspace survive a power cut.
func Sync(f *os.File) error { return atomicfile.Sync(f) }

// Remove removes a file of the workspace.
func (w *Workspace) Remove(elem ...string) error { return os.Remove(w.Path(elem...)) }

// ExportDir is the folder that an image's exports go to, made when it is missing: the
// one asked for, which lies below the roots or in the workspace's exports, or the
// image's own there. It is none of the workspace's other folders.
func (w *Workspace) ExportDir(id, asked string, roots []string) (dir string, err error) {
	exports := w.Path("exports")
	dir = filepath.Join(exports, id)
	if asked != "" {
		if dir, err = filepath.Abs(asked); err != nil {
			return "", err
		}
		if len(roots) > 0 {
			if err := Allowed(dir, append([]string{exports}, roots...), "exports"); err != nil {
				return "", err
			}
		}
	}
	if err := w.CheckOutput(dir); err != nil {
		return "", err
	}
	if file := fileOn(dir); file != "" {
		return "", fault.Invalid("/output_dir", "%s is no folder: output_dir must be one, or the path of one that can be made", file)
	}
	return dir, atomicfile.MkdirAll(dir, 0o777)
}

// fileOn gives what is no folder on the path of one, or "".
func fileOn(dir string) string {
	for {
		info, err := os.Stat(dir)
		parent := filepath.Dir(dir)
		switch {
		case err == nil && !info.IsDir():
			return dir
		case err == nil || parent == dir:
			return ""
		}
		dir = parent
	}
}

// CheckOutput refuses a path in the workspace, but for its folder of exports: nothing
// that a caller has written may be taken for what the workspace keeps.
func (w *Workspace) CheckOutput(path string) error {
	if !isBelow(path, w.root) || isBelow(path, w.Path("exports")) {
		return nil
	}
	return fault.New(fault.Permission, "%s lies in the workspace, which keeps images and histories there: name a folder elsewhere, or in %s",
		path, w.Path("exports")).With("violation", "outside_roots")
}
