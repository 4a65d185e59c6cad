package versioning

import (
	"context"
	"errors"
	"testing"
)

func TestACommitThatIsTakenBackLeavesUndoAndRedoAsTheyWere(t *testing.T) {
	everywhere(t, func(t *testing.T, h *History) {
		ctx := t.Context()
		begin(t, h)
		for _, state := range []string{"one", "two", "three"} {
			if _, _, err := h.Commit(ctx, []byte(state), Change{}); err != nil {
				t.Fatal(err)
			}
		}
		must[Record](t)(h.Undo(ctx))
		must[Record](t)(h.Undo(ctx))
		place := must[Place](t)(h.Place(ctx))
		taken, _, err := h.Commit(ctx, []byte("taken back"), Change{})
		if err != nil {
			t.Fatal(err)
		}
		other := place
		other.At++
		for _, p := range []Place{{}, other} {
			if changed, err := h.TakeBack(ctx, p, taken.State); err != nil || changed {
				t.Errorf("at %+v: %t, %v", p, changed, err)
			}
		}
		if changed, err := h.TakeBack(ctx, place, HashOf([]byte("another"))); err != nil || changed {
			t.Errorf("another state: %t, %v", changed, err)
		}
		for _, want := range []bool{true, false} {
			if changed, err := h.TakeBack(ctx, place, taken.State); err != nil || changed != want {
				t.Errorf("taken back %t, %v, want %t", changed, err, want)
			}
		}
		if got := must[Place](t)(h.Place(ctx)); got != place {
			t.Errorf("it is at %+v, was at %+v", got, place)
		}
		for _, want := range []string{"two", "three"} {
			if rec := must[Record](t)(h.Redo(ctx)); rec.State != HashOf([]byte(want)) {
				t.Errorf("redo leads to another state than %q", want)
			}
		}
		if _, err := h.Redo(ctx); !errors.Is(err, NothingToRedo) {
			t.Errorf("redo at the end: %v", err)
		}
		if changed, err := h.TakeBack(ctx, place, taken.State); err != nil || changed {
			t.Errorf("after other movements: %t, %v", changed, err)
		}
		if found := must[[]Finding](t)(h.Verify(ctx, nil)); len(found) > 0 {
			t.Errorf("verify finds %+v", found)
		}
	})
}

func TestWhatIsUnsettledComesBeforeTheLock(t *testing.T) {
	everywhere(t, func(t *testing.T, h *History) {
		ctx := t.Context()
		begin(t, h)
		settled, refused := 0, errors.New("refused")
		h.opts.Locked = func(_ context.Context) (func(context.Context) error, error) {
			if settled > 0 {
				return nil, nil
			}
			return func(ctx context.Context) error {
				settled++
				_, _, err := h.Commit(ctx, []byte("settled"), Change{}) // the lock is free
				return err
			}, nil
		}
		if _, _, err := h.Commit(ctx, []byte("next"), Change{}); err != nil || settled != 1 {
			t.Errorf("settled %d times, %v", settled, err)
		}
		if rec := must[Record](t)(h.Undo(ctx)); rec.State != HashOf([]byte("settled")) {
			t.Error("what was unsettled did not come first")
		}
		h.opts.Locked = func(_ context.Context) (func(context.Context) error, error) { return nil, refused }
		for range 2 { // the second finds the lock free
			if _, _, err := h.Commit(ctx, []byte("last"), Change{}); !errors.Is(err, refused) {
				t.Errorf("%v", err)
			}
		}
	})
}

// A commit onto another record than HEAD's is one movement of the branch.
func TestACommitOntoAnEarlierRecord(t *testing.T) {
	everywhere(t, func(t *testing.T, h *History) {
		first := begin(t, h)
		tip := commit(t, h, "state 1")
		rec, changed, err := h.Commit(t.Context(), []byte("state 2"), Change{Op: "reset", Onto: first.ID.String()})
		if err != nil || !changed || len(rec.Parents) != 1 || rec.Parents[0] != first.ID {
			t.Fatalf("%+v, %v; want a record after the first", rec, err)
		}
		if back, err := h.Undo(t.Context()); err != nil || back.ID != tip.ID {
			t.Errorf("undo leads to %v, %v; want %v", back.ID, err, tip.ID)
		}
		if again, err := h.Redo(t.Context()); err != nil || again.ID != rec.ID {
			t.Errorf("redo leads to %v, %v; want %v", again.ID, err, rec.ID)
		}
		if log, total, err := h.Log(t.Context(), LogOptions{}); err != nil || total != 2 || log[1].ID != first.ID {
			t.Errorf("the log has %d records, %v; want the new one and the first", total, err)
		}
		if findings, err := h.Verify(t.Context(), nil); err != nil || len(findings) > 0 {
			t.Errorf("verify: %v, %v", findings, err)
		}
		if _, _, err := h.Commit(t.Context(), []byte("state 3"), Change{Op: "reset", Onto: "nowhere"}); err == nil {
			t.Error("a commit onto what is not there")
		}
		if _, err := h.Checkout(t.Context(), rec.ID.String()); err != nil {
			t.Fatal(err)
		}
		if _, _, err := h.Commit(t.Context(), []byte("state 2"), Change{Op: "reset", Onto: first.ID.String()}); !errors.Is(err, Detached) {
			t.Errorf("detached: %v", err)
		}
	})
}
