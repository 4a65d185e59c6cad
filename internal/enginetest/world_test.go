package enginetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/chemigram/chemigram"
)

// ids are the images that a workspace may have. The first ones are there at first;
// more than one may be of the same raw.
var ids = []chemigram.ImageID{"anna", "berg", "chor", "dach", "esel"}

const raws = 3

// A template is a workspace with one image of each raw, as every world begins.
type template struct {
	darktable string
	pack      string
	dir       string // has raws and the workspace
	rules     rules
	marks     chemigram.Marks
	hashes    []string // the first snapshots'
}

// A world is two workspaces with their engines, and the model of them.
type world struct {
	rules
	ctx     context.Context //nolint:containedctx // a world is one call
	t       template
	dir     string
	engines [2][]*chemigram.Engine // of one workspace they share the work
	spaces  [2]*space

	r         *rand.Rand // of the present step
	trace     []string   // what was done
	snapshots int        // how many were made
	bundles   []bundle
	sidecars  []sidecar
	names     map[instance]string // how the engine calls instances within masks
	hashes    map[string]string   // of looks, by key
	keys      map[string]string   // and the other way round
}

// bundle is a file with an image as it was.
type bundle struct {
	path  string
	id    chemigram.ImageID
	photo *photo
}

// sidecar is a file with a look.
type sidecar struct {
	path  string
	look  look
	marks chemigram.Marks
}

// newWorld makes a world in an empty folder.
func newWorld(ctx context.Context, t template, dir string) (*world, error) {
	w := &world{
		rules: t.rules, ctx: ctx, t: t, dir: dir,
		names: map[instance]string{}, hashes: map[string]string{}, keys: map[string]string{},
	}
	for s := range w.spaces {
		w.spaces[s] = &space{images: map[chemigram.ImageID]*photo{}}
	}
	if err := os.CopyFS(w.root(0), os.DirFS(filepath.Join(t.dir, "workspace"))); err != nil {
		return nil, err
	}
	for n, hash := range t.hashes {
		w.snapshots++
		first := &snapshot{number: w.snapshots, hash: hash, look: t.rules.baseline, op: "ingest"}
		w.spaces[0].images[ids[n]] = &photo{
			raw: n, marks: t.marks, baseline: first, branches: map[string]*branch{"main": {at: first}},
			tags: map[string]*snapshot{"baseline": first}, kept: map[*snapshot]bool{first: true}, head: "main", last: &publication{},
		}
	}
	err := w.reopen()
	return w, err
}

func (w *world) root(s int) string { return filepath.Join(w.dir, fmt.Sprint("workspace", s)) }

// reopen closes the engines and opens them anew: two of the first workspace.
func (w *world) reopen() error {
	if err := w.close(); err != nil {
		return err
	}
	for s, count := range [2]int{2, 1} {
		for range count {
			e, err := openEngine(w.ctx, w.t, w.root(s))
			if err != nil {
				return err
			}
			w.engines[s] = append(w.engines[s], e)
		}
	}
	return nil
}

func openEngine(ctx context.Context, t template, root string) (*chemigram.Engine, error) {
	return chemigram.Open(ctx, &chemigram.Options{
		Workspace: root, Darktable: t.darktable, Packs: []string{t.pack}, Tastes: filepath.Join(root, "tastes"),
		Actor: "walker", Processes: 1, Workers: -1,
	})
}

func (w *world) close() error {
	var errs []error
	for s := range w.engines {
		for _, e := range w.engines[s] {
			errs = append(errs, e.Close())
		}
		w.engines[s] = nil
	}
	return errors.Join(errs...)
}

// did notes what a step does.
func (w *world) did(format string, args ...any) {
	w.trace = append(w.trace, fmt.Sprintf(format, args...))
}

// any gives one of some things.
func pick[T any](r *rand.Rand, all []T) T { return all[r.IntN(len(all))] }

// wantCode makes sure that a verb failed with this code, or not at all when it is "".
func wantCode(err error, code chemigram.Code) error {
	if code == "" && err != nil {
		return fmt.Errorf("it failed: %w", err)
	}
	if code != "" && err == nil {
		return fmt.Errorf("it gave no error, want one of %q", string(code))
	}
	if code != "" && !errors.Is(err, code) {
		return fmt.Errorf("it gave another error than %q: %w", string(code), err)
	}
	return nil
}

// commit does in the model what publishing a look does, and says how the verb should
// end: with a code, or with a snapshot, which is new when it has changed something.
func (w *world) commit(p *photo, next look, op, label string, merged ...*snapshot) (made *snapshot, code chemigram.Code) {
	now := p.now()
	if next.key() == now.look.key() && label == "" && len(merged) == 0 {
		return now, ""
	}
	if p.head == "" {
		return nil, chemigram.ErrVersioning
	}
	w.snapshots++
	made = &snapshot{number: w.snapshots, look: next, parents: append([]*snapshot{now}, merged...), op: op, label: label}
	return made, ""
}

