package render_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/render"
)

func TestFindRefusesWhatIsNotADarktableItKnows(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]string{
		"4.0.1":  "is darktable 4.0.1; at least 4.2.0 is needed",
		"3.8":    "is darktable 3.8.0; at least 4.2.0 is needed",
		"banana": "does not print its version",
	} {
		fake := testutil.FakeDarktable(t, testutil.FakeOptions{Version: version})
		_, err := render.Find(t.Context(), &render.Options{Path: fake.CLI, Scratch: t.TempDir()})
		if e := kindOf(t, err); e.Kind != render.Unsupported || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want one that says %q", version, err, want)
		}
	}
}

// A darktable that does not start, as when a library of it is gone, is told with what the
// system says.
func TestFindSaysWhyADarktableDoesNotStart(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "darktable-cli")
	for script, want := range map[string]string{
		"echo \"$0: error while loading shared libraries: libjxl.so.0.11\" >&2; exit 127": path + " does not start (error while loading shared libraries: libjxl.so.0.11)",
		"exit 3": path + " does not start (exit status 3)",
	} {
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		_, err := render.Find(t.Context(), &render.Options{Path: path, Scratch: t.TempDir()})
		if e := kindOf(t, err); e.Kind != render.Failed || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want one that says %q", err, want)
		}
	}
}

