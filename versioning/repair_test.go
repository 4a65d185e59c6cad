package versioning

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/versioning/internal/edittest"
	"github.com/chemigram/chemigram/versioning/internal/journal"
	"github.com/chemigram/chemigram/versioning/internal/storage"
)

// snapshot is a record and the transaction that holds it.
type snapshot struct {
	rec   Record
	state []byte
	seq   uint64
}

// scene is a history to damage, and everything that is in it.
type scene struct {
	files     map[string][]byte
	snapshots []snapshot
	rows      []journal.Row // of transactions, from 1
}

func newScene(t *testing.T, fill func(t *testing.T, h *History)) scene {
	t.Helper()
	m := storage.NewMemory()
	h := must[*History](t)(open(m, &Options{Now: ticking()}))
	fill(t, h)
	wantClean(t, must[*History](t)(open(m, nil))) // which completes the index
	s := scene{files: filesOfMemory(t, m), rows: make([]journal.Row, 1)}
	v := must[*view](t)(h.view(false))
	defer v.Close()
	for seq := uint64(1); seq <= v.Last(); seq++ {
		r := must[journal.Row](t)(v.Row(seq))
		if s.rows = append(s.rows, r); r.Has(journal.HasRecord) {
			rec := must[Record](t)(v.record(seq))
			s.snapshots = append(s.snapshots, snapshot{rec, must[[]byte](t)(h.State(t.Context(), rec.State)), seq})
		}
	}
	return s
}

// with returns the history with files changed.
func (s scene) with(t *testing.T, damage func(files map[string][]byte)) *History {
	t.Helper()
	files, m := map[string][]byte{}, storage.NewMemory()
	for name, content := range s.files {
		files[name] = bytes.Clone(content)
	}
	damage(files)
	for name, content := range files {
		m.Put(name, content)
	}
	return must[*History](t)(open(m, &Options{Now: ticking()}))
}

// readable returns the snapshots that can be read, by the transaction.
func (s scene) readable(t *testing.T, h *History) map[uint64]bool {
	t.Helper()
	h.clearCaches()
	can := map[uint64]bool{}
	for _, one := range s.snapshots {
		rec, err := h.Record(t.Context(), one.rec.ID)
		if err != nil {
			continue
		}
		if state, err := h.State(t.Context(), rec.State); err == nil && bytes.Equal(state, one.state) {
			can[one.seq] = true
		}
	}
	return can
}

// label publishes a snapshot of the state of HEAD.
func label(t *testing.T, h *History, name string) {
	t.Helper()
	head := must[Head](t)(h.Head(t.Context()))
	state := must[[]byte](t)(h.State(t.Context(), head.Record.State))
	if _, changed, err := h.Commit(t.Context(), state, Change{Op: "snapshot", Label: name}); err != nil || !changed {
		t.Fatal(changed, err)
	}
}

// apart publishes a record and a state that are not stored as differences from
// others, so that nothing is lost with them.
func apart(t *testing.T, h *History, seed uint64) Record {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 9))
	random := make([]byte, 800)
	for i := range random {
		random[i] = byte(r.Uint32())
	}
	rec, changed, err := h.Commit(t.Context(), random, Change{Op: "apply_primitive", Annotations: fmt.Appendf(nil, "%q", hex.EncodeToString(random))})
	if err != nil || !changed {
		t.Fatal(changed, err)
	}
	return rec
}

// labelled makes edits, every other one with a label after it.
func labelled(edits int) func(t *testing.T, h *History) {
	return func(t *testing.T, h *History) {
		s := edittest.New(3, 5)
		if _, err := h.Init(t.Context(), s.State(), Change{Op: "ingest"}); err != nil {
			t.Fatal(err)
		}
		for i := range edits {
			commit(t, h, string(s.Edit()))
			if i%2 == 1 {
				label(t, h, fmt.Sprint("look ", i))
				label(t, h, fmt.Sprint("again ", i))
			}
		}
	}
}

