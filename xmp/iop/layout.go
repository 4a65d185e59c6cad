package iop

import (
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/chemigram/chemigram/internal/suggest"
	"github.com/chemigram/chemigram/internal/version"
)

//go:embed tables legacy.txt meaning.txt
var embedded embed.FS

// layout is how a module's parameters are laid out at one modversion, with the
// ranges, defaults and constants of the releases from since on.
type layout struct {
	operation  string
	modversion int
	size       int
	since      version.Version
	decoded    bool // of a release that was not asked
	fields     []field
	presets    []preset
	// defaults are darktable's own parameters before it has seen a picture.
	defaults func() []byte
}

// preset is a leaf's default where it is not its field's.
type preset struct {
	name   string
	number float64
	text   string
}

// module is a module's layouts, sorted by modversion and release, parsed at
// first use.
type module struct{ layouts func() []*layout }

// modules has every module that has a layout. Making it reads only names.
var modules = sync.OnceValue(func() map[string]*module {
	files, err := fs.Glob(embedded, "tables/layouts/*.txt")
	if err != nil {
		panic(err) // the pattern is constant
	}
	legacy := legacyBlocks()
	all := make(map[string]*module, len(files))
	for _, file := range files {
		op := strings.TrimSuffix(path.Base(file), ".txt")
		all[op] = &module{sync.OnceValue(func() []*layout { return loadLayouts(op, file, legacy[op]) })}
	}
	for op, rows := range legacy {
		if all[op] == nil { // a module that no release of the tables has
			all[op] = &module{sync.OnceValue(func() []*layout { return loadLayouts(op, "", rows) })}
		}
	}
	return all
})

func loadLayouts(op, file, legacy string) []*layout {
	list, err := readLayouts(op, file, legacy)
	if err != nil {
		panic("iop: embedded table of " + op + ": " + err.Error()) // a test parses them all
	}
	slices.SortStableFunc(list, func(a, b *layout) int {
		return cmp.Or(cmp.Compare(a.modversion, b.modversion), a.since.Compare(b.since))
	})
	useNewestNames(list)
	for _, l := range list {
		l.defaults = sync.OnceValue(l.makeDefaults)
	}
	return list
}

// wholeFrame has the fields of a frame that darktable sets when it opens a picture: it
// keeps all of it. Without a picture they are 0, which keeps a tenth.
var wholeFrame = map[string][]string{"crop": {"cw", "ch"}, "clipping": {"cw", "ch"}}

// makeDefaults applies the presets, and the frame of a picture, to the defaults of the
// fields.
func (l *layout) makeDefaults() []byte {
	b := make([]byte, l.size)
	for f := range leaves(l.fields) {
		f.writeNumber(b[f.at:], f.def)
	}
	for _, p := range l.presets {
		f, at, _, ok := lookup(l.fields, p.name)
		switch {
		case !ok: // a test forbids it
		case f.kind == kindText:
			copy(b[at:at+f.size-1], p.text)
		default:
			f.writeNumber(b[at:], p.number)
		}
	}
	for _, name := range wholeFrame[l.operation] {
		if f, at, _, ok := lookup(l.fields, name); ok {
			f.writeNumber(b[at:], 1)
		}
	}
	return b
}

func readLayouts(op, file, legacy string) ([]*layout, error) {
	var list []*layout
	if file != "" {
		text, err := embedded.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if list, err = parseLayouts(op, string(text)); err != nil {
			return nil, err
		}
	}
	old, err := parseLegacy(op, legacy, list)
	return append(list, old...), err
}

// useNewestNames returns the same leaves the same names in all releases, and keeps
// the older name, so that it is understood too.
func useNewestNames(list []*layout) {
	for i, l := range slices.Backward(list) {
		if i+1 == len(list) || list[i+1].modversion != l.modversion {
			continue
		}
		newer := list[i+1]
		for k := range l.fields {
			if a, b := &l.fields[k], &newer.fields[k]; a.name != b.name {
				a.older, a.name = a.name, b.name
				b.older = a.older
			} else {
				a.older = b.older
			}
		}
	}
}

// find returns the newest layout of a modversion, or with a limit the newest that
// a release not newer than that has.
func find(op string, modversion int, limit *version.Version) (*layout, error) {
	m := modules()[op]
	if m == nil {
		if l := learned.find(op, modversion); l != nil {
			return l, nil
		}
		return nil, unknownModule(op, "", suggest.Nearest(op, slices.Collect(maps.Keys(modules()))))
	}
	var best *layout
	for _, l := range m.layouts() {
		if l.modversion == modversion && (best == nil || limit == nil || l.since.Compare(*limit) <= 0) {
			best = l
		}
	}
	if best == nil {
		best = learned.find(op, modversion)
	}
	if best == nil {
		return nil, &Error{
			Kind: UnknownModversion, Operation: op, Modversion: modversion,
			Message: "this version of the module's parameters is not known",
		}
	}
	return best, nil
}

// findProven is find without a limit, but prefers layouts of releases that were asked to
// those that were decoded: what moves start from stays as it was proven.
func findProven(op string, modversion int) (*layout, error) {
	newest, err := find(op, modversion, nil)
	if err != nil || !newest.decoded {
		return newest, err
	}
	for _, l := range slices.Backward(modules()[op].layouts()) {
		if l.modversion == modversion && !l.decoded {
			return l, nil
		}
	}
	return newest, nil
}

// noField is the error for a name that no leaf has.
func (l *layout) noField(name string) *Error {
	names := func(yield func(string) bool) {
		last := ""
		for leaf := range leaves(l.fields) {
			top, _, _ := strings.Cut(string(leaf.path), "[")
			if n := string(leaf.path); top != last || !strings.Contains(n, "[") {
				if last = top; !yield(n) {
					return
				}
			}
		}
	}
	return &Error{
		Kind: UnknownField, Operation: l.operation, Modversion: l.modversion, Field: name,
		Message: fmt.Sprintf("no field %q", name), Suggestions: suggest.Nearest(name, slices.Collect(names)),
	}
}
