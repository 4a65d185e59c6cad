package vocab

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func TestBuiltinPacksLoad(t *testing.T) {
	t.Parallel()
	sources, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	v, failures := Load(sources...)
	for _, f := range failures {
		t.Error(f)
	}
	if len(v.Packs()) != len(sources) {
		t.Errorf("%d of %d packs loaded", len(v.Packs()), len(sources))
	}
	if n := len(v.List(Filter{})); n < 14 {
		t.Errorf("only %d entries", n)
	}
	for _, e := range v.List(Filter{}) {
		if len(e.Description) < 60 {
			t.Errorf("%s: the description %q is too short to say what a person sees, and when to use it", e.Name, e.Description)
		}
	}
}

// A parameter that says how or where has no neutral, so no sweep follows it: a
// claim has to show that another value does something else.
func TestParametersThatSayHowAreClaimed(t *testing.T) {
	t.Parallel()
	for _, e := range shipped(t).List(Filter{}) {
		for _, name := range e.withoutNeutral {
			p, _ := e.Parameter(name)
			shown := slices.ContainsFunc(e.Claims, func(c Claim) bool {
				v, given := c.At[name]
				return given && v != p.Default
			})
			if !shown {
				t.Errorf("%s: no claim gives %s another value than its default", e.Name, name)
			}
		}
	}
}

func TestBuiltinNamesWhatItDoesNotHave(t *testing.T) {
	t.Parallel()
	_, err := Builtin("startr")
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Kind != Unknown || !slices.Contains(e.Suggestions, "starter") {
		t.Errorf("Builtin(startr) = %v", err)
	}
}

const goodManifest = `{"name": "mine", "version": "1", "description": "Mine."}`

// pack makes a pack of one file with one entry.
func pack(entry string) fstest.MapFS {
	return fstest.MapFS{
		"pack.json": {Data: []byte(goodManifest)},
		"tone.json": {Data: []byte("[\n" + entry + "\n]")},
	}
}

const goodEntry = `{
  "name": "lift", "layer": "L3", "subject": "tone", "description": "Lift.",
  "parameters": [{"name": "ev", "unit": "EV", "min": -3, "max": 3, "default": 0.5, "neutral": 0}],
  "ops": [{"module": "exposure", "add": {"exposure": "ev"}}],
  "claims": [{"measure": "luma_mean", "moves": "up"}]
}`

