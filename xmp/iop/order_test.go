package iop

import (
	"errors"
	"strings"
	"testing"
)

func newestRelease(t testing.TB) Release {
	t.Helper()
	all := Releases()
	return all[len(all)-1]
}

func TestReleaseForTakesTheNewestThatIsNotNewer(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]string{
		"3.4.1": "3.4.1", "4.2.0": "3.4.1", "4.2.1": "4.2.1", "4.2.1-4": "4.2.1", "4.8": "4.2.1", "5.0.1": "5.0.1",
		"5.4.0": "5.0.1", "5.4.1": "5.4.1", "5.4.1+git12~g0123": "5.4.1", "5.5.0": "5.4.1", "5.6.2": "5.6.0",
		"5.10.0": "5.6.0", "release-6.0": "5.6.0",
		"3.4.0": "", "2.6.3": "", "": "", "five": "", "5": "",
	} {
		r, err := ReleaseFor(version)
		if (err != nil) != (want == "") || r.Version() != want {
			t.Errorf("%q gives %q (%v), want %q", version, r.Version(), err, want)
		}
		if e, ok := errors.AsType[*Error](err); err != nil && (!ok || e.Kind != UnknownRelease) {
			t.Errorf("%q: %v", version, err)
		}
	}
}

func TestReleasesKnowTheirModules(t *testing.T) {
	t.Parallel()
	tests := []struct {
		release    string
		operation  string
		modversion int // 0 when absent
	}{
		{"4.2.1", "exposure", 6},
		{"5.0.1", "exposure", 6},
		{"5.4.1", "exposure", 7},
		{"4.2.1", "agx", 0},
		{"5.4.1", "agx", 7},
		{"4.2.1", "sigmoid", 1},
		{"5.4.1", "sigmoid", 3},
		{"3.4.1", "liquify", 1},
		{"5.4.1", "overexposed", 3}, // has no parameters to know
		{"5.4.1", "colorharmonizer", 0},
		{"5.6.0", "colorharmonizer", 1},
	}
	for _, tt := range tests {
		r, err := ReleaseFor(tt.release)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := r.Modversion(tt.operation)
		if got != tt.modversion || ok != (tt.modversion > 0) {
			t.Errorf("%s %s: %d, want %d", tt.release, tt.operation, got, tt.modversion)
		}
	}
	for release, want := range map[string]int{"3.4.1": 10, "4.2.1": 11, "5.0.1": 13, "5.4.1": 14, "5.6.0": 14} {
		if r, _ := ReleaseFor(release); r.BlendVersion() != want {
			t.Errorf("%s writes blend version %d, want %d", release, r.BlendVersion(), want)
		}
	}
}

// What darktable 5.6 does otherwise than 5.4, as it is published.
func TestWhatIsPublishedOf56(t *testing.T) {
	t.Parallel()
	before, err1 := ReleaseFor("5.4.1")
	r, err2 := ReleaseFor("5.6.2")
	if err := errors.Join(err1, err2); err != nil || before.Decoded() || !r.Decoded() {
		t.Fatalf("decoded: %v, %v; %v", before.Decoded(), r.Decoded(), err)
	}
	for field, want := range map[string][2]string{
		"look_original_hue_mix_ratio": {"0", "0.6"}, "curve_contrast_around_pivot": {"2.4", "3"}, "curve_shoulder_power": {"1.5", "3.3"},
	} {
		for i, r := range []Release{before, r} {
			p, err := r.Defaults("agx")
			if err != nil {
				t.Fatal(err)
			}
			if v, err := p.Get(field); err != nil || v.String() != want[i] {
				t.Errorf("%s: agx's %s is %v by default (%v), want %s", r.Version(), field, v, err, want[i])
			}
		}
	}
	for release, allowed := range map[Release]bool{before: false, r: true} {
		p, err := release.Defaults("blurs")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.With("radius", Number(200)); (err == nil) != allowed {
			t.Errorf("%s: a radius of 200 gives %v", release.Version(), err)
		}
	}
	for _, m := range before.Modules() { // moves start from them, and were proven so
		want, err := before.Defaults(m.Operation)
		if err != nil {
			continue // it has no parameters
		}
		if p, err := Defaults(m.Operation, m.Modversion); err != nil || !p.Equal(want) {
			t.Errorf("without a release the defaults of %s are not those of %s: %v", m.Operation, before.Version(), err)
		}
	}
	p, err := r.Defaults("colorharmonizer")
	if err != nil || len(p.Encode()) != 60 {
		t.Errorf("colorharmonizer has %d bytes, %v; want 60", len(p.Encode()), err)
	}
	for version := 1; version <= 5; version++ {
		order, ok := r.BuiltinOrder(version)
		if at := order.Index("colorharmonizer", 0); !ok || at < 0 || at+1 != order.Index("colorbalance", 0) {
			t.Errorf("order %d: colorharmonizer is at %d, not right before colorbalance", version, at)
		}
	}
}

