package chemigram

import (
	"errors"
	"testing"
)

func TestUndoBringsBackWhatAResetLeft(t *testing.T) {
	eachBaseline(t, func(t *testing.T, e *Engine) {
		baseline := headHash(t, e)
		edited := *apply(t, e, "exposure", 1).StateAfter.HeadHash
		reset, err := e.Reset(t.Context(), ResetParams{ImageID: "a"})
		if err != nil || !reset.Changed || *reset.StateAfter.HeadHash != baseline {
			t.Fatalf("reset = %+v, %v; want the baseline", reset, err)
		}
		for _, step := range []struct {
			name string
			do   func() (UndoResult, error)
			want string
		}{
			{"undo the reset", func() (UndoResult, error) { return e.Undo(t.Context(), UndoParams{ImageID: "a"}) }, edited},
			{"undo the edit", func() (UndoResult, error) { return e.Undo(t.Context(), UndoParams{ImageID: "a"}) }, baseline},
			{"redo the edit", func() (UndoResult, error) { return e.Redo(t.Context(), UndoParams{ImageID: "a"}) }, edited},
			{"redo the reset", func() (UndoResult, error) { return e.Redo(t.Context(), UndoParams{ImageID: "a"}) }, baseline},
		} {
			res, err := step.do()
			if err != nil {
				t.Fatalf("%s: %v", step.name, err)
			}
			if *res.StateAfter.HeadHash != step.want {
				t.Errorf("%s: state %.8s, want %.8s", step.name, *res.StateAfter.HeadHash, step.want)
			}
		}
		if _, err := e.Redo(t.Context(), UndoParams{ImageID: "a"}); !errors.Is(err, ErrVersioning) {
			t.Errorf("redo with nothing left: err = %v, want versioning_error", err)
		}
	})
}
