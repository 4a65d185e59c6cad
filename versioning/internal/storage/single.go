package storage

import (
	"io"
	"io/fs"
)

// Single is a folder with one file that is only read, such as a piece of a larger one.
type Single struct {
	Name    string
	Content *io.SectionReader
}

var _ Folder = Single{}

// Open opens the file.
func (s Single) Open(name string, writable bool) (File, error) {
	switch {
	case name != s.Name:
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	case writable:
		return nil, refused("open", name)
	}
	return singleFile{s.Content}, nil
}

// Create is refused.
func (Single) Create(name string) (File, error) { return nil, refused("create", name) }

// Rename is refused.
func (Single) Rename(from, _ string) error { return refused("rename", from) }

// Remove is refused.
func (Single) Remove(name string) error { return refused("remove", name) }

// List returns the file's name.
func (s Single) List(dir string) ([]string, error) {
	if dir != "." {
		return nil, nil
	}
	return []string{s.Name}, nil
}

// Sync does nothing: nothing changes.
func (Single) Sync(string) error { return nil }

// TryLock is refused.
func (Single) TryLock(name string, _ bool) (unlock func(), ok bool, err error) {
	return nil, false, refused("lock", name)
}

func refused(op, name string) error { return &fs.PathError{Op: op, Path: name, Err: fs.ErrPermission} }

type singleFile struct{ *io.SectionReader }

func (singleFile) WriteAt([]byte, int64) (int, error) { return 0, refused("write", "") }
func (f singleFile) Size() (int64, error)             { return f.SectionReader.Size(), nil }
func (singleFile) Truncate(int64) error               { return refused("truncate", "") }
func (singleFile) Sync() error                        { return nil }
func (singleFile) Close() error                       { return nil }
