package chemigram

import (
	"errors"
	"strings"
	"testing"
)

// TestAMillionLettersAreRefusedAtTheDoor gives them as every kind of name.
func TestAMillionLettersAreRefusedAtTheDoor(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	ctx := t.Context()
	long := strings.Repeat("x", 1_000_000)
	before := headHash(t, e)
	for name, call := range map[string]func() error{
		"image_id": func() error { _, err := e.GetState(ctx, GetStateParams{ImageID: ImageID(long)}); return err },
		"ref": func() error {
			_, err := e.Checkout(ctx, CheckoutParams{ImageID: "a", RefOrHash: RefOrHash(long)})
			return err
		},
		"label":  func() error { _, err := e.Snapshot(ctx, SnapshotParams{ImageID: "a", Label: long}); return err },
		"branch": func() error { _, err := e.Branch(ctx, BranchParams{ImageID: "a", Name: long}); return err },
		"tag":    func() error { _, err := e.Tag(ctx, TagParams{ImageID: "a", Name: long}); return err },
		"primitive_name": func() error {
			_, err := e.ApplyPrimitive(ctx, ApplyPrimitiveParams{ImageID: "a", PrimitiveName: long})
			return err
		},
		"values": func() error {
			_, err := e.ApplyPrimitive(ctx, ApplyPrimitiveParams{ImageID: "a", PrimitiveName: "exposure", Values: map[string]float64{long: 1}})
			return err
		},
		"mask": func() error {
			_, err := e.PreviewMask(ctx, PreviewMaskParams{ImageID: "a", Mask: Mask{File: long}})
			return err
		},
		"module_name": func() error {
			_, err := e.RemoveModule(ctx, RemoveModuleParams{ImageID: "a", ModuleName: long})
			return err
		},
		"instance": func() error { _, err := set(t, e, "exposure", long, "exposure", "1"); return err },
		"field":    func() error { _, err := set(t, e, "exposure", "", long, "1"); return err },
		"value":    func() error { _, err := set(t, e, "exposure", "", "exposure", long); return err },
		"notes": func() error {
			_, err := e.ProposeNotesUpdate(ctx, ProposeNotesUpdateParams{ImageID: "a", Content: long})
			return err
		},
		"gap": func() error {
			_, err := e.LogVocabularyGap(ctx, LogVocabularyGapParams{ImageID: "a", Description: long, Workaround: "none"})
			return err
		},
		"reason": func() error { _, err := e.DeleteImage(ctx, DeleteImageParams{ImageID: "a", Reason: long}); return err },
		"query":  func() error { _, err := e.ListMasks(ctx, ListMasksParams{Query: long}); return err },
		"path":   func() error { _, err := e.Ingest(ctx, IngestParams{RawPath: "/" + long}); return err },
		"variants": func() error {
			_, err := e.RenderVariants(ctx, RenderVariantsParams{ImageID: "a", Variants: []Variant{{Name: long}, {Name: "b"}}})
			return err
		},
	} {
		err := call()
		failure, ok := errors.AsType[*Error](err)
		if !ok || failure.Code != ErrInvalidInput || len(failure.Error()) > 2000 {
			t.Errorf("%s: %.300v, want a short invalid_input", name, err)
		}
	}
	if headHash(t, e) != before {
		t.Error("a refused call has changed the edit")
	}
}
