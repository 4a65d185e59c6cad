package main

import (
	"os"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
)

func TestTheAutopilotWritesItsReport(t *testing.T) {
	t.Setenv("DARKTABLE_CLI", testutil.AnyDarktable(t).CLI)
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	path, err := run(t.Context(), "", t.TempDir(), 0.2)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| mid-tone |", "| highlights |", "| neutral |", "tagged `best`", "Proposed note", ".jpg"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the report lacks %q:\n%s", want, text)
		}
	}
}
