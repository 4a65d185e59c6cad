package storage

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/gofrs/flock"

	"github.com/chemigram/chemigram/internal/atomicfile"
	"github.com/chemigram/chemigram/internal/regularfile"
)

// Disk is a folder of the operating system, by its path. It need not exist
// before a file is created in it.
type Disk string

var _ Folder = Disk("")

func (d Disk) path(name string) string { return filepath.Join(string(d), filepath.FromSlash(name)) }

// Open opens a file that exists. What is no file is an error.
func (d Disk) Open(name string, writable bool) (File, error) {
	flags := os.O_RDONLY
	if writable {
		flags = os.O_RDWR
	}
	f, _, err := regularfile.OpenFile(d.path(name), flags, 0)
	if err != nil {
		return nil, err
	}
	return diskFile{f}, nil
}

// Create makes an empty file, and the folder that it is in.
func (d Disk) Create(name string) (File, error) {
	path := d.path(name)
	if err := atomicfile.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	f, _, err := regularfile.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return nil, err
	}
	return diskFile{f}, nil
}

// Rename replaces the file to by the file from.
func (d Disk) Rename(from, to string) error {
	return retryWhileOpen(func() error { return os.Rename(d.path(from), d.path(to)) })
}

// Remove removes a file.
func (d Disk) Remove(name string) error {
	return retryWhileOpen(func() error { return os.Remove(d.path(name)) })
}

// retryWhileOpen repeats what Windows refuses while a reader has the file open,
// which readers of a history have for no longer than one method's call.
func retryWhileOpen(do func() error) error {
	err := do()
	for wait := time.Millisecond; runtime.GOOS == "windows" && errors.Is(err, fs.ErrPermission) && wait < time.Second; wait *= 2 {
		time.Sleep(wait) //nolint:forbidigo // Windows has no event for a file that is free again
		err = do()
	}
	return err
}

// List returns the names in a folder.
func (d Disk) List(dir string) ([]string, error) {
	entries, err := os.ReadDir(d.path(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names, err
}

// Sync makes the names in a folder survive a power cut.
func (d Disk) Sync(dir string) error { return atomicfile.SyncDir(d.path(dir)) }

// TryLock takes a lock that other processes see.
func (d Disk) TryLock(name string, create bool) (unlock func(), ok bool, err error) {
	if create {
		if err := atomicfile.MkdirAll(string(d), 0o755); err != nil {
			return nil, false, err
		}
	}
	l := flock.New(d.path(name), flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o644))
	ok, err = l.TryLock()
	if err == nil && ok {
		// The folder may have been moved away while this process waited: then it
		// is the lock of what was moved.
		ok, err = d.isAt(name, l)
	}
	if err != nil || !ok {
		return nil, false, errors.Join(err, l.Close())
	}
	// The kernel releases the lock with the file, so that nothing can be done
	// about an error here, and nothing need be.
	return func() { _ = l.Close() }, true, nil
}

// isAt reports whether a lock's file is still the one of that name here.
func (d Disk) isAt(name string, l *flock.Flock) (bool, error) {
	locked, err := l.Stat()
	if err != nil {
		return false, err
	}
	here, err := os.Stat(d.path(name))
	if err != nil {
		return false, err
	}
	return os.SameFile(locked, here), nil
}

// diskFile is an open file of the operating system.
type diskFile struct{ *os.File }

func (f diskFile) Sync() error { return atomicfile.Sync(f.File) }

func (f diskFile) Size() (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
