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
)

// Holder says who holds a history's lock. It is what the holder wrote when it
// took the lock, and so a help for people, never a ground to break the lock:
// the operating system frees the lock of a dead process by itself.
type Holder struct {
	PID   int       `json:"pid"`
	Host  string    `json:"host"`
	Since time.Time `json:"since"`
	Verb  string    `json:"verb"`
}

func (h *Holder) String() string {
	return fmt.Sprintf("held by process %d on %s since %s for %q", h.PID, h.Host, h.Since.Format(time.RFC3339), h.Verb)
}

// held is a lock that a context carries.
type held struct {
	history  *History
	mu       sync.Mutex
	released bool
}

type heldKey struct{ *History }

// holds tells whether ctx carries this history's lock.
func (h *History) holds(ctx context.Context) bool {
	l, ok := ctx.Value(heldKey{h}).(*held)
	if !ok {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.released
}

// Lock takes the history's writer lock for one verb, across goroutines and
// processes, and gives a context that carries it. A caller that reads, decides
// and then writes holds it throughout; the methods that change the history
// take it themselves when the context does not carry it. The function that it
// gives releases the lock, and may be called more than once. Readers need no
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
	if h.holds(ctx) {
		return ctx, func() {}, nil
	}
	if err := ctx.Err(); err != nil {
		return ctx, nil, err
	}
	if h.opts.ReadOnly {
		return ctx, nil, fail(verb, ReadOnly, "", "the history was opened to be read only")
	}
	limit := time.NewTimer(h.opts.LockWait)
	defer limit.Stop()
	select {
	case h.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx, nil, ctx.Err()
	case <-limit.C:
		return ctx, nil, h.lockedBy(verb)
	}
	free, err := h.lockFolder(ctx, verb, create, limit.C)
	if err != nil {
		<-h.turn
		return ctx, nil, err
	}
	h.writeHolder(verb)
	l := &held{history: h}
	release := func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if !l.released {
			l.released = true
			free()
			<-h.turn
		}
	}
	return context.WithValue(ctx, heldKey{h}, l), release, nil
}

// lockFolder takes the lock that other processes see. Operating systems offer
// no wait that a context can end, so it asks again, at growing intervals.
func (h *History) lockFolder(ctx context.Context, verb string, create bool, limit <-chan time.Time) (func(), error) {
	for pause := 200 * time.Microsecond; ; pause = min(2*pause, 5*time.Millisecond) {
		free, ok, err := h.folder.tryLock(create)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fail(verb, NotInitialised, "", "there is no history here; Init begins one")
		}
		if err != nil {
			return nil, named(verb, fileError(lockName, err))
		}
		if ok {
			return free, nil
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
	if data, readErr := readAll(h.folder, holderName); readErr == nil {
		var holder Holder
		if json.Unmarshal(data, &holder) == nil {
			err.Holder = &holder
		}
	}
	return err
}

// writeHolder leaves the holder's name. The lock is good without it, so
// errors do not count.
func (h *History) writeHolder(verb string) {
	host, _ := os.Hostname()
	data, err := json.Marshal(Holder{PID: os.Getpid(), Host: host, Since: h.opts.Now().UTC(), Verb: verb})
	if err != nil {
		return
	}
	f, err := h.folder.open(holderName, true)
	if err != nil {
		if f, err = h.folder.create(holderName); err != nil {
			return
		}
	}
	// Over what is there, at one length: several file systems flush a file
	// that was cut to nothing when it is closed, and nobody should wait for
	// that.
	_, _ = f.WriteAt(append(data, bytes.Repeat([]byte{' '}, max(0, holderSize-len(data)))...), 0)
	_ = f.Close()
}

// holderSize is what the holder's file is padded to.
const holderSize = 512

// readAll reads a small file whole.
func readAll(dir folder, name string) ([]byte, error) {
	f, err := dir.open(name, false)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	size, err := f.size()
	if err != nil {
		return nil, err
	}
	data := make([]byte, size)
	n, err := f.ReadAt(data, 0)
	if int64(n) == size {
		err = nil
	}
	return data[:n], err
}
