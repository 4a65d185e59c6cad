package vocab

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

func TestAddingStartsFromTheBaseline(t *testing.T) {
	t.Parallel()
	eachBaseline(t, func(t *testing.T, b *fixture) {
		near(t, "baseline", b.field(b.baseline, "exposure", "", "exposure"), 0.7)
		once := b.apply(b.baseline, "exposure", value(1))
		near(t, "+1 EV", b.field(once, "exposure", "", "exposure"), 1.7)
		near(t, "black stays", b.field(once, "exposure", "", "black"), -0.000244140625)
		again := b.apply(once, "exposure", value(1))
		if again.Hash() != once.Hash() {
			t.Error("applying twice gives another state")
		}
		near(t, "-2 EV after +1 EV", b.field(b.apply(once, "exposure", value(-2)), "exposure", "", "exposure"), -1.3)
	})
}

func TestNothingIsLeftAtNeutral(t *testing.T) {
	t.Parallel()
	eachBaseline(t, func(t *testing.T, b *fixture) {
		for _, e := range b.words.List(Filter{}) {
			applied := b.apply(b.baseline, e.Name, Application{Values: sampleValues(e)})
			if applied.Hash() == b.baseline.Hash() {
				t.Errorf("%s changes nothing", e.Name)
			}
			for what, a := range map[string]Application{
				"strength 0": {Strength: new(0.0), Values: sampleValues(e)},
				"neutral":    {Values: neutralValues(e)},
			} {
				if what == "neutral" && len(e.Amounts()) == 0 {
					continue
				}
				if back := b.apply(applied, e.Name, a); back.Hash() != b.baseline.Hash() {
					t.Errorf("%s at %s leaves something:\n%s", e.Name, what, cmp.Diff(string(b.baseline.Canonical()), string(back.Canonical())))
				}
				if none := b.apply(b.baseline, e.Name, a); none.Hash() != b.baseline.Hash() || len(none.Origins()) != 0 {
					t.Errorf("%s at %s changes the baseline", e.Name, what)
				}
			}
		}
	})
}

func TestMovesThatShareAModuleKeepEachOther(t *testing.T) {
	t.Parallel()
	eachBaseline(t, func(t *testing.T, b *fixture) {
		both := b.apply(b.apply(b.baseline, "saturation", value(0.3)), "vibrance", value(0.2))
		near(t, "saturation", b.field(both, "colorbalancergb", "", "saturation_global"), 0.3)
		near(t, "vibrance", b.field(both, "colorbalancergb", "", "vibrance"), 0.2)
		if other := b.apply(b.apply(b.baseline, "vibrance", value(0.2)), "saturation", value(0.3)); other.Hash() != both.Hash() {
			t.Error("the order matters")
		}
		alone := b.apply(both, "saturation", value(0))
		if want := b.apply(b.baseline, "vibrance", value(0.2)); alone.Hash() != want.Hash() {
			t.Error("taking saturation back does not leave vibrance alone")
		}
		e, _ := alone.Find("colorbalancergb", "")
		if diff := cmp.Diff([]xmp.Origin{{Entry: "vibrance", Pack: "starter", Version: "1.0.0", Layer: "L3"}}, e.Origins); diff != "" {
			t.Error(diff)
		}
	})
}

func TestOrderOfAllMovesDoesNotMatter(t *testing.T) {
	t.Parallel()
	eachBaseline(t, func(t *testing.T, b *fixture) {
		all := b.words.List(Filter{})
		forth, back := b.baseline, b.baseline
		for i := range all {
			e, f := all[i], all[len(all)-1-i]
			forth = b.apply(forth, e.Name, Application{Values: sampleValues(e)})
			back = b.apply(back, f.Name, Application{Values: sampleValues(f)})
		}
		if forth.Hash() != back.Hash() {
			t.Error(cmp.Diff(string(forth.Canonical()), string(back.Canonical())))
		}
		if diff := cmp.Diff(forth.Origins(), back.Origins()); diff != "" {
			t.Error(diff)
		}
	})
}