// woven makes branches, tags and merges of which refs lead to every record.
func woven(t *testing.T, h *History) {
	ctx := t.Context()
	s := edittest.New(4, 5)
	if _, err := h.Init(ctx, s.State(), Change{Op: "ingest"}); err != nil {
		t.Fatal(err)
	}
	edit := func() Record { return commit(t, h, string(s.Edit())) }
	edit()
	must[Ref](t)(h.Branch(ctx, "side", ""))
	edit()
	must[Head](t)(h.Checkout(ctx, "side"))
	edit()
	label(t, h, "on the side")
	side := edit()
	must[Ref](t)(h.Branch(ctx, "kept", "side~1"))
	must[Head](t)(h.Checkout(ctx, "main"))
	edit()
	if _, _, err := h.Commit(ctx, s.Edit(), Change{Op: "merge", Merged: []Hash{side.ID}}); err != nil {
		t.Fatal(err)
	}
	must[Ref](t)(h.DeleteRef(ctx, "side", Audit{"me", "merged"})) // now the merge alone leads to its tip
	must[Ref](t)(h.Tag(ctx, "merged", ""))
	edit()
	must[Record](t)(h.Undo(ctx))
	must[Record](t)(h.Redo(ctx))
}

// damages are what can happen to the bytes of a transaction.
var damages = map[string]func(b []byte, from, to int64) []byte{
	"missing": func(b []byte, from, to int64) []byte { return slices.Delete(b, int(from), int(to)) },
	"zeroed":  func(b []byte, from, to int64) []byte { clear(b[from:to]); return b },
	"several bits flipped": func(b []byte, from, to int64) []byte {
		for at := from + frameHeaderSize + 5; at < to; at += 7 {
			b[at] ^= 0x55
		}
		return b
	},
	"one bit flipped": func(b []byte, from, to int64) []byte { b[(from+to)/2] ^= 4; return b },
}

// Whatever was damaged: what can be read after Repair can be read after Prune.
func TestPruneAfterRepairTakesNothingThatCanBeRead(t *testing.T) {
	t.Parallel()
	testutil.SkipShort(t)
	for name, fill := range map[string]func(*testing.T, *History){
		"8 labelled": labelled(4), "99 snapshots": labelled(49), "branches and merges": woven,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t, fill)
			places := 6
			if inCI() {
				places = sampled(40, 10)
			}
			step := max(1, len(s.rows)/places)
			for kind, damage := range damages {
				for _, index := range []bool{true, false} {
					for seq := 1; seq < len(s.rows); seq += step {
						if seq+1 == len(s.rows) && kind == "missing" && !index {
							continue // nothing tells that there was one
						}
						s.pruneAfterRepair(t, fmt.Sprintf("transaction %d %s, index %t", seq, kind, index), func(files map[string][]byte) {
							files[journal.Name] = damage(files[journal.Name], s.rows[seq].Offset, s.rows[seq].End())
							if !index {
								delete(files, journal.IndexName)
							}
						})
					}
				}
			}
		})
	}
}

func (s scene) pruneAfterRepair(t *testing.T, where string, damage func(map[string][]byte)) {
	t.Helper()
	for _, age := range []time.Duration{-1, time.Nanosecond, 0} {
		if age >= 0 && !inCI() && !strings.Contains(where, "zeroed") {
			continue
		}
		if age < 0 && strings.HasPrefix(where, fmt.Sprintf("transaction %d ", len(s.rows)-1)) && strings.HasSuffix(where, "index false") {
			continue // nothing tells of the newest movement, and Prune is to keep none before it
		}
		h := s.with(t, damage)
		if _, err := h.Verify(t.Context(), &VerifyOptions{Repair: true}); err != nil {
			t.Errorf("%s: Repair: %v", where, err)
			return
		}
		wantClean(t, h)
		before := s.readable(t, h)
		// A lost state takes those along that are stored as differences from it.
		if len(before) < len(s.snapshots)-20 || !before[1] {
			t.Errorf("%s: after Repair only %d of %d can be read, the baseline: %t", where, len(before), len(s.snapshots), before[1])
		}
		wantTotals(t, h, where)
		pruned, err := h.Prune(t.Context(), PruneOptions{OlderThan: age, Audit: Audit{"me", "space"}})
		if err != nil {
			t.Errorf("%s: Prune: %v", where, err)
		}
		after := s.readable(t, h)
		for _, one := range s.snapshots {
			if before[one.seq] && !after[one.seq] {
				t.Errorf("%s, age %v: Prune took the snapshot of transaction %d, and says that it took %d", where, age, one.seq, pruned.Records)
			}
		}
		wantTotals(t, h, where)
		wantClean(t, h)
		if _, changed, err := h.Reset(t.Context(), baselineRef); err != nil {
			t.Errorf("%s: Reset: %v, %v", where, changed, err)
		}
		commit(t, h, "an edit after all")
		if t.Failed() {
			t.Fatal(where)
		}
	}
}

