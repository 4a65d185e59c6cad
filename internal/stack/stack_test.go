package stack_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/stack"
	"github.com/chemigram/chemigram/internal/testutil/baseline"
	"github.com/chemigram/chemigram/xmp"
)

// fresh is a picture that was not edited yet, as a darktable sets it up.
func fresh(t *testing.T, version string) stack.Stack {
	t.Helper()
	sidecar, release, err := baseline.Parse(version)
	if err != nil {
		t.Fatal(err)
	}
	return stack.New(release, sidecar, sidecar)
}

// set sets one field and gives the picture with it.
func set(t *testing.T, s stack.Stack, module, instance, field, value string) stack.Stack {
	t.Helper()
	var err error
	s.Current, err = s.Set(stack.Settings{
		Module: module, Instance: instance, Fields: []stack.Setting{{Name: field, Value: value}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// value is a field as Describe gives it.
func value(t *testing.T, s *xmp.Sidecar, module, instance, field string) string {
	t.Helper()
	for _, m := range stack.Describe(s, s) {
		for _, f := range m.Fields {
			if m.Module == module && m.Instance == instance && f.Name == field {
				return f.Value
			}
		}
	}
	t.Fatalf("%s %s has no field %s", module, instance, field)
	return ""
}

func TestDiffNamesWhatDiffers(t *testing.T) {
	t.Parallel()
	before := set(t, set(t, fresh(t, "5.4.1"), "exposure", "", "exposure", "1"), "sharpen", "gone", "amount", "1")
	after := set(t, before, "exposure", "", "exposure", "1.5")
	after = set(t, after, "sharpen", "fine", "amount", "0.8")
	var err error
	if after.Current, err = after.Remove("sharpen:gone"); err != nil {
		t.Fatal(err)
	}
	want := []stack.Change{
		{Module: "sharpen", Instance: "gone", Kind: "removed"},
		{Module: "exposure", Kind: "changed", Fields: []stack.FieldChange{{Name: "exposure", Before: "1", After: "1.5", Unit: "EV"}}},
		{Module: "sharpen", Instance: "fine", Kind: "added", Fields: []stack.FieldChange{{Name: "amount", After: "0.8"}}},
	}
	if diff := cmp.Diff(want, stack.Diff(before.Current, after.Current)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := stack.Diff(after.Current, after.Current); len(got) != 0 {
		t.Errorf("a version differs from itself by %+v", got)
	}
}

func kind(err error) fault.Kind {
	f, ok := errors.AsType[*fault.Error](err)
	if !ok {
		return ""
	}
	return f.Kind
}

// darktable 5.4 never ends on some crops that keep next to nothing.
func TestACropKeepsATenth(t *testing.T) {
	t.Parallel()
	s := set(t, fresh(t, "5.4.1"), "crop", "", "cx", "0.9")
	for _, side := range []stack.Setting{{Name: "cx", Value: "0.95"}, {Name: "ch", Value: "0"}, {Name: "cw", Value: "0.3"}} {
		crop := stack.Settings{Module: "crop", Fields: []stack.Setting{side}}
		if _, err := s.Set(crop); kind(err) != fault.InvalidInput {
			t.Errorf("%s %s: %v", side.Name, side.Value, err)
		}
		crop.Enabled = new(false)
		off, err := s.Set(crop)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.CheckNext(off); err != nil {
			t.Errorf("%s %s, not enabled: %v", side.Name, side.Value, err)
		}
		entry, _ := off.Find("crop", "")
		entry.Enabled = true
		on, err := off.With(s.Release, xmp.Put{Entry: entry})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.CheckNext(on); kind(err) != fault.Synthesizer {
			t.Errorf("%s %s from elsewhere: %v", side.Name, side.Value, err)
		}
	}
}

func TestDiffNamesSwitches(t *testing.T) {
	t.Parallel()
	s := fresh(t, "5.4.1")
	on := set(t, s, "sharpen", "", "amount", "0.8")
	entry, _ := on.Current.Find("sharpen", "")
	entry.Enabled = false
	off, err := on.Current.With(on.Release, xmp.Put{Entry: entry})
	if err != nil {
		t.Fatal(err)
	}
	for want, got := range map[string][]stack.Change{"disabled": stack.Diff(on.Current, off), "enabled": stack.Diff(off, on.Current)} {
		if len(got) != 1 || got[0].Kind != want {
			t.Errorf("%+v, want sharpen %s", got, want)
		}
	}
}

func TestDescribeKnowsTheBaseline(t *testing.T) {
	t.Parallel()
	s := set(t, fresh(t, "5.4.1"), "exposure", "", "exposure", "1")
	s = set(t, s, "sharpen", "fine", "amount", "0.8")
	found := map[string]stack.Instance{}
	for _, m := range stack.Describe(s.Current, s.Baseline) {
		found[m.Module+":"+m.Instance] = m
	}
	e := found["exposure:"]
	if !e.InBaseline || !e.Enabled || !cmp.Equal(e.MadeBy, []string{"set_parameters"}) {
		t.Errorf("exposure is %+v", e)
	}
	for _, f := range e.Fields {
		if f.Name == "exposure" && f != (stack.Field{Name: "exposure", Value: "1", Baseline: "0.7", Unit: "EV"}) {
			t.Errorf("the field is %+v", f)
		}
	}
	if m := found["sharpen:fine"]; m.InBaseline || len(m.Fields) == 0 {
		t.Errorf("the added instance is %+v", m)
	}
}

func TestRemoveReturnsToTheBaseline(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"4.2.1", "5.4.1"} {
		s := fresh(t, version)
		edited := set(t, set(t, s, "exposure", "", "exposure", "1"), "exposure", "second", "exposure", "2")
		one, err := edited.Remove("exposure:second")
		if err != nil || one.Hash() != set(t, s, "exposure", "", "exposure", "1").Current.Hash() {
			t.Errorf("%s: without the second instance: %v", version, err)
		}
		all, err := edited.Remove("exposure")
		if err != nil || all.Hash() != s.Baseline.Hash() {
			t.Errorf("%s: without both: %v", version, err)
		}
	}
}

func TestWhatIsNotThereCannotBeRemoved(t *testing.T) {
	t.Parallel()
	s := fresh(t, "5.4.1")
	for name, kind := range map[string]fault.Kind{
		"exposur": fault.NotFound, "exposure:second": fault.NotFound, "demosaic": fault.InvalidInput,
	} {
		if _, err := s.Remove(name); !errors.Is(err, kind) {
			t.Errorf("%s: %v, want %s", name, err, kind)
		}
	}
}

func TestSetReportsAllThatIsRefused(t *testing.T) {
	t.Parallel()
	_, err := fresh(t, "5.4.1").Set(stack.Settings{Module: "exposure", Fields: []stack.Setting{
		{Name: "exposure", Value: "99"}, {Name: "black", Value: "0.01"}, {Name: "mode", Value: "AUTO"},
	}})
	f, _ := errors.AsType[*fault.Error](err)
	if f == nil {
		t.Fatalf("%v, want a fault", err)
	}
	violations, _ := f.Details["violations"].([]fault.Violation)
	if len(violations) != 2 || violations[0].Pointer != "/fields/0/field_value" || violations[1].Got != "AUTO" {
		t.Errorf("violations are %+v", violations)
	}
}

func TestModulesOfOtherReleasesAreNamed(t *testing.T) {
	t.Parallel()
	release := fresh(t, "4.2.1").Release
	for name, kind := range map[string]fault.Kind{"agx": fault.NotImplemented, "exposre": fault.NotFound} {
		if _, err := stack.FindModule(release, name); !errors.Is(err, kind) {
			t.Errorf("%s: %v, want %s", name, err, kind)
		}
	}
	if m, err := stack.FindModule(release, "exposure"); err != nil || m.Modversion != 6 {
		t.Errorf("exposure has modversion %d, %v", m.Modversion, err)
	}
}

func TestAHistoryOfANewerDarktableIsRefused(t *testing.T) {
	t.Parallel()
	old, young := fresh(t, "4.2.1"), fresh(t, "5.4.1")
	if err := stack.CheckSupported(old.Current, young.Release); err != nil {
		t.Error(err)
	}
	if err := stack.CheckSupported(young.Current, old.Release); !errors.Is(err, fault.NotImplemented) {
		t.Errorf("%v, want not_implemented", err)
	}
}
