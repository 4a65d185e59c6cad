package iop

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/chemigram/chemigram/internal/suggest"
	"github.com/chemigram/chemigram/internal/version"
)

// Release is one darktable release: its modules and their modversions, and its
// pipeline orders. The zero Release has none.
type Release struct{ table *releaseTable }

type releaseTable struct {
	version version.Version
	load    func() *releaseFacts
}

type releaseFacts struct {
	decoded    bool
	blend      int
	shown      map[string]int // newer modversions than those in modules, which a baseline showed
	shownBlend int
	modules    map[string]Module
	orders     map[int]Order
	rules      [][2]string
	own        map[string]*layout // of the modules that the darktable itself was read for
}

// releases are sorted, oldest first. Listing them reads only names.
var releases = sync.OnceValue(func() []*releaseTable {
	files, err := fs.Glob(embedded, "tables/releases/*.txt")
	if err != nil {
		panic(err) // the pattern is constant
	}
	var all []*releaseTable
	for _, file := range files {
		v, ok := version.Parse(strings.TrimSuffix(path.Base(file), ".txt"))
		if !ok {
			panic("iop: embedded table " + file + " is of no version")
		}
		all = append(all, &releaseTable{v, sync.OnceValue(func() *releaseFacts { return loadRelease(file) })})
	}
	slices.SortFunc(all, func(a, b *releaseTable) int { return a.version.Compare(b.version) })
	return all
})

// Releases lists the known releases, oldest first.
func Releases() []Release {
	var all []Release
	for _, t := range releases() {
		all = append(all, Release{t})
	}
	return all
}

// ReleaseFor returns the newest known release that is not newer than a darktable
// version such as "5.4.1" or "5.4.1+git12". Older than the oldest is an error.
func ReleaseFor(darktable string) (Release, error) {
	v, ok := version.Parse(darktable)
	if !ok || !strings.Contains(darktable, ".") { // "5" may be any
		return Release{}, badRelease(darktable, "want a version such as 5.4.1")
	}
	for _, t := range slices.Backward(releases()) {
		if t.version.Compare(v) <= 0 {
			return Release{t}, nil
		}
	}
	return Release{}, badRelease(darktable, "the oldest release that is known is "+Release{releases()[0]}.Version())
}

// Version is the release's version, such as "5.4.1".
func (r Release) Version() string {
	if r.table == nil {
		return ""
	}
	return r.table.version.String()
}

// Decoded reports whether the tables of the release were put together from what is
// published of it, and not from what its own modules said when it was run: nothing is
// proven on it.
func (r Release) Decoded() bool { return r.facts().decoded }

func (r Release) facts() *releaseFacts {
	if r.table == nil {
		return &releaseFacts{}
	}
	return r.table.load()
}

// Modversion is the layout version that the release writes for a module; false
// when it does not have the module.
func (r Release) Modversion(operation string) (int, bool) {
	m, ok := r.facts().modules[operation]
	return m.Modversion, ok
}

// Reads returns the newest modversion of a module that the darktable reads: the
// release's own, or a newer one that its baseline showed to [Release.Observe].
func (r Release) Reads(operation string) (int, bool) {
	own, known := r.Modversion(operation)
	shown, seen := r.facts().shown[operation]
	return max(own, shown), known || seen
}

// ReadsBlend returns the newest version of the blend parameters that the darktable
// reads: the release's own, or a newer one that its baseline showed.
func (r Release) ReadsBlend() int { return max(r.facts().blend, r.facts().shownBlend) }

// BlendVersion is the version of the blend parameters that the release writes.
func (r Release) BlendVersion() int { return r.facts().blend }

// Module returns what the release says about a module.
func (r Release) Module(operation string) (Module, bool) {
	m, ok := r.facts().modules[operation]
	return m, ok
}

// Modules lists the release's modules by operation.
func (r Release) Modules() []Module {
	byName := r.facts().modules
	all := make([]Module, 0, len(byName))
	for _, op := range slices.Sorted(maps.Keys(byName)) {
		all = append(all, byName[op])
	}
	return all
}

// Decode reads parameters as the package's Decode does, with the ranges and
// constants of this release: what this darktable would refuse, With refuses.
func (r Release) Decode(operation string, modversion int, blob []byte) (Params, error) {
	l, err := r.find(operation, modversion)
	if err != nil {
		return Params{}, err
	}
	return l.decode(blob)
}

// Defaults returns what the package's Defaults gives, in this release and at the
// modversion that it writes.
func (r Release) Defaults(operation string) (Params, error) {
	l, err := r.current(operation)
	if err != nil {
		return Params{}, err
	}
	return Params{l, l.defaults()}, nil
}

// Fields describes all leaves of a module in this release, in layout order.
func (r Release) Fields(operation string) ([]FieldInfo, error) {
	l, err := r.current(operation)
	if err != nil {
		return nil, err
	}
	return l.infos(), nil
}

// current returns the layout that the release writes.
func (r Release) current(operation string) (*layout, error) {
	modversion, ok := r.Modversion(operation)
	if !ok {
		return nil, unknownModule(operation, r.Version(), suggest.Nearest(operation, slices.Collect(maps.Keys(r.facts().modules))))
	}
	return r.find(operation, modversion)
}

func (r Release) find(operation string, modversion int) (*layout, error) {
	if r.table == nil {
		return find(operation, modversion, nil)
	}
	if own := r.facts().own[operation]; own != nil && own.modversion == modversion {
		return own, nil
	}
	return find(operation, modversion, &r.table.version)
}

func loadRelease(file string) *releaseFacts {
	text, err := embedded.ReadFile(file)
	if err == nil {
		var r *releaseFacts
		if r, err = parseRelease(string(text)); err == nil {
			return r
		}
	}
	panic("iop: embedded table " + file + ": " + err.Error()) // a test parses them all
}

func parseRelease(text string) (*releaseFacts, error) {
	r := &releaseFacts{modules: map[string]Module{}, orders: map[int]Order{}}
	number := 0 // of the order being read
	for line := range strings.Lines(text) {
		description, rest, err := cutDescription(strings.TrimSuffix(line, "\n"))
		if err != nil {
			return nil, fmt.Errorf("%q: %w", line, err)
		}
		w := strings.Fields(rest)
		switch {
		case strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "\t"):
			r.orders[number] = r.orders[number].with(Instance{Operation: w[0]})
		case w[0] == "decoded":
			r.decoded = true
		case w[0] == "blend":
			r.blend, err = strconv.Atoi(w[1])
		case w[0] == "module":
			m := Module{Operation: w[1]}
			m.Name, m.About, _ = strings.Cut(description, ": ")
			if m.Modversion, err = strconv.Atoi(w[2]); err == nil {
				m.flags, err = strconv.ParseInt(strings.TrimPrefix(w[3], "flags="), 0, 64)
			}
			r.modules[m.Operation] = m
		case w[0] == "rule":
			r.rules = append(r.rules, [2]string{w[1], w[2]})
		case w[0] == "order":
			number, err = strconv.Atoi(w[1])
		default:
			err = fmt.Errorf("unknown line")
		}
		if err != nil {
			return nil, fmt.Errorf("%q: %w", line, err)
		}
	}
	return r, nil
}
