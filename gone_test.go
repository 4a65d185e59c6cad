package chemigram

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/baseline"
)

// comeAndGo deletes an image and brings it back until it is killed.
func comeAndGo(args []string) error {
	ctx := context.Background()
	e, err := Open(ctx, &Options{Workspace: args[0], Darktable: filepath.Join(args[0], "no-darktable-here")})
	if err != nil {
		return err
	}
	for {
		gone, err := e.DeleteImage(ctx, DeleteImageParams{ImageID: "a", Reason: "a test"})
		if err != nil {
			return err
		}
		if _, err := e.RestoreImage(ctx, RestoreImageParams{TrashName: gone.TrashName}); err != nil {
			return err
		}
		fmt.Println("{}")
	}
}

// verbsOn are verbs that do well on an image that is there.
func verbsOn(e *Engine) map[string]func(context.Context, ImageID) error {
	value := 0.1
	stars := Rating(3)
	return map[string]func(context.Context, ImageID) error{
		"get_state": func(ctx context.Context, id ImageID) error {
			_, err := e.GetState(ctx, GetStateParams{ImageID: id})
			return err
		},
		"describe_state": func(ctx context.Context, id ImageID) error {
			_, err := e.DescribeState(ctx, DescribeStateParams{ImageID: id})
			return err
		},
		"log": func(ctx context.Context, id ImageID) error {
			_, err := e.Log(ctx, LogParams{ImageID: id})
			return err
		},
		"diff": func(ctx context.Context, id ImageID) error {
			_, err := e.Diff(ctx, DiffParams{ImageID: id, HashA: "baseline", HashB: "HEAD"})
			return err
		},
		"apply_primitive": func(ctx context.Context, id ImageID) error {
			value = -value
			_, err := e.ApplyPrimitive(ctx, ApplyPrimitiveParams{ImageID: id, PrimitiveName: "exposure", Value: &value})
			return err
		},
		"snapshot": func(ctx context.Context, id ImageID) error {
			_, err := e.Snapshot(ctx, SnapshotParams{ImageID: id, Label: "x"})
			return err
		},
		"undo and redo": func(ctx context.Context, id ImageID) error {
			// There is always something to undo, also when a redo before missed the image.
			if _, err := e.Snapshot(ctx, SnapshotParams{ImageID: id, Label: "y"}); err != nil {
				return err
			}
			if _, err := e.Undo(ctx, UndoParams{ImageID: id}); err != nil {
				return err
			}
			_, err := e.Redo(ctx, UndoParams{ImageID: id})
			return err
		},
		"checkout": func(ctx context.Context, id ImageID) error {
			_, err := e.Checkout(ctx, CheckoutParams{ImageID: id, RefOrHash: "main"})
			return err
		},
		"set_rating": func(ctx context.Context, id ImageID) error {
			stars = 3 - stars
			_, err := e.SetRating(ctx, SetRatingParams{ImageID: id, Rating: &stars})
			return err
		},
		"read_context": func(ctx context.Context, id ImageID) error {
			_, err := e.ReadContext(ctx, ReadContextParams{ImageID: id})
			return err
		},
		"read_sidecar": func(ctx context.Context, id ImageID) error {
			_, err := e.ReadSidecar(ctx, ReadSidecarParams{ImageID: id})
			return err
		},
		"verify": func(ctx context.Context, id ImageID) error {
			_, err := e.Verify(ctx, VerifyParams{ImageID: id})
			return err
		},
		"propose_notes_update": func(ctx context.Context, id ImageID) error {
			res, err := e.ProposeNotesUpdate(ctx, ProposeNotesUpdateParams{ImageID: id, Content: "x"})
			if err == nil {
				_, err = e.DeclineProposal(ctx, DeclineProposalParams{res.ProposalID})
			}
			return err
		},
		"propagate_state": func(ctx context.Context, id ImageID) error {
			_, err := e.PropagateState(ctx, PropagateStateParams{ImageID: "source", Targets: []ImageID{id}, AllOrNothing: true})
			return err
		},
		"propagate_state, one by one": func(ctx context.Context, id ImageID) error {
			res, err := e.PropagateState(ctx, PropagateStateParams{ImageID: "source", Targets: []ImageID{id}})
			if err == nil && res.Failed > 0 {
				err = res.Outcomes[0].ErrorCode
			}
			return err
		},
	}
}

// Whatever a verb meets of an image that another process deletes meanwhile, it says that
// the image is not there.
func TestAnImageThatIsDeletedMeanwhileIsNotFound(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "source", "5.4.1")
	add(t, e, "a", "5.4.1")
	apply(t, e, "exposure", 0.5)
	w := testutil.StartWorker(t, "come and go", e.workspace.Root())
	verbs := verbsOn(e)
	missed, rounds, most := 0, 0, 60
	if testing.Short() {
		most = 15
	}
	for range testutil.Messages[struct{}](w) {
		if rounds == most || t.Failed() {
			w.Kill() // what it has written until then is still read
			continue
		}
		rounds++
		for name, verb := range verbs {
			if err := verb(t.Context(), "a"); errors.Is(err, ErrNotFound) {
				missed++
			} else if err != nil {
				t.Errorf("%s: %v, want not_found or no error", name, err)
			}
		}
	}
	if err := w.Wait(); err != nil {
		t.Error(err)
	}
	t.Logf("%d rounds of %d verbs, %d times it was not there", rounds, len(verbs), missed)
}

// A verb that waited for an image's lock, while it was deleted and another came in its
// place, does nothing to the other.
func TestAVerbDoesNotEditAnotherImageOfTheSameID(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	old, err := e.image("a")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.DeleteImage(t.Context(), DeleteImageParams{ImageID: "a", Reason: "a test"}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := old.History.Lock(t.Context(), "test"); err == nil {
		t.Error("the lock of a deleted image was given")
	}
	sidecar, _, err := baseline.Parse("5.4.1")
	if err != nil {
		t.Fatal(err)
	}
	file := old.File
	file.Raw.SHA256 = "another"
	if err := register(t.Context(), e, file, sidecar.Canonical()); err != nil {
		t.Fatal(err)
	}
	if _, err := old.History.Branch(t.Context(), "side", ""); err == nil {
		t.Error("the other image was edited")
	}
}
