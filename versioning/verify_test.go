package versioning

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/versioning/internal/edittest"
	"github.com/chemigram/chemigram/versioning/internal/journal"
	"github.com/chemigram/chemigram/versioning/internal/storage"
)

func wantClean(t *testing.T, h *History) {
	t.Helper()
	found, err := h.Verify(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		t.Errorf("verify found %s", f)
	}
}

// populate fills a new history with some of everything.
func populate(t *testing.T, h *History) {
	t.Helper()
	ctx := t.Context()
	s := edittest.New(7, 6)
	if _, err := h.Init(ctx, s.State(), Change{Op: "ingest"}); err != nil {
		t.Fatal(err)
	}
	must[Ref](t)(h.Branch(ctx, "side", ""))
	for range 3 {
		commit(t, h, string(s.Edit()))
	}
	must[Ref](t)(h.Tag(ctx, "v1", ""))
	must[Record](t)(h.Undo(ctx))
	must[Head](t)(h.Checkout(ctx, "side"))
	commit(t, h, string(s.Edit()))
	must[Head](t)(h.Checkout(ctx, "main"))
	commit(t, h, string(s.Edit()))
}

func TestVerifyOfAnIntactHistoryIsEmpty(t *testing.T) {
	everywhere(t, func(t *testing.T, h *History) {
		populate(t, h)
		wantClean(t, h)
		pruned, err := h.Prune(t.Context(), PruneOptions{OlderThan: -1, Audit: Audit{"me", "space"}})
		if err != nil || pruned.Records != 0 {
			t.Errorf("Prune took %+v, %v though v1 leads to everything", pruned, err)
		}
	})
}

func TestPruneTakesOnlyWhatNothingLeadsTo(t *testing.T) {
	everywhere(t, func(t *testing.T, h *History) {
		ctx := t.Context()
		populate(t, h)
		lost := must[Record](t)(h.Resolve(ctx, "v1"))
		audit := Audit{Actor: "me", Reason: "space"}
		must[Ref](t)(h.DeleteRef(ctx, "v1", audit))
		before := must[[]Ref](t)(h.Refs(ctx))
		log, _, err := h.Log(ctx, LogOptions{})
		if err != nil {
			t.Fatal(err)
		}
		pruned, err := h.Prune(ctx, PruneOptions{OlderThan: time.Hour, Audit: audit})
		if err != nil || pruned.Records != 0 {
			t.Fatalf("Prune took %+v, %v of what was used within the hour", pruned, err)
		}
		pruned, err = h.Prune(ctx, PruneOptions{OlderThan: -1, Audit: audit})
		if err != nil || pruned.Records != 1 || pruned.Freed <= 0 {
			t.Fatalf("Prune took %+v, %v; want one record", pruned, err)
		}
		wantClean(t, h)
		if diff := cmp.Diff(before, must[[]Ref](t)(h.Refs(ctx))); diff != "" {
			t.Error(diff)
		}
		after, _, err := h.Log(ctx, LogOptions{})
		if diff := cmp.Diff(log, after); err != nil || diff != "" {
			t.Error(err, diff)
		}
		states(t, h, after)
		_, err = h.Resolve(ctx, lost.ID.String())
		wantKind(t, err, UnknownRef)
		for range 2 {
			must[Record](t)(h.Undo(ctx))
		}
		for range 2 {
			must[Record](t)(h.Redo(ctx))
		}
		commit(t, h, "after")
		wantClean(t, h)

		// The trash is a history of its own until it is emptied.
		trash, err := h.folder.List(trashName)
		if err != nil || len(trash) != 1 {
			t.Fatalf("trash has %q, %v", trash, err)
		}
		data, err := storage.ReadFile(h.folder, path.Join(trashName, trash[0]))
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, journal.Name), data, 0o600); err != nil {
			t.Fatal(err)
		}
		old := must[*History](t)(Open(dir, nil))
		must[[]byte](t)(old.State(ctx, lost.State))

		pruned, err = h.Prune(ctx, PruneOptions{OlderThan: -1, Audit: audit})
		if diff := cmp.Diff(Pruned{Trash: trash}, pruned); err != nil || diff != "" {
			t.Errorf("emptying the trash returned %v\n%s", err, diff)
		}
	})
}