// wantTotals checks that logs list as many records as they say there are.
func wantTotals(t *testing.T, h *History, where string) {
	t.Helper()
	for _, ref := range must[[]Ref](t)(h.Refs(t.Context())) {
		recs, total, err := h.Log(t.Context(), LogOptions{From: ref.Name})
		if err != nil || len(recs) != total {
			t.Errorf("%s: the log of %s lists %d records of %d, %v", where, ref.Name, len(recs), total, err)
		}
		page, total, err := h.Log(t.Context(), LogOptions{From: ref.Name, Limit: 2, Offset: 1})
		if err != nil || total != len(recs) || len(page) != min(2, max(0, len(recs)-1)) {
			t.Errorf("%s: a page of the log of %s has %d records of %d, %v; want %d", where, ref.Name, len(page), total, err, len(recs))
		}
	}
}

// Prune goes on to work after a repair.
func TestPruneAfterRepairTakesWhatNothingLedTo(t *testing.T) {
	t.Parallel()
	s := newScene(t, func(t *testing.T, h *History) {
		begin(t, h)
		for i := range 6 {
			apart(t, h, uint64(i))
		}
		if _, _, err := h.Reset(t.Context(), "HEAD~2"); err != nil {
			t.Fatal(err)
		}
		apart(t, h, 7)
	})
	h := s.with(t, func(files map[string][]byte) {
		files[journal.Name] = damages["zeroed"](files[journal.Name], s.rows[3].Offset, s.rows[3].End())
	})
	must[[]Finding](t)(h.Verify(t.Context(), &VerifyOptions{Repair: true}))
	before := s.readable(t, h)
	pruned, err := h.Prune(t.Context(), PruneOptions{OlderThan: -1, Audit: Audit{"me", "space"}})
	if after := s.readable(t, h); err != nil || pruned.Records != 2 || len(before)-len(after) != 2 || after[6] || after[7] {
		t.Errorf("Prune took %+v, %v; of %v there is %v", pruned, err, before, after)
	}
	wantTotals(t, h, "after Prune")
}

// Every bit of the journal flipped: after Repair every snapshot can be read that
// is not in the transaction of that bit, refs lead where they led as far as that
// transaction did not move them, and edits work.
func TestEveryFlippedBitLeavesAllOtherSnapshots(t *testing.T) {
	t.Parallel()
	testutil.SkipShort(t)
	s := newScene(t, func(t *testing.T, h *History) {
		begin(t, h)
		commit(t, h, "state 1")
		must[Ref](t)(h.Tag(t.Context(), "v1", ""))
		commit(t, h, "state 2, which is a difference from the first state, or not")
		label(t, h, "good")
		commit(t, h, "state 3, which is a difference from the second state, or not")
	})
	step := 29 // which every bit of every field has its turn in
	if inCI() {
		step = sampled(1, 11)
	}
	for bit := 0; bit < 8*len(s.files[journal.Name]); bit += step {
		s.survives(t, journal.Name, bit)
	}
	for bit := 0; bit < 8*len(s.files[baselineName]); bit += 5 * step {
		s.survives(t, baselineName, bit)
	}
}

func TestFlippedBitsOfALongHistoryLeaveAllOtherSnapshots(t *testing.T) {
	t.Parallel()
	testutil.SkipShort(t)
	s := newScene(t, func(t *testing.T, h *History) {
		h.opts.Durability = Relaxed
		e := edittest.New(5, 12)
		if _, err := h.Init(t.Context(), e.State(), Change{Op: "ingest"}); err != nil {
			t.Fatal(err)
		}
		for range 150 {
			commit(t, h, string(e.Edit()))
		}
	})
	r := testutil.Random(t)
	samples := 20
	if inCI() {
		samples = sampled(1000, 100)
	}
	for range samples {
		s.survives(t, journal.Name, r.IntN(8*len(s.files[journal.Name])))
	}
	for range samples / 4 { // in the first transaction
		s.survives(t, journal.Name, 8*int(s.rows[1].Offset)+r.IntN(8*s.rows[1].Length))
	}
}

// survives flips a bit of a file.
func (s scene) survives(t *testing.T, name string, bit int) {
	t.Helper()
	h := s.with(t, func(files map[string][]byte) { files[name][bit/8] ^= 1 << (bit % 8) })
	found, err := h.Verify(t.Context(), &VerifyOptions{Repair: true})
	if err != nil || len(found) == 0 {
		t.Fatalf("bit %d of %s: Repair finds %v, %v", bit, name, found, err)
	}
	can := s.readable(t, h)
	for _, one := range s.snapshots {
		r := s.rows[one.seq]
		inside := name == journal.Name && int64(bit/8) >= r.Offset && int64(bit/8) < r.End()
		if !can[one.seq] && (!inside || one.seq == 1) {
			t.Errorf("bit %d of %s: the snapshot of transaction %d is lost; found %v", bit, name, one.seq, found)
		}
	}
	if _, err := h.Resolve(t.Context(), baselineRef); err != nil {
		t.Errorf("bit %d of %s: the baseline: %v", bit, name, err)
	}
	wantTotals(t, h, fmt.Sprint("bit ", bit))
	wantClean(t, h)
	commit(t, h, "an edit after all")
	if t.Failed() {
		t.FailNow()
	}
}