func TestModulesSayWhatTheyAllow(t *testing.T) {
	t.Parallel()
	r := newestRelease(t)
	tests := []struct {
		operation                                                 string
		blending, masks, one, hidden, deprecated, fence, perImage bool
	}{
		{operation: "exposure", blending: true, masks: true},
		{operation: "demosaic", one: true, fence: true},
		{operation: "rawprepare", one: true, perImage: true},
		{operation: "temperature", one: true, perImage: true},
		{operation: "retouch", blending: true},
		{operation: "channelmixer", blending: true, masks: true, deprecated: true},
		{operation: "gamma", one: true, hidden: true, fence: true, perImage: true},
		{operation: "crop", one: true},
	}
	for _, tt := range tests {
		m, ok := r.Module(tt.operation)
		if !ok {
			t.Fatalf("no %s", tt.operation)
		}
		got := tt
		got.blending, got.masks, got.one, got.hidden = m.SupportsBlending(), m.SupportsMasks(), m.OneInstance(), m.Hidden()
		got.deprecated, got.fence, got.perImage = m.Deprecated(), m.Fence(), m.PerImage()
		if got != tt {
			t.Errorf("got  %+v\nwant %+v", got, tt)
		}
	}
	if m, _ := r.Module("exposure"); m.Name != "exposure" || m.Modversion != 7 || !strings.HasPrefix(m.About, "redo the exposure of the shot") {
		t.Errorf("%+v", m)
	}
}

// One layout, other facts: what 4.2.1 allows, not what 5.4.1 allows.
func TestAReleaseHasItsOwnRangesAndDefaults(t *testing.T) {
	t.Parallel()
	old, _ := ReleaseFor("4.2.1")
	a, err := old.Defaults("highlights")
	if err != nil {
		t.Fatal(err)
	}
	b, err := newestRelease(t).Defaults("highlights")
	if err != nil {
		t.Fatal(err)
	}
	if a.Modversion() != b.Modversion() {
		t.Fatal("not the same layout")
	}
	if _, err := a.With("iterations", Number(128)); err == nil {
		t.Error("4.2.1 accepts 128 iterations")
	}
	if _, err := b.With("iterations", Number(128)); err != nil {
		t.Error(err)
	}
	if v, _ := a.Get("mode"); v.String() != "DT_IOP_HIGHLIGHTS_CLIP" {
		t.Errorf("4.2.1's default method is %s", v)
	}
	if v, _ := b.Get("mode"); v.String() != "DT_IOP_HIGHLIGHTS_OPPOSED" {
		t.Errorf("the default method is %s", v)
	}
	p, err := old.Decode("highlights", 4, b.Encode())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.With("iterations", Number(128)); err == nil {
		t.Error("4.2.1 accepts 128 iterations in decoded parameters")
	}
}

func TestBuiltinOrdersAreAccepted(t *testing.T) {
	t.Parallel()
	for _, r := range Releases() {
		n := 0
		for version := range 10 {
			o, ok := r.BuiltinOrder(version)
			if !ok {
				continue
			}
			n++
			if err := o.Validate(r); err != nil {
				t.Errorf("%s order %d: %v", r.Version(), version, err)
			}
			names, _ := r.Order(version)
			if names[0] != "rawprepare" || names[len(names)-1] != "gamma" || len(names) != o.Len() {
				t.Errorf("%s order %d: %v", r.Version(), version, names)
			}
			for _, m := range r.Modules() {
				if o.Index(m.Operation, 0) < 0 {
					t.Errorf("%s order %d has no %s", r.Version(), version, m.Operation)
				}
			}
		}
		if n < 2 {
			t.Errorf("%s has %d orders", r.Version(), n)
		}
	}
}

