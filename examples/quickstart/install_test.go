package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// On macOS nothing installs darktable for everybody: Homebrew's cask is disabled. What
// to download, where to put it and how to go on is said, and what is there is used.
func TestInstallingOnMacOS(t *testing.T) {
	t.Parallel()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash here")
	}
	script, err := filepath.Abs("../../scripts/install-darktable")
	if err != nil {
		t.Fatal(err)
	}
	bin, home := t.TempDir(), t.TempDir()
	program := func(path, script string) {
		t.Helper()
		err := os.MkdirAll(filepath.Dir(path), 0o700)
		if err == nil {
			err = os.WriteFile(path, []byte("#!"+bash+"\n"+script+"\n"), 0o700)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"cat", "dirname", "head", "sed", "sort", "env"} {
		path, err := exec.LookPath(name)
		if err == nil {
			err = os.Symlink(path, filepath.Join(bin, name))
		}
		if err != nil {
			t.Skip(err)
		}
	}
	called := filepath.Join(home, "called")
	program(filepath.Join(bin, "brew"), "echo brew >>"+called)
	install := func(machine string) (string, error) {
		program(filepath.Join(bin, "uname"), `[ "$1" = -m ] && echo `+machine+` || echo Darwin`)
		cmd := exec.CommandContext(t.Context(), bash, script)
		cmd.Env = []string{"PATH=" + bin, "HOME=" + home, "HOMEBREW_PREFIX=" + filepath.Join(home, "brew")}
		said, err := cmd.CombinedOutput()
		return string(said), err
	}
	for machine, image := range map[string]string{"arm64": "darktable-5.6.2-arm64.dmg", "x86_64": "x86_64.dmg"} {
		said, err := install(machine)
		if err == nil {
			t.Skip("a darktable is in a usual place of macOS here: ", said)
		}
		for _, want := range []string{image, "https://www.darktable.org/install/", "/Applications/darktable.app/Contents/MacOS/darktable-cli", "DARKTABLE_CLI"} {
			if !strings.Contains(said, want) {
				t.Errorf("on %s it does not say %s: %s", machine, want, said)
			}
		}
	}
	if _, err := os.Stat(called); err == nil {
		t.Error("Homebrew was called")
	}
	app := filepath.Join(home, "Applications", "darktable.app", "Contents", "MacOS", "darktable-cli")
	program(app, "echo darktable 5.6.2")
	if said, err := install("arm64"); err != nil || strings.TrimSpace(said) != app {
		t.Errorf("%s, %v: the app is not used", said, err)
	}
}
