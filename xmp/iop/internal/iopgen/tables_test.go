package main

import (
	"io/fs"
	"os"
	"testing"
)

// The embedded tables are what iopgen makes of the release files.
func TestTablesAreFresh(t *testing.T) {
	t.Parallel()
	releases, err := readAll(os.DirFS("releases"))
	if err != nil {
		t.Fatal(err)
	}
	want := tables(releases)
	have := os.DirFS("../../tables")
	err = fs.WalkDir(have, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(have, name)
		if err != nil {
			return err
		}
		if string(text) != want[name] {
			t.Errorf("%s is not what iopgen makes: run go generate ./xmp/iop", name)
		}
		delete(want, name)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range want {
		t.Errorf("%s is missing: run go generate ./xmp/iop", name)
	}
}