func TestInstancesAreInsertedAfterTheLastOne(t *testing.T) {
	t.Parallel()
	o, err := ParseOrder("rawprepare,0,exposure,0,crop,0,gamma,0")
	if err != nil {
		t.Fatal(err)
	}
	a, err := o.Insert("exposure", 1)
	if err != nil {
		t.Fatal(err)
	}
	b, err := a.Insert("exposure", 2)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := b.String(), "rawprepare,0,exposure,0,exposure,1,exposure,2,crop,0,gamma,0"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if o.HasInstances() || !b.HasInstances() || o.Len() != 4 || b.Index("exposure", 2) != 3 {
		t.Errorf("the first order changed: %s", o)
	}
	if got := b.Remove("exposure", 1).Remove("exposure", 0).Remove("sharpen", 1).String(); got != "rawprepare,0,exposure,0,exposure,2,crop,0,gamma,0" {
		t.Errorf("removed: %s", got)
	}
	for _, wrong := range []Instance{{"exposure", 1}, {"sharpen", 1}} {
		if _, err := b.Insert(wrong.Operation, wrong.Instance); err == nil {
			t.Errorf("%v was inserted", wrong)
		}
	}
}

func TestForbiddenOrdersAreRefused(t *testing.T) {
	t.Parallel()
	r := newestRelease(t)
	base, _ := r.BuiltinOrder(4)
	move := func(op, behind string) string {
		var out []string
		for _, m := range base.All() {
			if m.Operation == op {
				continue
			}
			out = append(out, m.Operation+",0")
			if m.Operation == behind {
				out = append(out, op+",0")
			}
		}
		return strings.Join(out, ",")
	}
	tests := map[string]struct{ list, want string }{
		"colorin behind colorout":   {move("colorin", "colorout"), "colorout: pipeline order: it has to come after colorin"},
		"demosaic first":            {"demosaic,0,rawdenoise,0", "demosaic: pipeline order: it has to come after rawdenoise"},
		"exposure before the fence": {move("exposure", "hotpixels"), "exposure: pipeline order: it cannot be moved across demosaic"},
		"behind the end":            {move("vignette", "gamma"), "vignette: pipeline order: it cannot be moved across gamma"},
		"twice":                     {"exposure,0,exposure,0", "exposure: pipeline order: instance 0 is there twice"},
		"two demosaics":             {"demosaic,0,demosaic,1", "demosaic: pipeline order: the module allows one instance only"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o, err := ParseOrder(tt.list)
			if err != nil {
				t.Fatal(err)
			}
			err = o.Validate(r)
			if e, ok := errors.AsType[*Error](err); !ok || e.Kind != BadOrder || e.Error() != tt.want {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
		})
	}
	o, err := ParseOrder(move("exposure", "colorin"))
	if err != nil {
		t.Fatal(err)
	}
	if err := o.Validate(r); err != nil {
		t.Errorf("a move that darktable allows is refused: %v", err)
	}
}

func TestBrokenOrderListsAreRefused(t *testing.T) {
	t.Parallel()
	for _, list := range []string{"exposure", "exposure,a", "exposure,-1", "exposure,01", ",0", "exposure,0,", "exposure,0,gamma"} {
		if o, err := ParseOrder(list); err == nil {
			t.Errorf("%q is read as %s", list, o)
		}
	}
	if o, err := ParseOrder(""); err != nil || o.Len() != 0 || o.String() != "" {
		t.Errorf("no list: %v, %v", o, err)
	}
}

// A module's own code sets more than the fields' defaults: without it a curve
// would have no nodes and a channel mixer would be black.
func TestDefaultsAreThoseOfTheModulesCode(t *testing.T) {
	t.Parallel()
	r := newestRelease(t)
	for _, tt := range []struct{ operation, field, want string }{
		{"channelmixerrgb", "red[0]", "1"},
		{"channelmixerrgb", "red[1]", "0"},
		{"rgblevels", "levels[1][2]", "1"},
		{"rgbcurve", "curve_nodes[2][1].y", "1"},
		{"tonecurve", "tonecurve_nodes[0]", "2"},
		{"atrous", "x[0][5]", "1"},
		{"watermark", "filename", "darktable.svg"},
		{"exposure", "deflicker_percentile", "50"},
		{"crop", "cw", "1"},
		{"clipping", "ch", "1"},
	} {
		p, err := r.Defaults(tt.operation)
		if err != nil {
			t.Fatal(err)
		}
		info, err := p.Field(tt.field)
		if err != nil {
			t.Fatal(err)
		}
		if v, _ := p.Get(tt.field); v.String() != tt.want || !info.Default.Equal(v) {
			t.Errorf("%s.%s = %s (default %s), want %s", tt.operation, tt.field, v, info.Default, tt.want)
		}
	}
	everyLayout(t, func(t *testing.T, l *layout) {
		for _, p := range l.presets {
			if _, _, n, ok := lookup(l.fields, p.name); !ok || n != 1 {
				t.Errorf("%s %d presets %s, which is no leaf", l.operation, l.modversion, p.name)
			}
		}
	})
}
