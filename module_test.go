package chemigram

import (
	"errors"
	"strings"
	"testing"
)

func set(t *testing.T, e *Engine, module, instance string, pairs ...string) (EditResult, error) {
	t.Helper()
	p := SetParametersParams{ImageID: "a", ModuleName: module, Instance: instance}
	for i := 0; i < len(pairs); i += 2 {
		p.Fields = append(p.Fields, FieldSetting{Name: pairs[i], Value: pairs[i+1]})
	}
	return e.SetParameters(t.Context(), p)
}

func TestFieldsAreSetByNameAndShownByDiff(t *testing.T) {
	eachBaseline(t, func(t *testing.T, e *Engine) {
		if _, err := set(t, e, "exposure", "", "exposure", "1.25", "mode", "EXPOSURE_MODE_DEFLICKER", "compensate_exposure_bias", "false"); err != nil {
			t.Fatal(err)
		}
		if _, err := set(t, e, "sharpen", "fine", "amount", "0.8"); err != nil {
			t.Fatal(err)
		}
		res, err := e.Diff(t.Context(), DiffParams{ImageID: "a", HashA: "baseline", HashB: "HEAD"})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, change := range res.Changes {
			for _, field := range change.Fields {
				got[change.Module+":"+change.Instance+"."+field.Name] = strings.TrimSpace(field.Before + "→" + field.After + " " + field.Unit)
			}
		}
		for name, want := range map[string]string{
			"exposure:.exposure":  "0.7→1.25 EV",
			"exposure:.mode":      "EXPOSURE_MODE_MANUAL→EXPOSURE_MODE_DEFLICKER",
			"sharpen:fine.amount": "→0.8",
		} {
			if got[name] != want {
				t.Errorf("%s: %q, want %q (all: %v)", name, got[name], want, got)
			}
		}
	})
}

// A module is switched off and on by itself; its fields keep their values.
func TestAModuleIsSwitchedWithoutFields(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	if _, err := set(t, e, "sharpen", "", "amount", "0.8"); err != nil {
		t.Fatal(err)
	}
	before := headHash(t, e)
	for _, enabled := range []bool{false, true} {
		res, err := e.SetParameters(t.Context(), SetParametersParams{ImageID: "a", ModuleName: "sharpen", Enabled: &enabled})
		if err != nil || !res.Changed {
			t.Fatalf("enabled %v: %+v, %v", enabled, res, err)
		}
	}
	if now := headHash(t, e); now != before {
		t.Errorf("off and on again it is %s, and was %s", now, before)
	}
	_, err := set(t, e, "sharpen", "")
	if found, _ := AsError(err).Details["violations"].([]Violation); len(found) != 1 || found[0].Pointer != "/fields" {
		t.Errorf("nothing to set gives %v", err)
	}
}

// Who made a look is kept with its snapshot: a move that changes nothing adds no maker, and
// its answer does not say so.
func TestAMoveThatChangesNothingSaysWhatIsThere(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	if _, err := set(t, e, "exposure", "", "exposure", "1.7"); err != nil {
		t.Fatal(err)
	}
	res := apply(t, e, "exposure", 1)
	state, err := e.GetState(t.Context(), GetStateParams{ImageID: "a"})
	if err != nil || res.Changed || res.StateAfter.LayersPresent != state.LayersPresent {
		t.Errorf("the answer is %+v, get_state says %+v, %v", res, state, err)
	}
}

func TestWhatCannotBeSetIsRefusedAndNothingChanges(t *testing.T) {
	eachBaseline(t, func(t *testing.T, e *Engine) {
		before := headHash(t, e)
		for name, tt := range map[string]struct {
			module, instance string
			pairs            []string
			code             Code
			says             string
		}{
			"out of range":   {"exposure", "", []string{"exposure", "99"}, ErrInvalidInput, "18"},
			"no number":      {"exposure", "", []string{"exposure", "bright"}, ErrInvalidInput, "bright"},
			"unknown field":  {"exposure", "", []string{"exposrue", "1"}, ErrInvalidInput, "exposure"},
			"unknown enum":   {"exposure", "", []string{"mode", "AUTO"}, ErrInvalidInput, "EXPOSURE_MODE_MANUAL"},
			"no fields":      {"exposure", "", nil, ErrInvalidInput, "fields"},
			"unknown module": {"exposur", "", []string{"exposure", "1"}, ErrNotFound, "exposure"},
			"one instance":   {"demosaic", "second", []string{"median_thrs", "0"}, ErrInvalidInput, "only one"},
		} {
			_, err := set(t, e, tt.module, tt.instance, tt.pairs...)
			if !errors.Is(err, tt.code) || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("%s: err = %v, want %s that says %q", name, err, tt.code, tt.says)
			}
		}
		if headHash(t, e) != before {
			t.Error("a refused call has changed the edit")
		}
	})
	e := openWithout(t, Options{})
	add(t, e, "a", "4.2.1")
	if _, err := set(t, e, "agx", "", "curve_contrast_around_pivot", "3"); !errors.Is(err, ErrNotImplemented) {
		t.Errorf("agx on 4.2.1: err = %v, want not_implemented", err)
	}
}

func TestAModuleIsDescribedWithRangesUnitsAndConstants(t *testing.T) {
	e := openWithout(t, Options{})
	res, err := e.DescribeModule(t.Context(), DescribeModuleParams{ModuleName: "exposure"})
	if err != nil {
		t.Fatal(err)
	}
	fields := map[string]ModuleField{}
	for _, field := range res.Fields {
		fields[field.Name] = field
	}
	if f := fields["exposure"]; f.Unit != "EV" || f.Range != "-18 to 18" || f.Neutral != "0" {
		t.Errorf("exposure = %+v, want EV, -18 to 18, neutral 0", f)
	}
	if f := fields["mode"]; len(f.Values) != 2 || f.Values[0].Name != "EXPOSURE_MODE_MANUAL" {
		t.Errorf("mode = %+v, want its two constants", f)
	}
	if res.Available || !res.Masks || res.OneInstance {
		t.Errorf("module = %+v; want it unavailable here, with masks, in several instances", res)
	}
	few, err := e.DescribeModule(t.Context(), DescribeModuleParams{ModuleName: "retouch", Limit: 10, Query: "brightness"})
	if err != nil || len(few.Fields) != 10 || few.Total < 100 {
		t.Errorf("retouch: %d of %d fields, %v; want 10 of hundreds", len(few.Fields), few.Total, err)
	}
}
