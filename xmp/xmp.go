// Package xmp is a darktable sidecar as a value: parse, edit, canonical bytes.
package xmp

import "github.com/chemigram/chemigram/xmp/iop"

// Sidecar is an immutable darktable sidecar. It keeps everything that it does
// not know.
type Sidecar struct{}

// Parse reads a sidecar, or the XMP packet of a picture that darktable
// exported.
func Parse(data []byte) (*Sidecar, error) { panic("stub") }

// Entry is one entry of the history stack.
type Entry struct {
	Operation     string
	Enabled       bool
	Modversion    int
	Params        []byte // decoded; shared, not to be written to
	MultiName     string
	MultiPriority int
	BlendVersion  int
	Blend         []byte // decoded; shared, not to be written to
	Origins       []Origin
}

// Origin tells which vocabulary entry had a part in making a history entry.
type Origin struct {
	Entry   string `json:"entry"`
	Pack    string `json:"pack"`
	Version string `json:"version"`
	Layer   string `json:"layer"`
}

// History gives the active entries, in the order of the stack. (Undone entries
// beyond history_end are kept in the sidecar, and listed by Undone.)
func (s *Sidecar) History() []Entry { panic("stub") }

// Undone gives the entries beyond history_end.
func (s *Sidecar) Undone() []Entry { panic("stub") }

// Find gives the active entry of one module instance: the last one in the
// stack with that operation whose instance name is name, or the base instance
// (multi_priority 0) when name is "".
func (s *Sidecar) Find(operation, name string) (Entry, bool) { panic("stub") }

// Canonical gives the bytes that name the look: no bookkeeping, no origins,
// hex blobs, one layout of the XML. Parsing them and asking again gives the
// same bytes.
func (s *Sidecar) Canonical() []byte { panic("stub") }

// Hash is the SHA-256 of Canonical.
func (s *Sidecar) Hash() [32]byte { panic("stub") }

// Bytes gives the sidecar as a file for darktable, with blobs in darktable's
// own encoding and with origins in a namespace of our own.
func (s *Sidecar) Bytes() []byte { panic("stub") }

// Compact gives the sidecar with one active entry per module instance, in
// pipeline order: the form that every edit leaves behind.
func (s *Sidecar) Compact(target iop.Release) (*Sidecar, error) { panic("stub") }

// Origins lists what made the active entries, by instance; WithOrigins puts
// such a list back after a round trip through Canonical.
func (s *Sidecar) Origins() []InstanceOrigins { panic("stub") }

// WithOrigins gives the sidecar with the origins of its entries replaced.
func (s *Sidecar) WithOrigins(o []InstanceOrigins) *Sidecar { panic("stub") }

// InstanceOrigins are the origins of one module instance.
type InstanceOrigins struct {
	Operation     string   `json:"operation"`
	MultiPriority int      `json:"instance"`
	Origins       []Origin `json:"origins"`
}

// Edit is one change of the history stack: Put or Remove.
type Edit interface{ edit() }

// Put sets one module instance whole. The instance is found by operation and
// MultiName ("" is the base instance); MultiPriority is chosen by the sidecar.
// A new named instance gets its place in the pipeline right after the
// module's last instance, and the pipeline order is written out.
type Put struct{ Entry Entry }

// Remove takes the active entries of one module instance out of the stack.
type Remove struct{ Operation, MultiName string }

func (Put) edit()    {}
func (Remove) edit() {}

// With applies edits and gives the new, compact sidecar. target is the
// darktable that will develop it.
func (s *Sidecar) With(target iop.Release, edits ...Edit) (*Sidecar, error) { panic("stub") }
