package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The release file of the installed darktable is what introspection reads.
func TestReleaseFileIsWhatTheInstalledDarktableSays(t *testing.T) {
	found, _ := filepath.Glob("/usr/lib/*/darktable/libdarktable.so")
	if len(found) == 0 {
		t.Skip("no darktable in /usr/lib")
	}
	f, err := read(filepath.Dir(found[0]), "/usr/share/darktable")
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := f.Write(&got); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("../internal/iopgen/releases/" + f.Darktable + ".json")
	if os.IsNotExist(err) {
		t.Skip("darktable " + f.Darktable + " is not one of the releases in the tables")
	}
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got.String(), "\n")); diff != "" {
		t.Error(diff)
	}
}
