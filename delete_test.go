package chemigram

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestADeletedImageIsInTheTrashUntilItIsOld(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	add(t, e, "b", "5.4.1")
	look := *apply(t, e, "exposure", 1).StateAfter.HeadHash
	ctx := WithActor(t.Context(), "someone")
	gone, err := e.DeleteImage(ctx, DeleteImageParams{ImageID: "a", Reason: "out of focus"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.GetState(ctx, GetStateParams{ImageID: "a"}); !errors.Is(err, ErrNotFound) {
		t.Errorf("a deleted image answers %v", err)
	}
	list, err := e.ListTrash(ctx, ListTrashParams{})
	if err != nil {
		t.Fatal(err)
	}
	if list.Total != 1 || list.Images[0].TrashName != gone.TrashName || list.Images[0].Actor != "someone" || list.Images[0].Reason != "out of focus" {
		t.Errorf("the trash lists %+v", list)
	}
	month := Days(30)
	if done, err := e.Prune(ctx, PruneParams{OlderThanDays: &month, Reason: "out of focus"}); err != nil || len(done.TrashRemoved) > 0 {
		t.Errorf("prune removed %q, %v though it is younger than 30 days", done.TrashRemoved, err)
	}

	back, err := e.RestoreImage(ctx, RestoreImageParams{TrashName: gone.TrashName})
	if err != nil || back.ImageID != "a" || back.RawFound {
		t.Fatalf("restored %+v, %v", back, err)
	}
	if got := headHash(t, e); got != look {
		t.Errorf("the restored look is %.8s, want %.8s", got, look)
	}
	if found, err := e.Verify(ctx, VerifyParams{ImageID: "a"}); err != nil || len(found.Findings) != 1 || found.Findings[0].Fault != "raw_missing" {
		t.Errorf("verify of the restored image finds %+v, %v", found.Findings, err)
	}

	if gone, err = e.DeleteImage(ctx, DeleteImageParams{ImageID: "a", Reason: "out of focus"}); err != nil {
		t.Fatal(err)
	}
	now := Days(0)
	done, err := e.Prune(ctx, PruneParams{OlderThanDays: &now, Reason: "out of focus"})
	if err != nil || len(done.TrashRemoved) != 1 || done.TrashRemoved[0] != string(gone.TrashName) {
		t.Errorf("prune of everything removed %q, %v", done.TrashRemoved, err)
	}
	if _, err := e.RestoreImage(ctx, RestoreImageParams{TrashName: gone.TrashName}); !errors.Is(err, ErrNotFound) {
		t.Errorf("what was removed for good answers %v", err)
	}
}

func TestWhatCanLoseSomethingDemandsAReason(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	for name, call := range map[string]func() error{
		"delete_ref":   func() error { _, err := e.DeleteRef(t.Context(), DeleteRefParams{ImageID: "a", Name: "x"}); return err },
		"delete_image": func() error { _, err := e.DeleteImage(t.Context(), DeleteImageParams{ImageID: "a"}); return err },
		"prune":        func() error { _, err := e.Prune(t.Context(), PruneParams{Reason: " \n"}); return err },
	} {
		failure, ok := errors.AsType[*Error](call())
		if !ok || failure.Code != ErrPermission || failure.Details["violation"] != "missing_reason" {
			t.Errorf("%s without a reason says %v", name, failure)
		}
	}
}

// An interrupting context calls something the first time it is asked whether it has ended.
type interrupting struct {
	context.Context
	call func()
}

func (i interrupting) Err() error {
	i.call()
	return i.Context.Err()
}

func TestPrunePassesOverWhatIsDeletedMeanwhile(t *testing.T) {
	e := openWithout(t, Options{})
	for _, id := range []ImageID{"a", "b", "c"} {
		add(t, e, id, "5.4.1")
	}
	deleted := sync.OnceFunc(func() {
		if _, err := e.DeleteImage(t.Context(), DeleteImageParams{ImageID: "b", Reason: "out of focus"}); err != nil {
			t.Error(err)
		}
	})
	month := Days(30)
	done, err := e.Prune(interrupting{t.Context(), deleted}, PruneParams{OlderThanDays: &month, Reason: "space"})
	if err != nil || len(done.Problems) > 0 {
		t.Errorf("prune says %+v, %v of an image that was deleted meanwhile", done, err)
	}
	if _, err := e.GetState(t.Context(), GetStateParams{ImageID: "b"}); !errors.Is(err, ErrNotFound) {
		t.Errorf("the deleted image answers %v", err)
	}
}

func TestDeletingARefKeepsItsSnapshotsUntilPrune(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	ctx := t.Context()
	edit := apply(t, e, "exposure", 1)
	if _, err := e.Tag(ctx, TagParams{ImageID: "a", Name: "try"}); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Reset(ctx, ResetParams{ImageID: "a"}); err != nil {
		t.Fatal(err)
	}
	ref, err := e.DeleteRef(ctx, DeleteRefParams{ImageID: "a", Name: "try", Reason: "not wanted"})
	if err != nil || ref.Ref != "refs/tags/try" || ref.Hash != edit.SnapshotHash || ref.Event != edit.Event {
		t.Fatalf("deleted %+v, %v", ref, err)
	}
	for _, kept := range []string{"main", "baseline"} {
		if _, err := e.DeleteRef(ctx, DeleteRefParams{ImageID: "a", Name: kept, Reason: "not wanted"}); !errors.Is(err, ErrVersioning) {
			t.Errorf("deleting %s says %v", kept, err)
		}
	}
	if _, err := e.DeleteRef(ctx, DeleteRefParams{ImageID: "a", Name: "try", Reason: "not wanted"}); !errors.Is(err, ErrNotFound) {
		t.Errorf("deleting it twice says %v", err)
	}
	if done, err := e.Prune(ctx, PruneParams{ImageID: "a", Reason: "not wanted"}); err != nil || done.Snapshots != 0 {
		t.Fatalf("prune took %+v, %v of what was used today", done, err)
	}
	if headOf(t, e, RefOrHash(edit.Event)) != *edit.StateAfter.HeadHash {
		t.Error("the snapshot of the deleted tag is not there")
	}
	now := Days(0)
	done, err := e.Prune(ctx, PruneParams{ImageID: "a", OlderThanDays: &now, Reason: "not wanted"})
	if err != nil || done.Snapshots != 1 || done.FreedBytes <= 0 {
		t.Errorf("prune took %+v, %v; want the one snapshot", done, err)
	}
	if _, err := e.Diff(ctx, DiffParams{ImageID: "a", HashA: RefOrHash(edit.Event), HashB: "HEAD"}); !errors.Is(err, ErrNotFound) {
		t.Errorf("what was pruned answers %v", err)
	}
}

func TestARestoreDoesNotReplaceAnImage(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	ctx := t.Context()
	gone, err := e.DeleteImage(ctx, DeleteImageParams{ImageID: "a", Reason: "not wanted"})
	if err != nil {
		t.Fatal(err)
	}
	add(t, e, "A", "5.4.1")
	if _, err := e.RestoreImage(ctx, RestoreImageParams{TrashName: gone.TrashName}); !errors.Is(err, ErrState) {
		t.Errorf("a restore onto another image says %v", err)
	}
	_, err = e.RestoreImage(ctx, RestoreImageParams{TrashName: "20260101T000000.000000000Z-a"})
	if failure, _ := errors.AsType[*Error](err); failure == nil || failure.Code != ErrNotFound || !strings.Contains(failure.Message, string(gone.TrashName)) {
		t.Errorf("a wrong name says %v", err)
	}
	for _, name := range []TrashName{"../images/A", "a", ""} {
		if _, err := e.RestoreImage(ctx, RestoreImageParams{TrashName: name}); !errors.Is(err, ErrInvalidInput) {
			t.Errorf("restoring %q says %v", name, err)
		}
	}
}

// Whoever edits while the image is deleted either comes first, or is told that
// it is gone; nothing half is left in its place.
func TestDeletingAnImageUnderItsEditors(t *testing.T) {
	e := openWithout(t, Options{})
	ctx := t.Context()
	for range 2 {
		add(t, e, "a", "5.4.1")
		var group sync.WaitGroup
		edits := make([]int, 3)
		for w := range edits {
			group.Go(func() {
				for ; ; edits[w]++ {
					value := 0.0005 * float64(1+w*1500+edits[w]%1500)
					_, err := e.ApplyPrimitive(ctx, ApplyPrimitiveParams{ImageID: "a", PrimitiveName: "exposure", Value: &value})
					if errors.Is(err, ErrNotFound) || errors.Is(err, ErrState) {
						return
					}
					if err != nil {
						t.Errorf("an editor is told %v", err)
						return
					}
				}
			})
		}
		gone, err := e.DeleteImage(ctx, DeleteImageParams{ImageID: "a", Reason: "not wanted"})
		if err != nil {
			t.Fatal(err)
		}
		group.Wait()
		if _, err := os.Stat(e.workspace.ImageDir("a")); err == nil {
			t.Fatal("an editor made the folder again")
		}
		if _, err := e.RestoreImage(ctx, RestoreImageParams{TrashName: gone.TrashName}); err != nil {
			t.Fatal(err)
		}
		log, err := e.Log(ctx, LogParams{ImageID: "a", Limit: 500})
		want := 1
		for _, n := range edits {
			want += n
		}
		if err != nil || log.Total != want {
			t.Errorf("%d snapshots, %v; want %d: all that were acknowledged", log.Total, err, want)
		}
		if _, err := e.DeleteImage(ctx, DeleteImageParams{ImageID: "a", Reason: "not wanted"}); err != nil {
			t.Fatal(err)
		}
	}
	if left, err := filepath.Glob(e.workspace.Path("images", "*")); err != nil || len(left) > 0 {
		t.Errorf("%q, %v are left", left, err)
	}
}
