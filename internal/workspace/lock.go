package workspace

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/chemigram/chemigram/internal/atomicfile"
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/regularfile"
)

// Lock takes a lock that other goroutines and processes see: the file at path, whose
// folder is made when it is missing. It waits as long as [Options].LockWait says. The
// lock of a process that died is free.
func (w *Workspace) Lock(ctx context.Context, path string) (unlock func(), err error) {
	if err := atomicfile.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	return lockFile(ctx, path, w.opts.LockWait)
}

// TryLock is Lock that does not wait; free is false when another holds the lock.
func (w *Workspace) TryLock(path string) (unlock func(), free bool, err error) {
	if err := atomicfile.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, false, err
	}
	lock, err := newLock(path)
	if err != nil {
		return nil, false, err
	}
	free, err = lock.TryLock()
	return func() { _ = lock.Unlock() }, free, err
}

// newLock gives the lock of a file, which may be missing, or refuses one that is no
// file.
func newLock(path string) (*flock.Flock, error) {
	if err := RefuseLink(filepath.Dir(path), filepath.Base(path)); err != nil {
		return nil, err
	}
	if info, err := os.Lstat(path); err == nil {
		if err := regularfile.Check(path, info.Mode()); err != nil {
			return nil, fault.New(fault.State, "%v: it is to hold a lock; remove it", err)
		}
	}
	return flock.New(path, flock.SetPermissions(0o644)), nil
}

// isFree reports whether nobody holds a lock now, however busy the machine is. Several
// may ask at once.
func isFree(path string) bool {
	lock, err := newLock(path)
	if err != nil {
		return false
	}
	free, err := lock.TryRLock()
	if free {
		_ = lock.Unlock()
	}
	return free && err == nil
}

func lockFile(ctx context.Context, path string, wait time.Duration) (unlock func(), err error) {
	lock, err := newLock(path)
	if err != nil {
		return nil, err
	}
	waiting, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	if _, err := lock.TryLockContext(waiting, 2*time.Millisecond); err != nil {
		if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
			return nil, fault.New(fault.State, "another writer held %s for %s: try again", path, wait)
		}
		return nil, err
	}
	return func() { _ = lock.Unlock() }, nil
}
