package iop

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// installations are the darktables whose files are on this machine, by what their
// version begins with.
func installations(t *testing.T) map[string][]string {
	t.Helper()
	cache, _ := os.UserCacheDir()
	found := map[string][]string{}
	for version, pattern := range map[string]string{
		"4.2.1": "/usr/lib/*/darktable/plugins",
		"5.4.1": filepath.Join(cache, "chemigram/darktable-5.4/root/usr/lib/*/darktable/plugins"),
	} {
		dirs, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, dir := range dirs {
			if in := ReadInstalled(filesOf(t, dir)); isOf(version, in) {
				found[version] = filesOf(t, dir)
			}
		}
	}
	return found
}

func filesOf(t *testing.T, plugins string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(plugins, "lib*.so"))
	core, coreErr := filepath.Glob(filepath.Join(filepath.Dir(plugins), "lib*.so"))
	if err := errors.Join(err, coreErr); err != nil {
		t.Fatal(err)
	}
	return append(paths, core...)
}

// isOf reports whether these are a release's modules, and not another one's.
func isOf(version string, in Installed) bool {
	release, err := ReleaseFor(version)
	if err != nil || in.Len() != len(release.Modules()) {
		return false
	}
	for _, m := range release.Modules() {
		if in.modules[m.Operation].Modversion != m.Modversion {
			return false
		}
	}
	return true
}

// A darktable that no table is of is what its files say, whichever known release is
// nearest. What is left to that are defaults that modules' code sets.
func TestAnUnknownDarktableIsReadFromItsFiles(t *testing.T) {
	t.Parallel()
	all := installations(t)
	if len(all) == 0 {
		t.Skip("no darktable of the tables is installed in /usr/lib")
	}
	for version, paths := range all {
		for _, nearest := range []string{"4.2.1", "5.0.1", "5.4.1"} {
			t.Run(version+" from "+nearest, func(t *testing.T) {
				t.Parallel()
				want, base := releaseOf(t, version), releaseOf(t, nearest)
				in := ReadInstalled(paths)
				got, err := base.With(in, "9.9.9")
				if err != nil || len(in.Unread) > 0 {
					t.Fatal(err, in.Unread)
				}
				if got.Version() != "9.9.9" || got.BlendVersion() != max(want.BlendVersion(), base.BlendVersion()) || len(got.Modules()) != len(want.Modules()) {
					t.Errorf("%s has %d modules and blend version %d", got.Version(), len(got.Modules()), got.BlendVersion())
				}
				sameModules(t, want, got, version == nearest)
			})
		}
	}
}

func releaseOf(t *testing.T, version string) Release {
	t.Helper()
	r, err := ReleaseFor(version)
	if err != nil || r.Version() != version {
		t.Fatal(r, err)
	}
	return r
}

// sameModules compares the modules of two releases, and with exact what they set up, too.
func sameModules(t *testing.T, want, got Release, exact bool) {
	t.Helper()
	for _, m := range want.Modules() {
		have, ok := got.Module(m.Operation)
		if !ok || have.Modversion != m.Modversion || have.flags != m.flags || have.Name != m.Name {
			t.Errorf("%s is %+v, want %+v", m.Operation, have, m)
		}
		fields, err := want.Fields(m.Operation)
		gotFields, gotErr := got.Fields(m.Operation)
		if (err == nil) != (gotErr == nil) {
			t.Errorf("%s: %v, want %v", m.Operation, gotErr, err)
		}
		if !exact { // their code's defaults are those of another release
			for i := range min(len(fields), len(gotFields)) {
				gotFields[i].Default, gotFields[i].Neutral = fields[i].Default, fields[i].Neutral
			}
		}
		if diff := cmp.Diff(fields, gotFields); diff != "" {
			t.Errorf("%s: %s", m.Operation, diff)
		}
	}
}

// Files that are no modules of a machine that can be read are told, and the release's
// own modules stay.
func TestModulesThatCannotBeReadStayAsTheyWere(t *testing.T) {
	t.Parallel()
	plugins := filepath.Join(t.TempDir(), "plugins")
	if err := os.Mkdir(plugins, 0o700); err != nil {
		t.Fatal(err)
	}
	var paths []string
	for name, content := range map[string]string{"libexposure.so": "no library", "libvelvia.dll": "MZ", "readme.txt": "", "libx y.so": ""} {
		path := filepath.Join(plugins, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	in := ReadInstalled(append(paths, filepath.Join(plugins, "libgone.so"), plugins))
	if len(in.Unread) != 3 || in.Unread["exposure"] == nil || in.Unread["velvia"] == nil || in.Unread["gone"] == nil || in.Len() != 0 {
		t.Errorf("%+v", in)
	}
	release, err := releaseOf(t, "5.4.1").With(in, "5.6.2")
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := release.Module("exposure"); !ok {
		t.Error("exposure, which could not be read, is gone")
	}
	if _, ok := release.Module("crop"); ok {
		t.Error("crop, which is not installed, is still there")
	}
	if _, err := release.With(in, "unknown"); err == nil || !strings.Contains(err.Error(), "5.6.2") {
		t.Errorf("a version that is none: %v", err)
	}
}
