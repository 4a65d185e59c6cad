package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
)

func TestQuickstartKeepsItsPicturesAndRunsAgain(t *testing.T) {
	testutil.UseDarktable(t)
	out := filepath.Join(t.TempDir(), "out")
	for range 2 {
		var output bytes.Buffer
		if err := run(t.Context(), &output, out, "", 0.3, 256); err != nil {
			t.Fatalf("%v; it printed:\n%s", err, output.String())
		}
		for _, text := range []string{"baseline", "exposure: 0.7 → 1 EV", "black_and_white", "mean ΔE2000", "07-clarity.jpg"} {
			if !strings.Contains(output.String(), text) {
				t.Errorf("it did not print %q:\n%s", text, output.String())
			}
		}
	}
	grey, err := filepath.Glob(filepath.Join(out, "*-monochrome.jpg"))
	if err != nil || len(grey) != 1 {
		t.Fatalf("monochrome pictures %v, %v; want one", grey, err)
	}
	picture, err := pixel.Load(grey[0])
	if err != nil {
		t.Fatal(err)
	}
	if chroma := picture.Mean(pixel.Whole).Lab().Chroma(); chroma > 0.5 {
		t.Errorf("the black-and-white branch has chroma %.2f", chroma)
	}
}

func TestAFolderOfOtherFilesIsNotReplaced(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	mine := filepath.Join(dir, "mine.txt")
	if err := os.WriteFile(mine, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := prepare(dir); err == nil || !strings.Contains(err.Error(), "-out") {
		t.Errorf("err = %v, want one that says how to name another folder", err)
	}
	if _, err := os.Stat(mine); err != nil {
		t.Error(err)
	}
}
