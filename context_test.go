package chemigram

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// openWithTastes opens an engine with the image "a", its folder of tastes and its image
// folder.
func openWithTastes(tb testing.TB, opts Options) (e *Engine, tastes, image string) {
	tb.Helper()
	if opts.Tastes == "" {
		opts.Tastes = filepath.Join(tb.TempDir(), "tastes")
	}
	e = openWithout(tb, opts)
	if !opts.ReadOnly {
		add(tb, e, "a", "5.4.1")
	}
	return e, opts.Tastes, e.workspace.ImageDir("a")
}

func put(tb testing.TB, dir, name, text string) {
	tb.Helper()
	if err := os.MkdirAll(dir, 0o777); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		tb.Fatal(err)
	}
}

func readContext(tb testing.TB, e *Engine) ReadContextResult {
	tb.Helper()
	res, err := e.ReadContext(tb.Context(), ReadContextParams{ImageID: "a"})
	if err != nil {
		tb.Fatal(err)
	}
	return res
}

func TestMissingFilesAreEmpty(t *testing.T) {
	e, _, _ := openWithTastes(t, Options{})
	got := readContext(t, e)
	if len(got.RecentLog) != 1 || got.RecentLog[0].Op != "ingest" || !slices.Contains(got.RecentLog[0].Ref, "refs/heads/main") {
		t.Errorf("recent_log = %+v, want the ingest on main", got.RecentLog)
	}
	got.RecentLog = nil
	want := ReadContextResult{
		Tastes: []Taste{{Name: "_default"}}, Conflicts: []TasteConflict{},
		RecentGaps: []Gap{}, PendingProposals: []Proposal{}, Warnings: []string{},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTheBriefChoosesTastesAndConflictsAreNamed(t *testing.T) {
	e, tastes, image := openWithTastes(t, Options{})
	put(t, tastes, "_default.md", "# Me\n- Contrast: low\n- grain: none\n- see https://example.org: no key\n")
	put(t, tastes, "Black and White.md", "* **contrast:** high\n* Grain:  None\n")
	put(t, tastes, "portrait.md", "- contrast: medium\n- contrast: LOW\n")
	put(t, tastes, "street.md", "- grain: heavy\n")
	put(t, image, "brief.md", "# A wedding\n- **Tastes:** portrait, black and white.\n")
	got := readContext(t, e)
	var names []string
	for _, taste := range got.Tastes {
		names = append(names, taste.Name)
	}
	if want := []string{"_default", "portrait", "black-and-white"}; !slices.Equal(names, want) {
		t.Errorf("tastes = %q, want %q", names, want)
	}
	want := []TasteConflict{{Key: "Contrast", Says: []TasteStatement{{"_default", "low"}, {"portrait", "LOW"}, {"black-and-white", "high"}}}}
	if diff := cmp.Diff(want, got.Conflicts); diff != "" {
		t.Errorf("conflicts (-want +got):\n%s", diff)
	}
	if len(got.Warnings) > 0 {
		t.Errorf("warnings = %q", got.Warnings)
	}
}

func TestABriefWithAThousandTastesIsCut(t *testing.T) {
	e, _, image := openWithTastes(t, Options{})
	var names []string
	for i := range 1000 {
		names = append(names, fmt.Sprintf("genre%d", i))
	}
	put(t, image, "brief.md", "Tastes: "+strings.Join(names, ", "))
	got := readContext(t, e)
	if len(got.Tastes) != 17 || len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0], "1000 tastes") {
		t.Errorf("%d tastes, warnings %q; want the default and 16, and one warning", len(got.Tastes), got.Warnings)
	}
}

func TestLongNotesAreCutInTheMiddle(t *testing.T) {
	e, _, image := openWithTastes(t, Options{})
	put(t, image, "notes.md", "first line\n")
	path := filepath.Join(image, "notes.md")
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	const size = 100 << 20
	for at, text := range map[int64]string{
		11: strings.Repeat("early\n", 1<<10), size - 20<<10: strings.Repeat("late\n", 4<<10-2), size - 10: "\nlast line",
	} {
		if _, err := f.WriteAt([]byte(text), at); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	got := readContext(t, e)
	text := got.Notes
	if len(text) > 16<<10+100 {
		t.Errorf("the text has %d bytes", len(text))
	}
	if !strings.HasPrefix(text, "first line\n") || !strings.HasSuffix(text, "last line") || !strings.Contains(text, "bytes are left out here") {
		t.Errorf("the text begins %q and ends %q", text[:40], text[len(text)-40:])
	}
	if len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0], "notes.md has 104857600 bytes") {
		t.Errorf("warnings = %q", got.Warnings)
	}
}

func TestGarbageIsNamedAndLeftOut(t *testing.T) {
	e, tastes, image := openWithTastes(t, Options{})
	put(t, tastes, "_default.md", "\x00\x01\x02")
	put(t, image, "notes.md", "caf\xe9\n")
	put(t, image, "brief.md", "Tastes: ../secret, /etc/passwd, con, a\x07b")
	if err := os.Mkdir(filepath.Join(tastes, "portrait.md"), 0o700); err != nil {
		t.Fatal(err)
	}
	got := readContext(t, e)
	if got.Tastes[0].Content != "" || got.Notes != "caf\uFFFD\n" || len(got.Tastes) != 1 {
		t.Errorf("context = %+v", got)
	}
	if len(got.Warnings) != 6 {
		t.Errorf("warnings = %q, want one for each of the 6", got.Warnings)
	}
}

func TestALinkThatLeadsOutIsNotFollowed(t *testing.T) {
	e, tastes, image := openWithTastes(t, Options{})
	outside := t.TempDir()
	put(t, outside, "secret.md", "- password: 1234\n")
	put(t, tastes, "real.md", "- grain: fine\n")
	for link, to := range map[string]string{
		filepath.Join(image, "notes.md"):      filepath.Join(outside, "secret.md"),
		filepath.Join(tastes, "_default.md"):  filepath.Join(outside, "secret.md"),
		filepath.Join(tastes, "portrait.md"):  "real.md",
		filepath.Join(tastes, "landscape.md"): filepath.Join(outside, "new.md"),
	} {
		if err := os.Symlink(to, link); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
	}
	put(t, image, "brief.md", "Tastes: portrait")
	got := readContext(t, e)
	if got.Notes != "" || got.Tastes[0].Content != "" || got.Tastes[1].Content == "" || len(got.Warnings) != 2 {
		t.Errorf("context = %+v; want neither notes nor default taste, and two warnings", got)
	}
	_, err := e.ProposeNotesUpdate(t.Context(), ProposeNotesUpdateParams{ImageID: "a", Content: "mine"})
	if !errors.Is(err, ErrPermission) {
		t.Errorf("notes: err = %v, want permission_error", err)
	}
	for _, name := range []string{"_default", "portrait", "landscape"} {
		_, err := e.ProposeTasteUpdate(t.Context(), ProposeTasteUpdateParams{Content: "mine", Category: "value", File: name})
		if !errors.Is(err, ErrPermission) {
			t.Errorf("%s: err = %v, want permission_error", name, err)
		}
	}
	if have, _ := os.ReadDir(outside); len(have) != 1 {
		t.Errorf("outside there is %v, want the secret alone", have)
	}
}
