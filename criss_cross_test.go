package chemigram

import (
	"testing"

	"github.com/chemigram/chemigram/internal/compose"
	"github.com/chemigram/chemigram/versioning"
	"github.com/chemigram/chemigram/xmp"
)

// crissCross merges two branches into each other, of which each has edits that the
// other does not have: HEAD is main then.
func crissCross(t *testing.T, e *Engine, prefer Side, main, side func()) {
	t.Helper()
	tip := func() RefOrHash {
		res, err := e.Snapshot(t.Context(), SnapshotParams{ImageID: "a"})
		if err != nil {
			t.Fatal(err)
		}
		return RefOrHash(res.Event)
	}
	onBranch(t, e, "side", side)
	main()
	mains := tip()
	checkoutRef(t, e, "side")
	sides := tip()
	merge(t, e, MergeParams{RefOrHash: mains, Prefer: prefer})
	checkoutRef(t, e, "main")
	merge(t, e, MergeParams{RefOrHash: sides, Prefer: prefer})
}

func checkoutRef(t *testing.T, e *Engine, name RefOrHash) {
	t.Helper()
	if _, err := e.Checkout(t.Context(), CheckoutParams{ImageID: "a", RefOrHash: name}); err != nil {
		t.Fatal(err)
	}
}

// fieldNow is the value of a module's field now, "" when the instance is not there.
func fieldNow(t *testing.T, e *Engine, module, instance, name string) string {
	t.Helper()
	state, err := e.DescribeState(t.Context(), DescribeStateParams{ImageID: "a"})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range state.Modules {
		for _, f := range m.Fields {
			if m.Module == module && m.Instance == instance && f.Name == name {
				return f.Value
			}
		}
	}
	return ""
}

// What a side took back after both had it is not brought again, whichever of the two
// snapshots that both come from is the newer.
func TestBranchesMergedIntoEachOtherKeepWhatIsTakenBack(t *testing.T) {
	for _, first := range []bool{true, false} {
		eachBaseline(t, func(t *testing.T, e *Engine) {
			one := func() { mustSet(t, e, "exposure", "one", "exposure", "0.5") }
			two := func() { mustSet(t, e, "exposure", "two", "exposure", "-0.5") }
			if first {
				one, two = two, one
			}
			crissCross(t, e, "", one, two)
			for _, name := range []string{"exposure:one", "exposure:two"} {
				if _, err := e.RemoveModule(t.Context(), RemoveModuleParams{ImageID: "a", ModuleName: name}); err != nil {
					t.Fatal(err)
				}
			}
			checkoutRef(t, e, "side")
			mustSet(t, e, "exposure", "three", "exposure", "0.25")
			res := merge(t, e, MergeParams{RefOrHash: "main"})
			if len(res.Conflicts) > 0 || !res.Changed {
				t.Fatalf("the merge is %+v, want one without conflicts", res)
			}
			for name, want := range map[string]string{"one": "", "two": "", "three": "0.25"} {
				if got := fieldNow(t, e, "exposure", name, "exposure"); got != want {
					t.Errorf("the exposure of %s is %q, want %q", name, got, want)
				}
			}
		})
	}
}

// Two branches that have decided the same conflict in two ways are in conflict, though
// either has the value of a snapshot that both come from.
func TestBranchesMergedIntoEachOtherInTwoWaysAreInConflict(t *testing.T) {
	masked := func(ev string, x float32) func(*testing.T, *Engine) {
		return func(t *testing.T, e *Engine) { putMasked(t, e, "part", ev, x) }
	}
	exposure := func(ev string) func(*testing.T, *Engine) {
		return func(t *testing.T, e *Engine) { mustSet(t, e, "exposure", "part", "exposure", ev) }
	}
	for name, c := range map[string]struct {
		before, main, side func(*testing.T, *Engine)
		want               string // the field
	}{
		"a field": {exposure("0"), exposure("0.5"), exposure("-0.5"), "exposure"},
		"a mask":  {masked("1", 0.5), masked("1", 0.3), masked("1", 0.7), "mask"},
		"a removal": {exposure("1"), exposure("0.5"), func(t *testing.T, e *Engine) {
			if _, err := e.RemoveModule(t.Context(), RemoveModuleParams{ImageID: "a", ModuleName: "exposure:part"}); err != nil {
				t.Fatal(err)
			}
		}, ""},
		"a switch": {func(*testing.T, *Engine) {}, exposure("0.5"), func(t *testing.T, e *Engine) {
			mustSet(t, e, "exposure", "part", "exposure", "0.5")
			_, err := e.edit(t.Context(), "a", versioning.Change{Op: "test"}, func(now compose.Start, _ *versioning.Change) (*xmp.Sidecar, error) {
				entry, _ := now.Current.Find("exposure", "part")
				entry.Enabled = false
				return now.Current.With(now.Release, xmp.Put{Entry: entry})
			})
			if err != nil {
				t.Fatal(err)
			}
		}, "enabled"},
	} {
		t.Run(name, func(t *testing.T) {
			eachBaseline(t, func(t *testing.T, e *Engine) {
				c.before(t, e)
				crissCross(t, e, Ours, func() { c.main(t, e) }, func() { c.side(t, e) })
				main := headHash(t, e)
				apply(t, e, "clarity", 0.2)
				res := merge(t, e, MergeParams{RefOrHash: "side"})
				if len(res.Conflicts) != 1 || res.Conflicts[0].Field != c.want || res.Conflicts[0].Module != "exposure" || res.Changed {
					t.Fatalf("the merge is %+v, want the conflict about %q alone", res, c.want)
				}
				merge(t, e, MergeParams{RefOrHash: "side", Prefer: Theirs})
				if _, err := e.RemoveModule(t.Context(), RemoveModuleParams{ImageID: "a", ModuleName: "bilat"}); err != nil {
					t.Fatal(err)
				}
				state, err := e.ReadSidecar(t.Context(), ReadSidecarParams{ImageID: "a", RefOrHash: "side"})
				if err != nil || headHash(t, e) != state.StateHash || main == state.StateHash {
					t.Errorf("the merge in favour of side looks not like side: %v", err)
				}
			})
		})
	}
}

// Looks are decided anew, too.
func TestBranchesMergedIntoEachOtherWithTwoLooksAreInConflict(t *testing.T) {
	eachBaseline(t, func(t *testing.T, e *Engine) {
		bind := func(look string) func() {
			return func() {
				if _, err := e.BindLayers(t.Context(), BindLayersParams{ImageID: "a", L2Template: look}); err != nil {
					t.Fatal(err)
				}
			}
		}
		looks, err := e.ListVocabulary(t.Context(), ListVocabularyParams{Layer: "L2", Limit: 2})
		if err != nil || len(looks.Entries) < 2 {
			t.Fatal("two looks are needed", err)
		}
		crissCross(t, e, Ours, bind(looks.Entries[0].Name), bind(looks.Entries[1].Name))
		res := merge(t, e, MergeParams{RefOrHash: "side"})
		if len(res.Conflicts) != 1 || res.Conflicts[0].Module != "look" {
			t.Errorf("the merge is %+v, want the conflict about the look", res)
		}
	})
}
