package prove_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/vocab/measure"
	"github.com/chemigram/chemigram/vocab/prove"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
	"github.com/chemigram/chemigram/xmp/mask"
)

// stylesOfUsers are real sidecars with curves, levels, matrices, tone mappers and
// many modules at once, each as a style.
var stylesOfUsers = []string{
	"0069-tonecurve-rgb-linked", "0053-levels", "0017-monochrome", "0023-channelmixer", "0083-colorbalancergb",
	"0015-shadhi-bilateral", "0035-multiple-modules", "0037-filmic-reconstruction", "0097-sigmoid", "0143-denoiseprofiled-wave-rgb",
}

// styleOf makes a style of what a sidecar did to its picture, as a person ticks it in
// darktable: all but what belongs to one picture, and what has a mask of shapes.
func styleOf(t *testing.T, target iop.Release, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s, err := xmp.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	if s, err = s.Compact(target); err != nil {
		t.Fatal(err)
	}
	style := xmp.Style{Name: filepath.Base(path)}
	for _, e := range s.History() {
		blend, err := mask.DecodeBlend(e.BlendVersion, e.Blend)
		newest, known := target.Modversion(e.Operation)
		m, _ := target.Module(e.Operation)
		if iop.BelongsToPicture(e.Operation) || iop.OnEveryRaw(e.Operation) || !known || e.Modversion > newest || m.NoHistory() || e.Operation == "mask_manager" ||
			err == nil && blend.MaskMode&(mask.Drawn|mask.Raster) != 0 {
			continue
		}
		style.Entries = append(style.Entries, e)
	}
	return style.Bytes()
}

// styleEntries are the sidecars as entries of a pack.
func styleEntries(t *testing.T, target iop.Release) []*vocab.Entry {
	t.Helper()
	type entry struct {
		Name        string        `json:"name"`
		Layer       vocab.Layer   `json:"layer"`
		Subject     string        `json:"subject"`
		Description string        `json:"description"`
		Style       string        `json:"style"`
		Claims      []vocab.Claim `json:"claims"`
	}
	pack := fstest.MapFS{"pack.json": {Data: []byte(`{"name": "users", "version": "1.0.0", "description": "Styles."}`)}}
	var entries []entry
	for _, name := range stylesOfUsers {
		paths, err := filepath.Glob(filepath.Join(testutil.SharedData(t, "xmp"), name+"*"))
		if err != nil || len(paths) != 1 {
			t.Fatalf("%s: %v, %v", name, paths, err)
		}
		e := entry{
			Name: "s" + name[:4], Layer: vocab.L2, Subject: "look", Description: name, Style: name + ".dtstyle",
			Claims: []vocab.Claim{{Measure: measure.Chroma, Moves: vocab.Up}},
		}
		pack[e.Style] = &fstest.MapFile{Data: styleOf(t, target, paths[0])}
		entries = append(entries, e)
	}
	data, err := json.Marshal(entries)
	if err != nil {
		t.Fatal(err)
	}
	pack["styles.json"] = &fstest.MapFile{Data: data}
	words, failures := vocab.Load(vocab.Source{Name: "users", FS: pack})
	if len(failures) > 0 {
		t.Fatal(errors.Join(failures...))
	}
	return words.List(vocab.Filter{})
}

// A style at a part of its strength lies between the baseline and the whole, and
// the nearer to the whole the stronger.
func TestStylesGrowWithTheirStrength(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		r := newRenderer(t, dt)
		base := r.chartBaseline(t)
		strengths := []float64{0.25, 0.5, 0.75, 1}
		entries := styleEntries(t, r.release)
		shots := []prove.Shot{{Scene: vocab.Natural, Sidecar: base.Bytes()}}
		for _, e := range entries {
			for _, strength := range strengths {
				look, err := apply(e, base, base, r.release, strength)
				if err != nil {
					t.Fatal(err)
				}
				shots = append(shots, prove.Shot{Scene: vocab.Natural, Sidecar: look.Bytes()})
			}
			none, err := apply(e, base, base, r.release, 0)
			if err != nil || none.Hash() != base.Hash() {
				t.Errorf("%s at strength 0 is not the baseline: %v", e.Description, err)
			}
		}
		pictures, err := r.develop(t.Context(), "srgb", shots...)
		if err != nil {
			t.Fatal(err)
		}
		baseline := measure.New(pictures[0])
		for i, e := range entries {
			grown := make([]float64, len(strengths))
			for k := range strengths {
				if grown[k], err = measure.MeanDeltaE(baseline, measure.New(pictures[1+i*len(strengths)+k]), nil); err != nil {
					t.Fatal(err)
				}
			}
			t.Logf("%s: ΔE %.2f", e.Description, grown)
			const noise = 0.05
			for k := range grown[1:] {
				if grown[k+1] < grown[k]-noise {
					t.Errorf("%s: ΔE %.2f at strength %v; it does not grow", e.Description, grown, strengths)
					break
				}
			}
		}
	})
}

func apply(e *vocab.Entry, base, on *xmp.Sidecar, target iop.Release, strength float64) (*xmp.Sidecar, error) {
	edits, _, err := e.Compile(vocab.Application{Strength: &strength, Baseline: base, Current: on, Target: target})
	if err != nil {
		return nil, err
	}
	return on.With(target, edits...)
}