// checkEdit holds what a verb that edits has returned to the model, and brings the
// model there.
func (w *world) checkEdit(p *photo, made *snapshot, code chemigram.Code, res chemigram.EditResult, err error) error {
	if err := wantCode(err, code); err != nil || code != "" {
		return err
	}
	if changed := made != p.now(); res.Changed != changed {
		return fmt.Errorf("changed is %v, want %v", res.Changed, changed)
	} else if changed {
		made.hash = res.Event
		p.branches[p.head].move(made)
		p.kept[made] = true
		p.published()
	}
	if res.Event != made.hash {
		return fmt.Errorf("the event is %.8s, want %.8s", res.Event, made.hash)
	}
	if res.SnapshotHash != *res.StateAfter.HeadHash {
		return fmt.Errorf("snapshot_hash is %.8s, head_hash %.8s", res.SnapshotHash, *res.StateAfter.HeadHash)
	}
	return w.checkState(made.look, res.StateAfter)
}

// checkState holds a state in short to a look.
func (w *world) checkState(l look, got chemigram.State) error {
	want := chemigram.State{EntryCount: len(l)}
	for _, s := range l {
		if !s.enabled {
			continue
		}
		want.EnabledCount++
		for _, name := range s.madeBy {
			i := slices.IndexFunc(moves, func(m move) bool { return m.Name == name })
			if i < 0 {
				continue
			}
			switch moves[i].Layer {
			case "L1":
				want.LayersPresent.L1 = true
			case "L2":
				want.LayersPresent.L2 = true
			case "L3":
				want.LayersPresent.L3 = true
			}
		}
	}
	key := l.key()
	if got.HeadHash == nil {
		return errors.New("there is no head_hash")
	}
	hash := *got.HeadHash
	if known, ok := w.hashes[key]; ok && known != hash {
		return fmt.Errorf("one look has the hashes %.8s and %.8s:\n%s", known, hash, w.show(l))
	}
	if known, ok := w.keys[hash]; ok && known != key {
		return fmt.Errorf("two looks have the hash %.8s:\n%s\nand\n%s", hash, known, key)
	}
	w.hashes[key], w.keys[hash] = hash, key
	got.HeadHash = nil
	if got != want {
		return fmt.Errorf("the state is %+v, want %+v", got, want)
	}
	return nil
}

