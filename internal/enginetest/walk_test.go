package enginetest

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chemigram/chemigram"
)

var (
	walkSeed  = flag.Uint64("walk.seed", 0, "the seed of the first walk; 0 is CHEMIGRAM_TEST_SEED, or another one each time")
	walkSteps = flag.Int("walk.steps", 0, "how many steps all walks have; 0 is 20,000, half of them where CHEMIGRAM_TEST_SEED draws, and 600 under -short")
)

// lanes is how many walks share the steps.
const lanes = 8

// Random walks through all that needs no darktable: whatever verbs come in whatever
// order, the engine is where the model is. A walk that finds a difference prints the
// shortest one that still does, and the seed that makes it again.
func TestWalksAgreeWithTheModel(t *testing.T) {
	total, seed := *walkSteps, *walkSeed
	if total == 0 {
		switch total = 20_000; {
		case testing.Short():
			total = 600
		case os.Getenv("CHEMIGRAM_TEST_SEED") != "":
			total = 10_000 // make whole walks them all
		}
	}
	if seed == 0 {
		drawn, err := strconv.ParseUint(os.Getenv("CHEMIGRAM_TEST_SEED"), 10, 64)
		if err != nil {
			drawn = uint64(time.Now().UnixNano())
		}
		seed = drawn % 1_000_000
	}
	began := makeTemplate(t)
	var one sync.Mutex // shortens at a time
	for lane := range uint64(lanes) {
		t.Run(fmt.Sprint("seed-", seed+lane), func(t *testing.T) {
			t.Parallel()
			todo := make([]int, max(1, total/lanes))
			for i := range todo {
				todo[i] = i
			}
			failed, err := walk(t, began, seed+lane, todo)
			if err == nil {
				return
			}
			one.Lock()
			defer one.Unlock()
			short, trace, shortErr := shorten(t, began, seed+lane, todo[:failed+1])
			t.Errorf("step %d of -walk.seed %d: %v\n\nIn short, of %d steps:\n%s\n%v",
				failed, seed+lane, err, len(short), strings.Join(trace[max(0, len(trace)-80):], "\n"), shortErr)
		})
	}
}

