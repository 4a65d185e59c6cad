package chemigram

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every invalid_input has violations, whose pointers name what the caller gave.
func TestEveryInvalidInputPointsAtAnArgument(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	ctx := t.Context()
	value := 50.0
	half := Strength(0.5)
	for name, c := range map[string]struct {
		call func() error
		want string
	}{
		"a value": {func() error {
			_, err := e.ApplyPrimitive(ctx, ApplyPrimitiveParams{ImageID: "a", PrimitiveName: "exposure", Value: &value})
			return err
		}, "/value"},
		"values": {func() error {
			_, err := e.ApplyPrimitive(ctx, ApplyPrimitiveParams{ImageID: "a", PrimitiveName: "exposure", Values: map[string]float64{"ev": 50}})
			return err
		}, "/values/ev"},
		"a name among values": {func() error {
			_, err := e.ApplyPrimitive(ctx, ApplyPrimitiveParams{ImageID: "a", PrimitiveName: "exposure", Values: map[string]float64{"stops": 1}})
			return err
		}, "/values/stops"},
		"a region's value": {func() error {
			_, err := e.ApplyPerRegion(ctx, ApplyPerRegionParams{ImageID: "a", PrimitiveName: "exposure", Regions: []RegionMove{
				{Mask: Mask{Name: "shadows"}, Strength: &half}, {Mask: Mask{Name: "highlights"}, Value: &value},
			}})
			return err
		}, "/regions/1/value"},
		"a region's move": {func() error {
			_, err := e.ApplyPerRegion(ctx, ApplyPerRegionParams{ImageID: "a", Regions: []RegionMove{{Mask: Mask{Name: "shadows"}}}})
			return err
		}, "/regions/0/primitive_name"},
		"a variant's value": {func() error {
			_, err := e.RenderVariants(ctx, RenderVariantsParams{ImageID: "a", Variants: []Variant{
				{Name: "x", Moves: []VariantMove{{PrimitiveName: "contrast"}, {PrimitiveName: "exposure", Value: &value}}},
			}})
			return err
		}, "/variants/0/moves/1/value"},
		"a series of values": {func() error {
			_, err := e.RenderVariants(ctx, RenderVariantsParams{ImageID: "a", PrimitiveName: "exposure", Values: []float64{0.5, 50}})
			return err
		}, "/parameter_values/1"},
		"a layer": {func() error {
			_, err := e.BindLayers(ctx, BindLayersParams{ImageID: "a", L2Template: "exposure"})
			return err
		}, "/l2_template"},
		"nothing to bind": {func() error { _, err := e.BindLayers(ctx, BindLayersParams{ImageID: "a"}); return err }, ""},
		"a branch's name": {func() error { _, err := e.Branch(ctx, BranchParams{ImageID: "a", Name: "a..b"}); return err }, "/name"},
		"a tag's name":    {func() error { _, err := e.Tag(ctx, TagParams{ImageID: "a", Name: "a b"}); return err }, "/name"},
		"a region": {func() error {
			_, err := e.ImageStats(ctx, ImageStatsParams{ImageID: "a", Region: &Region{X: 0.5, Width: 0.9, Height: 1}})
			return err
		}, "/region"},
		"the baseline's change": {func() error {
			_, err := e.CherryPick(ctx, CherryPickParams{ImageID: "a", Event: "baseline"})
			return err
		}, "/event"},
		"a spot without a place": {func() error { _, err := e.ApplySpot(ctx, ApplySpotParams{ImageID: "a"}); return err }, ""},
		"no sidecar": {func() error {
			path := filepath.Join(t.TempDir(), "a.xmp")
			if err := os.WriteFile(path, []byte("<x/>"), 0o600); err != nil {
				return err
			}
			_, err := e.ImportSidecar(ctx, ImportSidecarParams{ImageID: "a", Path: path})
			return err
		}, "/path"},
	} {
		err := c.call()
		found, _ := AsError(err).Details["violations"].([]Violation)
		if !errors.Is(err, ErrInvalidInput) || len(found) != 1 || found[0].Pointer != c.want || found[0].Expected == "" {
			t.Errorf("%s: %v, violations %+v; want one at %q", name, err, found, c.want)
		}
	}
}

