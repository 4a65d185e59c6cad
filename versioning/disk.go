package versioning

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/gofrs/flock"
)

// disk is a folder of the operating system.
type disk struct{ dir string }

var _ folder = disk{}

func (d disk) path(name string) string { return filepath.Join(d.dir, filepath.FromSlash(name)) }

func (d disk) open(name string, writable bool) (file, error) {
	flags := os.O_RDONLY
	if writable {
		flags = os.O_RDWR
	}
	f, err := os.OpenFile(d.path(name), flags, 0)
	if err != nil {
		return nil, err
	}
	return diskFile{f}, nil
}

func (d disk) create(name string) (file, error) {
	path := d.path(name)
	if err := makeFolder(filepath.Dir(path)); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return nil, err
	}
	return diskFile{f}, nil
}

func (d disk) rename(from, to string) error {
	return patiently(func() error { return os.Rename(d.path(from), d.path(to)) })
}

func (d disk) remove(name string) error {
	return patiently(func() error { return os.Remove(d.path(name)) })
}

// patiently repeats what Windows refuses while a reader has the file open,
// which readers here never have for longer than one verb.
func patiently(do func() error) error {
	err := do()
	for wait := time.Millisecond; runtime.GOOS == "windows" && errors.Is(err, fs.ErrPermission) && wait < time.Second; wait *= 2 {
		time.Sleep(wait) //nolint:forbidigo // Windows tells nobody when a file is free again
		err = do()
	}
	return err
}

func (d disk) list(dir string) ([]string, error) {
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

func (d disk) sync(dir string) error { return syncFolder(d.path(dir)) }

func syncFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil // NTFS journals names; folders cannot be synced
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// makeFolder makes a folder and those above it that are missing, so that they
// survive a power cut.
func makeFolder(path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil
	}
	above := filepath.Dir(path)
	if above != path {
		if err := makeFolder(above); err != nil {
			return err
		}
	}
	if err := os.Mkdir(path, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return syncFolder(above)
}

func (d disk) tryLock(create bool) (func(), bool, error) {
	if create {
		if err := makeFolder(d.dir); err != nil {
			return nil, false, err
		}
	}
	l := flock.New(d.path(lockName), flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o644))
	ok, err := l.TryLock()
	if err == nil && ok {
		// The folder may have been moved away while this one waited: then it is
		// the lock of what was moved.
		ok, err = d.isHere(l)
	}
	if err != nil || !ok {
		return nil, false, errors.Join(err, l.Close())
	}
	// The kernel lets go of the lock with the file, so nothing can be done
	// about an error here, and nothing need be.
	return func() { _ = l.Close() }, true, nil
}

// isHere tells whether a lock's file is still the one of this folder.
func (d disk) isHere(l *flock.Flock) (bool, error) {
	held, err := l.Stat()
	if err != nil {
		return false, err
	}
	here, err := os.Stat(d.path(lockName))
	if err != nil {
		return false, err
	}
	return os.SameFile(held, here), nil
}

// diskFile is an open file of the operating system.
type diskFile struct{ *os.File }

func (f diskFile) size() (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func (f diskFile) truncate(size int64) error { return f.Truncate(size) }

func (f diskFile) sync() error { return f.Sync() }
