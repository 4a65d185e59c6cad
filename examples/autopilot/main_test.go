package main

import (
	"image/jpeg"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
)

func TestTheAutopilotWritesItsReport(t *testing.T) {
	testutil.UseDarktable(t)
	out := t.TempDir()
	path, err := run(t.Context(), "", out, 0.2)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| mid-tone |", "| highlights |", "| neutral |", "tagged `best`", "Proposed note"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the report lacks %q:\n%s", want, text)
		}
	}
	pictures := regexp.MustCompile(`!\[[^]]*\]\(([^)]*)\)`).FindAllStringSubmatch(string(text), -1)
	if len(pictures) != 3 || strings.Contains(string(text), out) {
		t.Errorf("want 3 pictures beside the report, and no path of this machine:\n%s", text)
	}
	for _, picture := range pictures {
		f, err := os.Open(filepath.Join(filepath.Dir(path), picture[1]))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := jpeg.DecodeConfig(f); err != nil {
			t.Errorf("%s: %v", picture[1], err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}
