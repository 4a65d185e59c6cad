package fault_test

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/internal/fault"
)

func TestAKindIsAskedForThroughWrapping(t *testing.T) {
	t.Parallel()
	err := fmt.Errorf("opening: %w", fault.New(fault.State, "locked by %d", 7))
	if !errors.Is(err, fault.State) || errors.Is(err, fault.NotFound) {
		t.Errorf("%v is state %t, not found %t", err, errors.Is(err, fault.State), errors.Is(err, fault.NotFound))
	}
	if got := fault.Kind("timed_out").String(); got != "timed out" {
		t.Error(got)
	}
}

func TestWhatIsPermanent(t *testing.T) {
	t.Parallel()
	for kind, want := range map[fault.Kind]bool{
		fault.Synthesizer: true, fault.NotImplemented: true, fault.State: false, fault.InvalidInput: false,
	} {
		if got := fault.New(kind, "x").Permanent; got != want {
			t.Errorf("%s: permanent is %t", kind, got)
		}
	}
}

func TestAMissingNameComesWithTheNearest(t *testing.T) {
	t.Parallel()
	err := fault.Missing("mask", "skyblue", []string{"sky_blue", "water"})
	want := map[string]any{"kind": "mask", "name": "skyblue", "suggestions": []string{"sky_blue"}}
	if diff := cmp.Diff(want, err.Details); diff != "" || !errors.Is(err, fault.NotFound) {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got, listed := fault.Unknown("ref", "x", nil).Details["suggestions"]; listed {
		t.Errorf("suggestions are %#v; want none", got)
	}
}

func TestViolationsAreListed(t *testing.T) {
	t.Parallel()
	if err := fault.Violated(nil); err != nil {
		t.Error(err)
	}
	err := fault.Violated([]fault.Violation{
		{Pointer: "/size", Expected: "a whole number", Got: `"big"`},
		{Pointer: "/region/width", Expected: "more than 0", Got: "0"},
	})
	want := `size is "big", expected a whole number; region/width is 0, expected more than 0`
	if err.Error() != want || !errors.Is(err, fault.InvalidInput) {
		t.Errorf("%v", err)
	}
}

func TestTextLeavesOutWhatIsEmpty(t *testing.T) {
	t.Parallel()
	var none error
	for want, parts := range map[string][]any{
		"a: b: file does not exist": {"a", "", "b", fs.ErrNotExist},
		"a":                         {"a", none},
		"":                          {},
	} {
		if got := fault.Text(parts...); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestWhatCannotBeSeenIsBlank(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"": true, " \t\n": true, "\u200b\u200c\u200d\ufeff": true, "\u2060 \u00ad": true, "\u3164\u2800": true,
		"\u202e\u2066": true, "\u0301": true, "a": false, "\u200ba": false, "é": false, "不要": false, "-": false, "🗑": false,
	} {
		if got := fault.Blank(text); got != want {
			t.Errorf("%q is blank: %v, want %v", text, got, want)
		}
	}
}