// Where the first transaction and its copy are lost, the oldest snapshot that is
// left is what edits start from.
func TestARepairedHistoryHasABaseline(t *testing.T) {
	t.Parallel()
	for kind, damage := range damages {
		if kind == "one bit flipped" {
			continue
		}
		s := newScene(t, func(t *testing.T, h *History) {
			begin(t, h)
			for i := range 3 {
				apart(t, h, uint64(i))
			}
		})
		for _, copied := range []bool{true, false} {
			h := s.with(t, func(files map[string][]byte) {
				files[journal.Name] = damage(files[journal.Name], s.rows[1].Offset, s.rows[1].End())
				if !copied {
					delete(files, baselineName)
				}
			})
			if _, err := h.Verify(t.Context(), &VerifyOptions{Repair: true}); err != nil {
				t.Errorf("%s, copied %t: %v", kind, copied, err)
				continue
			}
			rec, err := h.Resolve(t.Context(), baselineRef)
			if err != nil || copied && rec.ID != s.snapshots[0].rec.ID {
				t.Errorf("%s, copied %t: the baseline is %v, %v", kind, copied, rec.ID, err)
			}
			head := must[Head](t)(h.Head(t.Context()))
			if head.Ref != mainRef || head.Record.ID != s.snapshots[3].rec.ID {
				t.Errorf("%s, copied %t: HEAD is at %+v", kind, copied, head)
			}
			if _, _, err := h.Reset(t.Context(), baselineRef); err != nil {
				t.Errorf("%s, copied %t: %v", kind, copied, err)
			}
			must[Record](t)(h.Undo(t.Context()))
			commit(t, h, "an edit after all")
			wantTotals(t, h, kind)
			wantClean(t, h)
		}
	}
}

// A history of an earlier program gets the copy when it is written or repaired,
// and a copy that is damaged or of another history is replaced.
func TestTheBaselinesCopyIsMadeWhereItIsMissing(t *testing.T) {
	t.Parallel()
	s := newScene(t, func(t *testing.T, h *History) { begin(t, h); apart(t, h, 1) })
	other := newScene(t, func(t *testing.T, h *History) {
		if _, err := h.Init(t.Context(), []byte("another state"), Change{}); err != nil {
			t.Fatal(err)
		}
	})
	want := s.files[baselineName]
	if len(want) == 0 {
		t.Fatal("there is no copy")
	}
	without := func(files map[string][]byte) { delete(files, baselineName) }
	h := s.with(t, without)
	wantClean(t, h)
	if names := must[[]string](t)(h.folder.List(".")); slices.Contains(names, baselineName) {
		t.Error("reading makes the copy")
	}
	commit(t, h, "state 2")
	if got := content(t, h.folder, baselineName); !bytes.Equal(got, want) {
		t.Error("a write makes no copy, or another")
	}
	h = s.with(t, without)
	must[[]Finding](t)(h.Verify(t.Context(), &VerifyOptions{Repair: true}))
	if got := content(t, h.folder, baselineName); !bytes.Equal(got, want) {
		t.Error("a repair makes no copy, or another")
	}
	for name, bad := range map[string][]byte{
		"empty": {}, "cut": want[:len(want)-1], "longer": append(bytes.Clone(want), 0), "another's": other.files[baselineName],
	} {
		h = s.with(t, func(files map[string][]byte) { files[baselineName] = bad })
		found := must[[]Finding](t)(h.Verify(t.Context(), &VerifyOptions{Repair: true}))
		if len(found) != 1 || found[0].Fault != DamagedBaseline || !found[0].Repaired {
			t.Errorf("%s: found %v", name, found)
		}
		wantClean(t, h)
		if got := content(t, h.folder, baselineName); !bytes.Equal(got, want) {
			t.Errorf("%s: it is not as it was", name)
		}
		// It is never taken for what it is not.
		h = s.with(t, func(files map[string][]byte) {
			files[baselineName] = bad
			clear(files[journal.Name][s.rows[1].Offset:s.rows[1].End()])
		})
		must[[]Finding](t)(h.Verify(t.Context(), &VerifyOptions{Repair: true}))
		if can := s.readable(t, h); !can[2] {
			t.Errorf("%s: the second snapshot cannot be read", name)
		}
		if name == "another's" {
			_, err := h.State(t.Context(), other.snapshots[0].rec.State)
			wantKind(t, err, Missing)
		}
		wantClean(t, h)
	}
}

