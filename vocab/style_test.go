package vocab

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
	"github.com/chemigram/chemigram/xmp/mask"
)

const styled = `[{"name": "captured", "layer": "L2", "subject": "look", "description": "A captured look.", "style": "styles/my look.dtstyle",
  "claims": [{"measure": "chroma", "moves": "up"}]}]`

// captured makes a style as darktable would write it, with a module that the
// author set, one that darktable set, and a second instance.
func captured(t *testing.T, change func(*xmp.Style)) []byte {
	t.Helper()
	release, err := iop.ReleaseFor("5.4.1")
	if err != nil {
		t.Fatal(err)
	}
	blend, err := mask.DefaultBlend(release.BlendVersion())
	if err != nil {
		t.Fatal(err)
	}
	entry := func(module, name string, priority int, field string, value float64) xmp.Entry {
		modversion, _ := release.Modversion(module)
		p, err := iop.Defaults(module, modversion)
		if err != nil {
			t.Fatal(err)
		}
		if p, err = p.With(field, iop.Number(value)); err != nil {
			t.Fatal(err)
		}
		return xmp.Entry{
			Operation: module, Enabled: true, Modversion: modversion, Params: p.Encode(), MultiName: name,
			MultiPriority: priority, BlendVersion: release.BlendVersion(), Blend: blend,
		}
	}
	s := &xmp.Style{Name: "my look", Entries: []xmp.Entry{
		entry("colorbalancergb", "", 0, "vibrance", 0.4),
		entry("sigmoid", "_builtin_scene-referred default", 0, "middle_grey_contrast", 2),
		entry("exposure", "second", 1, "exposure", 0.5),
	}}
	if change != nil {
		change(s)
	}
	return s.Bytes()
}

func stylePack(t *testing.T, change func(*xmp.Style)) Source {
	p := fstest.MapFS{
		"pack.json":              {Data: []byte(goodManifest)},
		"looks.json":             {Data: []byte(styled)},
		"styles/my look.dtstyle": {Data: captured(t, change)},
	}
	return Source{"mine", p}
}

func TestAStyleIsCarriedByteForByte(t *testing.T) {
	t.Parallel()
	v, failures := Load(stylePack(t, nil))
	if len(failures) > 0 {
		t.Fatal(errors.Join(failures...))
	}
	b := newFixture(t, "5.4.1")
	b.words = v
	whole := b.apply(b.baseline, "captured", Application{})
	near(t, "vibrance", b.field(whole, "colorbalancergb", "", "vibrance"), 0.4)
	near(t, "second exposure", b.field(whole, "exposure", "chemigram captured second", "exposure"), 0.5)
	near(t, "first exposure", b.field(whole, "exposure", "", "exposure"), 0.7)
	near(t, "a preset that the author chose", b.field(whole, "sigmoid", "", "middle_grey_contrast"), 2)
	half := b.apply(whole, "captured", Application{Strength: new(0.5)})
	near(t, "the vibrance", b.field(half, "colorbalancergb", "", "vibrance"), 0.4)
	near(t, "opacity of the vibrance", b.opacity(half, "colorbalancergb", ""), 50)
	near(t, "opacity of the exposure", b.opacity(half, "exposure", "chemigram captured second"), 50)
	near(t, "half the contrast on top of the baseline's", b.field(half, "sigmoid", "", "middle_grey_contrast"), 1.75)
	if again := b.apply(half, "captured", Application{}); again.Hash() != whole.Hash() {
		t.Error("the whole after the half is not the whole")
	}
	if none := b.apply(half, "captured", Application{Strength: new(0.0)}); none.Hash() != b.baseline.Hash() {
		t.Error("strength 0 is not the baseline")
	}
	old, err := iop.ReleaseFor("4.2.1")
	if err != nil {
		t.Fatal(err)
	}
	e, _ := v.Entry("captured")
	if ok, reason := e.Available(old); ok || !strings.Contains(reason, "captured with a newer darktable") {
		t.Errorf("on 4.2.1: %v, %q", ok, reason)
	}
}

