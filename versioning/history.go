package versioning

import (
	"context"
	"path"
	"sync/atomic"
	"time"

	"github.com/chemigram/chemigram/versioning/internal/journal"
	"github.com/chemigram/chemigram/versioning/internal/storage"
)

// The names in a history's folder beside the journal's and the index's;
// FORMAT.md specifies them.
const (
	lockName   = "lock"
	holderName = "holder"
	trashName  = "trash"
	// baselineName is the second copy of the first transaction.
	baselineName = "baseline"
)

// History is one image's history. It may be used from many goroutines; it
// holds no open files between calls and need not be closed.
type History struct {
	folder  storage.Folder
	opts    Options
	writing chan struct{} // has an element while a goroutine has the lock
	known   atomic.Pointer[knownRefs]
	copied  atomic.Bool // the baseline has a second copy

	states    cache[[]byte]
	records   cache[Record]
	stateSeqs cache[uint64] // the transactions that hold the states of records
}

// How many bytes of states (some 60 KB each) and how many records (some 2 KB each)
// a history keeps in memory: those that edits, checkouts and a page of the log
// read again.
const (
	cachedStates  = 2 << 20
	cachedRecords = 64
)

// Options say how a history is kept. A nil *Options means the defaults.
type Options struct {
	// Durability Full (the default) syncs files and folders before a method
	// returns; Relaxed leaves that to the operating system.
	Durability Durability
	// LockWait limits how long a writer waits for another; default 10 s.
	LockWait time.Duration
	// ReadOnly writes nothing at all, not even what Open would tidy up: every
	// method that changes the history fails with the kind ReadOnly.
	ReadOnly bool
	// Locked, when it is set, is called each time that a writer has taken the lock,
	// which it holds. An error refuses the lock. A function that it returns is
	// called without the lock, to settle what has to be settled first; then the
	// lock is taken anew.
	Locked func(context.Context) (settle func(context.Context) error, err error)
	// Now is the clock; nil is time.Now.
	Now func() time.Time
}

// Durability is how much a method promises when it returns.
type Durability uint8

// The durabilities.
const (
	// Full: what a method has published survives a power cut.
	Full Durability = iota
	// Relaxed: what a method has published survives the death of the process,
	// not a power cut. After one, the newest changes (those of the last half
	// minute or so) may be gone, or the history may be Corrupt until Verify
	// with Repair has gone back to the newest change that is whole. For batch
	// work that can be done again.
	Relaxed
)

// Open opens the history in a folder, which need not exist before Init. What it
// reads does not depend on the history's length. It removes what writers that
// died have left unfinished, where it may write. It fails with TooNew when the
// history has a later format than this program knows; damage is reported by the
// methods that read it, and by Verify.
func Open(dir string, opts *Options) (*History, error) {
	return open(storage.Disk(dir), opts)
}

// NewMemory makes a history that is kept in memory.
func NewMemory(opts *Options) *History {
	h, err := open(storage.NewMemory(), opts)
	if err != nil {
		panic(err) // an empty memory has nothing that could fail
	}
	return h
}

func open(dir storage.Folder, opts *Options) (*History, error) {
	h := &History{folder: dir, writing: make(chan struct{}, 1)}
	h.states.capacity, h.states.size = cachedStates, func(state []byte) int { return len(state) }
	h.records.capacity, h.stateSeqs.capacity = cachedRecords, cachedRecords
	if opts != nil {
		h.opts = *opts
	}
	if h.opts.LockWait <= 0 {
		h.opts.LockWait = 10 * time.Second
	}
	if h.opts.Now == nil {
		h.opts.Now = time.Now
	}
	if err := journal.CheckFormat(dir); err != nil {
		return nil, withOp("Open", err)
	}
	if h.opts.ReadOnly {
		return h, nil
	}
	if err := h.tidy(); err != nil {
		return nil, withOp("Open", err)
	}
	return h, nil
}

// tidy removes what a writer that died has left, unless another is at work or
// this program may not write.
func (h *History) tidy() error {
	temps, err := h.temps()
	if err != nil {
		return err
	}
	needsRecovery := false
	if v, err := h.view(false); err == nil {
		needsRecovery = v.NeedsRecovery()
		v.Close()
	}
	if len(temps) == 0 && !needsRecovery {
		return nil
	}
	unlock, ok, err := h.folder.TryLock(lockName, false)
	if err != nil || !ok {
		return nil
	}
	defer unlock()
	if temps, err = h.temps(); err != nil {
		return err
	}
	for _, name := range temps {
		_ = h.folder.Remove(name) // the next Open tries again
	}
	if v, err := h.view(true); err == nil {
		_ = v.recover() // the next writer tries again
		v.Close()
	}
	return nil
}

// clearCaches makes what is asked for next be read from the files.
func (h *History) clearCaches() {
	h.known.Store(nil)
	h.states.clear()
	h.records.clear()
	h.stateSeqs.clear()
}

// temps returns the names of the temporary files.
func (h *History) temps() (temps []string, err error) {
	for _, dir := range []string{".", trashName} {
		names, err := h.folder.List(dir)
		if err != nil {
			return nil, journal.FileError(dir, err)
		}
		for _, name := range names {
			if storage.IsTemp(name) {
				temps = append(temps, path.Join(dir, name))
			}
		}
	}
	return temps, nil
}
