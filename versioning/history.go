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

	states  recent[[]byte]
	records recent[Record]
	places  recent[uint64] // the transactions that hold the states of records
}

// How many bytes of states (of 60 KB at most, say) and how many records (of 2 KB)
// a history keeps in memory: those that edits, checkouts and a page of the log go
// back to.
const (
	keptStates  = 2 << 20
	keptRecords = 64
)

// Options say how a history is kept. A nil *Options means the defaults.
type Options struct {
	// Durability Full (the default) syncs files and folders before a verb
	// returns; Relaxed leaves that to the operating system.
	Durability Durability
	// LockWait limits how long a writer waits for another; default 10 s.
	LockWait time.Duration
	// ReadOnly writes nothing at all, not even what Open would tidy up: every
	// method that changes the history fails with the kind ReadOnly.
	ReadOnly bool
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

// Open gives the history in a folder, which need not exist before Init. What it
// reads does not depend on the history's length. It removes what writers that
// died have left unfinished, where it may write. It fails with TooNew when the
// history has a later format than this program knows; damage is told by the
// methods that come upon it, and by Verify.
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
	h.states.room, h.states.size = keptStates, func(state []byte) int { return len(state) }
	h.records.room, h.places.room = keptRecords, keptRecords
	if opts != nil {
		h.opts = *opts
	}
	if h.opts.LockWait <= 0 {
		h.opts.LockWait = 10 * time.Second
	}
	if h.opts.Now == nil {
		h.opts.Now = time.Now
	}
	if first, err := readStart(dir, journalName, headerSize); err == nil {
		if _, err := decodeHeader(first); KindOf(err) == TooNew {
			return nil, named("Open", err)
		}
	}
	if h.opts.ReadOnly {
		return h, nil
	}
	if err := h.tidy(); err != nil {
		return nil, named("Open", err)
	}
	return h, nil
}

// tidy removes what a writer that died has left, unless a living one is at
// work or this program may not write.
func (h *History) tidy() error {
	temps, err := h.temps()
	if err != nil {
		return err
	}
	unsettled := false
	if v, err := h.view(false); err == nil {
		unsettled = v.torn > 0 || v.stray || len(v.extra) > 0
		v.close()
	}
	if len(temps) == 0 && !unsettled {
		return nil
	}
	unlock, ok, err := h.folder.tryLock(false)
	if err != nil || !ok {
		return nil
	}
	defer unlock()
	if temps, err = h.temps(); err != nil {
		return err
	}
	for _, name := range temps {
		_ = h.folder.remove(name) // the next Open tries again
	}
	if v, err := h.view(true); err == nil {
		_ = v.settle() // likewise the next writer
		v.close()
	}
	return nil
}

// forget makes what is asked for next be read from the files.
func (h *History) forget() {
	h.known.Store(nil)
	h.states.forget()
	h.records.forget()
	h.places.forget()
}

// temps gives the temporary files.
func (h *History) temps() (temps []string, err error) {
	for _, dir := range []string{".", trashName} {
		names, err := h.folder.list(dir)
		if err != nil {
			return nil, fileError(dir, err)
		}
		for _, name := range names {
			if isTemp(name) {
				temps = append(temps, joinName(dir, name))
			}
		}
	}
	return temps, nil
}

// Head is where the history stands.
type Head struct {
	Ref      string // full name, "refs/heads/main"; empty when detached
	Detached bool
	Record   Record
}
