package chemigram

import (
	"context"
	"errors"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/testutil"
)

// field reads one field of an image's present edit as a number.
func field(t *testing.T, e *Engine, id ImageID, module, name string) float64 {
	t.Helper()
	d, err := e.DescribeState(t.Context(), DescribeStateParams{ImageID: id})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range d.Modules {
		if m.Module != module || m.Instance != "" {
			continue
		}
		for _, f := range m.Fields {
			if f.Name == name {
				v, err := strconv.ParseFloat(f.Value, 64)
				if err != nil {
					t.Fatal(err)
				}
				return v
			}
		}
	}
	t.Fatalf("%s has no %s.%s", id, module, name)
	return 0
}

func setOn(t *testing.T, e *Engine, id ImageID, module, name, value string) {
	t.Helper()
	_, err := e.SetParameters(t.Context(), SetParametersParams{
		ImageID: id, ModuleName: module, Fields: []FieldSetting{{Name: name, Value: value}},
	})
	if err != nil {
		t.Fatal(err)
	}
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if d := got - want; d > 1e-4 || d < -1e-4 {
		t.Errorf("%s is %g, want %g", what, got, want)
	}
}

// series is an engine with three images on the same baseline.
func series(t *testing.T) *Engine {
	t.Helper()
	e := openWithout(t, Options{})
	for _, id := range []ImageID{"a", "b", "c"} {
		add(t, e, id, "5.4.1")
	}
	return e
}

func TestExposureAndWhiteBalanceArePropagatedAsChanges(t *testing.T) {
	e := series(t)
	red := field(t, e, "a", "temperature", "red")
	ev := field(t, e, "a", "exposure", "exposure")
	setOn(t, e, "a", "temperature", "red", strconv.FormatFloat(red*1.2, 'g', -1, 64))
	setOn(t, e, "a", "exposure", "exposure", strconv.FormatFloat(ev+0.5, 'g', -1, 64))
	setOn(t, e, "a", "crop", "cx", "0.1")
	setOn(t, e, "b", "crop", "cx", "0.2")
	setOn(t, e, "b", "exposure", "exposure", "2")

	res, err := e.PropagateState(t.Context(), PropagateStateParams{ImageID: "a", Targets: []ImageID{"b", "c"}})
	if err != nil {
		t.Fatal(err)
	}
	if res.Changed != 2 || !cmp.Equal(res.Outcomes[0].LeftBehind, []string{"crop"}) {
		t.Errorf("%+v", res)
	}
	for _, id := range []ImageID{"b", "c"} {
		near(t, string(id)+": red", field(t, e, id, "temperature", "red"), red*1.2)
		near(t, string(id)+": exposure", field(t, e, id, "exposure", "exposure"), ev+0.5)
	}
	near(t, "the target's own crop", field(t, e, "b", "crop", "cx"), 0.2)

	again, err := e.PropagateState(t.Context(), PropagateStateParams{ImageID: "a", Targets: []ImageID{"b", "c"}})
	if err != nil || again.Changed != 0 {
		t.Errorf("once more: %+v, %v", again, err)
	}
}

func TestAllOrNothingTouchesNoTargetWhenOneFails(t *testing.T) {
	e := series(t)
	apply(t, e, "exposure", 1)
	before := lookOf(t, e, "b")
	_, err := e.PropagateState(t.Context(), PropagateStateParams{ImageID: "a", Targets: []ImageID{"b", "nobody"}, AllOrNothing: true})
	if !errors.Is(err, ErrNotFound) {
		t.Fatalf("%v, want not_found", err)
	}
	if after := lookOf(t, e, "b"); after != before {
		t.Errorf("b went from %s to %s", before, after)
	}
	res, err := e.PropagateState(t.Context(), PropagateStateParams{ImageID: "a", Targets: []ImageID{"b", "c"}, AllOrNothing: true})
	if err != nil || res.Changed != 2 {
		t.Fatalf("%+v, %v", res, err)
	}
	if lookOf(t, e, "b") != lookOf(t, e, "a") {
		t.Error("on the same baseline the target is not the source's look")
	}
}

func lookOf(t *testing.T, e *Engine, id ImageID) string {
	t.Helper()
	s, err := e.GetState(t.Context(), GetStateParams{ImageID: id})
	if err != nil {
		t.Fatal(err)
	}
	return *s.HeadHash
}

func TestListsOfTargetsThatCannotBeAreRefused(t *testing.T) {
	t.Parallel()
	for name, targets := range map[string][]ImageID{
		"none": {}, "itself": {"a"}, "twice": {"b", "b"}, "too many": make([]ImageID, 501),
	} {
		if err := checkTargets("a", targets); !errors.Is(err, fault.InvalidInput) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Two hundred targets, then a call that is cancelled.
func TestALongSeriesCanBeCancelled(t *testing.T) {
	testutil.SkipShort(t)
	e := series(t)
	apply(t, e, "exposure", 1)
	ctx, cancel := context.WithCancel(t.Context())
	targets := make([]ImageID, 200)
	for i := range targets {
		targets[i] = ImageID("t" + strconv.Itoa(i))
		add(t, e, targets[i], "5.4.1")
	}
	reports := 0
	reporting := WithProgress(ctx, func(done, total int, _ string) {
		if reports++; done != reports || total != len(targets) {
			t.Errorf("reported %d of %d, want %d of %d", done, total, reports, len(targets))
		}
	})
	res, err := e.PropagateState(reporting, PropagateStateParams{ImageID: "a", Targets: targets})
	if err != nil || res.Changed != 200 || reports != 200 {
		t.Fatalf("%d of 200 changed, %d reports, %v", res.Changed, reports, err)
	}
	cancel()
	if _, err := e.PropagateState(ctx, PropagateStateParams{ImageID: "a", Targets: targets}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want context.Canceled", err)
	}
}

func TestMaskedMovesArePropagatedOnRequest(t *testing.T) {
	e := series(t)
	from := 0.6
	for _, id := range []ImageID{"a", "b"} {
		value := map[ImageID]float64{"a": 0.5, "b": -0.5}[id]
		_, err := e.ApplyPrimitive(t.Context(), ApplyPrimitiveParams{
			ImageID: id, PrimitiveName: "exposure", Value: &value,
			Mask: &Mask{Ranges: []MaskRange{{Channel: "lightness", From: &from}}},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	own := lookOf(t, e, "b")
	res, err := e.PropagateState(t.Context(), PropagateStateParams{ImageID: "a", Targets: []ImageID{"b", "c"}})
	if err != nil {
		t.Fatal(err)
	}
	if res.Changed != 0 || len(res.Outcomes[0].LeftBehind) != 1 || lookOf(t, e, "b") != own {
		t.Errorf("a masked move was propagated unasked: %+v", res)
	}
	res, err = e.PropagateState(t.Context(), PropagateStateParams{ImageID: "a", Targets: []ImageID{"b", "c"}, Masks: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []ImageID{"b", "c"} {
		if lookOf(t, e, id) != lookOf(t, e, "a") {
			t.Errorf("%s: the masked move was not propagated: %+v", id, res)
		}
	}
}