// makeTemplate makes what all worlds begin with.
func makeTemplate(t *testing.T) template {
	t.Helper()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	began := template{darktable: fakeDarktable(t), pack: t.TempDir(), dir: t.TempDir()}
	if err := writePack(began.pack); err != nil {
		t.Fatal(err)
	}
	e, err := openEngine(t.Context(), began, filepath.Join(began.dir, "workspace"))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	health, err := e.HealthCheck(t.Context(), chemigram.HealthCheckParams{})
	if err != nil || health.Status != "ok" {
		t.Fatalf("%+v, %v", health.Checks, err)
	}
	for n := range raws {
		raw := rawPath(began.dir, n)
		if err := os.WriteFile(raw, fmt.Append(nil, "a raw, number ", n), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := e.Ingest(t.Context(), chemigram.IngestParams{RawPath: raw, ImageID: ids[n]}); err != nil {
			t.Fatal(err)
		}
		log, err := e.Log(t.Context(), chemigram.LogParams{ImageID: ids[n]})
		if err != nil {
			t.Fatal(err)
		}
		began.hashes = append(began.hashes, log.Entries[0].Event)
	}
	if began.rules, err = readRules(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	return began
}

func rawPath(dir string, n int) string { return filepath.Join(dir, fmt.Sprintf("raw%d.dng", n)) }

// readRules reads the baseline, and the defaults of the modules that walks edit.
func readRules(ctx context.Context, e *chemigram.Engine) (rules, error) {
	r := rules{defaults: map[string]map[string]string{}}
	for _, module := range []string{"exposure", "colorbalancergb", "toneequal", "channelmixerrgb", "sigmoid", "crop", "temperature"} {
		res, err := e.DescribeModule(ctx, chemigram.DescribeModuleParams{ModuleName: module, Limit: 500})
		if err != nil {
			return r, err
		}
		r.defaults[module] = map[string]string{}
		for _, f := range res.Fields {
			r.defaults[module][f.Name] = norm(f.Default)
		}
	}
	var err error
	r.baseline, err = describe(ctx, e, ids[0], r.defaults)
	return r, err
}

// walk goes the given steps of a seed in a new world, and says which of them failed.
func walk(t *testing.T, began template, seed uint64, todo []int) (failed int, err error) {
	w, failed, err := walkIn(t, began, seed, todo)
	if err == nil {
		t.Logf("%d steps, %d snapshots, %d looks", len(todo), w.snapshots, len(w.hashes))
	}
	return failed, err
}

func walkIn(t *testing.T, began template, seed uint64, todo []int) (w *world, failed int, err error) {
	dir := t.TempDir()
	defer func() { _ = os.RemoveAll(dir) }() // the next one may need the space
	if w, err = newWorld(t.Context(), began, dir); err != nil {
		return nil, 0, err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	for i, n := range todo {
		w.r = rand.New(rand.NewPCG(seed, uint64(n)))
		if err := w.step(); err != nil {
			return w, i, err
		}
	}
	w.r = rand.New(rand.NewPCG(seed, uint64(len(todo))))
	for s := range w.spaces {
		if err := w.checkAll(s); err != nil {
			return w, len(todo) - 1, fmt.Errorf("at the end: %w", err)
		}
	}
	return w, 0, nil
}

// step goes one step, anywhere.
func (w *world) step() error {
	s := 0
	if w.r.IntN(5) == 0 {
		s = 1
	}
	switch w.r.IntN(300) {
	case 0:
		w.did("open again")
		return w.reopen()
	case 1, 2:
		w.did("check all of %d", s)
		return w.checkAll(s)
	}
	do := pick(w.r, steps)
	at := place{Engine: pick(w.r, w.engines[s]), s: s, space: w.spaces[s]}
	have := slices.Sorted(maps.Keys(at.images))
	if len(have) == 0 {
		at.id = ids[0]
		return w.fill(at)
	}
	at.id = pick(w.r, have)
	at.p = at.images[at.id]
	before := at.p.now()
	if err := do(w, at); err != nil {
		return fmt.Errorf("%w\nbefore, %s looked so:\n%s", err, at.id, w.show(before.look))
	}
	if p := at.images[at.id]; p != nil && p.now() != before {
		return w.checkHead(s, at.id, p)
	}
	return nil
}

// fill brings an image into an empty workspace.
func (w *world) fill(at place) error {
	if len(at.trash) > 0 {
		return w.restoreImage(at)
	}
	return w.importBundle(at)
}

// checkHead holds an image's present look to the model, by its named fields.
func (w *world) checkHead(s int, id chemigram.ImageID, p *photo) error {
	got, err := pick(w.r, w.engines[s]).DescribeState(w.ctx, chemigram.DescribeStateParams{ImageID: id})
	if err == nil {
		err = w.checkLook(p.now().look, got)
	}
	if err != nil {
		return fmt.Errorf("the present look of %s in workspace %d: %w\nwant\n%s", id, s, err, w.show(p.now().look))
	}
	return nil
}

// checkAll holds all that can be seen of a workspace to the model.
func (w *world) checkAll(s int) error {
	if err := w.checkSpace(s); err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(w.spaces[s].images)) {
		p := w.spaces[s].images[id]
		err := errors.Join(w.checkHead(s, id, p), w.checkLog(s, id, p))
		for _, full := range p.refs() {
			got, e := pick(w.r, w.engines[s]).DescribeState(w.ctx, chemigram.DescribeStateParams{ImageID: id, RefOrHash: chemigram.RefOrHash(full)})
			if e == nil {
				e = w.checkLook(p.named(full).look, got)
			}
			err = errors.Join(err, e)
		}
		if err != nil {
			return fmt.Errorf("%s in workspace %d: %w", id, s, err)
		}
	}
	return nil
}

// checkLog holds a page of the log, from anywhere, to the model.
func (w *world) checkLog(s int, id chemigram.ImageID, p *photo) error {
	from := pick(w.r, p.sorted())
	if w.r.IntN(2) == 0 {
		from = p.now()
	}
	want := from.ancestry()
	limit, offset := 1+w.r.IntN(30), w.r.IntN(len(want))
	got, err := pick(w.r, w.engines[s]).Log(w.ctx, chemigram.LogParams{
		ImageID: id, Ref: chemigram.RefOrHash(from.hash), Limit: chemigram.Limit(limit), Offset: chemigram.Offset(offset),
	})
	if err != nil {
		return err
	}
	if got.Total != len(want) || !slices.Equal(got.Refs, p.refs()) {
		return fmt.Errorf("the log has %d snapshots and the refs %q, want %d and %q", got.Total, got.Refs, len(want), p.refs())
	}
	want = want[offset:min(offset+limit, len(want))]
	if len(got.Entries) != len(want) {
		return fmt.Errorf("a page of the log has %d snapshots, want %d", len(got.Entries), len(want))
	}
	for i, entry := range got.Entries {
		s := want[i]
		var parents []string
		for _, parent := range s.parents {
			parents = append(parents, parent.hash)
		}
		if entry.Event != s.hash || !slices.Equal(entry.Parents, parents) || entry.Op != s.op || entry.Label != s.label ||
			!slices.Equal(entry.Ref, p.refsAt(s)) || entry.Actor != "walker" {
			return fmt.Errorf("the log has %+v, want %.8s after %q by %s, labelled %q, with %q", entry, s.hash, parents, s.op, s.label, p.refsAt(s))
		}
		if known := w.hashes[s.look.key()]; known != "" && entry.Hash != known {
			return fmt.Errorf("the log gives %.8s the state %.8s, want %.8s", s.hash, entry.Hash, known)
		}
	}
	return nil
}

// shorten looks, for a minute, for a part of some steps that fails, too.
func shorten(t *testing.T, began template, seed uint64, todo []int) (short []int, trace []string, err error) {
	deadline := time.Now().Add(time.Minute)
	short = todo
	try := func(todo []int) bool {
		w, failed, e := walkIn(t, began, seed, todo)
		if e == nil || w == nil {
			return false
		}
		short, trace, err = slices.Clone(todo[:failed+1]), w.trace, e
		return true
	}
	if !try(todo) {
		return todo, nil, errors.New("it does not fail a second time")
	}
	for size := len(short) / 2; size > 0; size /= 2 {
		for from := 0; from+size <= len(short) && time.Now().Before(deadline); {
			if !try(slices.Concat(short[:from], short[from+size:])) {
				from += size
			}
		}
	}
	return short, trace, err
}
