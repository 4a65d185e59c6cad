package storage

import (
	"io"
	"io/fs"
	"maps"
	"slices"
)

// Sections is a folder whose files, by name, are only read: pieces of a larger file, or
// of memory.
type Sections map[string]*io.SectionReader

var _ Folder = Sections{}

// Open opens a file to be read.
func (s Sections) Open(name string, writable bool) (File, error) {
	content, ok := s[name]
	switch {
	case !ok:
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	case writable:
		return nil, refused("open", name)
	}
	return section{content}, nil
}

// Create is refused.
func (Sections) Create(name string) (File, error) { return nil, refused("create", name) }

// Rename is refused.
func (Sections) Rename(from, _ string) error { return refused("rename", from) }

// Remove is refused.
func (Sections) Remove(name string) error { return refused("remove", name) }

// List returns the names of the files.
func (s Sections) List(dir string) ([]string, error) {
	if dir != "." {
		return nil, nil
	}
	return slices.Sorted(maps.Keys(s)), nil
}

// Sync does nothing: nothing changes.
func (Sections) Sync(string) error { return nil }

// TryLock is refused.
func (Sections) TryLock(name string, _ bool) (unlock func(), ok bool, err error) {
	return nil, false, refused("lock", name)
}

func refused(op, name string) error { return &fs.PathError{Op: op, Path: name, Err: fs.ErrPermission} }

type section struct{ *io.SectionReader }

func (section) WriteAt([]byte, int64) (int, error) { return 0, refused("write", "") }
func (f section) Size() (int64, error)             { return f.SectionReader.Size(), nil }
func (section) Truncate(int64) error               { return refused("truncate", "") }
func (section) Sync() error                        { return nil }
func (section) Close() error                       { return nil }
