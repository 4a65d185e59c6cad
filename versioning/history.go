package versioning

import (
	"sync/atomic"
	"time"
)

// History is one image's history. It may be used from many goroutines; it
// holds no open files between calls and need not be closed.
type History struct {
	folder folder
	opts   Options
	turn   chan struct{} // held by the goroutine that has the lock
	known  atomic.Pointer[knownTable]
	states stateCache
}

// Options say how a history is kept. A nil *Options means the defaults.
type Options struct {
	// Durability Full (the default) syncs files and folders before a verb
	// returns; Relaxed leaves that to the operating system.
	Durability Durability
	// LockWait limits how long a writer waits for another; default 10 s.
	LockWait time.Duration
	// Now is the clock; nil is time.Now.
	Now func() time.Time
}

// Durability is how much a verb promises when it returns.
type Durability uint8

// The durabilities.
const (
	// Full: what a verb has published survives a power cut.
	Full Durability = iota
	// Relaxed: what a verb has published survives the death of the process,
	// not a power cut. After one, the newest verbs (those of the last half
	// minute or so) may be gone, or the history may say Corrupt until Verify
	// with Repair has gone back to the newest verb that is whole. For batch
	// work that can be done again.
	Relaxed
)

// Open gives the history in a folder, which need not exist before Init. It
// reads the first line of the journal and none of the history. It removes the
// temporary files of writers that died, where it may write. It fails with
// TooNew when the history has a later format than this program knows.
func Open(dir string, opts *Options) (*History, error) {
	return open(disk{dir}, opts)
}

// NewMemory makes a history that lives in memory.
func NewMemory(opts *Options) *History {
	h, err := open(newMemory(), opts)
	if err != nil {
		panic(err) // an empty memory has nothing that could fail
	}
	return h
}

func open(dir folder, opts *Options) (*History, error) {
	h := &History{folder: dir, turn: make(chan struct{}, 1)}
	if opts != nil {
		h.opts = *opts
	}
	if h.opts.LockWait <= 0 {
		h.opts.LockWait = 10 * time.Second
	}
	if h.opts.Now == nil {
		h.opts.Now = time.Now
	}
	if err := h.removeTemps(); err != nil {
		return nil, named("Open", err)
	}
	if first, err := readStart(dir, journalName, headerSize); err == nil {
		if _, err := decodeHeader(first); KindOf(err) == TooNew {
			return nil, named("Open", err)
		}
	}
	return h, nil
}

// removeTemps removes what a writer that died has left, unless a living one
// is at work.
func (h *History) removeTemps() error {
	for _, dir := range []string{".", trashName} {
		names, err := h.folder.list(dir)
		if err != nil {
			return fileError(dir, err)
		}
		for _, name := range names {
			if !isTemp(name) {
				continue
			}
			unlock, ok, err := h.folder.tryLock()
			if err != nil || !ok {
				return nil // read-only, or in use
			}
			_ = h.folder.remove(joinName(dir, name)) // gone already is as good
			unlock()
		}
	}
	return nil
}

// Head is where the history stands.
type Head struct {
	Ref      string // full name, "refs/heads/main"; empty when detached
	Detached bool
	Record   Record
}
