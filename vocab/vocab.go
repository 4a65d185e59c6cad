// Package vocab is the vocabulary: named moves, in packs, that compile into
// edits of a sidecar.
package vocab

import (
	"io/fs"

	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

// Layer is where an entry belongs: L1 technical, L2 a starting look, L3 taste.
type Layer string

// The layers.
const (
	L1 Layer = "L1"
	L2 Layer = "L2"
	L3 Layer = "L3"
)

// Entry is one named move.
type Entry struct {
	Name        string      `json:"name"`
	Layer       Layer       `json:"layer"`
	Subject     string      `json:"subject"`
	Description string      `json:"description"`
	Tags        []string    `json:"tags"`
	Parameters  []Parameter `json:"parameters"`
	Ops         []Op        `json:"ops"`
	Claims      []Claim     `json:"claims"`
	Pack        PackInfo    `json:"-"`
}

// Parameter is one number that a caller may give.
type Parameter struct {
	Name    string  `json:"name"`
	Unit    string  `json:"unit"`
	Min     float64 `json:"min"`
	Max     float64 `json:"max"`
	Default float64 `json:"default"`
	Neutral float64 `json:"neutral"`
}

// Op is what an entry does to one module instance.
type Op struct{}

// Claim is what a person would see.
type Claim struct{}

// PackInfo names the pack that an entry came from.
type PackInfo struct{ Name, Version, Description string }

// Vocabulary is a set of packs: immutable.
type Vocabulary struct{}

// Source is one pack folder.
type Source struct {
	Name string // what errors call it: a path, or "starter"
	FS   fs.FS
}

// Builtin gives the embedded packs by name.
func Builtin(names ...string) ([]Source, error) { panic("stub") }

// Load reads packs in order. Packs that cannot be loaded are left out and
// listed in failures; the others are there.
func Load(sources ...Source) (v *Vocabulary, failures []error) { panic("stub") }

// Packs lists what was loaded.
func (v *Vocabulary) Packs() []PackInfo { panic("stub") }

// Entry finds a move by name. Unknown is an *Error of kind Unknown that
// carries the nearest names.
func (v *Vocabulary) Entry(name string) (*Entry, error) { panic("stub") }

// Filter chooses entries.
type Filter struct {
	Layer Layer
	Tags  []string
	Query string // words in name, description and tags, best first
}

// List gives the entries that a filter chooses: by name, or best match first.
func (v *Vocabulary) List(f Filter) []*Entry { panic("stub") }

// Touches lists the modules that the entry changes.
func (e *Entry) Touches() []string { panic("stub") }

// Available tells whether the entry works on a darktable, and why not.
func (e *Entry) Available(target iop.Release) (ok bool, reason string) { panic("stub") }

// Application is one use of an entry.
type Application struct {
	Value    *float64           // for an entry with one parameter
	Values   map[string]float64 // by parameter name; missing ones are default
	Strength *float64           // 0..1, default 1
	Baseline *xmp.Sidecar
	Current  *xmp.Sidecar
	Target   iop.Release
}

// Compile turns an application into edits of the current sidecar. It also
// gives the values used, by parameter name.
func (e *Entry) Compile(a Application) (edits []xmp.Edit, values map[string]float64, err error) {
	panic("stub")
}
