package enginetest

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/chemigram/chemigram"
)

// An instance names a module instance. Label is the instance's own name, or, of an
// instance within a mask, what makes it one: the engine may name it as it likes, but
// always alike, and each differently.
type instance struct{ module, label string }

// settings are what a look has of a module instance. They are never changed, but
// replaced.
type settings struct {
	enabled bool
	fields  map[string]string // all fields with their values, see norm
	mask    string            // what limits it, as JSON; "" is the whole picture
	madeBy  []string          // the moves that set it, sorted
}

// A look is all that an edit looks like. It is never changed, but replaced.
type look map[instance]*settings

// norm writes a field's value in one way: a number as a 32-bit float has it.
func norm(value string) string {
	if f, err := strconv.ParseFloat(value, 64); err == nil {
		return number(f)
	}
	return value
}

func number(f float64) string {
	return strconv.FormatFloat(float64(float32(f)), 'g', -1, 32)
}

// float reads a number that norm wrote.
func float(value string) float64 {
	f, err := strconv.ParseFloat(value, 32)
	if err != nil {
		panic(err)
	}
	return f
}

// alike reports whether two develop the same pixels. nil is no instance.
func alike(a, b *settings) bool {
	if a == nil || b == nil || a == b {
		return a == b
	}
	return a.enabled == b.enabled && a.mask == b.mask && maps.Equal(a.fields, b.fields)
}

func (s *settings) clone() *settings {
	c := *s
	c.fields, c.madeBy = maps.Clone(s.fields), slices.Clone(s.madeBy)
	return &c
}

// by gives the settings with, or without, a move among those that made them.
func (s *settings) by(move string, made bool) {
	s.madeBy = slices.DeleteFunc(s.madeBy, func(m string) bool { return m == move })
	if made {
		s.madeBy = append(s.madeBy, move)
		slices.Sort(s.madeBy)
	}
}

// with gives the look with another instance's settings; nil removes it.
func (l look) with(id instance, s *settings) look {
	next := maps.Clone(l)
	if next[id] = s; s == nil {
		delete(next, id)
	}
	return next
}

// key is the same for looks that are alike, and no others.
func (l look) key() string {
	var b strings.Builder
	for _, id := range l.instances() {
		s := l[id]
		fmt.Fprintf(&b, "%s:%s enabled %v mask %s", id.module, id.label, s.enabled, s.mask)
		for _, name := range slices.Sorted(maps.Keys(s.fields)) {
			b.WriteByte(' ')
			b.WriteString(name)
			b.WriteByte('=')
			b.WriteString(s.fields[name])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func (l look) instances() []instance {
	return slices.SortedFunc(maps.Keys(l), compareInstances)
}

func compareInstances(a, b instance) int {
	return strings.Compare(a.module+"\x00"+a.label, b.module+"\x00"+b.label)
}

// A snapshot is one event of a history.
type snapshot struct {
	number    int // in the order of time, over all images
	hash      string
	look      look
	parents   []*snapshot
	op, label string
}

// ancestry is the snapshot with all that led to it, newest first.
func (s *snapshot) ancestry() []*snapshot {
	seen := map[*snapshot]bool{}
	todo := []*snapshot{s}
	for len(todo) > 0 {
		last := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !seen[last] {
			seen[last] = true
			todo = append(todo, last.parents...)
		}
	}
	return slices.SortedFunc(maps.Keys(seen), func(a, b *snapshot) int { return b.number - a.number })
}

// mergeBases are the newest snapshots that both sides come from: those that no other of
// them comes from, newest first.
func mergeBases(a, b []*snapshot) (bases []*snapshot) {
	common := lineage(a)
	others := lineage(b)
	common = slices.DeleteFunc(common, func(s *snapshot) bool { return !slices.Contains(others, s) })
	for _, s := range common {
		if !slices.ContainsFunc(common, func(t *snapshot) bool { return s != t && slices.Contains(t.ancestry(), s) }) {
			bases = append(bases, s)
		}
	}
	if len(bases) == 0 {
		panic("two snapshots of one image have none in common")
	}
	return bases
}

// lineage is all that led to some snapshots, newest first.
func lineage(of []*snapshot) []*snapshot {
	both := &snapshot{parents: of}
	return slices.DeleteFunc(both.ancestry(), func(s *snapshot) bool { return s == both })
}

// A branch is where it is, with what undo and redo come to: the next last.
type branch struct {
	at         *snapshot
	undo, redo []*snapshot
}

// move puts the branch elsewhere, as an edit or a reset does.
func (b *branch) move(to *snapshot) {
	b.undo, b.redo, b.at = append(slices.Clip(b.undo), b.at), nil, to
}

// A publication is one change of a history: a history is an earlier version of
// another when its last publication is one of the other's.
type publication struct{ before *publication }

func (p *publication) comesFrom(earlier *publication) bool {
	for ; p != nil; p = p.before {
		if p == earlier {
			return true
		}
	}
	return false
}

// A photo is all that a workspace knows of an image.
type photo struct {
	raw      int // its number among the raws
	marks    chemigram.Marks
	marked   bool // somebody gave the marks
	baseline *snapshot
	branches map[string]*branch
	tags     map[string]*snapshot
	kept     map[*snapshot]bool
	head     string    // the branch that HEAD names, or "":
	detached *snapshot // where it is then
	last     *publication
	// takenBack is how many snapshots are kept that nothing has ever led to.
	takenBack int
}

func (p *photo) clone() *photo {
	c := *p
	c.branches = map[string]*branch{}
	for name, b := range p.branches {
		same := *b
		same.undo, same.redo = slices.Clone(b.undo), slices.Clone(b.redo)
		c.branches[name] = &same
	}
	c.tags, c.kept = maps.Clone(p.tags), maps.Clone(p.kept)
	return &c
}

func (p *photo) now() *snapshot {
	if p.head == "" {
		return p.detached
	}
	return p.branches[p.head].at
}

// published notes that the history has changed.
func (p *photo) published() { p.last = &publication{p.last} }

// refs are the full names of all branches and tags, sorted.
func (p *photo) refs() []string {
	var names []string
	for name := range p.branches {
		names = append(names, "refs/heads/"+name)
	}
	for name := range p.tags {
		names = append(names, "refs/tags/"+name)
	}
	slices.Sort(names)
	return names
}

// refsAt are those that name a snapshot.
func (p *photo) refsAt(s *snapshot) []string {
	return slices.DeleteFunc(p.refs(), func(full string) bool { return p.named(full) != s })
}

// named gives the snapshot of a full ref.
func (p *photo) named(full string) *snapshot {
	if name, ok := strings.CutPrefix(full, "refs/heads/"); ok {
		return p.branches[name].at
	}
	return p.tags[strings.TrimPrefix(full, "refs/tags/")]
}

// prune takes out what nothing leads to, and says how many snapshots that were.
func (p *photo) prune() int {
	reached := map[*snapshot]bool{}
	add := func(s *snapshot) {
		for _, a := range s.ancestry() {
			reached[a] = true
		}
	}
	add(p.now())
	for _, full := range p.refs() {
		add(p.named(full))
	}
	gone := p.takenBack
	p.takenBack = 0
	for s := range p.kept {
		if !reached[s] {
			delete(p.kept, s)
			gone++
		}
	}
	if gone > 0 {
		p.last = &publication{} // a new journal, which is no later version of another
	}
	return gone
}

// space is a workspace.
type space struct {
	images map[chemigram.ImageID]*photo
	trash  []trashed // newest last
}

type trashed struct {
	name  chemigram.TrashName
	id    chemigram.ImageID
	image *photo
}