// show writes what a look has beside the baseline.
func (w *world) show(l look) string {
	var b strings.Builder
	for _, id := range l.instances() {
		base := w.baseline[id]
		if alike(l[id], base) {
			continue
		}
		if base == nil {
			base = &settings{fields: w.defaults[id.module]}
		}
		fmt.Fprintf(&b, "  %s:%s enabled %v mask %s by %v:", id.module, id.label, l[id].enabled, l[id].mask, l[id].madeBy)
		for _, name := range slices.Sorted(maps.Keys(l[id].fields)) {
			if v := l[id].fields[name]; v != base.fields[name] {
				fmt.Fprintf(&b, " %s=%s", name, v)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// describe compares a described look with the model's.
func (w *world) checkLook(l look, got chemigram.DescribeStateResult) error {
	if err := w.checkState(l, got.State); err != nil {
		return err
	}
	left := maps.Clone(l)
	var unknown []chemigram.ModuleState
	for _, m := range got.Modules {
		id, ok := w.identify(l, m.Module, m.Instance)
		if !ok {
			unknown = append(unknown, m)
			continue
		}
		if left[id] == nil {
			return fmt.Errorf("there is an instance %s:%s, which the model has not, or twice", m.Module, m.Instance)
		}
		delete(left, id)
		if err := w.checkInstance(id, l[id], m); err != nil {
			return err
		}
	}
	return w.learn(l, left, unknown)
}

// identify finds the model's name of an instance.
func (w *world) identify(l look, module, name string) (instance, bool) {
	id := instance{module, name}
	if l[id] != nil || name == "" {
		return id, true
	}
	for known, itsName := range w.names {
		if known.module == module && itsName == name {
			return known, true
		}
	}
	return id, false
}

// learn finds out how the engine calls those instances of a look within masks that
// are left, when only one is like the instance.
func (w *world) learn(l, left look, unknown []chemigram.ModuleState) error {
	all := left.instances()
	for _, m := range unknown {
		var fits []instance
		var wrong error
		for _, id := range all {
			if _, known := w.names[id]; known || id.module != m.Module || !strings.HasPrefix(id.label, "@") {
				continue
			}
			if err := w.checkInstance(id, l[id], m); err != nil {
				wrong = err
				continue
			}
			fits = append(fits, id)
		}
		i := slices.IndexFunc(fits, func(id instance) bool { return left[id] != nil })
		if i < 0 {
			return fmt.Errorf("there is an instance %s:%s, which the model has not: %w", m.Module, m.Instance, wrong)
		}
		delete(left, fits[i])
		if len(fits) == 1 {
			w.names[fits[0]] = m.Instance
		}
	}
	for id := range left {
		return fmt.Errorf("there is no instance %s:%s", id.module, id.label)
	}
	return nil
}

// checkInstance compares an instance by its named fields.
func (w *world) checkInstance(id instance, want *settings, got chemigram.ModuleState) error {
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("%s:%s: %s", id.module, id.label, fmt.Sprintf(format, args...))
	}
	base := w.baseline[id]
	madeBy := slices.Sorted(slices.Values(got.MadeBy))
	switch {
	case got.Opaque:
		return wrong("its fields are not known")
	case got.Enabled != want.enabled:
		return wrong("enabled is %v, want %v", got.Enabled, want.enabled)
	case got.InBaseline != (base != nil):
		return wrong("in_baseline is %v", got.InBaseline)
	case !slices.Equal(madeBy, want.madeBy):
		return wrong("it is made by %v, want %v", madeBy, want.madeBy)
	case id.module == "retouch":
		return nil
	}
	seen := map[string]bool{}
	for _, f := range got.Fields {
		if strings.HasPrefix(f.Name, "mask.") { // the look's hash tells whether it is the right one
			if want.mask == "" {
				return wrong("%s is %s, want no mask", f.Name, f.Value)
			}
			continue
		}
		seen[f.Name] = true
		if norm(f.Value) != want.fields[f.Name] {
			return wrong("%s is %s, want %s", f.Name, f.Value, want.fields[f.Name])
		}
		before := ""
		if base != nil && base.fields[f.Name] != want.fields[f.Name] {
			before = base.fields[f.Name]
		}
		if norm(f.Baseline) != before {
			return wrong("%s was %q in the baseline, want %q", f.Name, f.Baseline, before)
		}
	}
	for name, value := range want.fields {
		if !seen[name] && (wholeField(name) == name || value != w.defaults[id.module][name]) {
			return wrong("%s is not described, want %s", name, value)
		}
	}
	return nil
}

// describe reads a look by its named fields, as a model has them.
func describe(ctx context.Context, e *chemigram.Engine, id chemigram.ImageID, defaults map[string]map[string]string) (look, error) {
	got, err := e.DescribeState(ctx, chemigram.DescribeStateParams{ImageID: id})
	if err != nil {
		return nil, err
	}
	l := look{}
	for _, m := range got.Modules {
		s := &settings{enabled: m.Enabled, fields: map[string]string{}}
		for name, value := range defaults[m.Module] {
			if wholeField(name) != name {
				s.fields[name] = value
			}
		}
		for _, f := range m.Fields {
			s.fields[f.Name] = norm(f.Value)
		}
		l[instance{m.Module, m.Instance}] = s
	}
	return l, nil
}

// ancestor gives the nth first parent, or nil.
func (s *snapshot) ancestor(n int) *snapshot {
	for ; n > 0 && s != nil; n-- {
		if len(s.parents) == 0 {
			return nil
		}
		s = s.parents[0]
	}
	return s
}

// sorted are the snapshots that a photo has, oldest first.
func (p *photo) sorted() []*snapshot {
	return slices.SortedFunc(maps.Keys(p.kept), func(a, b *snapshot) int { return a.number - b.number })
}

// version chooses a version of a photo, and a way to name it.
func (w *world) version(p *photo) (chemigram.RefOrHash, *snapshot) {
	now := p.now()
	switch w.r.IntN(8) {
	case 0:
		return "HEAD", now
	case 1:
		n := w.r.IntN(4)
		return chemigram.RefOrHash(fmt.Sprint("HEAD~", n)), now.ancestor(n)
	case 2, 3, 4:
		full := pick(w.r, p.refs())
		return chemigram.RefOrHash(full), p.named(full)
	case 5:
		s := pick(w.r, now.ancestry())
		hash, ok := w.hashes[s.look.key()]
		if !ok {
			return chemigram.RefOrHash(s.hash), s
		}
		return chemigram.RefOrHash(hash), p.newest(s.look.key())
	case 6:
		s := pick(w.r, p.sorted())
		return chemigram.RefOrHash(s.hash[:16]), s
	}
	s := pick(w.r, p.sorted())
	return chemigram.RefOrHash(s.hash), s
}

// newest is the newest snapshot of a look on HEAD's branch.
func (p *photo) newest(key string) *snapshot {
	all := p.now().ancestry()
	return all[slices.IndexFunc(all, func(s *snapshot) bool { return s.look.key() == key })]
}

// spots are those of a look, as the model keeps them.
func (l look) spots() (all []spot) {
	if s := l[spotsID]; s != nil {
		if err := json.Unmarshal([]byte(s.mask), &all); err != nil {
			panic(err)
		}
	}
	return all
}

// spotsID is the instance that has the spots.
var spotsID = instance{"retouch", "@spots"}

type spot struct {
	ID int
	spotPlace
}

type spotPlace struct {
	Kind                 chemigram.SpotKind
	X, Y, Radius, SX, SY float64
}

func (l look) withSpots(all []spot) look {
	if len(all) == 0 {
		return l.with(spotsID, nil)
	}
	data, err := json.Marshal(all)
	if err != nil {
		panic(err)
	}
	return l.with(spotsID, &settings{enabled: true, mask: string(data), madeBy: []string{"apply_spot"}})
}
