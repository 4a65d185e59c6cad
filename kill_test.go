package chemigram

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/workspace"
)

// A process that edits is killed at any instant. What it reported
// has happened; at most the verb that it was in has happened, too.
func TestAKilledEditorLosesNothing(t *testing.T) {
	kills := testutil.Repeats(6, 25, 70) // beside the 130 of histories alone, in versioning
	var mu sync.Mutex
	killed, verbs := 0, map[string]int{}
	var group sync.WaitGroup
	const lanes = 4
	for lane := range lanes {
		e := openWithout(t, Options{})
		for _, id := range []ImageID{"a", "b", "c"} {
			add(t, e, id, "5.4.1")
		}
		group.Go(func() {
			r := rand.New(rand.NewPCG(uint64(lane), 5))
			for life := lane; life < kills && !t.Failed(); life += lanes {
				all := killEditor(t, r, life, e.workspace.Root())
				wantReported(t, e.workspace.Root(), all)
				mu.Lock()
				killed++
				for _, one := range all {
					verbs[one.Verb]++
				}
				mu.Unlock()
			}
		})
	}
	group.Wait()
	t.Logf("%d kills after %v", killed, verbs)
	if killed != kills {
		t.Errorf("%d kills, want %d", killed, kills)
	}
	for _, verb := range []string{
		"apply_primitive", "snapshot", "branch", "tag", "delete_ref", "undo", "redo", "reset", "merge", "cherry_pick", "prune",
		"delete_image", "restore_image", "export_bundle", "import_bundle",
	} {
		if kills == 70 && verbs[verb] == 0 {
			t.Errorf("no editor reported %s", verb)
		}
	}
}

// killEditor kills an editor a moment after some verb, and gives what it reported.
// Seventy lives begin with each plan seven times, and are killed after the second
// to the eighth verb.
func killEditor(t *testing.T, r *rand.Rand, life int, root string) (all []report) {
	w := testutil.StartWorker(t, "edit", fmt.Sprint(life), root)
	for one := range testutil.Messages[report](w) {
		if all = append(all, one); len(all) == 2+life/len(plans)%7 {
			time.AfterFunc(time.Duration(r.IntN(5_000))*time.Microsecond, w.Kill)
		}
	}
	if err := w.Wait(); err != nil || len(all) == 0 {
		t.Errorf("editor %d reported %d verbs: %v", life, len(all), err)
	}
	return all
}

// wantReported looks at what an editor left, as a program that starts now finds it.
func wantReported(t *testing.T, root string, all []report) {
	ctx := t.Context()
	e, err := Open(ctx, &Options{Workspace: root, Darktable: filepath.Join(root, "no-darktable-here")})
	if err != nil {
		t.Error(err)
		return
	}
	defer e.Close()
	wantSound(t, e, tornTail)
	last := map[ImageID]report{}
	for _, one := range all {
		last[one.Image] = one
		if one.File != "" {
			if err := workspace.VerifyBundle(ctx, one.File, nil); err != nil {
				t.Errorf("the bundle: %v", err)
			}
		}
	}
	for id, one := range last {
		wantImage(t, e, one)
		if id == "a" || id == "c" {
			wantNames(t, e, id, all)
		}
	}
	wantOnePlace(t, e)
}

// tornTail is what a writer that was killed may leave of a history, and the next one removes.
const tornTail FaultKind = "torn_tail"

// wantSound makes sure that verify finds no fault, but that these images have no
// raw, and what may be left.
func wantSound(t *testing.T, e *Engine, left ...FaultKind) {
	t.Helper()
	found, err := e.Verify(t.Context(), VerifyParams{})
	if err != nil {
		t.Error(err)
	}
	for _, f := range found.Findings {
		if f.Fault != "raw_missing" && !slices.Contains(left, f.Fault) {
			t.Errorf("verify finds %+v", f)
		}
	}
}

// wantImage makes sure that an image is as it was reported last. One verb may have
// been done and not reported: it may have moved the branch by a step, so that the
// look that was reported is one that undo or redo comes to; and it may have moved the
// image to the trash, or "b" back from there.
func wantImage(t *testing.T, e *Engine, last report) {
	t.Helper()
	state, err := e.GetState(t.Context(), GetStateParams{ImageID: last.Image})
	switch {
	case errors.Is(err, ErrNotFound):
		name, err := e.inTrash(last.Image)
		if err != nil || last.Head != "" && name == "" {
			t.Errorf("%s is gone, %v; reported last was %s", last.Image, err, last.Verb)
		}
	case err != nil:
		t.Error(err)
	case last.Head == "":
		if last.Image != "b" {
			t.Errorf("%s is there after %s", last.Image, last.Verb)
		}
	case *state.HeadHash != last.Head && !nearby(t, e, last.Image, last.Head):
		t.Errorf("the look of %s is %.8s; reported after %s was %.8s", last.Image, *state.HeadHash, last.Verb, last.Head)
	}
}

// wantNames makes sure that snapshots and refs are there that were reported.
func wantNames(t *testing.T, e *Engine, id ImageID, all []report) {
	t.Helper()
	img, err := e.image(id)
	if err != nil {
		t.Error(err)
		return
	}
	have, err := img.History.Refs(t.Context())
	if err != nil {
		t.Error(err)
	}
	refs := map[string]bool{}
	for _, ref := range have {
		refs[ref.Name] = true
		if _, err := img.At(t.Context(), ref.Name); err != nil {
			t.Errorf("%s of %s: %v", ref.Name, id, err)
		}
	}
	for _, one := range all {
		if one.Image != id {
			continue
		}
		if one.Hash != "" {
			if _, err := img.At(t.Context(), one.Hash); err != nil {
				t.Errorf("the snapshot of %s: %v", one.Verb, err)
			}
		}
		if one.Ref != "" && !refs[one.Ref] || one.NoRef != "" && refs[one.NoRef] {
			t.Errorf("after %s the ref %s%s is there: %v", one.Verb, one.Ref, one.NoRef, refs[one.Ref])
		}
	}
}

// nearby reports whether a look is one step away.
func nearby(t *testing.T, e *Engine, id ImageID, look string) bool {
	type step = func(context.Context, UndoParams) (UndoResult, error)
	for _, way := range []struct{ there, back step }{{e.Undo, e.Redo}, {e.Redo, e.Undo}} {
		res, err := way.there(t.Context(), UndoParams{ImageID: id})
		if err != nil {
			continue
		}
		if _, err := way.back(t.Context(), UndoParams{ImageID: id}); err != nil {
			t.Error(err)
		}
		if *res.StateAfter.HeadHash == look {
			return true
		}
	}
	return false
}

// wantOnePlace makes sure that "b" is in the workspace or in the trash, and that
// nothing is left over.
func wantOnePlace(t *testing.T, e *Engine) {
	t.Helper()
	_, err := e.GetState(t.Context(), GetStateParams{ImageID: "b"})
	name, trashErr := e.inTrash("b")
	if here := err == nil; trashErr != nil || here != (name == "") {
		t.Errorf("b is here: %v, in the trash as %q, %v", err, name, trashErr)
	}
	left, err := filepath.Glob(filepath.Join(e.workspace.Root(), "images", "*", "history", "*.tmp"))
	if err != nil || len(left) > 0 {
		t.Errorf("%q, %v are left over", left, err)
	}
}