func TestFindReadsTheVersion(t *testing.T) {
	t.Parallel()
	for printed, want := range map[string]string{"4.2.1": "4.2.1", "5.5.0+123~gabcdef": "5.5.0", "5.4": "5.4.0"} {
		fake := testutil.FakeDarktable(t, testutil.FakeOptions{Version: printed})
		d, err := render.Find(t.Context(), &render.Options{Path: fake.CLI, Scratch: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		if d.Version() != want || d.Path() != fake.CLI {
			t.Errorf("got %s at %s, want %s at %s", d.Version(), d.Path(), want, fake.CLI)
		}
	}
}

func TestFindLooksWhereItIsTold(t *testing.T) {
	inPath := testutil.FakeDarktable(t, testutil.FakeOptions{Version: "5.0.0"})
	inEnv := testutil.FakeDarktable(t, testutil.FakeOptions{Version: "5.1.0"})
	inOptions := testutil.FakeDarktable(t, testutil.FakeOptions{Version: "5.2.0"})
	t.Setenv("PATH", filepath.Dir(inPath.CLI)+string(os.PathListSeparator)+os.Getenv("PATH"))
	for _, c := range []struct{ env, path, want string }{
		{"", "", "5.0.0"},
		{inEnv.CLI, "", "5.1.0"},
		{inEnv.CLI, inOptions.CLI, "5.2.0"},
		{"env A=b " + inEnv.CLI, "", "5.1.0"},
	} {
		t.Setenv("DARKTABLE_CLI", c.env)
		d, err := render.Find(t.Context(), &render.Options{Path: c.path, Scratch: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		if d.Version() != c.want {
			t.Errorf("%+v: got %s", c, d.Version())
		}
	}
	// What was named and is not there is not replaced by something else.
	for _, c := range []struct{ env, path string }{{"/no/darktable-cli", ""}, {"", "/no/darktable-cli"}, {"", t.TempDir()}} {
		t.Setenv("DARKTABLE_CLI", c.env)
		_, err := render.Find(t.Context(), &render.Options{Path: c.path, Scratch: t.TempDir()})
		if e := kindOf(t, err); e.Kind != render.Missing {
			t.Errorf("%+v: got %v, want missing", c, err)
		}
	}
}

// fakeProgram writes a script of the shell.
func fakeProgram(t *testing.T, path, script string) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o700)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func renderOf(t *testing.T, d *render.Darktable, raw string) error {
	t.Helper()
	if err := os.WriteFile(raw, []byte("a raw"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := d.Render(t.Context(), render.Job{Raw: raw, Sidecar: []byte("<x/>"), Output: filepath.Join(t.TempDir(), "a.jpg"), Size: 64})
	return err
}

func TestAnAppImageIsToldWhichProgram(t *testing.T) {
	fake := testutil.FakeDarktable(t, testutil.FakeOptions{Version: "5.6.2"})
	home := t.TempDir()
	path := filepath.Join(home, "Applications", "Darktable-5.6.2-x86_64.AppImage")
	fakeProgram(t, path, `[ "$1" = darktable-cli ] || { echo this is the window; exit 1; }; shift; exec `+fake.CLI+` "$@"`)
	for _, value := range []string{path, path + " darktable-cli"} {
		d, err := render.Find(t.Context(), &render.Options{Path: value, Scratch: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		if err := renderOf(t, d, filepath.Join(t.TempDir(), "a.nef")); err != nil || d.Version() != "5.6.2" || d.Path() != path {
			t.Errorf("%s %s: %v", d.Path(), d.Version(), err)
		}
	}
	fakeProgram(t, path, "echo 'dlopen(): error loading libfuse.so.2' >&2; exit 127")
	_, err := render.Find(t.Context(), &render.Options{Path: path, Scratch: t.TempDir()})
	if err == nil || !strings.Contains(err.Error(), "APPIMAGE_EXTRACT_AND_RUN=1") {
		t.Errorf("%v does not say what to do without FUSE", err)
	}
}

// What a sandbox does not see is copied to where it sees it, and a scratch folder that
// it does not see is refused before anything is developed.
func TestASandboxGetsWhatItDoesNotSee(t *testing.T) {
	fake := testutil.FakeDarktable(t, testutil.FakeOptions{})
	home, hidden, bin := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "snap", "bin")
	t.Setenv("HOME", home)
	t.Setenv("XDG_CACHE_HOME", filepath.Join(home, ".cache"))
	// The sandbox sees no link that leads out of the home folder.
	fakeProgram(t, filepath.Join(bin, "darktable.darktable-cli"),
		`for a in "$@"; do case $(readlink -f -- "$a") in `+hidden+`/*) echo "cannot open $a" >&2; exit 1;; esac; done; exec `+fake.CLI+` "$@"`)
	fakeProgram(t, filepath.Join(bin, "flatpak"), `while [ "$1" != org.darktable.Darktable ]; do
		case $1 in --filesystem=*:*:ro) echo "bad filesystem $1" >&2; exit 1;; esac; shift; done; shift; exec `+fake.CLI+` "$@"`)
	for _, command := range []string{
		filepath.Join(bin, "darktable.darktable-cli"),
		filepath.Join(bin, "flatpak") + " run --command=darktable-cli org.darktable.Darktable",
	} {
		d, err := render.Find(t.Context(), &render.Options{Path: command})
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"a.nef", "10:30.nef", `a\b "c" 'd' *?.nef`, "-a  b.nef", "$(X)é.nef"} {
			if err := renderOf(t, d, filepath.Join(hidden, name)); err != nil {
				t.Errorf("%s with %s: %v", command, name, err)
			}
		}
	}
	for command, scratch := range map[string]string{
		filepath.Join(bin, "darktable.darktable-cli"):                                          hidden,
		filepath.Join(bin, "flatpak") + " run --command=darktable-cli org.darktable.Darktable": filepath.Join(hidden, "a:b"),
	} {
		_, err := render.Find(t.Context(), &render.Options{Path: command, Scratch: scratch})
		if e := kindOf(t, err); e.Kind != render.System || !strings.Contains(err.Error(), "does not see the scratch folder") {
			t.Errorf("%s: %v", command, err)
		}
	}
}

func TestFlatpakIsGivenTheFoldersThatItNeeds(t *testing.T) {
	fake := testutil.FakeDarktable(t, testutil.FakeOptions{})
	bin, log := t.TempDir(), filepath.Join(t.TempDir(), "log")
	// flatpak run OPTIONS org.darktable.Darktable ARGUMENTS
	script := "#!/bin/sh\necho \"$@\" >>" + log + "\nwhile [ \"$1\" != org.darktable.Darktable ]; do shift; done\nshift\nexec " + fake.CLI + " \"$@\"\n"
	if err := os.WriteFile(filepath.Join(bin, "flatpak"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("DARKTABLE_CLI", "flatpak run --command=darktable-cli org.darktable.Darktable")
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	d, err := render.Find(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	raw := filepath.Join(t.TempDir(), "a.nef")
	if err := os.WriteFile(raw, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Render(t.Context(), render.Job{Raw: raw, Sidecar: []byte("<x/>"), Output: filepath.Join(t.TempDir(), "a.jpg"), Size: 64}); err != nil {
		t.Fatal(err)
	}
	calls, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(calls)), "\n")
	words := strings.Fields(lines[len(lines)-1])
	at := slices.Index(words, "org.darktable.Darktable")
	if !slices.Contains(words[:at], "--filesystem="+raw+":ro") {
		t.Errorf("the sandbox may not read the raw: %v", words[:at])
	}
	config := words[slices.Index(words, "--configdir")+1]
	if !slices.Contains(words[:at], "--filesystem="+filepath.Dir(config)) || strings.HasPrefix(config, os.TempDir()+"/chemigram") {
		t.Errorf("the sandbox may not write to its scratch folder %s: %v", config, words[:at])
	}
}
