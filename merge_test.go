package chemigram

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/internal/compose"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/internal/testutil/scene"
	"github.com/chemigram/chemigram/versioning"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
	"github.com/chemigram/chemigram/xmp/mask"
)

// onBranch makes a branch from the baseline and edits it, then goes back to main.
func onBranch(t *testing.T, e *Engine, name string, edits func()) {
	t.Helper()
	for _, step := range []func() error{
		func() error {
			_, err := e.Branch(t.Context(), BranchParams{ImageID: "a", Name: name, From: "main"})
			return err
		},
		func() error {
			_, err := e.Checkout(t.Context(), CheckoutParams{ImageID: "a", RefOrHash: RefOrHash(name)})
			return err
		},
		func() error { edits(); return nil },
		func() error {
			_, err := e.Checkout(t.Context(), CheckoutParams{ImageID: "a", RefOrHash: "main"})
			return err
		},
	} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
}

func mustSet(t *testing.T, e *Engine, module, instance string, pairs ...string) {
	t.Helper()
	if _, err := set(t, e, module, instance, pairs...); err != nil {
		t.Fatal(err)
	}
}

// putMasked puts an instance of exposure that works within a circle.
func putMasked(t *testing.T, e *Engine, name, ev string, x float32) {
	t.Helper()
	mustSet(t, e, "exposure", name, "exposure", ev, "black", "0")
	_, err := e.edit(t.Context(), "a", versioning.Change{Op: "test"}, func(now compose.Start, _ *versioning.Change) (*xmp.Sidecar, error) {
		entry, _ := now.Current.Find("exposure", name)
		m := mask.Mask{Shapes: []mask.Member{{Shape: mask.Circle{X: x, Y: 0.5, Radius: 0.2, Border: 0.02}}}}
		made, err := m.Compile(entry.BlendVersion, mask.SpaceOf("exposure"))
		if err != nil {
			return nil, err
		}
		if entry.Blend, err = made.Blend.Encode(); err != nil {
			return nil, err
		}
		return now.Current.With(now.Release, xmp.Put{Entry: entry, Forms: made.Forms})
	})
	if err != nil {
		t.Fatal(err)
	}
}

