package versioning

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"

	"github.com/chemigram/chemigram/versioning/internal/journal"
	"github.com/chemigram/chemigram/versioning/internal/storage"
)

// Holder says who holds a history's lock. It is what the holder wrote when it
// took the lock, and so information for people, never a reason to break the lock:
// the operating system frees the lock of a dead process by itself.
type Holder struct {
	PID   int       `json:"pid"`
	Host  string    `json:"host"`
	Since time.Time `json:"since"`
	Verb  string    `json:"verb"`
}

// String describes the holder in a part of a sentence.
func (h *Holder) String() string {
	return fmt.Sprintf("held by process %d on %s since %s for %q", h.PID, h.Host, h.Since.Format(time.RFC3339), h.Verb)
}

// heldLock is a lock that a context carries.
type heldLock struct {
	mu       sync.Mutex
	released bool
}

// lockKey is the key of a history's lock in a context.
type lockKey struct{ *History }

// hasLock reports whether ctx carries this history's lock.
func (h *History) hasLock(ctx context.Context) bool {
	l, ok := ctx.Value(lockKey{h}).(*heldLock)
	if !ok {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.released
}

// Lock takes the history's writer lock for one verb, across goroutines and
// processes, and returns a context that carries it. A caller that reads, decides
// and then writes holds it throughout; the methods that change the history
// take it themselves when the context does not carry it. The function that it
// returns releases the lock, and may be called more than once. Readers need no
// lock. Without a history here yet it fails with NotInitialised.
//
// It waits at most Options.LockWait, or until ctx is done, and then fails with
// Locked and the holder's name. The lock of a process that died is free. On a
// network file system locks are only as good as that system's.
func (h *History) Lock(ctx context.Context, verb string) (context.Context, func(), error) {
	return h.lock(ctx, verb, false)
}

// lock is Lock; create makes the history's folder when it is missing.
func (h *History) lock(ctx context.Context, verb string, create bool) (context.Context, func(), error) {
	if h.hasLock(ctx) {
		return ctx, func() {}, nil
	}
	if err := ctx.Err(); err != nil {
		return ctx, nil, err
	}
	if h.opts.ReadOnly {
		return ctx, nil, fail(verb, ReadOnly, "", "the history was opened with ReadOnly")
	}
	limit := time.NewTimer(h.opts.LockWait)
	defer limit.Stop()
	select {
	case h.writing <- struct{}{}:
	case <-ctx.Done():
		return ctx, nil, ctx.Err()
	case <-limit.C:
		return ctx, nil, h.lockedBy(verb)
	}
	unlock, err := h.lockFolder(ctx, verb, create, limit.C)
	if err != nil {
		<-h.writing
		return ctx, nil, err
	}
	h.writeHolder(verb)
	l := new(heldLock)
	release := func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if !l.released {
			l.released = true
			unlock()
			<-h.writing
		}
	}
	return context.WithValue(ctx, lockKey{h}, l), release, nil
}

// lockFolder takes the lock that other processes see. Operating systems offer
// no wait that a context can end, so it asks again, at growing intervals.
func (h *History) lockFolder(ctx context.Context, verb string, create bool, limit <-chan time.Time) (func(), error) {
	for pause := 200 * time.Microsecond; ; pause = min(2*pause, 5*time.Millisecond) {
		unlock, ok, err := h.folder.TryLock(lockName, create)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fail(verb, NotInitialised, "", "there is no history here; Init begins one")
		}
		if err != nil {
			return nil, withOp(verb, journal.FileError(lockName, err))
		}
		if ok {
			return unlock, nil
		}
		again := time.NewTimer(pause)
		select {
		case <-again.C:
		case <-ctx.Done():
			again.Stop()
			return nil, ctx.Err()
		case <-limit:
			again.Stop()
			return nil, h.lockedBy(verb)
		}
	}
}

func (h *History) lockedBy(verb string) error {
	err := fail(verb, Locked, "", "another writer held the history for %s", h.opts.LockWait)
	if data, readErr := storage.ReadFile(h.folder, holderName); readErr == nil {
		var holder Holder
		if json.Unmarshal(data, &holder) == nil {
			err.Holder = &holder
		}
	}
	return err
}

// writeHolder writes who holds the lock. The lock is good without it, so errors
// do not count.
func (h *History) writeHolder(verb string) {
	host, _ := os.Hostname()
	data, err := json.Marshal(Holder{PID: os.Getpid(), Host: host, Since: h.opts.Now().UTC(), Verb: verb})
	if err != nil {
		return
	}
	f, err := h.folder.Open(holderName, true)
	if err != nil {
		if f, err = h.folder.Create(holderName); err != nil {
			return
		}
	}
	// Over what is there, at one length: several file systems flush a truncated
	// file when it is closed, and nobody should wait for that.
	_, _ = f.WriteAt(append(data, bytes.Repeat([]byte{' '}, max(0, holderSize-len(data)))...), 0)
	_ = f.Close()
}

// holderSize is what the holder's file is padded to.
const holderSize = 512