func TestUndoStopsWhereHistoryWasPruned(t *testing.T) {
	everywhere(t, func(t *testing.T, h *History) {
		ctx := t.Context()
		begin(t, h)
		commit(t, h, "state 1")
		if _, _, err := h.Reset(ctx, "baseline"); err != nil {
			t.Fatal(err)
		}
		commit(t, h, "state 2")
		pruned, err := h.Prune(ctx, PruneOptions{OlderThan: -1, Audit: Audit{"me", "space"}})
		if err != nil || pruned.Records != 1 {
			t.Fatal(pruned, err)
		}
		if got := states(t, h, []Record{must[Record](t)(h.Undo(ctx))}); got != "state 0" {
			t.Errorf("undo came to %s, want state 0", got)
		}
		_, err = h.Undo(ctx)
		wantKind(t, err, NothingToUndo)
		wantClean(t, h)
	})
}

// everything reads all that a history has.
func everything(t *testing.T, h *History) (map[string]string, error) {
	all := map[string]string{}
	ctx := t.Context()
	head, err := h.Head(ctx)
	if err != nil {
		return nil, err
	}
	all["HEAD"] = fmt.Sprint(head)
	refs, err := h.Refs(ctx)
	if err != nil {
		return nil, err
	}
	for _, ref := range refs {
		all[ref.Name] = ref.Record.String()
		recs, total, err := h.Log(ctx, LogOptions{From: ref.Name})
		if err != nil {
			return nil, err
		}
		all["log "+ref.Name] = fmt.Sprint(total, recs)
		for _, r := range recs {
			state, err := h.State(ctx, r.State)
			if err != nil {
				return nil, err
			}
			all[r.State.String()] = string(state)
		}
	}
	return all, nil
}

func TestEveryFlippedByteIsFoundOrHarmless(t *testing.T) {
	t.Parallel()
	testutil.SkipShort(t)
	from := storage.NewMemory()
	h := must[*History](t)(open(from, &Options{Now: ticking()}))
	begin(t, h)
	must[Ref](t)(h.Branch(t.Context(), "side", ""))
	commit(t, h, "state 1, which is a little longer than the first")
	commit(t, h, "state 2, which is a little longer than the first")
	must[Record](t)(h.Undo(t.Context()))
	wantClean(t, h) // makes the index too
	want, err := everything(t, h)
	if err != nil {
		t.Fatal(err)
	}
	names := must[[]string](t)(from.List("."))
	if len(names) < 3 {
		t.Fatalf("there are the files %q", names)
	}
	for _, name := range names {
		found, harmless := 0, 0
		length := len(content(t, from, name))
		for at := range length {
			broken := storage.NewMemory()
			for _, n := range names {
				broken.Put(n, content(t, from, n))
			}
			flip(t, broken, name, int64(at), []byte{0x01, 0x80, 0xff}[at%3])
			b, err := open(broken, nil)
			if err != nil {
				found++ // TooNew cannot be, for the line has a checksum
				t.Errorf("%s byte %d: Open fails: %v", name, at, err)
				continue
			}
			got, readErr := everything(t, b)
			if readErr == nil && !cmp.Equal(got, want) {
				t.Errorf("%s byte %d: it reads as something else, and no error", name, at)
			}
			findings, err := b.Verify(t.Context(), nil)
			if err != nil {
				t.Errorf("%s byte %d: Verify fails: %v", name, at, err)
			}
			switch {
			case len(findings) > 0:
				found++
			case readErr != nil:
				t.Errorf("%s byte %d: reading fails (%v), and Verify finds nothing", name, at, readErr)
			default:
				harmless++
			}
			if at%21 == 0 {
				repairs(t, b, fmt.Sprintf("%s byte %d", name, at))
			}
		}
		t.Logf("%s: of %d flips %d found, %d harmless", name, length, found, harmless)
		if name == journal.Name && harmless > 0 {
			t.Errorf("%d flips in the journal were not found", harmless)
		}
	}
}

// repairs tries Repair on a damaged history, after which it must be sound.
func repairs(t *testing.T, h *History, where string) {
	t.Helper()
	found, err := h.Verify(t.Context(), &VerifyOptions{Repair: true})
	if KindOf(err) == Corrupt && found[0].Offset == headerSize {
		return // everything is a difference from the first transaction
	}
	if err != nil {
		t.Errorf("%s: Repair fails: %v", where, err)
		return
	}
	for _, f := range found {
		if !f.Repaired {
			t.Errorf("%s: not repaired: %s", where, f)
		}
	}
	again, err := h.Verify(t.Context(), nil)
	if err != nil || len(again) > 0 {
		t.Errorf("%s: after Repair, Verify finds %v, %v", where, again, err)
	}
	if _, err := everything(t, h); err != nil {
		t.Errorf("%s: after Repair: %v", where, err)
	}
}

