package workspace

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil/baseline"
	"github.com/chemigram/chemigram/versioning"
	"github.com/chemigram/chemigram/xmp"
)

// editsOf gives edits of new images, whose locks it takes: each gets the look of its
// history without one module, and has an undone edit.
func editsOf(t *testing.T, w *Workspace, ids ...string) (edits []Edit, release func()) {
	t.Helper()
	sidecar, darktable, err := baseline.Parse("5.4.1")
	if err != nil {
		t.Fatal(err)
	}
	var unlocks []func()
	without := func(n int) *xmp.Sidecar {
		entry := sidecar.History()[n]
		next, err := sidecar.With(darktable, xmp.Remove{Operation: entry.Operation, MultiName: entry.MultiName})
		if err != nil {
			t.Fatal(err)
		}
		return next
	}
	for _, id := range ids {
		img := add(t, w, id)
		if _, _, err := img.Commit(t.Context(), without(1), versioning.Change{Op: "first"}); err != nil {
			t.Fatal(err)
		}
		if _, err := img.History.Undo(t.Context()); err != nil {
			t.Fatal(err)
		}
		ctx, unlock, err := img.History.Lock(t.Context(), "test")
		if err != nil {
			t.Fatal(err)
		}
		unlocks = append(unlocks, unlock)
		edits = append(edits, Edit{Image: img, Ctx: ctx, Next: without(2), Change: versioning.Change{Op: "test"}})
	}
	return edits, func() {
		for _, unlock := range unlocks {
			unlock()
		}
	}
}

// wantUntouched makes sure that images are where editsOf left them, and that redo
// leads on from there.
func wantUntouched(t *testing.T, edits []Edit) {
	t.Helper()
	for _, edit := range edits {
		head, err := edit.Image.History.Head(t.Context())
		if err != nil || head.Record.Op != "ingest" {
			t.Errorf("%s is at %q, %v", edit.Image.ImageID, head.Record.Op, err)
		}
		if rec, err := edit.Image.History.Redo(t.Context()); err != nil || rec.Op != "first" {
			t.Errorf("redo of %s leads to %q, %v", edit.Image.ImageID, rec.Op, err)
		}
	}
}

func TestAllEditsArePublishedOrNone(t *testing.T) {
	t.Parallel()
	w := openNew(t)
	edits, release := editsOf(t, w, "a", "b", "c")
	edits[0].Marks = &Marks{Rating: 3}
	edits[2].Change.Expect = versioning.HashOf([]byte("elsewhere"))
	if _, err := w.CommitAll(t.Context(), "test", edits); !errors.Is(err, versioning.Conflict) {
		t.Fatalf("with an edit that cannot be published: %v", err)
	}
	if _, given, err := edits[0].Image.Marks(); given || err != nil {
		t.Errorf("there are marks, %v", err)
	}
	if left, err := os.ReadDir(w.Path(intentFolder)); err != nil || len(left) > 0 {
		t.Errorf("%v, %v are left over", left, err)
	}
	release()
	wantUntouched(t, edits)

	edits, release = editsOf(t, w, "d", "e")
	defer release()
	edits[0].Marks = &Marks{Rating: 3, ColorLabels: []string{"blue", "red"}}
	done, err := w.CommitAll(t.Context(), "test", edits)
	if err != nil || len(done) != 2 || !done[0].Changed || !done[1].Changed {
		t.Fatalf("%+v, %v", done, err)
	}
	if m, _, err := edits[0].Image.Marks(); err != nil || !m.Equal(*edits[0].Marks) {
		t.Errorf("marks are %+v, %v", m, err)
	}
}

// What a process that died has published is taken back by the next that opens one of
// the images, opens the workspace, or waited for a lock.
func TestWhatWasCutOffIsTakenBack(t *testing.T) {
	t.Parallel()
	for name, next := range map[string]func(*Workspace, []Edit) error{
		"workspace": func(w *Workspace, _ []Edit) error { _, err := Open(w.Root(), nil); return err },
		"image":     func(w *Workspace, _ []Edit) error { _, err := w.Image("b"); return err },
		"writer": func(_ *Workspace, edits []Edit) error {
			_, err := edits[1].Image.History.Branch(context.Background(), "side", "")
			return err
		},
	} {
		for published := range 4 {
			w := openNew(t)
			edits, release := editsOf(t, w, "a", "b", "c")
			edits[0].Marks = &Marks{Rating: 3}
			cutOff(t, w, edits, published)
			release()
			if err := next(w, edits); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if names := w.intentNames(); len(names) > 0 {
				t.Errorf("%s: after %d edits %q is there", name, published, names)
			}
			if _, given, err := edits[0].Image.Marks(); given || err != nil {
				t.Errorf("%s: there are marks, %v", name, err)
			}
			wantUntouched(t, edits)
		}
	}
}

// cutOff does what CommitAll does in a process that is killed after a number of edits.
func cutOff(t *testing.T, w *Workspace, edits []Edit, published int) {
	t.Helper()
	in := intent{Verb: "test"}
	for _, edit := range edits {
		change, err := edit.intended()
		if err != nil {
			t.Fatal(err)
		}
		in.Changes = append(in.Changes, change)
	}
	_, release, err := w.declare(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	for _, edit := range edits[:published] {
		if _, err := edit.commit(); err != nil {
			t.Fatal(err)
		}
	}
	release()
}

// An intent holds up nobody for whom there is nothing to take back any more.
func TestAnIntentAboutWhatIsGoneIsForgotten(t *testing.T) {
	t.Parallel()
	w := openNew(t)
	edits, release := editsOf(t, w, "a", "b", "c")
	cutOff(t, w, edits, 3)
	release()
	if err := os.RemoveAll(w.ImageDir("a")); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(w.ImageDir("b")); err != nil {
		t.Fatal(err)
	}
	again := add(t, w, "b")
	if len(w.intentNames()) > 0 {
		t.Error("the intent is there still")
	}
	if head, err := again.History.Head(t.Context()); err != nil || head.Record.Op != "ingest" {
		t.Errorf("the new b is at %q, %v", head.Record.Op, err)
	}
	wantUntouched(t, edits[2:])
}

// An intent whose writer is at work is left alone.
func TestALivingWritersIntentStays(t *testing.T) {
	t.Parallel()
	w := openNew(t)
	edits, release := editsOf(t, w, "a", "b")
	defer release()
	change, err := edits[0].intended()
	if err != nil {
		t.Fatal(err)
	}
	_, done, err := w.declare(t.Context(), intent{Verb: "test", Changes: []intended{change}})
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	other, err := Open(w.Root(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.Image("a"); err != nil || len(w.intentNames()) != 1 {
		t.Errorf("%v, intents are %q", err, w.intentNames())
	}
}