func TestStrengthIsLinearInTheFields(t *testing.T) {
	t.Parallel()
	eachBaseline(t, func(t *testing.T, b *fixture) {
		half := b.apply(b.baseline, "exposure", Application{Value: new(1.0), Strength: new(0.5)})
		near(t, "exposure", b.field(half, "exposure", "", "exposure"), 1.2)
		bw := b.apply(b.baseline, "black_and_white", Application{Value: new(0.0), Strength: new(0.5)})
		near(t, "red from red", b.field(bw, "channelmixerrgb", "chemigram monochrome", "red[0]"), (1+0.27)/2)
		near(t, "red from green", b.field(bw, "channelmixerrgb", "chemigram monochrome", "red[1]"), 0.67/2)
		near(t, "a choice", b.field(bw, "channelmixerrgb", "chemigram monochrome", "adaptation"), 4)
		whole := b.apply(b.baseline, "exposure", Application{Value: new(1.0), Strength: new(1.0)})
		if whole.Hash() != b.apply(b.baseline, "exposure", value(1)).Hash() {
			t.Error("strength 1 is not the default")
		}
	})
}

func TestHuesSwitchInsteadOfTurning(t *testing.T) {
	t.Parallel()
	b := newFixture(t, "5.4.1")
	entry := `{"name": "teal", "layer": "L3", "subject": "colour", "description": "Teal shadows.",
	  "ops": [{"module": "colorbalancergb", "set": {"shadows_H": 200, "shadows_C": 0.2}}],
	  "claims": [{"measure": "warmth", "moves": "down"}]}`
	b.words = loaded(t, entry)
	half := b.apply(b.baseline, "teal", Application{Strength: new(0.5)})
	near(t, "hue", b.field(half, "colorbalancergb", "", "shadows_H"), 200)
	near(t, "chroma", b.field(half, "colorbalancergb", "", "shadows_C"), 0.1)
}

func TestMultiplyingKeepsTheCamerasOwnBalance(t *testing.T) {
	t.Parallel()
	eachBaseline(t, func(t *testing.T, b *fixture) {
		b.words = loaded(t, `{"name": "red", "layer": "L3", "subject": "colour", "description": "Red.",
		  "parameters": [{"name": "by", "min": -0.5, "max": 0.5, "default": 0.1, "neutral": 0}],
		  "ops": [{"module": "temperature", "multiply": {"red": {"parameter": "by", "offset": 1}}}],
		  "claims": [{"measure": "tint", "moves": "up"}]}`)
		was := b.field(b.baseline, "temperature", "", "red")
		s := b.apply(b.baseline, "red", value(0.2))
		near(t, "red", b.field(s, "temperature", "", "red"), float64(float32(was*1.2)))
		near(t, "blue", b.field(s, "temperature", "", "blue"), b.field(b.baseline, "temperature", "", "blue"))
		if b.apply(s, "red", value(0)).Hash() != b.baseline.Hash() {
			t.Error("neutral is not the baseline")
		}
	})
}

func TestNewInstancesHaveTheTargetsLayout(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]int{"4.2.1": 1, "5.4.1": 3} {
		b := newFixture(t, version)
		s := b.apply(b.baseline, "crop", Application{Values: map[string]float64{"left": 0.25, "bottom": 0.1}})
		e, _ := s.Find("crop", "")
		if e.Modversion != want || !e.Enabled || e.BlendVersion != b.release.BlendVersion() {
			t.Errorf("darktable %s: %+v", version, e)
		}
		for field, want := range map[string]float64{"cx": 0.25, "cy": 0, "cw": 1, "ch": 0.9} {
			near(t, field, b.field(s, "crop", "", field), want)
		}
	}
}