func merge(t *testing.T, e *Engine, p MergeParams) MergeResult {
	t.Helper()
	p.ImageID = "a"
	res, err := e.Merge(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func TestAMergeTakesWhatOnlyOneSideChanged(t *testing.T) {
	eachBaseline(t, func(t *testing.T, e *Engine) {
		onBranch(t, e, "theirs", func() {
			mustSet(t, e, "exposure", "", "black", "0.01")
			mustSet(t, e, "sharpen", "fine", "amount", "0.8")
			apply(t, e, "saturation", 0.5)
			putMasked(t, e, "face", "0.5", 0.3)
		})
		onBranch(t, e, "straight", func() {
			mustSet(t, e, "exposure", "", "exposure", "1.5", "black", "0.01")
			mustSet(t, e, "sharpen", "fine", "amount", "0.8")
			apply(t, e, "saturation", 0.5)
			apply(t, e, "vibrance", 0.5)
			putMasked(t, e, "face", "0.5", 0.3)
		})
		mustSet(t, e, "exposure", "", "exposure", "1.5")
		apply(t, e, "vibrance", 0.5)
		ours := headHash(t, e)

		res := merge(t, e, MergeParams{RefOrHash: "theirs", Label: "both"})
		if !res.Changed || len(res.Conflicts) > 0 {
			t.Fatalf("merged %+v", res)
		}
		if want := headOf(t, e, "straight"); *res.StateAfter.HeadHash != want {
			d, err := e.Diff(t.Context(), DiffParams{ImageID: "a", HashA: "straight", HashB: "HEAD"})
			t.Errorf("the merged look differs from that of the same edits in a row: %+v, %v", d, err)
		}
		log, err := e.Log(t.Context(), LogParams{ImageID: "a", Limit: 1})
		if err != nil || log.Entries[0].Op != "merge" || log.Entries[0].Label != "both" || len(log.Entries[0].Parents) != 2 {
			t.Errorf("the log says %+v, %v", log.Entries, err)
		}
		if again := merge(t, e, MergeParams{RefOrHash: "theirs", Label: "again"}); again.Changed {
			t.Error("merging what is in already published a snapshot")
		}
		if _, err := e.Undo(t.Context(), UndoParams{ImageID: "a"}); err != nil || headHash(t, e) != ours {
			t.Errorf("undo of the merge says %v", err)
		}
	})
}

func TestAMergeListsWhatBothChangedAndTakesWhatIsChosen(t *testing.T) {
	eachBaseline(t, func(t *testing.T, e *Engine) {
		mustSet(t, e, "sharpen", "both", "amount", "0.5")
		onBranch(t, e, "theirs", func() {
			mustSet(t, e, "exposure", "", "exposure", "2", "black", "0.01")
			putMasked(t, e, "face", "0.5", 0.7)
			_, err := e.RemoveModule(t.Context(), RemoveModuleParams{ImageID: "a", ModuleName: "sharpen:both"})
			if err != nil {
				t.Fatal(err)
			}
		})
		mustSet(t, e, "exposure", "", "exposure", "1")
		putMasked(t, e, "face", "0.5", 0.3)
		mustSet(t, e, "sharpen", "both", "amount", "1")
		before := headHash(t, e)

		res := merge(t, e, MergeParams{RefOrHash: "theirs"})
		if res.Changed || *res.StateAfter.HeadHash != before {
			t.Error("a merge with conflicts changed something")
		}
		var got []string
		values := map[string]MergeConflict{}
		for _, c := range res.Conflicts {
			at := strings.TrimSuffix(c.Module+":"+c.Instance, ":") + "." + c.Field
			got, values[at] = append(got, at), c
		}
		slices.Sort(got)
		if diff := cmp.Diff([]string{"exposure.exposure", "exposure:face.mask", "sharpen:both."}, got); diff != "" {
			t.Errorf("conflicts (-want +got):\n%s", diff)
		}
		if c := values["exposure.exposure"]; c.Base == "" || c.Ours != "1" || c.Theirs != "2" {
			t.Errorf("the conflict of values is %+v", c)
		}
		if c := values["sharpen:both."]; c.Theirs != "not there" || !strings.Contains(c.Ours, "amount 1") || !strings.Contains(c.Base, "enabled") {
			t.Errorf("the conflict of a change with a removal is %+v", c)
		}
		if c := values["exposure:face.mask"]; c.Ours == "" || c.Theirs == "" || c.Base != "" {
			t.Errorf("the conflict of masks is %+v", c)
		}

		for _, tt := range []struct {
			p        MergeParams
			exposure string
			x        float32
			sharpen  bool
		}{
			{MergeParams{Prefer: Ours}, "1", 0.3, true},
			{MergeParams{Prefer: Theirs}, "2", 0.7, false},
			{MergeParams{Prefer: Theirs, Resolve: []Resolution{
				{Module: "exposure", Field: "exposure", Value: "1.5"}, {Module: "sharpen", Instance: "both", Take: Ours},
			}}, "1.5", 0.7, true},
		} {
			tt.p.RefOrHash = "theirs"
			if res := merge(t, e, tt.p); !res.Changed {
				t.Fatalf("%+v left %+v", tt.p, res.Conflicts)
			}
			img, err := e.image("a")
			if err != nil {
				t.Fatal(err)
			}
			now, err := img.At(t.Context(), "")
			if err != nil {
				t.Fatal(err)
			}
			entry, _ := now.Sidecar.Find("exposure", "")
			params, err := iop.Decode("exposure", entry.Modversion, entry.Params)
			if err != nil {
				t.Fatal(err)
			}
			exposure, _ := params.Get("exposure")
			black, _ := params.Get("black")
			if exposure.String() != tt.exposure || black.String() != "0.01" {
				t.Errorf("%+v: exposure %v, black %v; want %s and theirs", tt.p, exposure, black, tt.exposure)
			}
			if _, there := now.Sidecar.Find("sharpen", "both"); there != tt.sharpen {
				t.Errorf("%+v: sharpen is there: %v", tt.p, there)
			}
			x := float32(0)
			for _, form := range now.Sidecar.FormsOf("exposure", "face") {
				if shape, err := form.Shape(); err == nil {
					if circle, ok := shape.(mask.Circle); ok {
						x = circle.X
					}
				}
			}
			if x != tt.x {
				t.Errorf("%+v: the circle is at %v, want %v", tt.p, x, tt.x)
			}
			if _, err := e.Undo(t.Context(), UndoParams{ImageID: "a"}); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestAChoiceThatFitsNoConflictIsRefused(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	onBranch(t, e, "theirs", func() { mustSet(t, e, "exposure", "", "exposure", "2") })
	mustSet(t, e, "exposure", "", "exposure", "1")
	for name, r := range map[string]Resolution{
		"no such conflict":  {Module: "exposure", Field: "black", Take: Ours},
		"neither":           {Module: "exposure", Field: "exposure"},
		"both":              {Module: "exposure", Field: "exposure", Take: Ours, Value: "1"},
		"a value that none": {Module: "exposure", Field: "exposure", Value: "bright"},
		"out of range":      {Module: "exposure", Field: "exposure", Value: "99"},
	} {
		_, err := e.Merge(t.Context(), MergeParams{ImageID: "a", RefOrHash: "theirs", Resolve: []Resolution{r}})
		if !errors.Is(err, ErrInvalidInput) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestACherryPickTakesOneChange(t *testing.T) {
	eachBaseline(t, func(t *testing.T, e *Engine) {
		ctx := t.Context()
		onBranch(t, e, "theirs", func() {
			apply(t, e, "saturation", 0.5)
			apply(t, e, "vibrance", 0.5)
			apply(t, e, "warmth", 20)
		})
		onBranch(t, e, "straight", func() { apply(t, e, "vibrance", 0.5) })
		res, err := e.CherryPick(ctx, CherryPickParams{ImageID: "a", Event: "theirs~1"})
		if err != nil || !res.Changed || *res.StateAfter.HeadHash != headOf(t, e, "straight") {
			t.Fatalf("picked %+v, %v; want the look of that one move", res, err)
		}
		log, err := e.Log(ctx, LogParams{ImageID: "a", Limit: 1})
		if err != nil || log.Entries[0].Op != "cherry_pick" || log.Entries[0].Entry != "vibrance" || len(log.Entries[0].Parents) != 1 {
			t.Errorf("the log says %+v, %v", log.Entries, err)
		}
		if res, err = e.CherryPick(ctx, CherryPickParams{ImageID: "a", Event: "theirs~1"}); err != nil || res.Changed {
			t.Errorf("picking it again gave %+v, %v", res, err)
		}
		if _, err = e.CherryPick(ctx, CherryPickParams{ImageID: "a", Event: "baseline"}); !errors.Is(err, ErrInvalidInput) {
			t.Errorf("picking the baseline says %v", err)
		}
		apply(t, e, "vibrance", 0.2)
		onBranch(t, e, "other", func() { apply(t, e, "vibrance", -0.4) })
		apply(t, e, "vibrance", 0.3)
		if res, err = e.CherryPick(ctx, CherryPickParams{ImageID: "a", Event: "other"}); err != nil || len(res.Conflicts) == 0 || res.Changed {
			t.Errorf("a pick that conflicts gave %+v, %v", res, err)
		}
	})
}

// The masked instance of one side and the grey of the other, in one picture.
func TestAMergedLookDevelops(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		e, _ := ready(t, dt, scene.Chart{})
		onBranch(t, e, "grey", func() { apply(t, e, "black_and_white", 0) })
		putMasked(t, e, "face", "1.5", 0.3)
		ours := previewOf(t, e, "")
		if res := merge(t, e, MergeParams{RefOrHash: "grey"}); !res.Changed {
			t.Fatalf("merged %+v", res)
		}
		merged := previewOf(t, e, "")
		inside := pixel.Rect{X: 0.27, Y: 0.46, Width: 0.06, Height: 0.08}
		outside := pixel.Rect{X: 0.8, Y: 0.1, Width: 0.1, Height: 0.1}
		for _, r := range []pixel.Rect{inside, outside} {
			was, is := ours.Mean(r).Lab(), merged.Mean(r).Lab()
			if d := is.L - was.L; d > 4 || d < -4 {
				t.Errorf("at %v L was %.1f and is %.1f: the mask was lost", r, was.L, is.L)
			}
			if is.Chroma() > 1 {
				t.Errorf("at %v the merged picture has chroma %.1f, want grey", r, is.Chroma())
			}
		}
	})
}