// goWords match what only a program in Go knows: a type's field, or a method before a
// colon.
var goWords = regexp.MustCompile(`\bOptions\.|^[A-Z][a-z]+[A-Z]\w*:|^(Branch|Tag|Checkout|Commit|Reset|Undo|Redo|Log|Prune|Repair):`)

func TestMessagesSpeakOfTools(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	ctx := t.Context()
	ref := func(name string) error {
		_, err := e.DeleteRef(ctx, DeleteRefParams{ImageID: "a", Name: name, Reason: "a test"})
		return err
	}
	for name, err := range map[string]error{
		"the branch that HEAD is on": ref("main"), "the baseline": ref("baseline"), "no ref": ref("mian"), "no name": ref("a..b"),
		"nothing to undo": func() error { _, err := e.Undo(ctx, UndoParams{ImageID: "a"}); return err }(),
		"nothing to redo": func() error { _, err := e.Redo(ctx, UndoParams{ImageID: "a"}); return err }(),
		"a taken name":    func() error { _, err := e.Branch(ctx, BranchParams{ImageID: "a", Name: "main"}); return err }(),
		"a bad name":      func() error { _, err := e.Branch(ctx, BranchParams{ImageID: "a", Name: "a..b"}); return err }(),
		"no darktable": func() error {
			_, err := e.RenderPreview(ctx, RenderPreviewParams{ImageID: "a"})
			return err
		}(),
	} {
		if err == nil {
			t.Errorf("%s is no error", name)
			continue
		}
		if message := AsError(err).Message; goWords.MatchString(message) {
			t.Errorf("%s: %s", name, message)
		}
	}
}

// A ref that is like one there is suggests it; one that is like none, or goes too far
// back, has no empty list.
func TestAnUnknownRefSuggestsWhatIsLikeIt(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	if _, err := e.Tag(t.Context(), TagParams{ImageID: "a", Name: "print-2026"}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"mian": "main", "MAIN": "main", "print-2025": "print-2026", "Print": "print-2026", "basline": "baseline",
		"refs/heads/mian": "main", "refs/tags/print2026": "print-2026", "mian~1": "main",
		"quux": "", "zzzzzzzz": "", "0123456789abcdef": "", "main~99": "", "main~x": "",
	} {
		for verb, call := range map[string]func() error{
			"checkout": func() error {
				_, err := e.Checkout(t.Context(), CheckoutParams{ImageID: "a", RefOrHash: RefOrHash(name)})
				return err
			},
			"delete_ref": func() error {
				_, err := e.DeleteRef(t.Context(), DeleteRefParams{ImageID: "a", Name: name, Reason: "a test"})
				return err
			},
			"branch": func() error {
				_, err := e.Branch(t.Context(), BranchParams{ImageID: "a", Name: "x", From: RefOrHash(name)})
				return err
			},
		} {
			err := AsError(call())
			if verb == "delete_ref" && strings.Contains(name, "~") {
				continue // it takes names alone
			}
			found, listed := err.Details["suggestions"].([]string)
			if err.Code != ErrNotFound || listed != (want != "") || listed && found[0] != want {
				t.Errorf("%s of %s: %v, suggestions %q; want %q", verb, name, err, err.Details["suggestions"], want)
			}
		}
	}
	_, err := e.Checkout(t.Context(), CheckoutParams{ImageID: "a", RefOrHash: "main~99"})
	if err == nil || !strings.Contains(err.Error(), "records before it") {
		t.Errorf("too far back: %v", err)
	}
}

// What a violation got is said or left out, and never an empty text.
func TestNoViolationGotNothing(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	value := 50.0
	_, high := e.ApplyPrimitive(t.Context(), ApplyPrimitiveParams{ImageID: "a", PrimitiveName: "exposure", Value: &value})
	_, none := e.BindLayers(t.Context(), BindLayersParams{ImageID: "a"})
	_, size := e.ImageStats(t.Context(), ImageStatsParams{ImageID: "a", Size: 1})
	for name, err := range map[string]error{"a value": high, "nothing to bind": none, "a size": size} {
		said, encodeErr := json.Marshal(AsError(err).Details["violations"])
		if encodeErr != nil || len(said) < 10 || strings.Contains(string(said), `"got":""`) {
			t.Errorf("%s: %s, %v", name, said, encodeErr)
		}
	}
}