func TestInstancesOfAStyleAreToldApartByTheirNumber(t *testing.T) {
	t.Parallel()
	v, failures := Load(stylePack(t, func(s *xmp.Style) {
		second := s.Entries[2]
		for number, name := range []string{"", "", "soft", "soft"} {
			x := second
			x.MultiName, x.MultiPriority = name, number+2
			s.Entries = append(s.Entries, x)
		}
	}))
	if len(failures) > 0 {
		t.Fatal(errors.Join(failures...))
	}
	b := newFixture(t, "5.4.1")
	b.words = v
	whole := b.apply(b.baseline, "captured", Application{})
	for _, name := range []string{"second", "(2)", "(3)", "soft (4)", "soft (5)"} {
		near(t, name, b.field(whole, "exposure", "chemigram captured "+name, "exposure"), 0.5)
	}
	if again := b.apply(whole, "captured", Application{}); again.Hash() != whole.Hash() {
		t.Error("applied again, the style gives another look")
	}
	if none := b.apply(whole, "captured", Application{Strength: new(0.0)}); none.Hash() != b.baseline.Hash() {
		t.Error("strength 0 is not the baseline")
	}
}

func TestAMoveFindsTheBaseInstanceWhateverItIsCalled(t *testing.T) {
	t.Parallel()
	b := newFixture(t, "5.4.1")
	text := strings.ReplaceAll(string(b.baseline.Bytes()), `darktable:multi_name="_builtin_scene-referred default"`, `darktable:multi_name="mine"`)
	renamed, err := xmp.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"contrast", "exposure"} {
		on := b.apply(renamed, name, value(0.5))
		if off := b.apply(on, name, value(0)); len(off.History()) != len(b.baseline.History()) {
			t.Errorf("%s at its neutral leaves %d instances, want %d", name, len(off.History()), len(b.baseline.History()))
		}
	}
}

func TestBadStylesAreRefused(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change func(*xmp.Style)
		says   string
	}{
		"wrong modversion": {func(s *xmp.Style) { s.Entries[0].Modversion = 4 }, "colorbalancergb"},
		"future version":   {func(s *xmp.Style) { s.Entries[0].Modversion = 99 }, "99"},
		"unknown module":   {func(s *xmp.Style) { s.Entries[0].Operation = "sparkle" }, "sparkle"},
		"cut short":        {func(s *xmp.Style) { s.Entries[0].Params = s.Entries[0].Params[:12] }, "12"},
		"drawn mask": {func(s *xmp.Style) {
			s.Entries[0].Blend = append([]byte{3}, s.Entries[0].Blend[1:]...)
		}, "whose shapes a style does not carry"},
		"nothing of its own": {func(s *xmp.Style) { s.Entries = nil }, "no module in it"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, failures := Load(stylePack(t, tt.change))
			err := errors.Join(failures...)
			if err == nil || !strings.Contains(err.Error(), tt.says) || !strings.Contains(err.Error(), "my look.dtstyle") {
				t.Errorf("%v, want %q", err, tt.says)
			}
		})
	}
}

// opacity is the opacity of an instance's blending, in percent.
func (b *fixture) opacity(s *xmp.Sidecar, module, name string) float64 {
	b.t.Helper()
	e, ok := s.Find(module, name)
	if !ok {
		b.t.Fatalf("no %s %q", module, name)
	}
	blend, err := mask.DecodeBlend(e.BlendVersion, e.Blend)
	if err != nil || blend.MaskMode&mask.Uniform == 0 || blend.ColorSpace == mask.ColorSpaceNone {
		b.t.Fatalf("%s %q is not blended: %+v, %v", module, name, blend, err)
	}
	return float64(blend.Opacity)
}

