package iop

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/chemigram/chemigram/internal/version"
	"github.com/chemigram/chemigram/xmp/iop/internal/modulefile"
	"github.com/chemigram/chemigram/xmp/iop/internal/release"
)

// Installed is what the files of an installed darktable say of it.
type Installed struct {
	modules map[string]installedModule
	blend   int
	// Unread are the modules whose files could not be read, and why.
	Unread map[string]error
}

// An installedModule is a module, and its layout when it has parameters.
type installedModule struct {
	Module
	layout *layout
}

// Len is the number of modules that were read.
func (in Installed) Len() int { return len(in.modules) }

// ReadInstalled reads the files of darktable's modules (libexposure.so), and of its
// library (libdarktable.so), without running them. Others among the paths are passed
// over. Libraries of Linux, macOS and Windows for amd64 and arm64 can be read; those of
// others are Unread.
func ReadInstalled(paths []string) Installed {
	in := Installed{modules: map[string]installedModule{}, Unread: map[string]error{}}
	for _, path := range paths {
		folder, name := filepath.Split(path)
		switch op, isModule := moduleName(name); {
		case op == "darktable":
			in.blend, _ = modulefile.BlendVersion(path) // else the newest known one
		case isModule && filepath.Base(folder) == "plugins":
			said, err := modulefile.Read(path)
			if err == nil {
				in.modules[op], err = newInstalled(op, said)
			}
			if err != nil {
				delete(in.modules, op)
				in.Unread[op] = err
			}
		}
	}
	return in
}

// moduleName is the operation of a module by its file's name.
func moduleName(file string) (op string, ok bool) {
	op, ok = strings.CutPrefix(file, "lib")
	for _, ending := range []string{".so", ".dylib", ".dll"} {
		if name, found := strings.CutSuffix(op, ending); found {
			return name, ok && word.MatchString(name)
		}
	}
	return "", false
}

// word is what names of modules, fields and constants are.
var word = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// newInstalled makes the layout of what a module said.
func newInstalled(op string, said release.Module) (installedModule, error) {
	m := installedModule{Module: Module{Operation: op, Name: said.Name, Modversion: said.Modversion, flags: int64(said.Flags)}}
	m.About = newestModule(op).About
	if said.Params == 0 {
		return m, nil
	}
	if err := checkNames(said.Fields); err != nil {
		return m, err
	}
	list, err := parseLayouts(op, said.Head("0.0.0", false)+said.Table())
	if err == nil && len(list) != 1 {
		err = fmt.Errorf("they are %d layouts", len(list))
	}
	if err != nil {
		return m, fmt.Errorf("its fields cannot be understood: %w", err)
	}
	m.layout = list[0]
	for f := range leaves(m.layout.fields) {
		if f.at+f.size > m.layout.size {
			return m, fmt.Errorf("its field %s lies outside of its parameters", f.path)
		}
	}
	m.layout.learn(newestKnown(op, said.Modversion))
	m.layout.defaults = sync.OnceValue(m.layout.makeDefaults)
	return m, nil
}

// checkNames makes sure that fields and constants are called as C does.
func checkNames(fields []release.Field) error {
	for _, f := range fields {
		for f.Elem != nil && f.Elem.Type != "char" {
			f.Fields, f.Values, f.Elem = f.Elem.Fields, f.Elem.Values, f.Elem.Elem
		}
		if !word.MatchString(f.Name) {
			return fmt.Errorf("it has a field %q", f.Name)
		}
		for _, c := range f.Values {
			if !word.MatchString(c.Name) {
				return fmt.Errorf("its field %s has a constant %q", f.Name, c.Name)
			}
		}
		if err := checkNames(f.Fields); err != nil {
			return err
		}
	}
	return nil
}

// newestKnown is the newest layout in the tables of a module's modversion, or else of
// the last one before it; nil when there is none.
func newestKnown(op string, modversion int) (best *layout) {
	if m := modules()[op]; m != nil {
		for _, l := range m.layouts() {
			if l.modversion <= modversion {
				best = l
			}
		}
	}
	return best
}

// learn adds what a file does not tell and a known layout does: the defaults that code
// sets, where the field's own default is what it was, and at the same modversion the
// other names of fields.
func (l *layout) learn(known *layout) {
	if known == nil {
		return
	}
	for _, p := range known.presets {
		was, _, _, ok := lookup(known.fields, p.name)
		is, _, _, still := lookup(l.fields, p.name)
		if ok && still && was.kind == is.kind && was.def == is.def {
			l.presets = append(l.presets, p)
		}
	}
	if known.modversion != l.modversion || len(known.fields) != len(l.fields) {
		return
	}
	for i := range l.fields {
		switch now, before := &l.fields[i], &known.fields[i]; {
		case now.name == before.name || now.name == before.older:
			now.name, now.older = before.name, before.older
		case now.offset == before.offset:
			now.older = before.name
		}
	}
}

// With returns the release as the files of one darktable show it, whose version is
// given: its modules, their layouts, ranges and defaults. What files do not tell is the
// release's own: the defaults that modules' code sets, and the pipeline orders. Of
// modules that could not be read, the release's stay.
//
// From then on [Decode] and its like know the layouts of modversions that the tables
// lack.
func (r Release) With(in Installed, darktable string) (Release, error) {
	v, ok := version.Parse(darktable)
	if !ok || r.table == nil {
		return Release{}, badRelease(darktable, "want a version such as 5.6.2")
	}
	facts := *r.facts()
	facts.modules, facts.own = maps.Clone(facts.modules), map[string]*layout{}
	maps.DeleteFunc(facts.modules, func(op string, _ Module) bool { return in.Unread[op] == nil })
	for op, m := range in.modules {
		facts.modules[op] = m.Module
		if m.layout != nil {
			facts.own[op] = m.layout
			learned.add(m.layout)
		}
	}
	facts.blend = max(facts.blend, in.blend)
	return Release{&releaseTable{v, func() *releaseFacts { return &facts }}}, nil
}

// learned are layouts that no table has, of darktables that were read.
var learned learnedLayouts

type learnedLayouts struct {
	mu  sync.RWMutex
	all map[string][]*layout // by operation
}

// add keeps a layout of a modversion that neither the tables nor others have.
func (l *learnedLayouts) add(found *layout) {
	if known := newestKnown(found.operation, found.modversion); known != nil && known.modversion == found.modversion {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.all == nil {
		l.all = map[string][]*layout{}
	}
	same := func(other *layout) bool { return other.modversion == found.modversion }
	if list := l.all[found.operation]; !slices.ContainsFunc(list, same) {
		l.all[found.operation] = append(slices.Clip(list), found)
	}
}

// find gives the layout of a modversion, or nil.
func (l *learnedLayouts) find(op string, modversion int) *layout {
	l.mu.RLock()
	defer l.mu.RUnlock()
	for _, found := range l.all[op] {
		if found.modversion == modversion {
			return found
		}
	}
	return nil
}
