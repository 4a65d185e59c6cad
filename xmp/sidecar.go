package xmp

import (
	"bytes"
	"crypto/sha256"
	"slices"
	"strconv"
	"strings"

	"github.com/chemigram/chemigram/xmp/internal/rdf"
)

// Sidecar is an immutable darktable sidecar, with all unknown properties. Its
// methods may be called from several goroutines at once.
type Sidecar struct {
	about      string
	props      rdf.Properties // without what follows
	entries    []*entry       // in the order of their num
	end        int            // how many of the entries are active
	hasHistory bool           // be it empty
	forms      []*form
	prefixes   rdf.Prefixes
}

// NewestFormat is the newest xmp_version that is known: that of darktable 3.6 to
// 5.4.
const NewestFormat = 5

// FormatVersion is the sidecar's xmp_version; false when it says none that is a
// number. What a format after [NewestFormat] means is not known.
func (s *Sidecar) FormatVersion() (version int, said bool) {
	text, said := s.props.Text(nameFormat)
	version, err := strconv.Atoi(strings.TrimSpace(text))
	return version, said && err == nil
}

// History returns the active entries, in the order of the stack. (Undone entries
// beyond history_end are kept in the sidecar, and listed by Undone.)
func (s *Sidecar) History() []Entry { return export(s.entries[:s.end]) }

// Undone returns the entries beyond history_end.
func (s *Sidecar) Undone() []Entry { return export(s.entries[s.end:]) }

// HistoryEnd is the number of active entries.
func (s *Sidecar) HistoryEnd() int { return s.end }

func export(entries []*entry) []Entry {
	out := make([]Entry, len(entries))
	for i, e := range entries {
		out[i] = e.export()
	}
	return out
}

// Find returns the active entry of one module instance: the last one in the
// stack with that operation whose instance name is name, or the base instance
// (multi_priority 0) when name is "". The base instance has no other name, whatever
// darktable calls it. Instances without a name of their own are told apart by their
// MultiPriority alone, and found in [Sidecar.History].
func (s *Sidecar) Find(operation, name string) (Entry, bool) {
	i := find(s.entries[:s.end], operation, name)
	if i < 0 {
		return Entry{}, false
	}
	return s.entries[i].export(), true
}

// find returns the index of the last entry of an instance, or -1: see
// [Sidecar.Find].
func find(entries []*entry, operation, name string) int {
	for i, e := range slices.Backward(entries) {
		if e.operation == operation && (e.priority == 0) == (name == "") && (name == "" || e.multiName == name) {
			return i
		}
	}
	return -1
}

// findNumber returns the index of the last entry of a module's instance with a
// number, or -1.
func findNumber(entries []*entry, operation string, number int) int {
	for i, e := range slices.Backward(entries) {
		if e.operation == operation && e.priority == number {
			return i
		}
	}
	return -1
}

// Canonical returns the bytes that name the look: no bookkeeping, no origins,
// hex blobs, one layout of the XML. Parsing them and writing again gives the
// same bytes.
func (s *Sidecar) Canonical() []byte { return s.withoutHashes().write(&writer{}) }

// Hash is the SHA-256 of Canonical.
func (s *Sidecar) Hash() [32]byte { return sha256.Sum256(s.Canonical()) }

// Bytes returns the sidecar as a file for darktable, with blobs in darktable's
// own encoding and with origins in a namespace of our own.
func (s *Sidecar) Bytes() []byte {
	return s.write(&writer{origins: true, bookkeeping: true, file: true})
}

// Equal reports whether two sidecars hold the same: the look, the bookkeeping and
// the origins, however they were written.
func (s *Sidecar) Equal(o *Sidecar) bool {
	if s == nil || o == nil {
		return s == o
	}
	whole := func(s *Sidecar) []byte { return s.write(&writer{origins: true, bookkeeping: true}) }
	return s == o || bytes.Equal(whole(s), whole(o))
}