func TestEveryFaultOfAnEntryIsNamed(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, old, new string
		key, says      string
	}{
		{"unknown key", `"subject"`, `"sujbect"`, "sujbect", "unknown key"},
		{"missing key", `"subject": "tone", `, ``, "subject", "missing"},
		{"key twice", `"subject": "tone",`, `"subject": "tone", "subject": "tone",`, "[0].subject", "twice"},
		{"wrong kind", `"subject": "tone"`, `"subject": 3`, "subject", "want a text, have a number"},
		{"null", `"subject": "tone"`, `"subject": null`, "subject", "want a text, have null"},
		{"bad name", `"name": "lift"`, `"name": "Lift it"`, "name", "not a name"},
		{"unknown layer", `"L3"`, `"L4"`, "layer", `"L4" is unknown; want one of L1, L2, L3`},
		{"blank description", `"Lift."`, `"  "`, "description", "blank"},
		{"mask", `"layer": "L3"`, `"layer": "L3", "mask": {}`, "mask", "selects everything"},
		{"mask of nothing", `"layer": "L3"`, `"layer": "L3", "mask": {"shapes": [{"kind": "circle"}]}`, "mask", "no area"},
		{"mask with an unknown channel", `"layer": "L3"`, `"layer": "L3", "mask": {"ranges": [{"channel": "warmth", "from": 0.5}]}`, "mask.ranges[0].channel", "want one of lightness"},
		{"unknown module", `"module": "exposure"`, `"module": "exposrue"`, "ops[0].module", `(nearest: exposure`},
		{"unknown field", `{"exposure": "ev"}`, `{"exposrue": "ev"}`, "ops[0].add.exposrue", `(nearest: exposure`},
		{"unknown parameter", `{"exposure": "ev"}`, `{"exposure": "ve"}`, "ops[0].add.exposure", `no parameter "ve"`},
		{"unused parameter", `{"exposure": "ev"}`, `{"exposure": 1}`, "parameters[0]", "no op uses"},
		{"unknown enum name", `"add": {"exposure": "ev"}`, `"add": {"exposure": "ev"}, "set": {"mode": "MANUAL"}`, "ops[0].set.mode", "EXPOSURE_MODE_MANUAL"},
		{"enum added", `{"exposure": "ev"}`, `{"exposure": "ev", "mode": 1}`, "ops[0].add.mode", "is a choice"},
		{"switch set to a parameter", `"add": {"exposure": "ev"}`, `"set": {"compensate_exposure_bias": "ev"}`, "ops[0].set.compensate_exposure_bias", "is a switch"},
		{"field twice", `"add": {"exposure": "ev"}`, `"add": {"exposure": "ev"}, "set": {"exposure": 1}`, "ops[0].set.exposure", "more than one"},
		{"constant out of range", `"add": {"exposure": "ev"}`, `"add": {"exposure": "ev"}, "set": {"black": 2}`, "ops[0].set.black", "2 is outside the field's range -1..1"},
		{"range beyond the field's", `"add": {"exposure": "ev"}`, `"set": {"black": "ev"}`, "ops[0].set.black", "-3..3, which exceeds the field's range -1..1"},
		{"addition beyond the field's", `"add": {"exposure": "ev"}`, `"add": {"black": "ev"}`, "ops[0].add.black", "exceeds the whole of"},
		{"factor below zero", `"add": {"exposure": "ev"}`, `"multiply": {"black": "ev"}`, "ops[0].multiply.black", "the factor -3"},
		{"neutral that is none", `{"exposure": "ev"}`, `{"exposure": {"parameter": "ev", "offset": 1}}`, "ops[0].add.exposure", "at neutral (0) the change is 1"},
		{"default out of range", `"default": 0.5`, `"default": 5`, "parameters[0].default", "5 is outside -3..3"},
		{"neutral out of range", `"neutral": 0`, `"neutral": 9`, "parameters[0].neutral", "9 is outside -3..3"},
		{"range upside down", `"min": -3`, `"min": 3`, "parameters[0].min", "not below max"},
		{"number too large", `"min": -3`, `"min": -1e999`, "min", "too large"},
		{"unknown measure", `"luma_mean"`, `"luma_maen"`, "claims[0].measure", "(nearest: luma_mean)"},
		{"no claims", `[{"measure": "luma_mean", "moves": "up"}]`, `[]`, "claims", "at least one"},
		{"an unknown harm", `"claims": [`, `"intends": ["grain"], "claims": [`, "intends[0]", "noise"},
		{"a harm named twice", `"claims": [`, `"intends": ["noise", "noise"], "claims": [`, "intends[1]", "there twice"},
		{"hold without within", `"moves": "up"`, `"moves": "hold"`, "claims[0].within", "within above 0"},
		{"claim at a bad value", `"moves": "up"`, `"moves": "up", "at": {"ev": 9}`, "claims[0].at", "want -3..3"},
		{"camera on a taste", `"layer": "L3"`, `"layer": "L3", "applies_to": {"make": "X"}`, "applies_to", "only an entry of layer L1"},
		{"no ISO number", `"layer": "L3"`, `"layer": "L1", "applies_to": {"min_iso": 0.5}`, "applies_to.min_iso", "0.5 is not an ISO number"},
		{"ISO upside down", `"layer": "L3"`, `"layer": "L1", "applies_to": {"min_iso": 800, "max_iso": 100}`, "applies_to.min_iso", "min_iso 800 is above max_iso 100"},
		{"bad requires", `"layer": "L3"`, `"layer": "L3", "requires": {"darktable": "5"}`, "requires.darktable", "not a version range"},
		{"requires nothing that exists", `"layer": "L3"`, `"layer": "L3", "requires": {"darktable": ">=9"}`, "requires.darktable", "none of the supported"},
		{"module of newer darktables", `"exposure", "add": {"exposure": "ev"}`, `"colorequal", "add": {"hue_red": "ev"}`, "ops[0].module", "darktable 4.2.1 has no module"},
		{"field of newer darktables", `"add": {"exposure": "ev"}`, `"add": {"exposure": "ev"}, "set": {"compensate_hilite_pres": true}`, "ops[0].set.compensate_hilite_pres", "in darktable 4.2.1"},
		{"not JSON", `"layer": "L3"`, `"layer": L3`, "", "not JSON"},
		{"cut short", `"moves": "up"}]
}`, `"moves": "up"}]`, "", "not JSON"},
		{"aspect on another module", `"add": {"exposure": "ev"}`, `"frame": {"aspect": "4:5", "position": "ev"}`, "ops[0].frame", "is on the module crop, not on exposure"},
		{"no aspect", `"exposure", "add": {"exposure": "ev"}`, `"crop", "frame": {"aspect": "wide", "position": "ev"}`, "ops[0].frame.aspect", "no aspect"},
		{"aspect without end", `"exposure", "add": {"exposure": "ev"}`, `"crop", "frame": {"aspect": "1:0", "position": "ev"}`, "ops[0].frame.aspect", "at most 20 to 1"},
		{"aspect and turn", `"exposure", "add": {"exposure": "ev"}`, `"crop", "frame": {"aspect": "4:5", "turn": "ev"}`, "ops[0].frame", "one of an aspect with a position"},
		{"position that is an amount", `"exposure", "add": {"exposure": "ev"}`, `"crop", "frame": {"aspect": "4:5", "position": "ev"}`, "ops[0].frame", "within -1..1, and no neutral"},
		{"turn of an own instance", `"exposure", "add": {"exposure": "ev"}`, `"ashift", "instance": "mine", "frame": {"turn": "ev"}`, "ops[0].frame", "no instance of its own"},
		{"shift without a scale", `"exposure", "add": {"exposure": "ev"}`, `"ashift", "frame": {"upright": "ev"}`, "ops[0].frame", "a level with a scale"},
		{"shift beyond the lens", `"exposure", "add": {"exposure": "ev"}`, `"ashift", "frame": {"level": "ev", "scale": 0.5}`, "ops[0].frame", "within -2..2"},
		{"turn by no parameter", `"exposure", "add": {"exposure": "ev"}`, `"ashift", "frame": {"turn": "ve"}`, "ops[0].frame", `no parameter "ve"`},
		{"claim of at most less", `"moves": "up"`, `"moves": "up", "at_least": 2, "at_most": 1`, "claims[0].at_most", "more than at_least"},
		{"claim about others of nothing", `"moves": "up"`, `"moves": "up", "in": "others"`, "claims[0].in", "none names a part"},
		{"alike without a reason", `"layer": "L3"`, `"layer": "L3", "alike": {"exposure": ""}`, "alike.exposure", "blank"},
		{"switch and field", `"module": "exposure"`, `"module": "exposure", "enabled": true`, "ops[0].enabled", "switches a module or changes its fields"},
		{"switch of an own instance", `[{"module": "exposure", "add": {"exposure": "ev"}}]`, `[{"module": "exposure", "instance": "mine", "enabled": false}]`, "ops[0].enabled", "only a module's base instance"},
		{"switching off what every raw needs", `[{"module": "exposure", "add": {"exposure": "ev"}}]`, `[{"module": "demosaic", "enabled": false}]`, "ops[0].enabled", "no raw without demosaic"},
		{"switching off nothing that exists", `[{"module": "exposure", "add": {"exposure": "ev"}}]`, `[{"module": "sigmiod", "enabled": false}]`, "ops[0].module", "(nearest: sigmoid"},
		{"switch that is none", `"module": "exposure"`, `"module": "exposure", "enabled": "off"`, "ops[0].enabled", "want true or false, have a text"},
		{"inset by no parameter", `"module": "exposure"`, `"module": "exposure", "inset": "ve"`, "ops[0].inset", `no parameter "ve"`},
		{"inset below zero", `"module": "exposure"`, `"module": "exposure", "inset": "ev"`, "ops[0].inset", "outside 0 to 100 pixels"},
		{"inset too large", `"module": "exposure"`, `"module": "exposure", "inset": 101`, "ops[0].inset", "outside 0 to 100 pixels"},
		{"inset that is a switch", `"module": "exposure"`, `"module": "exposure", "inset": true`, "ops[0].inset", "want a number of pixels"},
		{"instance with a colon", `"module": "exposure"`, `"module": "exposure", "instance": "a:b"`, "ops[0].instance", "not an instance name"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			entry := strings.Replace(goodEntry, tt.old, tt.new, 1)
			if entry == goodEntry {
				t.Fatal("the test changes nothing")
			}
			v, failures := Load(Source{"mine", pack(entry)})
			if len(failures) == 0 || len(v.Packs()) != 0 {
				t.Fatalf("loaded, with failures %v", failures)
			}
			e, ok := errors.AsType[*Error](failures[0])
			if !ok {
				t.Fatalf("%T is not an *Error", failures[0])
			}
			if e.Kind != BadPack || e.Pack != "mine" || e.File != "tone.json" || e.Line == 0 {
				t.Errorf("place: %+v", e)
			}
			if !strings.HasSuffix(e.Key, tt.key) || !strings.Contains(e.Error(), tt.says) {
				t.Errorf("%s\nwant key %q and text %q", e, tt.key, tt.says)
			}
			if strings.HasPrefix(tt.key, "ops") && e.Entry != "lift" {
				t.Errorf("entry %q", e.Entry)
			}
		})
	}
	if _, failures := Load(Source{"mine", pack(goodEntry)}); len(failures) > 0 {
		t.Errorf("the good entry does not load: %v", failures)
	}
}

