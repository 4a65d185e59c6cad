package notebook_test

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/notebook"
	"github.com/chemigram/chemigram/internal/workspace"
)

// open opens the notebook of a new workspace, and gives its folder of tastes, which
// is not there yet.
func open(t *testing.T) (*notebook.Notebook, string) {
	t.Helper()
	w, err := workspace.Open(filepath.Join(t.TempDir(), "workspace"), &workspace.Options{Actor: "a program"})
	if err != nil {
		t.Fatal(err)
	}
	tastes := filepath.Join(t.TempDir(), "tastes")
	return notebook.New(w, tastes, slog.New(slog.DiscardHandler)), tastes
}

func TestATasteIsWrittenOnceItIsConfirmed(t *testing.T) {
	t.Parallel()
	n, tastes := open(t)
	p, err := n.ProposeTaste(t.Context(), "Black and White", "appearance", "- contrast: high")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(tastes, "black-and-white.md")
	if _, err := os.Stat(path); err == nil || p.TargetFile != path || !strings.Contains(p.Diff, "+- contrast: high") {
		t.Errorf("before it is confirmed: %v, %+v", err, p)
	}
	if pending, _, err := n.Pending(t.Context(), "any"); err != nil || len(pending) != 1 || pending[0].ID != p.ID {
		t.Errorf("pending are %+v, %v", pending, err)
	}
	if _, _, err := n.Confirm(t.Context(), p.ID, notebook.NotesProposal); !errors.Is(err, fault.InvalidInput) {
		t.Errorf("confirmed as notes: %v", err)
	}
	for _, changed := range []bool{true, false} {
		if got, did, err := n.Confirm(t.Context(), p.ID, notebook.TasteProposal); err != nil || did != changed || got != path {
			t.Errorf("%s, %t, %v, want changed %t", got, did, err, changed)
		}
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != "## Appearance\n\n- contrast: high\n" {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := n.Decline(t.Context(), p.ID); !errors.Is(err, fault.State) {
		t.Errorf("declined after it was confirmed: %v", err)
	}
	if _, err := n.Decline(t.Context(), "aaaaaaaaaaaaaaaa"); !errors.Is(err, fault.NotFound) {
		t.Errorf("one that is not there: %v", err)
	}
}

func TestAFileThatHasChangedIsNotWrittenOver(t *testing.T) {
	t.Parallel()
	n, tastes := open(t)
	p, err := n.ProposeTaste(t.Context(), "_default", "value", "- time: slow")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.MkdirAll(tastes, 0o700), os.WriteFile(p.TargetFile, []byte("by hand\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := n.Confirm(t.Context(), p.ID, notebook.TasteProposal); !errors.Is(err, fault.State) {
		t.Errorf("%v", err)
	}
	if data, _ := os.ReadFile(p.TargetFile); string(data) != "by hand\n" {
		t.Errorf("the file is %q", data)
	}
}

func TestTastesThatDifferAreConflicts(t *testing.T) {
	t.Parallel()
	n, tastes := open(t)
	for name, text := range map[string]string{"_default.md": "- contrast: low\n- grain: none\n", "street.md": "- Contrast: high\n- grain: none\n"} {
		if err := errors.Join(os.MkdirAll(tastes, 0o700), os.WriteFile(filepath.Join(tastes, name), []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	got, remarks := n.Tastes("Tastes: street, ../x\n")
	if len(got) != 2 || got[1].Name != "street" || len(remarks) != 1 {
		t.Errorf("%+v, %q", got, remarks)
	}
	found, more := notebook.Conflicts(got)
	want := []notebook.Conflict{{Key: "contrast", Statements: []notebook.Statement{{"_default", "low"}, {"street", "high"}}}}
	if diff := cmp.Diff(want, found); diff != "" || more != 0 {
		t.Errorf("%d more (-want +got):\n%s", more, diff)
	}
}

func TestGapsAreCountedByTheirWords(t *testing.T) {
	t.Parallel()
	n, _ := open(t)
	for i, said := range []string{"a mask for the skin tones", "Skin tone masks", "no way to weave"} {
		gap := notebook.Gap{ImageID: "a", Description: said, Workaround: "none", Satisfaction: new(-1)}
		if err := gap.Check(); err != nil {
			t.Fatal(err)
		}
		if count, err := n.LogGap(t.Context(), gap); err != nil || count != []int{1, 2, 1}[i] {
			t.Errorf("%q was met %d times, %v", said, count, err)
		}
	}
	ranked, err := n.RankGaps()
	if err != nil || len(ranked.Gaps) != 2 || ranked.Gaps[0].Count != 2 || ranked.Gaps[0].SatisfactionSum != -2 || ranked.Gaps[0].Actor != "a program" {
		t.Errorf("%+v, %v", ranked, err)
	}
	if recent, err := n.RecentGaps(2); err != nil || len(recent) != 2 || recent[0].Description != "no way to weave" {
		t.Errorf("%+v, %v", recent, err)
	}
	if err := (notebook.Gap{Description: "a\x00b", VocabularyUsed: make([]string, 51)}).Check(); !errors.Is(err, fault.InvalidInput) {
		t.Errorf("a gap with zero bytes: %v", err)
	}
}

func TestOfALongTextBothEndsAreRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := "first\n" + strings.Repeat("middle\n", 10<<10) + "last\n"
	if err := os.WriteFile(filepath.Join(dir, "notes.md"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got, remark := notebook.ReadText(dir, "notes.md")
	if !strings.HasPrefix(got, "first\n") || !strings.HasSuffix(got, "last\n") || len(got) > 17<<10 || !strings.Contains(remark, "left out") {
		t.Errorf("%d bytes, %q", len(got), remark)
	}
	if got, remark := notebook.ReadText(dir, "none.md"); got != "" || remark != "" {
		t.Errorf("a file that is not there: %q, %q", got, remark)
	}
}
