package chemigram

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
)

// longHistory makes image "a" with 30 snapshots, each of another look, and moves of refs
// between them; it gives the log, newest first.
func longHistory(t *testing.T, e *Engine) []LogEntry {
	t.Helper()
	add(t, e, "a", "5.4.1")
	add(t, e, "whole", "5.4.1")
	ctx := t.Context()
	for i := range 29 {
		apply(t, e, "exposure", float64(i+1)/20)
		var err error
		switch i {
		case 7:
			_, err = e.Tag(ctx, TagParams{ImageID: "a", Name: "early"})
		case 13:
			_, err = e.Branch(ctx, BranchParams{ImageID: "a", Name: "side"})
		case 20:
			_, err = e.Undo(ctx, UndoParams{ImageID: "a"})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	log, err := e.Log(ctx, LogParams{ImageID: "a", Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	return log.Entries
}

// Whatever bit of a history is flipped, what can be read is read by every verb, what
// cannot is told, and nothing is told wrongly.
func TestEveryVerbReadsAroundAFlippedBit(t *testing.T) {
	testutil.SkipShort(t)
	for _, index := range []bool{true, false} {
		t.Run(fmt.Sprintf("index %t", index), func(t *testing.T) {
			e := openWithout(t, Options{})
			log := longHistory(t, e)
			dir := filepath.Join(e.workspace.ImageDir("a"), "history")
			journal, err := os.ReadFile(filepath.Join(dir, "journal"))
			if err != nil {
				t.Fatal(err)
			}
			head := headHash(t, e)
			at := frames(journal)
			r := testutil.Random(t)
			all := len(at) - 1
			for _, frame := range append(r.Perm(all)[:testutil.Repeats(1, 4, 4)], 0, all-1) {
				if !index {
					if err := os.Remove(filepath.Join(dir, "index")); err != nil && !errors.Is(err, fs.ErrNotExist) {
						t.Fatal(err)
					}
				}
				broken := slices.Clone(journal)
				offset := at[frame] + r.IntN(at[frame+1]-at[frame])
				broken[offset] ^= 1 << r.IntN(8)
				if err := os.WriteFile(filepath.Join(dir, "journal"), broken, 0o600); err != nil {
					t.Fatal(err)
				}
				checkReads(t, openWithout(t, Options{Workspace: e.workspace.Root()}), log, head)
				if t.Failed() {
					t.Fatalf("with a bit of byte %d flipped, of frame %d of %d", offset, frame+1, len(at)-1)
				}
			}
		})
	}
}

// checkReads asks every verb that reads for all that is in a history of which one bit is
// wrong.
func checkReads(t *testing.T, e *Engine, want []LogEntry, head string) {
	t.Helper()
	ctx := t.Context()
	log, err := e.Log(ctx, LogParams{ImageID: "a", Limit: 100})
	if err != nil {
		t.Errorf("log: %v", err)
		return
	}
	var damaged int
	listed := map[string]bool{}
	for _, got := range log.Entries {
		listed[got.Event] = true
		i := slices.IndexFunc(want, func(w LogEntry) bool { return w.Event == got.Event })
		switch {
		case i < 0 && (got.Event != "" || !got.Damaged):
			t.Errorf("the log lists %+v, which never was", got)
		case got.Damaged:
			if damaged++; i >= 0 && got.Time != "" && got.Time != want[i].Time {
				t.Errorf("the log lists %+v for %+v", got, want[i])
			}
		case got.Hash != want[i].Hash || got.Op != want[i].Op || got.Time != want[i].Time:
			t.Errorf("the log lists %+v for %+v", got, want[i])
		}
	}
	if damaged > 9 { // one, and those whose texts are differences from it
		t.Errorf("%d of %d snapshots are damaged", damaged, len(want))
	}
	if damaged > 0 && len(log.Problems) < damaged {
		t.Errorf("%d snapshots are damaged, and the problems are %q", damaged, log.Problems)
	}
	var read []string
	asked := slices.Concat(want[:4], want[len(want)-3:])
	for _, w := range asked {
		state, err := e.DescribeState(ctx, DescribeStateParams{ImageID: "a", RefOrHash: RefOrHash(w.Event)})
		if err == nil && *state.State.HeadHash == w.Hash {
			read = append(read, w.Event)
		} else if !errors.Is(err, ErrVersioning) {
			t.Errorf("describe_state of %s: %v", w.Event, err)
		}
		if !listed[w.Event] && err == nil {
			t.Errorf("%s can be read, and the log does not list it", w.Event)
		}
	}
	if len(read) < 2 {
		t.Errorf("%d of %d snapshots can be read", len(read), len(asked))
		return
	}
	if _, err := e.Diff(ctx, DiffParams{ImageID: "a", HashA: RefOrHash(read[0]), HashB: RefOrHash(read[len(read)-1])}); err != nil {
		t.Errorf("diff of the newest and the oldest that can be read: %v", err)
	}
	now, err := e.GetState(ctx, GetStateParams{ImageID: "a"})
	if err != nil && !errors.Is(err, ErrVersioning) || err == nil && *now.HeadHash != head {
		t.Errorf("get_state: %v, %v", now.HeadHash, err)
	}
	images, listErr := e.ListImages(ctx, ListImagesParams{})
	if listErr != nil || len(images.Images) != 2 {
		t.Fatalf("list_images: %+v, %v", images, listErr)
	}
	if got := images.Images[0]; (got.Problem == "") != (err == nil) || got.Problem == "" && got.HeadHash != head || images.Images[1].Problem != "" {
		t.Errorf("list_images: %+v, and get_state: %v", images.Images, err)
	}
	if context, err := e.ReadContext(ctx, ReadContextParams{ImageID: "a"}); err != nil || len(context.RecentLog) == 0 {
		t.Errorf("read_context: %v", err)
	}
	if _, err := e.ExportBundle(ctx, ExportBundleParams{ImageID: "a"}); !errors.Is(err, ErrVersioning) {
		t.Errorf("export_bundle: %v", err)
	}
	if found, err := e.Verify(ctx, VerifyParams{ImageID: "a"}); err != nil || len(found.Findings) == 0 {
		t.Errorf("verify finds %v, %v", found.Findings, err)
	}
}

// Undo steps over snapshots that cannot be read, and checkout goes to all others, where
// it is known what the branches name.
func TestUndoAndCheckoutGoOnAtADamagedSnapshot(t *testing.T) {
	e := openWithout(t, Options{})
	log := longHistory(t, e)
	damageJournal(t, e, func(journal []byte, at []int) []byte {
		clear(journal[at[12]+40 : at[12]+60])
		return journal
	})
	e = openWithout(t, Options{Workspace: e.workspace.Root()})
	seen, err := e.Log(t.Context(), LogParams{ImageID: "a", Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	var whole []string
	for _, entry := range seen.Entries {
		if !entry.Damaged {
			whole = append(whole, entry.Hash)
		}
	}
	if len(seen.Entries) != len(log) || len(whole) == len(log) {
		t.Fatalf("%d of %d snapshots are whole, of %d", len(whole), len(seen.Entries), len(log))
	}
	for _, hash := range whole[1:] {
		undone, err := e.Undo(t.Context(), UndoParams{ImageID: "a"})
		if err != nil || *undone.StateAfter.HeadHash != hash {
			t.Fatalf("undo leads to %v, %v; want %s", undone.StateAfter.HeadHash, err, hash)
		}
	}
	for _, hash := range whole {
		if _, err := e.Checkout(t.Context(), CheckoutParams{ImageID: "a", RefOrHash: RefOrHash(hash)}); err != nil {
			t.Errorf("checkout: %v", err)
		}
	}
}
