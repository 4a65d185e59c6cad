package chemigram

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// lookPack writes a pack with two looks that share a module, and one L1 move.
func lookPack(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{
		"pack.json": `{"name": "test", "version": "1.0.0", "description": "looks to bind"}`,
		"looks.json": `[
			{"name": "bright", "layer": "L2", "subject": "look", "description": "Brighter.", "tags": [],
			 "ops": [{"module": "exposure", "add": {"exposure": 1}}, {"module": "colorbalancergb", "add": {"vibrance": 0.2}}],
			 "claims": [{"measure": "luma_mean", "moves": "up"}]},
			{"name": "dark", "layer": "L2", "subject": "look", "description": "Darker.", "tags": [],
			 "ops": [{"module": "exposure", "add": {"exposure": -1}}],
			 "claims": [{"measure": "luma_mean", "moves": "down"}]},
			{"name": "body", "layer": "L1", "subject": "optics", "description": "For one camera.", "tags": [],
			 "applies_to": {"make": "chemigram", "model": "synthetic*"},
			 "ops": [{"module": "sharpen", "set": {"amount": 0.4}}],
			 "claims": [{"measure": "sharpness", "moves": "up"}]}]`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestABoundLookReplacesTheOneBefore(t *testing.T) {
	e := openWithout(t, Options{Packs: []string{lookPack(t)}})
	if len(e.packErrors) > 0 {
		t.Fatal(e.packErrors)
	}
	add(t, e, "a", "5.4.1")
	bind := func(l1, l2 string) BindLayersResult {
		t.Helper()
		res, err := e.BindLayers(t.Context(), BindLayersParams{ImageID: "a", L1Template: l1, L2Template: l2})
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	dark := bind("", "dark")
	bind("", "bright")
	again := bind("", "dark")
	if *again.StateAfter.HeadHash != *dark.StateAfter.HeadHash {
		t.Error("bright has left something behind")
	}
	if !again.StateAfter.LayersPresent.L2 || again.StateAfter.LayersPresent.L3 {
		t.Errorf("layers_present = %+v, want L2 alone", again.StateAfter.LayersPresent)
	}
	apply(t, e, "vibrance", 0.3)
	both := bind("body", "bright")
	if p := both.StateAfter.LayersPresent; !p.L1 || !p.L2 || !p.L3 {
		t.Errorf("layers_present = %+v, want all three", p)
	}
	if !slices.Equal(both.Applied, []string{"body", "bright"}) {
		t.Errorf("applied = %q, want body and bright", both.Applied)
	}
}

func TestOnlyMovesOfTheLayerAreBound(t *testing.T) {
	e := openWithout(t, Options{Packs: []string{lookPack(t)}})
	add(t, e, "a", "5.4.1")
	for name, p := range map[string]BindLayersParams{
		"wrong layer": {ImageID: "a", L1Template: "dark"},
		"nothing":     {ImageID: "a"},
	} {
		if _, err := e.BindLayers(t.Context(), p); !errors.Is(err, ErrInvalidInput) {
			t.Errorf("%s: err = %v, want invalid_input", name, err)
		}
	}
	if _, err := e.BindLayers(t.Context(), BindLayersParams{ImageID: "a", L2Template: "drak"}); !errors.Is(err, ErrNotFound) {
		t.Errorf("unknown: err = %v, want not_found", err)
	}
}

func TestBindingsAreSuggestedByCameraAndLens(t *testing.T) {
	e := openWithout(t, Options{Packs: []string{lookPack(t)}})
	if got := e.suggestBindings(EXIFSummary{Make: " CHEMIGRAM ", Model: "Synthetic 1"}, nil); !slices.Equal(got, []string{"body"}) {
		t.Errorf("suggested %q, want body", got)
	}
	if got := e.suggestBindings(EXIFSummary{Make: "Other"}, nil); len(got) != 0 {
		t.Errorf("suggested %q for another camera, want nothing", got)
	}
}

func TestSuggestionsFollowTheSensitivity(t *testing.T) {
	e := openWithout(t, Options{})
	for iso, want := range map[int][]string{
		0: {}, 100: {}, 1600: {"prepare_medium_iso"}, 6400: {"prepare_high_iso"}, 25600: {"prepare_extreme_iso"},
	} {
		if got := e.suggestBindings(EXIFSummary{ISO: iso}, nil); !slices.Equal(got, want) {
			t.Errorf("ISO %d: suggested %q, want %q", iso, got, want)
		}
	}
}
