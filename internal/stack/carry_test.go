package stack_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/internal/stack"
)

func TestACarriedLookReplacesTheOneBefore(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"4.2.1", "5.4.1"} {
		plain := fresh(t, version)
		source := set(t, set(t, plain, "exposure", "", "exposure", "1.5"), "crop", "", "cx", "0.1")
		target := set(t, set(t, plain, "sharpen", "fine", "amount", "0.8"), "crop", "", "cx", "0.2")
		look, skipped, err := stack.Carry(source, target, false)
		if err != nil {
			t.Fatal(err)
		}
		if !cmp.Equal(skipped, []string{"crop"}) {
			t.Errorf("%s: skipped %q, want the crop", version, skipped)
		}
		if ev, cx := value(t, look, "exposure", "", "exposure"), value(t, look, "crop", "", "cx"); ev != "1.5" || cx != "0.2" {
			t.Errorf("%s: exposure %s, crop at %s; want the source's and the target's own", version, ev, cx)
		}
		if _, found := look.Find("sharpen", "fine"); found {
			t.Errorf("%s: the target's own sharpening is still there", version)
		}
	}
}

func TestExposureIsCarriedAsADifference(t *testing.T) {
	t.Parallel()
	plain := fresh(t, "5.4.1")
	source := set(t, plain, "exposure", "", "exposure", "1.7")
	target := plain
	target.Baseline = set(t, plain, "exposure", "", "exposure", "0.2").Current
	target.Current = target.Baseline
	look, _, err := stack.Carry(source, target, false)
	if err != nil {
		t.Fatal(err)
	}
	if ev := value(t, look, "exposure", "", "exposure"); ev != "1.2" {
		t.Errorf("the exposure is %s, want 1 EV above the target's own 0.2", ev)
	}
}

func TestLightIsEvenedOut(t *testing.T) {
	t.Parallel()
	s := fresh(t, "5.4.1")
	source := set(t, s, "temperature", "", "red", "2.5").Current
	for same, want := range map[bool]string{true: "2.5", false: value(t, s.Current, "temperature", "", "red")} {
		look, err := s.EvenLight(source, stack.Light{EV: 0.5, SameCamera: same})
		if err != nil {
			t.Fatal(err)
		}
		if ev, red := value(t, look, "exposure", "", "exposure"), value(t, look, "temperature", "", "red"); ev != "1.2" || red != want {
			t.Errorf("same camera %t: exposure %s, red %s; want 1.2 and %s", same, ev, red, want)
		}
	}
}

func TestExposeStartsFromNothingWhereExposureIsOff(t *testing.T) {
	t.Parallel()
	s := fresh(t, "5.4.1")
	off, err := s.Set(stack.Settings{Module: "exposure", Enabled: new(false), Fields: []stack.Setting{{Name: "exposure", Value: "3"}}})
	if err != nil {
		t.Fatal(err)
	}
	s.Current = off
	look, err := s.Expose(-0.5)
	if err != nil {
		t.Fatal(err)
	}
	if entry, _ := look.Find("exposure", ""); !entry.Enabled || value(t, look, "exposure", "", "exposure") != "-0.5" {
		t.Errorf("exposure is %s, enabled %t", value(t, look, "exposure", "", "exposure"), entry.Enabled)
	}
}
