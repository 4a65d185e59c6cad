// Package storage holds a history's files: in a folder on disk, or in memory.
package storage

import "io"

// A Folder holds files by name. A name is that of a file in the folder, or, with
// slashes, of one in a folder below it.
type Folder interface {
	// Open opens a file that exists.
	Open(name string, writable bool) (File, error)
	// Create makes an empty file to write, in place of one of that name, and
	// the folder that the file is in.
	Create(name string) (File, error)
	// Rename replaces the file to by the file from, in one step.
	Rename(from, to string) error
	Remove(name string) error
	// List returns the names in a folder; none when there is no such folder.
	// "." is this folder.
	List(dir string) ([]string, error)
	// Sync makes the creations, renames and removals of names in a folder
	// survive a power cut.
	Sync(dir string) error
	// TryLock takes the lock of that name, or reports that another holds it. It
	// makes this folder when makeFolder is set; otherwise a folder that is not
	// there is fs.ErrNotExist.
	TryLock(name string, makeFolder bool) (unlock func(), ok bool, err error)
}

// A File is an open file of a Folder. It stays readable when its name is given
// to another.
type File interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	Size() (int64, error)
	Truncate(size int64) error
	Sync() error
}
