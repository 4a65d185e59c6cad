package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/vocab/prove"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

// The pack at the beginning of docs/authoring.md is proven, and so is a style that is
// captured into it.
func TestThePackOfTheGuideIsProven(t *testing.T) {
	testutil.UseDarktable(t)
	folder := t.TempDir()
	for name, text := range guide(t) {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	style := filepath.Join(t.TempDir(), "film.dtstyle")
	if err := os.WriteFile(style, exportedStyle(t), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := capture(folder, style, "look_my_film", "My film: pale.", "chroma down"); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := run(t.Context(), &out, folder); err != nil {
		t.Errorf("%v\n%s", err, &out)
	}
	for _, want := range []string{"lift_face on darktable", "look_my_film on darktable", "bright_top on darktable", "holds claim: chroma down"} {
		if !strings.Contains(strings.Join(strings.Fields(out.String()), " "), want) {
			t.Errorf("the report lacks %q:\n%s", want, &out)
		}
	}
}

// guide returns the files of the guide's pack: its blocks of JSON that are complete
// files.
func guide(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("../../docs/authoring.md")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for i, block := range strings.Split(string(text), "```json\n") {
		block, _, _ = strings.Cut(block, "```")
		switch {
		case i == 0:
		case strings.HasPrefix(block, "{\n  \"name\": \"my_moves\""):
			files["pack.json"] = block
		case strings.Contains(block, `"name": "lift_face"`):
			files["tone.json"] = block
		case strings.Contains(block, `"place":`):
			files["masks.json"] = block
		}
	}
	if len(files) != 3 {
		t.Fatalf("the guide has %d files", len(files))
	}
	return files
}

// exportedStyle is a style as darktable would export it, of a module that all
// releases read.
func exportedStyle(t *testing.T) []byte {
	t.Helper()
	release, err := iop.ReleaseFor("4.2.1")
	if err != nil {
		t.Fatal(err)
	}
	params, err := release.Defaults("colorbalancergb")
	if err == nil {
		params, err = params.With("saturation_global", iop.Number(-0.3))
	}
	if err != nil {
		t.Fatal(err)
	}
	style := xmp.Style{Name: "my film", Entries: []xmp.Entry{{
		Operation: "colorbalancergb", Enabled: true, Modversion: params.Modversion(), Params: params.Encode(),
	}}}
	return style.Bytes()
}

func TestAFalseClaimFails(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	err := report(&out, []prove.Proof{
		{Entry: "false_claim", Darktable: "5.4.1", Findings: []prove.Finding{
			{Check: "claim", Claim: "chroma up by at least 1", Before: 20, After: 18, Message: "20 became 18"}, {Check: "set", OK: true},
		}},
		{Mask: "sky", Darktable: "5.4.1", Skipped: "needs darktable 6"},
	})
	want := `false_claim on darktable 5.4.1
  FALSE  claim: chroma up by at least 1: 20 → 18
  holds  set
sky on darktable 5.4.1
  skipped: needs darktable 6
`
	if d := cmp.Diff(want, out.String()); d != "" || !errors.Is(err, errNotProven) {
		t.Errorf("%v\n%s", err, d)
	}
}
