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
