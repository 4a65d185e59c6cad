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
	"sync/atomic"
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
	turn     chan struct{} // has an element while a method works under the lock
	released atomic.Bool   // set while turn is taken
}

// lockKey is the key of a history's lock in a context.
type lockKey struct{ *History }

// heldBy returns this history's lock when ctx carries it, or nil.
func (h *History) heldBy(ctx context.Context) *heldLock {
	if l, ok := ctx.Value(lockKey{h}).(*heldLock); ok && !l.released.Load() {
		return l
	}
	return nil
}

// hasLock reports whether ctx carries this history's lock.
func (h *History) hasLock(ctx context.Context) bool { return h.heldBy(ctx) != nil }

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
//
// Goroutines may share the context: its methods take turns, and releasing waits
// for the one that is at work.
func (h *History) Lock(ctx context.Context, verb string) (context.Context, func(), error) {
	if h.hasLock(ctx) {
		return ctx, func() {}, nil
	}
	return h.lock(ctx, verb, false)
}

// turn takes the lock for one method, or waits for its turn under the lock that
// ctx carries. create makes the history's folder when it is missing.
func (h *History) turn(ctx context.Context, verb string, create bool) (done func(), err error) {
	l := h.heldBy(ctx)
	if l == nil {
		_, done, err = h.lock(ctx, verb, create)
		return done, err
	}
	limit := time.NewTimer(h.opts.LockWait)
	defer limit.Stop()
	select {
	case l.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-limit.C:
		return nil, h.lockedBy(verb)
	}
	if l.released.Load() { // meanwhile
		<-l.turn
		return h.turn(ctx, verb, create)
	}
	return sync.OnceFunc(func() { <-l.turn }), nil
}

// lock takes the lock anew, after what Options.Locked wants to be settled first.
func (h *History) lock(ctx context.Context, verb string, create bool) (context.Context, func(), error) {
	for {
		locked, release, err := h.acquire(ctx, verb, create)
		if err != nil || h.opts.Locked == nil {
			return locked, release, err
		}
		settle, err := h.opts.Locked(locked)
		if err == nil && settle == nil {
			return locked, release, nil
		}
		release()
		if err == nil {
			err = settle(ctx)
		}
		if err != nil {
			return ctx, nil, err
		}
	}
}

// acquire takes the lock.
func (h *History) acquire(ctx context.Context, verb string, create bool) (context.Context, func(), error) {
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
	l := &heldLock{turn: make(chan struct{}, 1)}
	release := sync.OnceFunc(func() {
		l.turn <- struct{}{}
		l.released.Store(true)
		unlock()
		<-h.writing
		<-l.turn
	})
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
