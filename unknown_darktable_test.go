package chemigram

import (
	"bytes"
	"debug/elf"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/baseline"
)

// newerVelvia is a darktable of no table, whose velvia has parameters of version 3: the
// modules of the prepared 5.4, beside a fake of another version.
func newerVelvia(t *testing.T) (fake *testutil.Fake, plugins string) {
	t.Helper()
	cache, _ := os.UserCacheDir()
	found, err := filepath.Glob(filepath.Join(cache, "chemigram/darktable-5.4/root/usr/lib/x86_64-linux-gnu/darktable/plugins/lib*.so"))
	if err != nil || len(found) == 0 {
		t.Skip("no darktable 5.4 is prepared here for this processor: scripts/darktable-5.4 does it")
	}
	fake = testutil.FakeDarktable(t, testutil.FakeOptions{Version: "5.9.0", XMP: baseline.Packet("5.4.1")})
	plugins = filepath.Join(filepath.Dir(fake.CLI), "lib", "x86_64-linux-gnu", "darktable", "plugins")
	if err := os.MkdirAll(plugins, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, path := range found {
		data, err := os.ReadFile(path)
		if err == nil && filepath.Base(path) == "libvelvia.so" {
			raiseModversion(t, data)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(plugins, filepath.Base(path)), data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return fake, plugins
}

// raiseModversion has a module say version 3 where it says 2.
func raiseModversion(t *testing.T, library []byte) {
	t.Helper()
	f, err := elf.NewFile(bytes.NewReader(library))
	if err != nil {
		t.Fatal(err)
	}
	symbols, err := f.DynamicSymbols()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range symbols {
		if s.Name != "dt_module_mod_version" {
			continue
		}
		section := f.Sections[s.Section]
		at := s.Value - section.Addr + section.Offset
		code := library[at : at+s.Size]
		if i := bytes.Index(code, []byte{0xb8, 2, 0, 0, 0}); i >= 0 { // mov $2, %eax
			code[i+1] = 3
			return
		}
	}
	t.Fatal("velvia does not say version 2")
}

// A darktable that no table is of is written to as its own modules say.
func TestEditsAreWrittenAsAnUnknownDarktableReadsThem(t *testing.T) {
	t.Parallel()
	fake, _ := newerVelvia(t)
	e := openOn(t, fake)
	described, err := e.DescribeModule(t.Context(), DescribeModuleParams{ModuleName: "velvia"})
	if err != nil || described.Modversion != 3 || described.Darktable != "5.9.0" || len(described.Fields) == 0 {
		t.Fatalf("%+v, %v", described, err)
	}
	got, err := e.SetParameters(t.Context(), SetParametersParams{ImageID: "a", ModuleName: "velvia", Fields: []FieldSetting{{"strength", "40"}}})
	if err != nil || !got.Changed {
		t.Fatalf("%+v, %v", got, err)
	}
	if version := modversionOf(t, e, "velvia"); version != 3 {
		t.Errorf("velvia has version %d in the look, want 3", version)
	}
	diff, err := e.Diff(t.Context(), DiffParams{ImageID: "a", HashA: "baseline", HashB: "HEAD"})
	if err != nil || len(diff.Changes) != 1 || len(diff.Changes[0].Fields) == 0 {
		t.Errorf("%+v, %v: the field is not told", diff, err)
	}
	if check := darktableCheck(t, e); !check.OK || !strings.Contains(check.Message, "layouts of 92 modules are from its own files") ||
		!strings.Contains(check.Message, "5.6.0, which were decoded") {
		t.Errorf("%+v does not say where the layouts are from", check)
	}
}

// Where its modules cannot be read, the nearest table serves, and health_check says so.
func TestModulesThatCannotBeReadAreTold(t *testing.T) {
	t.Parallel()
	fake, plugins := newerVelvia(t)
	if err := os.WriteFile(filepath.Join(plugins, "libvelvia.so"), []byte("no library"), 0o600); err != nil {
		t.Fatal(err)
	}
	e := openOn(t, fake)
	if check := darktableCheck(t, e); check.OK || !strings.Contains(check.Message, "not read: velvia") {
		t.Errorf("%+v does not name the module", check)
	}
	if err := os.RemoveAll(plugins); err != nil {
		t.Fatal(err)
	}
	if check := darktableCheck(t, e); check.OK || !strings.Contains(check.Message, "layouts are those of 5.6.0, which were decoded") {
		t.Errorf("%+v does not say that the layouts are another darktable's", check)
	}
	if _, err := e.SetParameters(t.Context(), SetParametersParams{ImageID: "a", ModuleName: "velvia", Fields: []FieldSetting{{"strength", "40"}}}); err != nil {
		t.Error(err)
	}
	if version := modversionOf(t, e, "velvia"); version != 2 {
		t.Errorf("velvia has version %d in the look, want that of the nearest table", version)
	}
}

// The tables of a release that was never run here serve for it, and health_check says
// what they are.
func TestTablesThatWereDecodedAreTold(t *testing.T) {
	t.Parallel()
	e := openOn(t, testutil.FakeDarktable(t, testutil.FakeOptions{Version: "5.6.2", XMP: baseline.Packet("5.4.1")}))
	if check := darktableCheck(t, e); check.OK || !strings.Contains(check.Message, "5.6.0, which were decoded from what is published") {
		t.Errorf("%+v does not say what the layouts are", check)
	}
	got, err := e.DescribeModule(t.Context(), DescribeModuleParams{ModuleName: "colorharmonizer"})
	if err != nil || got.Modversion != 1 || got.Darktable != "5.6.0" {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := e.SetParameters(t.Context(), SetParametersParams{
		ImageID: "a", ModuleName: "colorharmonizer", Fields: []FieldSetting{{"rule", "DT_COLORHARMONIZER_TRIAD"}, {"pull_strength", "0.4"}},
	}); err != nil {
		t.Error(err)
	}
}

// openOn opens an engine on a fake darktable, with a raw ingested as "a".
func openOn(t *testing.T, fake *testutil.Fake) *Engine {
	t.Helper()
	root := t.TempDir()
	raw := filepath.Join(root, "a.dng")
	if err := os.WriteFile(raw, []byte("raw"), 0o600); err != nil {
		t.Fatal(err)
	}
	e, err := Open(t.Context(), &Options{Workspace: filepath.Join(root, "workspace"), Darktable: fake.CLI, Tastes: filepath.Join(root, "tastes")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	if _, err := e.Ingest(t.Context(), IngestParams{RawPath: raw, ImageID: "a"}); err != nil {
		t.Fatal(err)
	}
	return e
}

// modversionOf is that of a module in HEAD's look.
func modversionOf(t *testing.T, e *Engine, module string) int {
	t.Helper()
	img, err := e.image("a")
	if err != nil {
		t.Fatal(err)
	}
	look, err := img.At(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	entry, ok := look.Sidecar.Find(module, "")
	if !ok {
		t.Fatalf("the look has no %s", module)
	}
	return entry.Modversion
}

func darktableCheck(t *testing.T, e *Engine) HealthFinding {
	t.Helper()
	health, err := e.HealthCheck(t.Context(), HealthCheckParams{})
	if err != nil {
		t.Fatal(err)
	}
	for _, check := range health.Checks {
		if check.Name == "darktable" {
			return check
		}
	}
	t.Fatal("darktable is not checked")
	return HealthFinding{}
}

// Every answer that writes a module by another darktable's tables warns of it.
func TestEditsForAnUnknownDarktableWarn(t *testing.T) {
	t.Parallel()
	e := openOn(t, testutil.FakeDarktable(t, testutil.FakeOptions{Version: "9.9.0", XMP: baseline.Packet("5.4.1")}))
	want := func(verb, warning, module string) {
		t.Helper()
		if !strings.Contains(warning, module) || !strings.Contains(warning, "5.6.0") {
			t.Errorf("%s warns with %q, want it to name %s and 5.6.0", verb, warning, module)
		}
	}
	set, err := e.SetParameters(t.Context(), SetParametersParams{ImageID: "a", ModuleName: "velvia", Fields: []FieldSetting{{"strength", "40"}}})
	if err != nil {
		t.Fatal(err)
	}
	want("set_parameters", set.Warning, "velvia")
	moved, err := e.ApplyPrimitive(t.Context(), ApplyPrimitiveParams{ImageID: "a", PrimitiveName: "exposure"})
	if err != nil {
		t.Fatal(err)
	}
	want("apply_primitive", moved.Warning, "exposure")
	if strings.Contains(moved.Warning, "velvia") {
		t.Errorf("apply_primitive warns of what it did not write: %q", moved.Warning)
	}
	raw := filepath.Join(t.TempDir(), "b.dng")
	if err := os.WriteFile(raw, []byte("another raw"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Ingest(t.Context(), IngestParams{RawPath: raw, ImageID: "b"}); err != nil {
		t.Fatal(err)
	}
	for _, all := range []bool{true, false} {
		series, err := e.PropagateState(t.Context(), PropagateStateParams{ImageID: "a", Targets: []ImageID{"b"}, AllOrNothing: all})
		if err != nil || len(series.Outcomes) != 1 {
			t.Fatalf("%+v, %v", series, err)
		}
		if series.Outcomes[0].Changed {
			want("propagate_state", series.Outcomes[0].Warning, "exposure, velvia")
		}
	}
	gone, err := e.RemoveModule(t.Context(), RemoveModuleParams{ImageID: "a", ModuleName: "velvia"})
	if err != nil || gone.Warning != "" {
		t.Errorf("%q, %v: a warning where nothing is written", gone.Warning, err)
	}
}

// Modules that were read are written as they say, and need no warning.
func TestEditsForADarktableThatWasReadDoNotWarn(t *testing.T) {
	t.Parallel()
	fake, plugins := newerVelvia(t)
	if err := os.WriteFile(filepath.Join(plugins, "libvibrance.so"), []byte("no library"), 0o600); err != nil {
		t.Fatal(err)
	}
	e := openOn(t, fake)
	for module, want := range map[string]bool{"velvia": false, "vibrance": true} {
		field := map[string]string{"velvia": "strength", "vibrance": "amount"}[module]
		got, err := e.SetParameters(t.Context(), SetParametersParams{ImageID: "a", ModuleName: module, Fields: []FieldSetting{{field, "40"}}})
		if err != nil || (got.Warning != "") != want {
			t.Errorf("%s: %q, %v", module, got.Warning, err)
		}
	}
}
