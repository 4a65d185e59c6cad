package main

import (
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
)

func TestTheProgramRuns(t *testing.T) {
	t.Setenv("DARKTABLE_CLI", testutil.AnyDarktable(t).CLI)
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	if err := run(t.Context()); err != nil {
		t.Fatal(err)
	}
}
