package chemigram

import (
	"errors"
	"slices"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/xmp/mask"
)

func reset(t *testing.T, e *Engine, layers ResetLayers) ResetResult {
	t.Helper()
	res, err := e.Reset(t.Context(), ResetParams{ImageID: "a", Layers: layers})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func bind(t *testing.T, e *Engine, l1, l2 string) BindLayersResult {
	t.Helper()
	res, err := e.BindLayers(t.Context(), BindLayersParams{ImageID: "a", L1Template: l1, L2Template: l2})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func TestAResetKeepsWhatIsBound(t *testing.T) {
	eachBaseline(t, func(t *testing.T, e *Engine) {
		baseline := headHash(t, e)
		bound := bind(t, e, "prepare_hot_pixels", "look_moody")
		edited := *apply(t, e, "exposure", 1).StateAfter.HeadHash

		kept := reset(t, e, "")
		if !kept.Changed || *kept.StateAfter.HeadHash != bound.SnapshotHash || kept.ActiveLook != "look_moody" || len(kept.Replaced) > 0 ||
			kept.StateAfter.LayersPresent != (LayersPresent{L1: true, L2: true}) {
			t.Errorf("reset = %+v, want the state of before the move, %s", kept, bound.SnapshotHash)
		}
		log, err := e.Log(t.Context(), LogParams{ImageID: "a"})
		if err != nil || log.Total != 2 || log.Entries[0].Op != "reset" || log.Entries[1].Op != "ingest" ||
			!slices.Equal(log.Entries[0].Parents, []string{log.Entries[1].Event}) {
			t.Errorf("the log: %+v, %v; want a snapshot after the baseline's", log, err)
		}
		if again := reset(t, e, KeepLayers); again.Changed || *again.StateAfter.HeadHash != bound.SnapshotHash {
			t.Errorf("a second reset: %+v", again)
		}
		undone, err := e.Undo(t.Context(), UndoParams{ImageID: "a"})
		if err != nil || *undone.StateAfter.HeadHash != edited {
			t.Errorf("undo: %+v, %v; want %s", undone, err, edited)
		}
		if _, err := e.Redo(t.Context(), UndoParams{ImageID: "a"}); err != nil {
			t.Error(err)
		}

		dropped := reset(t, e, DropLayers)
		if !dropped.Changed || *dropped.StateAfter.HeadHash != baseline || dropped.StateAfter.LayersPresent != (LayersPresent{}) ||
			!slices.Equal(dropped.Replaced, []string{"look_moody"}) {
			t.Errorf("a reset that drops layers: %+v, want the baseline %s", dropped, baseline)
		}
	})
}

// Also where a move of taste has set the same modules, and whatever was set by hand.
func TestAResetKeepsEachTemplateAsItWasBound(t *testing.T) {
	testutil.SkipShort(t)
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	shared := 0
	for _, layer := range []vocab.Layer{vocab.L1, vocab.L2} {
		for _, template := range testutil.Drawn(t, e.vocabulary.List(vocab.Filter{Layer: layer}), 12) {
			reset(t, e, DropLayers)
			params := BindLayersParams{ImageID: "a", L1Template: template.Name}
			if layer == vocab.L2 {
				params.L1Template, params.L2Template = "", template.Name
			}
			bound, err := e.BindLayers(t.Context(), params)
			if errors.Is(err, ErrNotImplemented) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, move := range e.vocabulary.List(vocab.Filter{Layer: vocab.L3}) {
				if slices.ContainsFunc(move.Touches(), func(m string) bool { return slices.Contains(template.Touches(), m) }) {
					if _, err := e.ApplyPrimitive(t.Context(), ApplyPrimitiveParams{ImageID: "a", PrimitiveName: move.Name}); err == nil {
						shared++
					}
				}
			}
			if res := reset(t, e, KeepLayers); *res.StateAfter.HeadHash != bound.SnapshotHash {
				t.Errorf("%s is another look after moves and a reset", template.Name)
			}
		}
	}
	if shared < 20 {
		t.Errorf("%d moves share a module with a template", shared)
	}

	bound := bind(t, e, "prepare_noise_low_iso", "look_moody")
	if _, err := e.SetParameters(t.Context(), SetParametersParams{
		ImageID: "a", ModuleName: "denoiseprofile", Fields: []FieldSetting{{Name: "strength", Value: "3"}},
	}); err != nil {
		t.Fatal(err)
	}
	if res := reset(t, e, KeepLayers); *res.StateAfter.HeadHash != bound.SnapshotHash {
		t.Error("what was set by hand in a template's module is there after a reset")
	}
}

// A look at half its strength, and one within a mask, are as they were.
func TestAResetKeepsLooksAsTheyWereApplied(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	half := Strength(0.5)
	applyLook(t, e, ApplyPrimitiveParams{PrimitiveName: "look_moody", Strength: &half})
	shadows := &mask.Spec{Name: "shadows"}
	within := ""
	for _, entry := range e.vocabulary.List(vocab.Filter{Layer: vocab.L2}) {
		res, err := e.ApplyPrimitive(t.Context(), ApplyPrimitiveParams{ImageID: "a", PrimitiveName: entry.Name, Mask: shadows})
		if err == nil {
			within = *res.StateAfter.HeadHash
			break
		}
	}
	if within == "" {
		t.Fatal("no look can be within a mask")
	}
	apply(t, e, "exposure", 0.5)
	applyLook(t, e, ApplyPrimitiveParams{PrimitiveName: "exposure", Mask: shadows})
	if res := reset(t, e, ""); *res.StateAfter.HeadHash != within {
		t.Errorf("reset = %+v, want the looks alone", res)
	}
}

func TestAResetOfADetachedHEADIsRefused(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	bound := bind(t, e, "", "look_moody")
	if _, err := e.Checkout(t.Context(), CheckoutParams{ImageID: "a", RefOrHash: RefOrHash(bound.Event)}); err != nil {
		t.Fatal(err)
	}
	for _, layers := range []ResetLayers{KeepLayers, DropLayers} {
		if _, err := e.Reset(t.Context(), ResetParams{ImageID: "a", Layers: layers}); !errors.Is(err, ErrVersioning) {
			t.Errorf("%s: %v", layers, err)
		}
	}
	if _, err := e.Reset(t.Context(), ResetParams{ImageID: "a", Layers: "some"}); !errors.Is(err, ErrInvalidInput) {
		t.Errorf("layers some: %v", err)
	}
}
