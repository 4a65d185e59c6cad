package chemigram

import (
	"reflect"
	"slices"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/xmp"
)

// Framing, masked moves and L1 stay in a match, and the tone of the whole picture is found
// anew, or with keep stays too. A second match changes nothing, an earlier version of the same
// image is a reference, and a fresh engine finds the same moves.
func TestWhatAMatchLeavesStays(t *testing.T) {
	dt := testutil.AnyDarktable(t)
	x, y := 0.3, 0.4
	prepare := func() *Engine {
		e := openForMatch(t, dt, map[ImageID][]byte{"a": nil, "b": nil})
		applyAll(t, e, "b", map[string]float64{"exposure": 0.5, "warmth": 12, "saturation": 0.3})
		for _, p := range []ApplyPrimitiveParams{
			{PrimitiveName: "crop_16_9"},
			{PrimitiveName: "prepare_hot_pixels"},
			{PrimitiveName: "exposure", Value: new(-0.7), Mask: &Mask{Shapes: []MaskShape{{Kind: "circle", X: &x, Y: &y, Radius: 0.1}}}},
			{PrimitiveName: "contrast", Value: new(0.3)},
		} {
			p.ImageID = "a"
			if _, err := e.ApplyPrimitive(t.Context(), p); err != nil {
				t.Fatal(err)
			}
		}
		return e
	}
	editOf := func(e *Engine) *xmp.Sidecar {
		res, err := e.ReadSidecar(t.Context(), ReadSidecarParams{ImageID: "a"})
		if err != nil {
			t.Fatal(err)
		}
		edit, err := xmp.Parse([]byte(res.XMP))
		if err != nil {
			t.Fatal(err)
		}
		return edit
	}
	e := prepare()
	had := editOf(e)
	p := MatchReferenceParams{ImageID: "a", Reference: "b", Budget: 12}
	kept, err := e.MatchReference(t.Context(), MatchReferenceParams{ImageID: "a", Reference: "b", Budget: 12, Keep: true, DryRun: true})
	if err != nil || slices.ContainsFunc(kept.Applied, func(m AppliedMove) bool { return m.Move == "contrast" }) {
		t.Errorf("with keep: %+v, %v", kept, err)
	}
	t.Logf("with keep %+v", kept.Likeness)
	res, err := e.MatchReference(t.Context(), p)
	if err != nil || !res.Changed || res.Understood != "aligned" || res.After > res.Before/2 {
		t.Fatalf("%+v, %v", res, err)
	}
	t.Logf("%+v %+v", res.Likeness, res.Applied)
	has := editOf(e)
	stayed := 0
	for _, before := range had.History() {
		after, there := has.Find(before.Operation, before.MultiName)
		stays := before.Operation == "crop" || before.Operation == "hotpixels" || before.Operation == "exposure" && before.MultiPriority > 0
		if stays && (!there || !reflect.DeepEqual(after.Params, before.Params)) {
			t.Errorf("%s %q did not stay", before.Operation, before.MultiName)
		}
		if stays {
			stayed++
		}
	}
	if stayed != 3 {
		t.Errorf("%d of crop, hot pixels and the masked exposure: %v", stayed, had.History())
	}
	again, err := e.MatchReference(t.Context(), p)
	if err != nil || again.Changed || len(again.Applied) > 0 {
		t.Errorf("again: %+v, %v", again.Likeness, err)
	}
	t.Logf("again %+v %+v", again.Likeness, again.Applied)
	log, err := e.Log(t.Context(), LogParams{ImageID: "a"})
	if err != nil {
		t.Fatal(err)
	}
	first := log.Entries[len(log.Entries)-1].Hash
	back, err := e.MatchReference(t.Context(), MatchReferenceParams{ImageID: "a", Reference: "a", RefOrHash: RefOrHash(first), Budget: 12, DryRun: true})
	if err != nil || back.Changed || back.After > back.Before/4 {
		t.Errorf("to the first version: %+v, %v", back, err)
	}
	t.Logf("to the first version %+v %+v", back.Likeness, back.Applied)
	now, err := e.MatchReference(t.Context(), MatchReferenceParams{ImageID: "a", Reference: "a"})
	if err != nil || now.Changed || len(now.Applied) > 0 || now.LeftAlone != "" || now.After != 0 {
		t.Errorf("itself: %+v, %v", now, err)
	}
	fresh, err := prepare().MatchReference(t.Context(), p)
	if err != nil || !reflect.DeepEqual(fresh.Applied, res.Applied) || fresh.Likeness != res.Likeness {
		t.Errorf("a fresh engine finds %+v %+v, %v", fresh.Applied, fresh.Likeness, err)
	}
}
