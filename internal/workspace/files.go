package workspace

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/chemigram/chemigram/internal/fault"
)

// OpenFile opens a regular file of a folder, for reading, and gives its size. A
// link may lead to another place in the folder, and not out of it.
func OpenFile(dir, name string) (*os.File, int64, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, 0, err
	}
	defer root.Close()
	info, err := root.Stat(name)
	if err != nil {
		if link, lstatErr := root.Lstat(name); lstatErr == nil && link.Mode()&fs.ModeSymlink != 0 && !errors.Is(err, fs.ErrNotExist) {
			return nil, 0, fault.New(fault.Permission, "%s is a link that leads out of %s: put the file itself there", name, dir).
				With("violation", "outside_roots")
		}
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return nil, 0, fault.New(fault.Permission, "%s in %s is a %s, and not a file", name, dir, DescribeMode(info.Mode())).
			With("violation", "not_a_file")
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, 0, err
	}
	return f, info.Size(), nil
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

// RefuseLink refuses to write to a link in the place of a file or folder.
func RefuseLink(dir, name string) error {
	info, err := os.Lstat(filepath.Join(dir, name))
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return fault.New(fault.Permission, "%s is a link, which is not written to: put the file itself there", filepath.Join(dir, name)).
			With("violation", "outside_roots")
	}
	return nil
}

// MakeFolder makes a folder of the workspace, and refuses a link in its place.
func (w *Workspace) MakeFolder(name string) (dir string, err error) {
	dir = w.Path(name)
	if err := os.MkdirAll(dir, 0o777); err != nil {
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
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fault.Unknown("file", path, nil)
	}
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, fault.New(fault.InvalidInput, "%s is not a file but a %s", path, DescribeMode(info.Mode()))
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	if info, err = f.Stat(); err != nil {
		_ = f.Close()
		return nil, nil, err
	}
	return f, info, nil
}
