package stack_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/stack"
	"github.com/chemigram/chemigram/xmp/iop"
)

// sides changes one field on one side and two on the other, of which one is the
// same.
func sides(t *testing.T) (iop.Release, stack.Versions) {
	t.Helper()
	base := fresh(t, "5.4.1")
	ours := set(t, base, "exposure", "", "exposure", "1")
	theirs := set(t, set(t, base, "exposure", "", "exposure", "2"), "exposure", "", "black", "0.01")
	return base.Release, stack.Versions{Base: base.Current, Ours: ours.Current, Theirs: theirs.Current}
}

func TestAConflictIsListedWithItsValues(t *testing.T) {
	t.Parallel()
	release, versions := sides(t)
	merged, conflicts, err := stack.Merge(release, versions, stack.Choices{})
	want := []stack.Conflict{{Module: "exposure", Field: "exposure", Base: "0.7", Ours: "1", Theirs: "2"}}
	if diff := cmp.Diff(want, conflicts); err != nil || diff != "" || merged != nil {
		t.Errorf("merged is %v, %v, conflicts (-want +got):\n%s", merged, err, diff)
	}
}

func TestChoicesDecide(t *testing.T) {
	t.Parallel()
	release, versions := sides(t)
	resolve := func(r stack.Resolution) stack.Choices {
		r.Module, r.Field = "exposure", "exposure"
		return stack.Choices{Prefer: stack.Ours, Resolve: []stack.Resolution{r}}
	}
	for want, choices := range map[string]stack.Choices{
		"1":   {Prefer: stack.Ours},
		"2":   resolve(stack.Resolution{Take: stack.Theirs}),
		"1.5": resolve(stack.Resolution{Value: "1.5"}),
	} {
		merged, conflicts, err := stack.Merge(release, versions, choices)
		if err != nil || len(conflicts) > 0 {
			t.Fatalf("%+v: %+v, %v", choices, conflicts, err)
		}
		if got := value(t, merged, "exposure", "", "exposure"); got != want {
			t.Errorf("%+v: exposure is %s, want %s", choices, got, want)
		}
		if got := value(t, merged, "exposure", "", "black"); got != "0.01" {
			t.Errorf("%+v: black is %s, which only theirs changed", choices, got)
		}
	}
}

func TestResolutionsThatDecideNothingAreRefused(t *testing.T) {
	t.Parallel()
	release, versions := sides(t)
	for name, r := range map[string]stack.Resolution{
		"another field":    {Module: "exposure", Field: "black", Take: stack.Ours},
		"side and value":   {Module: "exposure", Field: "exposure", Take: stack.Ours, Value: "1"},
		"neither":          {Module: "exposure", Field: "exposure"},
		"a value too high": {Module: "exposure", Field: "exposure", Value: "99"},
	} {
		_, _, err := stack.Merge(release, versions, stack.Choices{Resolve: []stack.Resolution{r}})
		if !errors.Is(err, fault.InvalidInput) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAPickedChangeGoesOnTheDefaults(t *testing.T) {
	t.Parallel()
	ours := fresh(t, "5.4.1")
	base := set(t, ours, "sharpen", "fine", "radius", "3")
	theirs := set(t, base, "sharpen", "fine", "amount", "0.8")
	versions := stack.Versions{Base: base.Current, Ours: ours.Current, Theirs: theirs.Current}
	merged, conflicts, err := stack.CherryPick(ours.Release, versions, stack.Choices{})
	if err != nil || len(conflicts) > 0 {
		t.Fatalf("%+v, %v", conflicts, err)
	}
	if amount, radius := value(t, merged, "sharpen", "fine", "amount"), value(t, merged, "sharpen", "fine", "radius"); amount != "0.8" || radius != "2" {
		t.Errorf("amount %s, radius %s; want the amount alone", amount, radius)
	}
	for _, m := range stack.Describe(merged, ours.Current) {
		if m.Instance == "fine" && len(m.MadeBy) == 0 {
			t.Error("nothing has made what was picked, as its move was made before, too")
		}
	}
	if _, conflicts, err = stack.Merge(ours.Release, versions, stack.Choices{}); err != nil || len(conflicts) != 1 || conflicts[0].Ours != "not there" {
		t.Errorf("merged, not picked: %+v, %v", conflicts, err)
	}
}