// What has nothing between off and on is as in the baseline below full strength.
func TestWhatCannotBeWeakenedIsLeftOut(t *testing.T) {
	t.Parallel()
	v, failures := Load(stylePack(t, func(s *xmp.Style) {
		crop, lens := s.Entries[0], s.Entries[1]
		crop.Operation, crop.Modversion, crop.Params = "crop", 3, defaults(t, "crop", 3)
		lens.Operation, lens.Modversion, lens.Params, lens.MultiName = "filmicrgb", 6, defaults(t, "filmicrgb", 6), ""
		s.Entries[1].Enabled = false
		s.Entries = append(s.Entries, crop, lens)
	}))
	if len(failures) > 0 {
		t.Fatal(errors.Join(failures...))
	}
	b := newFixture(t, "5.4.1")
	b.words = v
	e, _ := v.Entry("captured")
	if got, want := e.FullStrengthOnly(b.release), []string{"crop", "filmicrgb", "sigmoid"}; !slices.Equal(got, want) {
		t.Errorf("at full strength only: %v, want %v", got, want)
	}
	if plain, _ := newFixture(t, "5.4.1").words.Entry("crop"); plain.FullStrengthOnly(b.release) != nil {
		t.Error("a move that is no style is told as one")
	}
	half := b.apply(b.baseline, "captured", Application{Strength: new(0.5)})
	if sigmoid, _ := half.Find("sigmoid", ""); !sigmoid.Enabled {
		t.Error("the tone mapper is off at half strength, and no other is on")
	}
	if _, found := half.Find("crop", ""); found {
		t.Error("half a crop")
	}
	if back := b.apply(b.apply(b.baseline, "captured", Application{}), "captured", Application{Strength: new(0.5)}); back.Hash() != half.Hash() {
		t.Error("the half after the whole is not the half")
	}
}

// A module that the style switches off, and another does not replace, is mixed out.
func TestAModuleThatAStyleSwitchesOffIsMixedOut(t *testing.T) {
	t.Parallel()
	v, failures := Load(stylePack(t, func(s *xmp.Style) {
		s.Entries = s.Entries[2:]
		s.Entries[0].MultiPriority, s.Entries[0].MultiName, s.Entries[0].Enabled = 0, "", false
	}))
	if len(failures) > 0 {
		t.Fatal(errors.Join(failures...))
	}
	b := newFixture(t, "5.4.1")
	b.words = v
	quarter := b.apply(b.baseline, "captured", Application{Strength: new(0.25)})
	near(t, "opacity", b.opacity(quarter, "exposure", ""), 75)
	near(t, "exposure", b.field(quarter, "exposure", "", "exposure"), 0.7)
	if e, _ := b.apply(quarter, "captured", Application{}).Find("exposure", ""); e.Enabled {
		t.Error("at full strength the module is on")
	}
}

// Blended the other way round a module has the less effect the more opacity it has, so
// that nothing lies between off and on.
func TestWhatIsBlendedTheOtherWayRoundIsLeftOut(t *testing.T) {
	t.Parallel()
	reversed := func(limits mask.Limits) func(*xmp.Style) {
		return func(s *xmp.Style) {
			blend, err := mask.DecodeBlend(14, s.Entries[0].Blend)
			if err != nil {
				t.Fatal(err)
			}
			blend.MaskMode, blend.ColorSpace, blend.Mode = limits, mask.ColorSpaceRGBScene, 4|mask.ModeReversed
			if s.Entries[0].Blend, err = blend.Encode(); err != nil {
				t.Fatal(err)
			}
		}
	}
	for limits, want := range map[mask.Limits][]string{mask.Uniform: {"colorbalancergb"}, 0: nil} {
		v, failures := Load(stylePack(t, reversed(limits)))
		if len(failures) > 0 {
			t.Fatal(errors.Join(failures...))
		}
		b := newFixture(t, "5.4.1")
		b.words = v
		e, _ := v.Entry("captured")
		if got := e.FullStrengthOnly(b.release); !slices.Equal(got, want) {
			t.Errorf("at full strength only, blended %d: %v, want %v", limits, got, want)
		}
		low := b.apply(b.baseline, "captured", Application{Strength: new(0.25)})
		if _, found := low.Find("colorbalancergb", ""); found != (want == nil) {
			t.Errorf("blended %d, the instance at a quarter of the strength is there: %v", limits, found)
		}
		if whole := b.apply(low, "captured", Application{}); want != nil {
			if x, _ := whole.Find("colorbalancergb", ""); !isReversed(x) {
				t.Error("at full strength the blending is not the style's")
			}
		}
	}
}

