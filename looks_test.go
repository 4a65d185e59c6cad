package chemigram

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/xmp/mask"
)

func applyLook(t *testing.T, e *Engine, p ApplyPrimitiveParams) EditResult {
	t.Helper()
	p.ImageID = "a"
	res, err := e.ApplyPrimitive(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// TestALookReplacesAnother goes through every look of the packs, each over another one.
func TestALookReplacesAnother(t *testing.T) {
	eachBaseline(t, func(t *testing.T, e *Engine) {
		var looks []string
		for _, entry := range e.vocabulary.List(vocab.Filter{Layer: vocab.L2}) {
			looks = append(looks, entry.Name)
		}
		rand.Shuffle(len(looks), func(i, j int) { looks[i], looks[j] = looks[j], looks[i] })
		if len(looks) < 45 {
			t.Fatalf("%d looks", len(looks))
		}
		if testing.Short() {
			looks = looks[:12]
		}
		alone := map[string]string{}
		for _, name := range looks {
			alone[name] = *applyLook(t, e, ApplyPrimitiveParams{PrimitiveName: name}).StateAfter.HeadHash
			if _, err := e.Reset(t.Context(), ResetParams{ImageID: "a", Layers: DropLayers}); err != nil {
				t.Fatal(err)
			}
		}
		last := ""
		for i, name := range looks {
			var hash *string
			var got Looks
			if i%2 == 0 {
				res := applyLook(t, e, ApplyPrimitiveParams{PrimitiveName: name})
				hash, got = res.StateAfter.HeadHash, res.Looks
			} else {
				res, err := e.BindLayers(t.Context(), BindLayersParams{ImageID: "a", L2Template: name})
				if err != nil {
					t.Fatal(err)
				}
				hash, got = res.StateAfter.HeadHash, res.Looks
			}
			if *hash != alone[name] {
				t.Errorf("%s over %s is not %s alone", name, last, name)
			}
			if got.ActiveLook != name || last != "" && !slices.Equal(got.Replaced, []string{last}) {
				t.Errorf("%s over %s: %+v", name, last, got)
			}
			last = name
		}
	})
}

func TestEveryEditNamesTheActiveLook(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	add(t, e, "b", "5.4.1")
	applyLook(t, e, ApplyPrimitiveParams{PrimitiveName: "look_moody"})
	check := func(verb string, got Looks, look string, replaced ...string) {
		t.Helper()
		if got.ActiveLook != look || !slices.Equal(got.Replaced, replaced) {
			t.Errorf("%s: %+v, want %q and %q", verb, got, look, replaced)
		}
	}
	check("another move", applyLook(t, e, ApplyPrimitiveParams{PrimitiveName: "exposure"}).Looks, "look_moody")
	undone, err := e.Undo(t.Context(), UndoParams{ImageID: "a"})
	if err != nil {
		t.Fatal(err)
	}
	check("undo", undone.Looks, "look_moody")
	none := Strength(0)
	check("another look at no strength", applyLook(t, e, ApplyPrimitiveParams{PrimitiveName: "look_cinema", Strength: &none}).Looks, "look_moody")
	half := Strength(0.5)
	check("itself at half strength", applyLook(t, e, ApplyPrimitiveParams{PrimitiveName: "look_moody", Strength: &half}).Looks, "look_moody")

	applyTo := func(id ImageID, look string) {
		t.Helper()
		if _, err := e.ApplyPrimitive(t.Context(), ApplyPrimitiveParams{ImageID: id, PrimitiveName: look}); err != nil {
			t.Fatal(err)
		}
	}
	applyTo("b", "look_cinema")
	for _, whole := range []bool{false, true} {
		applyTo("b", "look_cinema")
		res, err := e.PropagateState(t.Context(), PropagateStateParams{ImageID: "a", Targets: []ImageID{"b"}, AllOrNothing: whole})
		if err != nil || res.Failed > 0 {
			t.Fatal(res, err)
		}
		check("propagate_state", res.Outcomes[0].Looks, "look_moody", "look_cinema")
	}
	reset, err := e.Reset(t.Context(), ResetParams{ImageID: "b"})
	if err != nil {
		t.Fatal(err)
	}
	check("reset", reset.Looks, "look_moody")
	reset, err = e.Reset(t.Context(), ResetParams{ImageID: "b", Layers: DropLayers})
	if err != nil {
		t.Fatal(err)
	}
	check("reset without layers", reset.Looks, "", "look_moody")
}

func TestALookWithinAMaskReplacesTheLookThere(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	sky, dark := &mask.Spec{Name: "sky_blue"}, &mask.Spec{Name: "shadows"}
	// Looks that touch modules without masks cannot be limited to a part.
	var looks []string
	for _, entry := range e.vocabulary.List(vocab.Filter{Layer: vocab.L2}) {
		_, err := e.ApplyPrimitive(t.Context(), ApplyPrimitiveParams{ImageID: "a", PrimitiveName: entry.Name, Mask: sky})
		if err == nil {
			looks = append(looks, entry.Name)
		}
	}
	if len(looks) < 2 {
		t.Fatalf("looks that take a mask: %q", looks)
	}
	if _, err := e.Reset(t.Context(), ResetParams{ImageID: "a", Layers: DropLayers}); err != nil {
		t.Fatal(err)
	}
	one, two := looks[0], looks[1]
	alone := applyLook(t, e, ApplyPrimitiveParams{PrimitiveName: two, Mask: sky})
	applyLook(t, e, ApplyPrimitiveParams{PrimitiveName: one, Mask: sky})
	again := applyLook(t, e, ApplyPrimitiveParams{PrimitiveName: two, Mask: sky})
	if *again.StateAfter.HeadHash != *alone.StateAfter.HeadHash || len(again.Replaced) != 1 {
		t.Errorf("within the same mask: %+v", again.Looks)
	}
	beside := applyLook(t, e, ApplyPrimitiveParams{PrimitiveName: one, Mask: dark})
	whole := applyLook(t, e, ApplyPrimitiveParams{PrimitiveName: "look_cinema"})
	if len(beside.Replaced)+len(whole.Replaced) > 0 {
		t.Errorf("looks of other places were replaced: %+v, %+v", beside.Looks, whole.Looks)
	}
	if want := "look_cinema, " + two + " @sky_blue, " + one + " @shadows"; len(whole.ActiveLook) != len(want) {
		t.Errorf("active look %q, want %q", whole.ActiveLook, want)
	}
}

func TestTwoLooksAreAConflictOfAMerge(t *testing.T) {
	eachBaseline(t, func(t *testing.T, e *Engine) {
		onBranch(t, e, "theirs", func() {
			apply(t, e, "exposure", 0.4)
			applyLook(t, e, ApplyPrimitiveParams{PrimitiveName: "look_cinema"})
		})
		onBranch(t, e, "taken", func() {
			apply(t, e, "exposure", 0.4)
			apply(t, e, "saturation", 0.2)
			applyLook(t, e, ApplyPrimitiveParams{PrimitiveName: "look_cinema"})
		})
		onBranch(t, e, "kept", func() {
			apply(t, e, "exposure", 0.4)
			apply(t, e, "saturation", 0.2)
			applyLook(t, e, ApplyPrimitiveParams{PrimitiveName: "look_moody"})
		})
		apply(t, e, "saturation", 0.2)
		applyLook(t, e, ApplyPrimitiveParams{PrimitiveName: "look_moody"})
		open := merge(t, e, MergeParams{RefOrHash: "theirs"})
		want := MergeConflict{Module: "look", Ours: "look_moody", Theirs: "look_cinema"}
		if open.Changed || !slices.Contains(open.Conflicts, want) {
			t.Fatalf("two looks: %+v", open)
		}
		mine := merge(t, e, MergeParams{RefOrHash: "theirs", Prefer: Ours})
		if *mine.StateAfter.HeadHash != headOf(t, e, "kept") || mine.ActiveLook != "look_moody" {
			t.Errorf("ours: %+v", mine)
		}
		if _, err := e.Undo(t.Context(), UndoParams{ImageID: "a"}); err != nil {
			t.Fatal(err)
		}
		other := merge(t, e, MergeParams{RefOrHash: "theirs", Resolve: []Resolution{{Module: "look", Take: Theirs}}})
		if len(other.Conflicts) > 0 || *other.StateAfter.HeadHash != headOf(t, e, "taken") ||
			other.ActiveLook != "look_cinema" || !slices.Equal(other.Replaced, []string{"look_moody"}) {
			t.Errorf("theirs: %+v", other)
		}
	})
}

func TestACherryPickedLookIsAConflictWithTheLookThatIsThere(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	onBranch(t, e, "theirs", func() { applyLook(t, e, ApplyPrimitiveParams{PrimitiveName: "look_cinema"}) })
	cinema := headOf(t, e, "theirs")
	applyLook(t, e, ApplyPrimitiveParams{PrimitiveName: "look_moody"})
	p := CherryPickParams{ImageID: "a", Event: "theirs"}
	if res, err := e.CherryPick(t.Context(), p); err != nil || len(res.Conflicts) == 0 || res.Changed {
		t.Errorf("undecided: %+v, %v", res, err)
	}
	p.Prefer = Theirs
	res, err := e.CherryPick(t.Context(), p)
	if err != nil || *res.StateAfter.HeadHash != cinema || res.ActiveLook != "look_cinema" {
		t.Errorf("decided: %+v, %v", res, err)
	}
}