func TestEntriesOfOlderDarktablesKeepTheirLayout(t *testing.T) {
	t.Parallel()
	old := newFixture(t, "4.2.1")
	release, err := iop.ReleaseFor("5.4.1")
	if err != nil {
		t.Fatal(err)
	}
	old.release = release
	s := old.apply(old.baseline, "exposure", value(1))
	if e, _ := s.Find("exposure", ""); e.Modversion != 6 {
		t.Errorf("modversion %d, want the baseline's 6", e.Modversion)
	}
	near(t, "exposure", old.field(s, "exposure", "", "exposure"), 1.7)

	recent := newFixture(t, "5.4.1")
	if recent.release, err = iop.ReleaseFor("4.2.1"); err != nil {
		t.Fatal(err)
	}
	_, err = recent.try(recent.baseline, "exposure", value(1))
	if e, ok := errors.AsType[*Error](err); !ok || e.Kind != Unavailable {
		t.Errorf("an entry that is newer than the darktable: %v", err)
	}
}

func TestBadValuesAreRefusedWithTheRange(t *testing.T) {
	t.Parallel()
	b := newFixture(t, "5.4.1")
	tests := []struct {
		move string
		app  Application
		says string
	}{
		{"exposure", value(4), "ev: 4 EV is out of range; want -3..3 EV"},
		{"exposure", value(math.NaN()), "NaN EV is out of range"},
		{"exposure", value(math.Inf(1)), "+Inf EV is out of range"},
		{"exposure", Application{Values: map[string]float64{"evs": 1}}, "it takes ev -3..3 EV (nearest: ev)"},
		{"exposure", Application{Value: new(1.0), Values: map[string]float64{"ev": 1}}, "not both"},
		{"crop", value(0.1), "it takes left 0..0.45 share of the width, top"},
		{"look_natural_punch", value(0.1), "it takes no values, only a strength"},
		{"exposure", Application{Strength: new(1.5)}, "strength: 1.5 is out of range; want 0..1"},
		{"exposure", Application{Strength: new(math.NaN())}, "strength: NaN"},
	}
	for _, tt := range tests {
		_, err := b.try(b.baseline, tt.move, tt.app)
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Kind != BadValue || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%v\nwant %q", err, tt.says)
		}
	}
}

func TestAFieldThatLeavesItsRangeIsNotWritten(t *testing.T) {
	t.Parallel()
	b := newFixture(t, "5.4.1")
	b.words = loaded(t, strings.Replace(goodEntry, `"min": -3, "max": 3`, `"min": -30, "max": 30`, 1))
	_, err := b.try(b.baseline, "lift", value(20))
	if e, ok := errors.AsType[*Error](err); !ok || e.Kind != Uncomposable || !strings.Contains(err.Error(), "outside -18 to 18") {
		t.Errorf("%v", err)
	}
}

func TestUnreadableParametersAreNotTouched(t *testing.T) {
	t.Parallel()
	b := newFixture(t, "5.4.1")
	e, _ := b.baseline.Find("exposure", "")
	e.Params = e.Params[:8]
	broken, err := b.baseline.With(b.release, xmp.Put{Entry: e})
	if err != nil {
		t.Fatal(err)
	}
	_, err = b.try(broken, "exposure", value(1))
	if e, ok := errors.AsType[*Error](err); !ok || e.Kind != Uncomposable || !errors.As(err, new(*iop.Error)) {
		t.Errorf("%v", err)
	}
}

func TestCompileGivesTheValuesUsed(t *testing.T) {
	t.Parallel()
	b := newFixture(t, "5.4.1")
	e, _ := b.words.Entry("crop")
	_, values, err := e.Compile(Application{Values: map[string]float64{"top": 0.2}, Baseline: b.baseline, Current: b.baseline, Target: b.release})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]float64{"left": 0, "top": 0.2, "right": 0, "bottom": 0}, values); diff != "" {
		t.Error(diff)
	}
}