func TestRepairKeepsAllButTheDamage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	h := must[*History](t)(Open(dir, &Options{Now: ticking()}))
	ctx := t.Context()
	begin(t, h)
	var recs []Record
	for i := range 20 {
		recs = append(recs, commit(t, h, fmt.Sprintf("state %d", i+1)))
	}
	v := must[*view](t)(h.view(false))
	last := must[journal.Row](t)(v.Row(v.Last()))
	v.Close()
	file := filepath.Join(dir, journal.Name)
	data := must[[]byte](t)(os.ReadFile(file))
	data[last.Offset+30] ^= 1 // it would be changed back
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if head := must[Head](t)(must[*History](t)(Open(dir, nil)).Head(ctx)); head.Record.ID != recs[19].ID {
		t.Errorf("HEAD is at %s, want the last record", head.Record.Op)
	}
	data[last.Offset+50] ^= 0x21 // it cannot be
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	h = must[*History](t)(Open(dir, nil))
	_, err := h.Head(ctx)
	wantKind(t, err, Corrupt)
	_, _, err = h.Commit(ctx, []byte("new"), Change{})
	wantKind(t, err, Corrupt)
	found := must[[]Finding](t)(h.Verify(ctx, nil))
	if len(found) != 1 || found[0].Fault != DamagedTransaction || found[0].Offset != last.Offset {
		t.Errorf("verify found %v", found)
	}
	repairs(t, h, "the newest transaction")
	if head := must[Head](t)(h.Head(ctx)); head.Record.ID != recs[18].ID {
		t.Errorf("HEAD is at %s, want the record before the damaged one", head.Record.Op)
	}
	trash := must[[]string](t)(h.folder.List(trashName))
	if len(trash) != 1 {
		t.Fatalf("trash has %q", trash)
	}
	if kept := must[[]byte](t)(storage.ReadFile(h.folder, path.Join(trashName, trash[0]))); !bytes.Equal(kept, data) {
		t.Error("the damaged journal is not in trash")
	}
	commit(t, h, "new")
	wantClean(t, h)
}

func TestDamageToAWholeTextReachesItsNeighboursOnly(t *testing.T) {
	testutil.SkipShort(t)
	t.Parallel()
	m := storage.NewMemory()
	h := must[*History](t)(open(m, &Options{Now: ticking()}))
	s := edittest.New(2, 6)
	if _, err := h.Init(t.Context(), s.State(), Change{}); err != nil {
		t.Fatal(err)
	}
	var recs []Record
	for range 200 {
		recs = append(recs, commit(t, h, string(s.Edit())))
	}
	flip(t, m, journal.Name, headerSize+frameHeaderSize+60, 1)
	flip(t, m, journal.Name, headerSize+frameHeaderSize+70, 1) // one bit alone is found by the checksum
	if err := h.folder.Remove(baselineName); err != nil {
		t.Fatal(err)
	}
	h.clearCaches()
	const maxReach, maxDepth = 64, 8 // of package journal
	lost := 0
	for _, r := range recs {
		if _, err := h.State(t.Context(), r.State); err != nil {
			wantKind(t, err, Corrupt)
			lost++
		}
	}
	if lost == 0 || lost > maxReach+maxDepth+1 {
		t.Errorf("%d of %d states are lost with the first", lost, len(recs))
	}
	flip(t, m, journal.Name, headerSize+frameHeaderSize+70, 1)
	repairs(t, h, "the first transaction")
	if _, total, err := h.Log(t.Context(), LogOptions{}); err != nil || total != 201 {
		t.Errorf("after Repair the log has %d records, %v", total, err)
	}
}

func TestVerifyNamesUnknownFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	h := must[*History](t)(Open(dir, nil))
	begin(t, h)
	for _, name := range []string{"index.tmp", "notes.txt", "trash/20260101T000000.000000000Z-prune"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	faults := map[string]Fault{}
	for _, f := range must[[]Finding](t)(h.Verify(t.Context(), &VerifyOptions{Repair: true})) {
		faults[f.File] = f.Fault
	}
	want := map[string]Fault{
		"index.tmp": TempFile, "notes.txt": UnknownFile, "trash/20260101T000000.000000000Z-prune": DamagedTrash,
	}
	if diff := cmp.Diff(want, faults); diff != "" {
		t.Error(diff)
	}
	if _, err := os.Stat(filepath.Join(dir, "index.tmp")); !os.IsNotExist(err) {
		t.Error("the temporary file is still there")
	}
}