func TestABadPackLeavesTheOthers(t *testing.T) {
	t.Parallel()
	other := pack(strings.Replace(goodEntry, `"lift"`, `"raise"`, 1))
	other["pack.json"].Data = []byte(strings.Replace(goodManifest, "mine", "other", 1))
	v, failures := Load(
		Source{"broken", pack("{")},
		Source{"good", pack(goodEntry)},
		Source{"no manifest", fstest.MapFS{}},
		Source{"other", other},
	)
	if len(failures) < 2 {
		t.Errorf("failures: %v", failures)
	}
	if got := []string{v.Packs()[0].Name, v.Packs()[1].Name}; !slices.Equal(got, []string{"mine", "other"}) {
		t.Errorf("packs %v", got)
	}
}

func TestAnEntryIsReplacedOnlyWhenItSaysSo(t *testing.T) {
	t.Parallel()
	second := func(entry string) fstest.MapFS {
		p := pack(entry)
		p["pack.json"].Data = []byte(`{"name": "second", "version": "2", "description": "Second."}`)
		return p
	}
	overriding := strings.Replace(goodEntry, `"layer"`, `"overrides": "mine", "layer"`, 1)
	tests := []struct {
		name  string
		entry string
		from  string // the pack that the entry comes from in the end
		says  string
	}{
		{"silently", goodEntry, "mine", `say "overrides": "mine"`},
		{"said", overriding, "second", ""},
		{"nothing to replace", strings.Replace(overriding, `"lift"`, `"raise"`, 1), "mine", "has no entry of this name"},
		{"wrong pack", strings.Replace(overriding, `"overrides": "mine"`, `"overrides": "theirs"`, 1), "mine", `say "overrides": "mine"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			v, failures := Load(Source{"a", pack(goodEntry)}, Source{"b", second(tt.entry)})
			e, err := v.Entry("lift")
			if err != nil || e.Pack.Name != tt.from {
				t.Errorf("entry of %q (%v), want of %q", e.Pack.Name, err, tt.from)
			}
			if text := errors.Join(failures...); (text == nil) != (tt.says == "") || text != nil && !strings.Contains(text.Error(), tt.says) {
				t.Errorf("failures %v, want %q", text, tt.says)
			}
		})
	}
}

func TestNamesAreUniqueAcrossFiles(t *testing.T) {
	t.Parallel()
	p := pack(goodEntry)
	p["more.json"] = p["tone.json"]
	_, failures := Load(Source{"mine", p})
	if len(failures) != 1 || !strings.Contains(failures[0].Error(), "already, in more.json") {
		t.Errorf("failures %v", failures)
	}
}

func TestFoldersAreReadWithCare(t *testing.T) {
	t.Parallel()
	outside := filepath.Join(t.TempDir(), "outside.json")
	write(t, outside, "["+goodEntry+"]")
	tests := []struct {
		name  string
		spoil func(t *testing.T, dir string)
		says  string
	}{
		{"good", func(*testing.T, string) {}, ""},
		{"link out of the pack", func(t *testing.T, dir string) {
			if err := os.Symlink(outside, filepath.Join(dir, "link.json")); err != nil {
				t.Skip(err)
			}
		}, "link.json"},
		{"link inside the pack", func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, "shared"), "["+strings.Replace(goodEntry, "lift", "raise", 1)+"]")
			if err := os.Symlink("shared", filepath.Join(dir, "link.json")); err != nil {
				t.Skip(err)
			}
		}, ""},
		{"huge file", func(t *testing.T, dir string) {
			f := filepath.Join(dir, "huge.json")
			write(t, f, "[")
			if err := os.Truncate(f, 50<<20); err != nil {
				t.Fatal(err)
			}
		}, "huge.json: 52428800 bytes; a file of a pack has at most 1048576"},
		{"folder named like a file", func(t *testing.T, dir string) {
			if err := os.Mkdir(filepath.Join(dir, "pack2.json"), 0o755); err != nil {
				t.Fatal(err)
			}
		}, ""},
		{"hidden files", func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, ".draft.json"), "not JSON")
		}, ""},
		{"no folder", func(t *testing.T, dir string) {
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
		}, "pack.json"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "pack")
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(dir, "pack.json"), goodManifest)
			write(t, filepath.Join(dir, "tone.json"), "["+goodEntry+"]")
			tt.spoil(t, dir)
			_, failures := Load(Dir(dir))
			if err := errors.Join(failures...); (err == nil) != (tt.says == "") || err != nil && !strings.Contains(err.Error(), tt.says) {
				t.Errorf("failures %v, want %q", err, tt.says)
			}
		})
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