func TestTheBaselinesNameIsReserved(t *testing.T) {
	everywhere(t, func(t *testing.T, h *History) {
		begin(t, h)
		_, err := h.Tag(t.Context(), "baseline", "")
		wantKind(t, err, RefExists)
	})
	if err := reserved(baselineRef, "baseline"); KindOf(err) != BadRefName {
		t.Errorf("without a baseline: %v", err)
	}
}

// A name of a record that was taken out is refused; what is around it is found.
func TestNamesOfHoles(t *testing.T) {
	t.Parallel()
	s := newScene(t, func(t *testing.T, h *History) {
		begin(t, h)
		apart(t, h, 1)
		apart(t, h, 2) // the fork
		must[Ref](t)(h.Branch(t.Context(), "side", ""))
		apart(t, h, 3)
		must[Head](t)(h.Checkout(t.Context(), "side"))
		apart(t, h, 4)
	})
	for _, index := range []bool{true, false} {
		h := s.with(t, func(files map[string][]byte) {
			clear(files[journal.Name][s.rows[3].Offset:s.rows[3].End()])
			if !index {
				delete(files, journal.IndexName)
			}
		})
		must[[]Finding](t)(h.Verify(t.Context(), &VerifyOptions{Repair: true}))
		before := s.snapshots[1].rec
		for name, do := range map[string]func(name string) error{
			"Branch":   func(name string) error { _, err := h.Branch(t.Context(), "hole", name); return err },
			"Tag":      func(name string) error { _, err := h.Tag(t.Context(), "hole", name); return err },
			"Reset":    func(name string) error { _, _, err := h.Reset(t.Context(), name); return err },
			"Checkout": func(name string) error { _, err := h.Checkout(t.Context(), name); return err },
			"Log":      func(name string) error { _, _, err := h.Log(t.Context(), LogOptions{From: name}); return err },
		} {
			for _, hole := range []string{"main~1", "main~2", s.snapshots[2].rec.ID.String()} {
				err := do(hole)
				if KindOf(err) != UnknownRef {
					t.Errorf("%s at %s: %v", name, hole, err)
				}
			}
		}
		if refs := must[[]Ref](t)(h.Refs(t.Context())); len(refs) != 3 {
			t.Errorf("there are the refs %v", refs)
		}
		base, err := h.MergeBase(t.Context(), "main", "side")
		if err != nil || base.ID != before.ID {
			t.Errorf("the merge base is %v, %v; want what was before the fork", base.ID, err)
		}
		wantTotals(t, h, "after Repair")
	}
}

// A history that an earlier program repaired does not say what came before a gap:
// Prune keeps all that is older.
func TestPruneOfAHistoryThatAnEarlierProgramRepaired(t *testing.T) {
	t.Parallel()
	s := newScene(t, func(t *testing.T, h *History) {
		begin(t, h)
		for i := range 6 {
			apart(t, h, uint64(i))
		}
	})
	h := s.with(t, func(map[string][]byte) {})
	x := &inspection{history: h, ctx: t.Context()}
	if err := x.open(); err != nil {
		t.Fatal(err)
	}
	v := must[*view](t)(h.view(false))
	last := journal.Transaction{
		Moves:      &journal.Moves{Time: time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC), Verb: verbRepair},
		Checkpoint: v.refs.checkpoint(),
	}
	v.Close()
	if err := x.v.rewrite(func(seq uint64) bool { return seq != 4 }, last); err != nil {
		t.Fatal(err)
	}
	wantClean(t, h)
	pruned, err := h.Prune(t.Context(), PruneOptions{OlderThan: -1, Audit: Audit{"me", "space"}})
	if can := s.readable(t, h); err != nil || pruned.Records != 0 || len(can) != 6 {
		t.Errorf("Prune took %+v, %v; of 7 there is %v", pruned, err, can)
	}
	if recs, _, err := h.Log(t.Context(), LogOptions{}); err != nil || len(recs) != 6 {
		t.Errorf("the log lists %d, %v", len(recs), err)
	}
}
