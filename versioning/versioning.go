// Package versioning keeps one image's history: objects, records and refs, on
// disk and in memory. It stores opaque bytes.
package versioning

import (
	"context"
	"encoding/json"
	"time"
)

// Hash is a SHA-256: of a state's bytes, or of a record's.
type Hash [32]byte

// ParseHash reads 64 lower-case hex digits.
func ParseHash(s string) (Hash, error) { panic("stub") }

func (h Hash) String() string { panic("stub") }

// IsZero tells whether there is no hash.
func (h Hash) IsZero() bool { return h == Hash{} }

// History is one image's history.
type History struct{}

// Options say where a history is and how safe.
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
	Full Durability = iota
	Relaxed
)

// Open opens or creates the history in a folder.
func Open(dir string, opts *Options) (*History, error) { panic("stub") }

// NewMemory makes a history that lives in memory.
func NewMemory(opts *Options) *History { panic("stub") }

// Head is where the history stands.
type Head struct {
	Ref      string // full name, "refs/heads/main"; empty when detached
	Detached bool
	Record   Record
}

// Record is one immutable event.
type Record struct {
	ID          Hash
	State       Hash
	Parents     []Hash
	Time        time.Time
	Op          string
	Label       string
	Actor       string
	Entry       string
	Values      map[string]float64
	Darktable   string
	Annotations json.RawMessage // the engine's own, opaque here
}

// Change is what Commit publishes beside the state's bytes; the fields are
// those of Record.
type Change struct {
	Op, Label, Actor, Entry, Darktable string
	Values                             map[string]float64
	Annotations                        json.RawMessage
}

// Lock takes the image's writer lock for one verb. Verbs that read, decide and
// commit hold it throughout; the mutating methods below take it themselves
// when the context does not carry it.
func (h *History) Lock(ctx context.Context, verb string) (context.Context, func(), error) {
	panic("stub")
}

// Init publishes the first record, tags it "baseline" and attaches HEAD to
// branch main. Doing it again with the same state changes nothing.
func (h *History) Init(ctx context.Context, state []byte, c Change) (Record, error) { panic("stub") }

// Head gives the present position.
func (h *History) Head(ctx context.Context) (Head, error) { panic("stub") }

// State gives a state's bytes, checked against its hash.
func (h *History) State(ctx context.Context, state Hash) ([]byte, error) { panic("stub") }

// Commit publishes a state as a new record on the branch that HEAD names.
// When the state is the head's own and there is no label, nothing is
// published and changed is false. On a detached HEAD it fails.
func (h *History) Commit(ctx context.Context, state []byte, c Change) (rec Record, changed bool, err error) {
	panic("stub")
}

// Resolve finds the record that a ref_or_hash names; "" is HEAD. A state's
// hash names the newest record of that state.
func (h *History) Resolve(ctx context.Context, refOrHash string) (Record, error) { panic("stub") }

// Checkout moves HEAD: a branch attaches it; a tag or hash detaches it.
func (h *History) Checkout(ctx context.Context, refOrHash string) (Head, error) { panic("stub") }

// Branch makes a branch at a ref_or_hash ("" is HEAD) and gives its full name.
func (h *History) Branch(ctx context.Context, name, from string) (Ref, error) { panic("stub") }

// Tag makes an immutable tag.
func (h *History) Tag(ctx context.Context, name, at string) (Ref, error) { panic("stub") }

// Reset moves the branch that HEAD names to a record.
func (h *History) Reset(ctx context.Context, to string) (rec Record, changed bool, err error) {
	panic("stub")
}

// Ref is a branch or a tag.
type Ref struct {
	Name   string // full: refs/heads/NAME or refs/tags/NAME
	Record Hash
}

// Refs lists branches and tags by full name.
func (h *History) Refs(ctx context.Context) ([]Ref, error) { panic("stub") }

// LogOptions choose records; zero values choose all.
type LogOptions struct {
	From          string // ref_or_hash, default HEAD
	Limit, Offset int
	Since, Until  time.Time
	Op, Actor     string
}

// Log lists records, newest first, following ancestry. total counts the
// records that would be listed without limit and offset.
func (h *History) Log(ctx context.Context, o LogOptions) (recs []Record, total int, err error) {
	panic("stub")
}
