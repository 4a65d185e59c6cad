package modulefile

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/xmp/iop/internal/release"
)

// foreign names folders of modules, in PATH's syntax, that are read beside those of the
// darktables of this machine: of other releases and for other processors. `make layouts`
// unpacks Debian's.
const foreign = "CHEMIGRAM_TEST_MODULES"

// folders are those of modules that there are.
func folders(tb testing.TB) []string {
	tb.Helper()
	found := filepath.SplitList(os.Getenv(foreign))
	cache, _ := os.UserCacheDir()
	for _, pattern := range []string{"/usr/lib/*/darktable/plugins", filepath.Join(cache, "chemigram/darktable-5.4/root/usr/lib/*/darktable/plugins")} {
		dirs, err := filepath.Glob(pattern)
		if err != nil {
			tb.Fatal(err)
		}
		found = append(found, dirs...)
	}
	return found
}

// What files say is what running darktables said when the tables were made. What their
// code sets is left out of the comparison: the description, and the defaults that are
// no field's own.
func TestFilesSayWhatRunningModulesDo(t *testing.T) {
	t.Parallel()
	releases := releases(t)
	dirs := folders(t)
	if len(dirs) == 0 {
		t.Skip("no darktable is installed in /usr/lib")
	}
	for _, dir := range dirs {
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			got := map[string]release.Module{}
			paths, err := filepath.Glob(filepath.Join(dir, "lib*.so"))
			if err != nil {
				t.Fatal(err)
			}
			for _, path := range paths {
				module, err := Read(path)
				if err != nil {
					t.Error(err)
				}
				got[strings.TrimSuffix(strings.TrimPrefix(filepath.Base(path), "lib"), ".so")] = module
			}
			name, diff := nearest(releases, got)
			if diff != "" {
				t.Errorf("they are not those of %s: %s", name, diff)
			}
			t.Logf("%d modules, as in %s", len(got), name)
		})
	}
}

// releases are the known ones, without what files do not say.
func releases(t *testing.T) map[string]*release.File {
	t.Helper()
	paths, err := filepath.Glob("../iopgen/releases/*.json")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*release.File{}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if all[filepath.Base(path)], err = release.Read(bytes.NewReader(data)); err != nil {
			t.Fatal(err)
		}
		for op, m := range all[filepath.Base(path)].Modules {
			m.About, m.Preset = "", nil
			all[filepath.Base(path)].Modules[op] = m
		}
	}
	return all
}

// nearest finds the release whose modules these are, and how they differ from it.
func nearest(releases map[string]*release.File, modules map[string]release.Module) (name, diff string) {
	for _, candidate := range slices.Sorted(maps.Keys(releases)) {
		d := cmp.Diff(releases[candidate].Modules, modules)
		if name == "" || len(d) < len(diff) {
			name, diff = candidate, d
		}
	}
	return name, diff
}

// readModule reads a module of its file's bytes.
func readModule(r io.ReaderAt) (release.Module, error) {
	m, err := loadLibrary(r)
	if err != nil {
		return release.Module{}, err
	}
	return m.module()
}

// Whatever a file holds, reading it ends, with a module or an error.
func FuzzRead(f *testing.F) {
	for _, dir := range folders(f) {
		for _, name := range []string{"libgamma.so", "libvelvia.so"} {
			if data, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
				f.Add(data)
				f.Add(data[:len(data)/2])
			}
		}
	}
	for _, path := range testModules(f) {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		module, err := readModule(bytes.NewReader(data))
		if err == nil && module.Params > 0 && len(module.Fields) == 0 {
			t.Errorf("%+v has parameters and no fields", module)
		}
	})
}

// A module that is cut off anywhere is an error, or says what the whole one does.
func TestATruncatedModuleIsNoOtherModule(t *testing.T) {
	t.Parallel()
	for _, dir := range folders(t) {
		data, err := os.ReadFile(filepath.Join(dir, "libvelvia.so"))
		if err != nil {
			continue
		}
		whole, err := readModule(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		for n := 0; n < len(data); n += 97 {
			if part, err := readModule(bytes.NewReader(data[:n])); err == nil && !cmp.Equal(part, whole) {
				t.Fatalf("%s: the first %d of %d bytes are %+v", dir, n, len(data), part)
			}
		}
	}
}

func BenchmarkRead(b *testing.B) {
	dirs := folders(b)
	if len(dirs) == 0 {
		b.Skip("no darktable is installed in /usr/lib")
	}
	paths, _ := filepath.Glob(filepath.Join(dirs[0], "lib*.so"))
	for b.Loop() {
		for _, path := range paths {
			if _, err := Read(path); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// testModules are modules of each system and processor: testdata/module.c, as
// scripts/test-modules compiles it.
func testModules(tb testing.TB) []string {
	tb.Helper()
	paths, err := filepath.Glob("testdata/*-*")
	if err != nil || len(paths) != 10 {
		tb.Fatal(paths, err)
	}
	return paths
}

// Modules of all systems and processors say the same.
func TestModulesOfAllSystemsSayTheSame(t *testing.T) {
	t.Parallel()
	number := func(name, description string, at int, low, high, value json.Number) release.Field {
		return release.Field{Name: name, Type: "float", Offset: at, Size: 4, Description: description, Min: low, Max: high, Default: value}
	}
	node := release.Field{
		Type: "struct", CType: "node_t", Offset: 16, Size: 8,
		Fields: []release.Field{number("x", "", 16, "0", "1", "0"), number("y", "", 20, "0", "1", "1")},
	}
	want := release.Module{Name: "test module", Modversion: 3, Flags: 0x40002, Params: 40, Fields: []release.Field{
		number("strength", "how strong", 0, "0", "2.5", "0.5"),
		{Name: "passes", Type: "int", Offset: 4, Size: 4, Min: "1", Max: "8", Default: json.Number("2")},
		{Name: "on", Type: "bool", Offset: 8, Size: 4, Default: true},
		{
			Name: "mode", Type: "enum", CType: "mode_t", Offset: 12, Size: 4, Description: "the mode", Default: json.Number("2"),
			Values: []release.Constant{{Name: "MODE_SOFT", Value: 0, Description: "soft"}, {Name: "MODE_HARD", Value: 2, Description: "hard"}},
		},
		{Name: "node", Type: "array", Offset: 16, Size: 24, Count: 3, Elem: &node},
	}}
	for _, path := range testModules(t) {
		got, err := Read(path)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", path, err, diff)
		}
	}
}
