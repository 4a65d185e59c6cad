package chemigram

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/chemigram/chemigram/internal/testutil/baseline"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/render"
	"github.com/chemigram/chemigram/versioning"
)

// openWithout opens an engine that has no darktable: what needs none is tested
// without one.
func openWithout(tb testing.TB, opts Options) *Engine {
	tb.Helper()
	if opts.Workspace == "" {
		opts.Workspace = filepath.Join(tb.TempDir(), "workspace")
	}
	opts.Darktable = filepath.Join(tb.TempDir(), "no-darktable-here")
	tb.Setenv("XDG_CONFIG_HOME", tb.TempDir())
	e, err := Open(tb.Context(), &opts)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = e.Close() })
	if e.darktable != nil {
		tb.Fatal("a darktable was found where none should be")
	}
	return e
}

// add registers an image with the baseline that a darktable made for the
// synthetic camera, as ingest would.
func add(tb testing.TB, e *Engine, id ImageID, version string) {
	tb.Helper()
	if err := addBaseline(tb.Context(), e, id, version); err != nil {
		tb.Fatal(err)
	}
}

func addBaseline(ctx context.Context, e *Engine, id ImageID, version string) error {
	sidecar, _, err := baseline.Parse(version)
	if err != nil {
		return err
	}
	return register(ctx, e, workspace.File{
		ImageID: string(id), Raw: workspace.Raw{Path: "/nowhere/" + string(id) + ".dng", SHA256: string(id)}, Darktable: version,
	}, sidecar.Canonical())
}

// register puts an image into the workspace as an ingest does, without darktable.
func register(ctx context.Context, e *Engine, file workspace.File, baseline []byte) error {
	_, err := e.workspace.Add(ctx, file, baseline, versioning.Change{Op: "ingest", Actor: "test"})
	return err
}

// eachBaseline tests with an engine that has one image "a", on both kinds of baseline.
func eachBaseline(t *testing.T, f func(t *testing.T, e *Engine)) {
	for _, version := range []string{"4.2.1", "5.4.1"} {
		t.Run("baseline-"+version, func(t *testing.T) {
			e := openWithout(t, Options{})
			add(t, e, "a", version)
			f(t, e)
		})
	}
}

func apply(tb testing.TB, e *Engine, name string, value float64) EditResult {
	tb.Helper()
	res, err := e.ApplyPrimitive(tb.Context(), ApplyPrimitiveParams{ImageID: "a", PrimitiveName: name, Value: &value})
	if err != nil {
		tb.Fatal(err)
	}
	return res
}

func headHash(tb testing.TB, e *Engine) string {
	tb.Helper()
	state, err := e.GetState(tb.Context(), GetStateParams{ImageID: "a"})
	if err != nil {
		tb.Fatal(err)
	}
	return *state.HeadHash
}

func TestAMoveIsSetNotAdded(t *testing.T) {
	eachBaseline(t, func(t *testing.T, e *Engine) {
		first := apply(t, e, "exposure", 1)
		again := apply(t, e, "exposure", 1)
		if !first.Changed || again.Changed {
			t.Errorf("changed = %v, then %v; want true, then false", first.Changed, again.Changed)
		}
		if *first.StateAfter.HeadHash != *again.StateAfter.HeadHash || first.Event != again.Event {
			t.Error("applying the same move again gave another state or snapshot")
		}
		if !first.StateAfter.LayersPresent.L3 || first.StateAfter.LayersPresent.L2 {
			t.Errorf("layers_present = %+v, want L3 alone", first.StateAfter.LayersPresent)
		}
	})
}

func TestRemovingWhatWasAppliedGivesTheBaseline(t *testing.T) {
	eachBaseline(t, func(t *testing.T, e *Engine) {
		baseline := headHash(t, e)
		for _, name := range []string{"exposure", "shadows", "warmth", "clarity"} {
			entry, err := e.vocabulary.Entry(name)
			if err != nil {
				t.Fatal(err)
			}
			apply(t, e, name, entry.Parameters[0].Max)
			if headHash(t, e) == baseline {
				t.Fatalf("%s changed nothing", name)
			}
			for _, module := range entry.Touches() {
				if _, err := e.RemoveModule(t.Context(), RemoveModuleParams{ImageID: "a", ModuleName: module}); err != nil {
					t.Fatal(err)
				}
			}
			if got := headHash(t, e); got != baseline {
				t.Errorf("%s applied and removed: state %.8s, want the baseline's %.8s", name, got, baseline)
			}
		}
	})
}

