// Package installed says what the installed darktable knows: by the tables when one of
// its version was asked for them, and else by the files of its modules.
package installed

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/chemigram/chemigram/render"
	"github.com/chemigram/chemigram/xmp/iop"
)

// Known is what is known of a darktable.
type Known struct {
	Release iop.Release
	// Nearest is the version of the tables that tell what its files do not; empty when
	// it was itself asked for them.
	Nearest string
	// Modules is how many of its modules' files were read, and Unread names those that
	// could not be, for whose layouts the tables have to do.
	Modules int
	Unread  []string
	// Why is the reason for one of them.
	Why error
}

// Guessed reports whether modules are only known by the tables of another darktable.
func (k Known) Guessed() bool {
	return k.Nearest != "" && (k.Modules == 0 || len(k.Unread) > 0)
}

// String says where what is known comes from, and is empty when all of it is in the
// tables.
func (k Known) String() string {
	if k.Nearest == "" {
		return ""
	}
	tables := k.Nearest
	if k.Release.Decoded() {
		tables += ", which were decoded from what is published of it and are not proven"
	}
	says := fmt.Sprintf("no table is of this darktable itself: layouts of %d modules are from its own files, pipeline orders and what modules' code sets up from the tables of %s",
		k.Modules, tables)
	if k.Modules == 0 {
		says = "no table is of this darktable itself, and its modules' files cannot be read: layouts are those of " + tables
	}
	says += "; what is newer than that is known from each image's baseline"
	if len(k.Unread) > 0 {
		says += fmt.Sprintf("; not read: %s (%v)", strings.Join(k.Unread, ", "), k.Why)
	}
	return says
}

// unsure warns of those modules that only the tables of another darktable tell of.
func (k Known) unsure(modules func() []string) string {
	if !k.Guessed() {
		return ""
	}
	guessed := slices.DeleteFunc(modules(), func(m string) bool { return k.Modules > 0 && !slices.Contains(k.Unread, m) })
	if len(guessed) == 0 {
		return ""
	}
	return fmt.Sprintf("this darktable's own layout of %s cannot be read: written as darktable %s has it; look at a preview", strings.Join(guessed, ", "), k.Nearest)
}

// A Memo keeps what is known of one darktable for as long as that is the same one.
type Memo struct {
	mu       sync.Mutex
	identity string
	known    Known
}

// Of gives what is known of a darktable. The files of one that was never asked for a
// table are read the first time, and when it was replaced.
func (m *Memo) Of(darktable *render.Darktable) (Known, error) {
	release, err := iop.ReleaseFor(darktable.Version())
	if err != nil || release.Version() == darktable.Version() && !release.Decoded() {
		return Known{Release: release}, err
	}
	identity := darktable.Identity()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.identity == identity {
		return m.known, nil
	}
	known, err := read(release, darktable)
	if err == nil {
		m.identity, m.known = identity, known
	}
	return known, err
}

// Unsure warns of modules that an edit writes for a darktable as the tables of another one
// have them, and is empty when there are none, or no darktable. It asks for the modules only
// where some are known so.
func (m *Memo) Unsure(darktable *render.Darktable, modules func() []string) string {
	if darktable == nil {
		return ""
	}
	known, err := m.Of(darktable)
	if err != nil {
		return "" // then nothing is written
	}
	return known.unsure(modules)
}

// read reads the files of a darktable whose nearest known release is given.
func read(nearest iop.Release, darktable *render.Darktable) (Known, error) {
	k := Known{Release: nearest, Nearest: nearest.Version()}
	in := iop.ReadInstalled(darktable.Files())
	k.Modules, k.Unread = in.Len(), slices.Sorted(maps.Keys(in.Unread))
	if len(k.Unread) > 0 {
		k.Why = in.Unread[k.Unread[0]]
	}
	if k.Modules == 0 {
		return k, nil
	}
	var err error
	k.Release, err = nearest.With(in, darktable.Version())
	return k, err
}
