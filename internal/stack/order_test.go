package stack_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/stack"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

// moveBehind puts a module behind another one in the pipeline, as darktable's own
// window can.
func moveBehind(t *testing.T, s stack.Stack, module, behind string) stack.Stack {
	t.Helper()
	order, version, err := s.Current.PipelineOrder(s.Release)
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Split(order.String(), ",")
	at := slices.Index(words, module)
	words = slices.Delete(words, at, at+2)
	words = slices.Insert(words, slices.Index(words, behind)+2, module, "0")
	if order, err = iop.ParseOrder(strings.Join(words, ",")); err != nil {
		t.Fatal(err)
	}
	if s.Current, err = s.Current.With(s.Release, xmp.Reorder{Version: version, Order: order}); err != nil {
		t.Fatal(err)
	}
	return s
}

// follows reports whether a module comes after another one.
func follows(t *testing.T, release iop.Release, s *xmp.Sidecar, module, other string) bool {
	t.Helper()
	order, _, err := s.PipelineOrder(release)
	if err != nil {
		t.Fatal(err)
	}
	return order.Index(module, 0) > order.Index(other, 0)
}

func TestTheOrderOfThePipelineIsMerged(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"4.2.1", "5.4.1"} {
		base := fresh(t, version)
		ours := set(t, base, "exposure", "", "exposure", "1")
		theirs := set(t, moveBehind(t, base, "sharpen", "colorout"), "sharpen", "fine", "amount", "0.8")
		v := stack.Versions{Base: base.Current, Ours: ours.Current, Theirs: theirs.Current}
		if follows(t, base.Release, v.Ours, "sharpen", "colorout") || !follows(t, base.Release, v.Theirs, "sharpen", "colorout") {
			t.Fatal("the order is not as the test takes it to be")
		}
		merged, conflicts, err := stack.Merge(base.Release, v, stack.Choices{})
		if err != nil || len(conflicts) > 0 || !follows(t, base.Release, merged, "sharpen", "colorout") {
			t.Errorf("%s: theirs' order is lost: %v, %v", version, conflicts, err)
		}
		picked, conflicts, err := stack.CherryPick(base.Release, v, stack.Choices{})
		if err != nil || len(conflicts) > 0 || !follows(t, base.Release, picked, "sharpen", "colorout") {
			t.Errorf("%s: the order that was picked is lost: %v, %v", version, conflicts, err)
		}
		back, conflicts, err := stack.Merge(base.Release, stack.Versions{Base: v.Base, Ours: v.Theirs, Theirs: v.Ours}, stack.Choices{})
		if err != nil || len(conflicts) > 0 || back.Hash() != merged.Hash() {
			t.Errorf("%s: the other way around it is another look: %v, %v", version, conflicts, err)
		}
		theirs.Baseline = base.Current
		carried, _, err := stack.Carry(theirs, base, false)
		if err != nil || !follows(t, base.Release, carried, "sharpen", "colorout") {
			t.Errorf("%s: the order is not carried: %v", version, err)
		}
		base.Current = carried
		plain, _, err := stack.Carry(fresh(t, version), base, false)
		if err != nil || plain.Hash() != base.Baseline.Hash() {
			t.Errorf("%s: a look in the baseline's order does not replace another order: %v", version, err)
		}
	}
}

func TestTwoOrdersOfThePipelineAreAConflict(t *testing.T) {
	t.Parallel()
	base := fresh(t, "5.4.1")
	v := stack.Versions{
		Base: base.Current, Ours: moveBehind(t, base, "sharpen", "temperature").Current, Theirs: moveBehind(t, base, "sharpen", "colorout").Current,
	}
	_, conflicts, err := stack.Merge(base.Release, v, stack.Choices{})
	if err != nil || len(conflicts) != 1 || conflicts[0].Module != "pipeline" || conflicts[0].Field != "order" ||
		!strings.Contains(conflicts[0].Ours, "sharpen after temperature") || !strings.Contains(conflicts[0].Theirs, "sharpen after colorout") {
		t.Errorf("%+v, %v", conflicts, err)
	}
	for _, choice := range []stack.Choices{
		{Prefer: stack.Theirs},
		{Resolve: []stack.Resolution{{Module: "pipeline", Field: "order", Take: stack.Theirs}}},
	} {
		merged, conflicts, err := stack.Merge(base.Release, v, choice)
		if err != nil || len(conflicts) > 0 || merged.Hash() != v.Theirs.Hash() {
			t.Errorf("%+v: %v, %v", choice, conflicts, err)
		}
	}
	if merged, _, err := stack.Merge(base.Release, v, stack.Choices{Prefer: stack.Ours}); err != nil || merged.Hash() != v.Ours.Hash() {
		t.Errorf("ours is not kept: %v", err)
	}
}

func TestADifferenceOfTheOrderAloneIsTold(t *testing.T) {
	t.Parallel()
	s := fresh(t, "5.4.1")
	moved := moveBehind(t, s, "sharpen", "exposure")
	if changes := stack.Diff(s.Current, moved.Current); len(changes) > 0 {
		t.Fatalf("more than the order differs: %+v", changes)
	}
	changes := stack.DiffOrder(s.Release, s.Current, moved.Current)
	if len(changes) != 1 || changes[0].Module != "pipeline" || len(changes[0].Fields) != 1 ||
		changes[0].Fields[0].Name != "order" || !strings.Contains(changes[0].Fields[0].After, "sharpen after exposure") {
		t.Errorf("%+v", changes)
	}
	if changes := stack.DiffOrder(s.Release, s.Current, s.Current); len(changes) > 0 {
		t.Errorf("the same order: %+v", changes)
	}
}