// A mask of the style's own stays; its opacity is scaled.
func TestAStylesOwnMaskIsKept(t *testing.T) {
	t.Parallel()
	v, failures := Load(stylePack(t, func(s *xmp.Style) {
		blend, err := mask.DecodeBlend(14, s.Entries[0].Blend)
		if err != nil {
			t.Fatal(err)
		}
		blend.MaskMode, blend.ColorSpace, blend.Opacity = mask.Uniform|mask.Parametric, mask.ColorSpaceLab, 60
		blend.Channels, blend.Ranges[0] = 1, mask.Range{Low: 0.1, LowFull: 0.2, HighFull: 1, High: 1}
		if s.Entries[0].Blend, err = blend.Encode(); err != nil {
			t.Fatal(err)
		}
	}))
	if len(failures) > 0 {
		t.Fatal(errors.Join(failures...))
	}
	b := newFixture(t, "5.4.1")
	b.words = v
	half := b.apply(b.baseline, "captured", Application{Strength: new(0.5)})
	near(t, "opacity", b.opacity(half, "colorbalancergb", ""), 30)
	e, _ := half.Find("colorbalancergb", "")
	blend, err := mask.DecodeBlend(e.BlendVersion, e.Blend)
	if err != nil || blend.MaskMode != mask.Uniform|mask.Parametric || blend.ColorSpace != mask.ColorSpaceLab || blend.Ranges[0].LowFull != 0.2 {
		t.Errorf("%+v, %v", blend, err)
	}
}

// darktable ignores a mask in no colour space, and applies the edit everywhere: so
// does half of it.
func TestAStylesMaskThatDarktableIgnoresIsNotKept(t *testing.T) {
	t.Parallel()
	v, failures := Load(stylePack(t, func(s *xmp.Style) {
		blend, err := mask.DecodeBlend(14, s.Entries[0].Blend)
		if err != nil {
			t.Fatal(err)
		}
		blend.MaskMode, blend.ColorSpace, blend.Channels = mask.Uniform|mask.Parametric, mask.ColorSpaceNone, 1
		if s.Entries[0].Blend, err = blend.Encode(); err != nil {
			t.Fatal(err)
		}
	}))
	if len(failures) > 0 {
		t.Fatal(errors.Join(failures...))
	}
	b := newFixture(t, "5.4.1")
	b.words = v
	half := b.apply(b.baseline, "captured", Application{Strength: new(0.5)})
	near(t, "opacity", b.opacity(half, "colorbalancergb", ""), 50)
}

// A style's blending is written in the version that the darktable reads; where that
// cannot say it, the style is not available.
func TestAStylesBlendingIsWrittenForAnOlderDarktable(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		feather float32
		reason  string
	}{"a range": {0, ""}, "a newer guided filter": {10, "colorbalancergb"}} {
		v, failures := Load(stylePack(t, func(s *xmp.Style) {
			s.Entries = s.Entries[:1]
			blend, err := mask.DecodeBlend(14, s.Entries[0].Blend)
			if err != nil {
				t.Fatal(err)
			}
			blend.MaskMode, blend.ColorSpace, blend.Channels, blend.FeatherRadius = mask.Uniform|mask.Parametric, mask.ColorSpaceLab, 1, tt.feather
			if s.Entries[0].Blend, err = blend.Encode(); err != nil {
				t.Fatal(err)
			}
		}))
		if len(failures) > 0 {
			t.Fatal(errors.Join(failures...))
		}
		b := newFixture(t, "4.2.1")
		b.words = v
		e, _ := v.Entry("captured")
		ok, reason := e.Available(b.release)
		if ok != (tt.reason == "") || !strings.Contains(reason, tt.reason) {
			t.Errorf("%s: available %v, %q", name, ok, reason)
		}
		if !ok {
			continue
		}
		for _, strength := range []float64{0.5, 1} {
			if made, _ := b.apply(b.baseline, "captured", Application{Strength: &strength}).Find("colorbalancergb", ""); made.BlendVersion != 11 {
				t.Errorf("%s at strength %v: blend parameters of version %d, want 11", name, strength, made.BlendVersion)
			}
		}
	}
}

func defaults(t *testing.T, module string, modversion int) []byte {
	t.Helper()
	p, err := iop.Defaults(module, modversion)
	if err != nil {
		t.Fatal(err)
	}
	return p.Encode()
}
