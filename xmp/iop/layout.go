package iop

import (
	"embed"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
)

//go:embed tables legacy.txt
var embedded embed.FS

// layout is the form of a module's parameters at one modversion, with the
// ranges, defaults and constants that it had from one release on.
type layout struct {
	operation  string
	modversion int
	size       int
	since      version
	fields     []field
}

// module is a module's layouts, sorted by modversion and release, parsed at
// first use.
type module struct {
	name    string
	layouts func() []*layout
}

// modules has every module that has a layout. Making it reads only names.
var modules = sync.OnceValue(func() map[string]*module {
	files, err := fs.Glob(embedded, "tables/layouts/*.txt")
	if err != nil {
		panic(err) // the pattern is constant
	}
	legacy := legacyBlocks()
	all := make(map[string]*module, len(files)+len(legacy))
	add := func(op, file string) {
		all[op] = &module{op, sync.OnceValue(func() []*layout { return loadLayouts(op, file, legacy[op]) })}
	}
	for _, file := range files {
		add(strings.TrimSuffix(path.Base(file), ".txt"), file)
	}
	for op := range legacy {
		if all[op] == nil {
			add(op, "")
		}
	}
	return all
})

// legacyBlocks cuts the hand-written table at its "module" lines.
func legacyBlocks() map[string]string {
	text, err := embedded.ReadFile("legacy.txt")
	if err != nil {
		panic(err) // embedded
	}
	blocks := map[string]string{}
	_, rest, found := strings.Cut(string(text), "\nmodule ")
	for found {
		var block string
		block, rest, found = strings.Cut(rest, "\nmodule ")
		op, body, _ := strings.Cut(block, "\n")
		blocks[op] += body + "\n"
	}
	return blocks
}

func loadLayouts(op, file, legacy string) []*layout {
	text := legacy
	if file != "" {
		data, err := embedded.ReadFile(file)
		if err != nil {
			panic(err) // embedded
		}
		text += string(data)
	}
	list, err := parseLayouts(op, text)
	if err != nil {
		panic("iop: embedded table of " + op + ": " + err.Error()) // a test parses them all
	}
	slices.SortStableFunc(list, func(a, b *layout) int {
		if a.modversion != b.modversion {
			return a.modversion - b.modversion
		}
		return a.since.compare(b.since)
	})
	takeNewestNames(list)
	return list
}

// takeNewestNames gives the same leaves the same names in all releases, and
// keeps the other name to be understood.
func takeNewestNames(list []*layout) {
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

// find gives the newest layout of a modversion; with a limit, the newest that
// a release not newer than the limit has.
func find(op string, modversion int, limit *version) (*layout, error) {
	m := modules()[op]
	if m == nil {
		return nil, &Error{Kind: UnknownModule, Operation: op, Suggestions: nearest(op, maps.Keys(modules()))}
	}
	var best *layout
	for _, l := range m.layouts() {
		if l.modversion == modversion && (best == nil || limit == nil || l.since.compare(*limit) <= 0) {
			best = l
		}
	}
	if best == nil {
		return nil, &Error{Kind: UnknownModversion, Operation: op, Modversion: modversion}
	}
	return best, nil
}

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
	e := &Error{Kind: UnknownField, Operation: l.operation, Modversion: l.modversion, Field: name}
	e.Suggestions = nearest(name, names)
	return e
}
