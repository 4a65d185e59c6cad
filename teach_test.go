package chemigram

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
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
		}, "/values/1"},
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
	if got := AsError(ref("mian")).Details["suggestions"]; len(got.([]string)) == 0 || got.([]string)[0] != "main" {
		t.Errorf("for mian it suggests %q", got)
	}
}