func TestTheOrderOfMovesDoesNotMatter(t *testing.T) {
	eachBaseline(t, func(t *testing.T, e *Engine) {
		moves := []string{"exposure", "saturation", "vibrance", "shadows", "clarity", "vignette"}
		value := func(name string) float64 {
			entry, err := e.vocabulary.Entry(name)
			if err != nil {
				t.Fatal(err)
			}
			return entry.Parameters[0].Default
		}
		for _, name := range moves {
			apply(t, e, name, value(name))
		}
		forward := headHash(t, e)
		if _, err := e.Reset(t.Context(), ResetParams{ImageID: "a", Layers: DropLayers}); err != nil {
			t.Fatal(err)
		}
		for i := range moves {
			name := moves[len(moves)-1-i]
			apply(t, e, name, value(name))
		}
		if backward := headHash(t, e); backward != forward {
			t.Errorf("the moves in opposite order give %.8s, want %.8s", backward, forward)
		}
	})
}

func TestEverythingIsThereAfterARestart(t *testing.T) {
	workspace := filepath.Join(t.TempDir(), "workspace")
	e := openWithout(t, Options{Workspace: workspace})
	add(t, e, "a", "5.4.1")
	want := apply(t, e, "exposure", 0.5)
	if _, err := e.Branch(t.Context(), BranchParams{ImageID: "a", Name: "warm"}); err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}

	e = openWithout(t, Options{Workspace: workspace})
	if got := headHash(t, e); got != *want.StateAfter.HeadHash {
		t.Errorf("head %.8s after the restart, want %.8s", got, *want.StateAfter.HeadHash)
	}
	images, err := e.ListImages(t.Context(), ListImagesParams{})
	if err != nil || images.Total != 1 || images.Images[0].Branch != "main" || images.Images[0].RawFound {
		t.Errorf("images = %+v, %v; want one on main whose raw is missing", images, err)
	}
	out, err := e.Checkout(t.Context(), CheckoutParams{ImageID: "a", RefOrHash: "warm"})
	if err != nil || out.Detached || out.Ref != "refs/heads/warm" {
		t.Errorf("checkout = %+v, %v; want refs/heads/warm", out, err)
	}
	state, err := e.GetState(t.Context(), GetStateParams{ImageID: "a"})
	if err != nil || !state.LayersPresent.L3 {
		t.Errorf("state = %+v, %v; want L3 to be present still", state, err)
	}
}

func TestALowerErrorKeepsItsCause(t *testing.T) {
	e := openWithout(t, Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	add(t, e, "a", "5.4.1")
	_, err := e.Log(ctx, LogParams{ImageID: "a"})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v, want one that is context.Canceled", err)
	}
	_, err = e.RenderPreview(t.Context(), RenderPreviewParams{ImageID: "a"})
	cause, ok := errors.AsType[*render.Error](err)
	if !ok || cause.Kind != render.Missing {
		t.Errorf("err = %v, want one of a missing darktable", err)
	}
}

func TestASnapshotKeepsItsLabel(t *testing.T) {
	eachBaseline(t, func(t *testing.T, e *Engine) {
		apply(t, e, "exposure", 0.5)
		named, err := e.Snapshot(t.Context(), SnapshotParams{ImageID: "a", Label: "first try"})
		if err != nil {
			t.Fatal(err)
		}
		log, err := e.Log(t.Context(), LogParams{ImageID: "a"})
		if err != nil {
			t.Fatal(err)
		}
		if log.Total != 3 || log.Entries[0].Label != "first try" || log.Entries[0].Event != named.Event || named.Hash != log.Entries[0].Hash {
			t.Errorf("log = %+v, want 3 snapshots, the newest with its label", log)
		}
		if log.Entries[1].Entry != "exposure" || log.Entries[1].Values["ev"] != 0.5 {
			t.Errorf("second entry = %+v, want exposure with ev 0.5", log.Entries[1])
		}
		if _, err := time.Parse(time.RFC3339Nano, log.Entries[0].Time); err != nil {
			t.Errorf("time: %v", err)
		}
	})
}
