package chemigram

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/chemigram/chemigram/internal/testutil"
)

func proposeTaste(tb testing.TB, e *Engine, content string) ProposeTasteUpdateResult {
	tb.Helper()
	res, err := e.ProposeTasteUpdate(tb.Context(), ProposeTasteUpdateParams{Content: content, Category: "appearance"})
	if err != nil {
		tb.Fatal(err)
	}
	return res
}

func read(tb testing.TB, path string) string {
	tb.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	return string(data)
}

func pending(tb testing.TB, e *Engine) []Proposal {
	tb.Helper()
	res, err := e.ListProposals(tb.Context(), ListProposalsParams{ImageID: "a"})
	if err != nil {
		tb.Fatal(err)
	}
	return res.Proposals
}

func TestAProposalIsWrittenOnceWhenConfirmed(t *testing.T) {
	workspace, tastes := filepath.Join(t.TempDir(), "workspace"), filepath.Join(t.TempDir(), "tastes")
	e, _, _ := openWithTastes(t, Options{Workspace: workspace, Tastes: tastes})
	put(t, tastes, "_default.md", "# Me\n\n## Appearance\n\n- contrast: low\n- grain: none\n\n## Value\n\n- honesty\n")
	proposal := proposeTaste(t, e, "- Contrast: high\n- sky: never blown out")
	wantDiff := `--- a/_default.md
+++ b/_default.md
@@ -2,8 +2,9 @@
 
 ## Appearance
 
-- contrast: low
+- Contrast: high
 - grain: none
+- sky: never blown out
 
 ## Value
 
`
	if proposal.Diff != wantDiff {
		t.Errorf("diff = %s\nwant %s", proposal.Diff, wantDiff)
	}
	e = openWithout(t, Options{Workspace: workspace, Tastes: tastes})
	if got := readContext(t, e).PendingProposals; len(got) != 1 || got[0].ProposalID != proposal.ProposalID || got[0].Diff != wantDiff {
		t.Errorf("pending after a restart: %+v", got)
	}
	for _, first := range []bool{true, false} {
		got, err := e.ConfirmTasteUpdate(t.Context(), ConfirmParams{proposal.ProposalID})
		if err != nil || got.Changed != first || got.WrittenTo != proposal.TargetFile {
			t.Errorf("confirm = %+v, %v; want changed %v", got, err, first)
		}
	}
	want := "# Me\n\n## Appearance\n\n- Contrast: high\n- grain: none\n- sky: never blown out\n\n## Value\n\n- honesty\n"
	if got := read(t, proposal.TargetFile); got != want {
		t.Errorf("the file is %q, want %q", got, want)
	}
	if len(pending(t, e)) > 0 {
		t.Error("it is pending still")
	}
	if _, err := e.DeclineProposal(t.Context(), DeclineProposalParams{proposal.ProposalID}); !errors.Is(err, ErrState) {
		t.Errorf("decline: err = %v, want state_error", err)
	}
}

func TestNotesGrowAtTheirEnd(t *testing.T) {
	e, _, image := openWithTastes(t, Options{})
	for i, tt := range []struct{ before, content, after string }{
		{"", "\n\n- first\n\n", "- first\n"},
		{"old", "new", "old\n\nnew\n"},
		{"old\r\n\r\n", "a\nb", "old\r\n\r\na\r\nb\r\n\r\n"},
	} {
		if tt.before != "" {
			put(t, image, "notes.md", tt.before)
		}
		proposal, err := e.ProposeNotesUpdate(t.Context(), ProposeNotesUpdateParams{ImageID: "a", Content: tt.content})
		if err != nil {
			t.Fatal(err)
		}
		if isNew := strings.HasPrefix(proposal.Diff, "--- /dev/null\n"); isNew != (tt.before == "") {
			t.Errorf("%d: diff = %s", i, proposal.Diff)
		}
		if _, err := e.ConfirmTasteUpdate(t.Context(), ConfirmParams{proposal.ProposalID}); !errors.Is(err, ErrInvalidInput) {
			t.Errorf("confirmed as a taste: err = %v, want invalid_input", err)
		}
		res, err := e.ConfirmNotesUpdate(t.Context(), ConfirmParams{proposal.ProposalID})
		if err != nil {
			t.Fatal(err)
		}
		if got := read(t, res.WrittenTo); got != tt.after {
			t.Errorf("%d: notes = %q, want %q", i, got, tt.after)
		}
	}
}

func TestAFileThatChangedMeanwhileIsLeftAlone(t *testing.T) {
	e, tastes, _ := openWithTastes(t, Options{})
	proposal := proposeTaste(t, e, "- contrast: low")
	put(t, tastes, "_default.md", "by hand\n")
	_, err := e.ConfirmTasteUpdate(t.Context(), ConfirmParams{proposal.ProposalID})
	if !errors.Is(err, ErrState) || !strings.Contains(err.Error(), "propose again") {
		t.Errorf("err = %v, want a state_error that says to propose again", err)
	}
	if got := read(t, proposal.TargetFile); got != "by hand\n" {
		t.Errorf("the file is %q", got)
	}
}

func TestAConfirmationThatWasCutShortIsFinished(t *testing.T) {
	e, _, _ := openWithTastes(t, Options{})
	proposal := proposeTaste(t, e, "- contrast: low")
	file := filepath.Join(e.workspace.Path("proposals"), string(proposal.ProposalID)+".json")
	before := read(t, file)
	if _, err := e.ConfirmTasteUpdate(t.Context(), ConfirmParams{proposal.ProposalID}); err != nil {
		t.Fatal(err)
	}
	written := read(t, proposal.TargetFile)
	if err := os.WriteFile(file, []byte(before), 0o600); err != nil { // as if it had died before the answer was kept
		t.Fatal(err)
	}
	got, err := e.ConfirmTasteUpdate(t.Context(), ConfirmParams{proposal.ProposalID})
	if err != nil || got.Changed || read(t, proposal.TargetFile) != written {
		t.Errorf("confirm = %+v, %v; want what was written before", got, err)
	}
}

func TestADeclinedProposalIsNotConfirmed(t *testing.T) {
	e, tastes, _ := openWithTastes(t, Options{})
	proposal := proposeTaste(t, e, "- contrast: low")
	for _, first := range []bool{true, false} {
		got, err := e.DeclineProposal(t.Context(), DeclineProposalParams{proposal.ProposalID})
		if err != nil || got.Changed != first {
			t.Errorf("decline = %+v, %v; want changed %v", got, err, first)
		}
	}
	if _, err := e.ConfirmTasteUpdate(t.Context(), ConfirmParams{proposal.ProposalID}); !errors.Is(err, ErrState) {
		t.Errorf("err = %v, want state_error", err)
	}
	if _, err := e.ConfirmTasteUpdate(t.Context(), ConfirmParams{"aaaaaaaaaaaaaaaa"}); !errors.Is(err, ErrNotFound) {
		t.Errorf("unknown: err = %v, want not_found", err)
	}
	if _, err := os.Stat(filepath.Join(tastes, "_default.md")); err == nil || len(pending(t, e)) > 0 {
		t.Error("the taste is written, or the proposal pending")
	}
}

func TestAProposalExpires(t *testing.T) {
	e, _, _ := openWithTastes(t, Options{})
	synctest.Test(t, func(t *testing.T) {
		proposal := proposeTaste(t, e, "- contrast: low")
		time.Sleep(7*24*time.Hour - time.Second) //nolint:forbidigo // the time of the bubble, which costs none
		if len(pending(t, e)) != 1 {
			t.Error("it is not pending a second before its time")
		}
		time.Sleep(time.Second) //nolint:forbidigo // the time of the bubble, which costs none
		if len(pending(t, e)) != 0 {
			t.Error("it is pending after its time")
		}
		_, err := e.ConfirmTasteUpdate(t.Context(), ConfirmParams{proposal.ProposalID})
		if !errors.Is(err, ErrState) || !strings.Contains(err.Error(), "expired") {
			t.Errorf("err = %v, want a state_error that says expired", err)
		}
		time.Sleep(30*24*time.Hour + time.Second) //nolint:forbidigo // the time of the bubble, which costs none
		proposeTaste(t, e, "- contrast: low")
		if _, err := e.ConfirmTasteUpdate(t.Context(), ConfirmParams{proposal.ProposalID}); !errors.Is(err, ErrNotFound) {
			t.Errorf("err = %v, want not_found: it is forgotten", err)
		}
	})
}

func TestOnlyOneOfManyConfirmationsWrites(t *testing.T) {
	workspace, tastes := filepath.Join(t.TempDir(), "workspace"), filepath.Join(t.TempDir(), "tastes")
	e, _, _ := openWithTastes(t, Options{Workspace: workspace, Tastes: tastes})
	engines := []*Engine{e, openWithout(t, Options{Workspace: workspace, Tastes: tastes})}
	proposal := proposeTaste(t, e, "- contrast: low")
	var group sync.WaitGroup
	var mu sync.Mutex
	wrote := 0
	for i := range 16 {
		group.Go(func() {
			res, err := engines[i%2].ConfirmTasteUpdate(t.Context(), ConfirmParams{proposal.ProposalID})
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Error(err)
			}
			if res.Changed {
				wrote++
			}
		})
	}
	group.Wait()
	if got := read(t, proposal.TargetFile); wrote != 1 || got != "## Appearance\n\n- contrast: low\n" {
		t.Errorf("%d wrote, the file is %q", wrote, got)
	}
}

func TestPathTricksAreRefused(t *testing.T) {
	root := t.TempDir()
	e, _, image := openWithTastes(t, Options{Tastes: filepath.Join(root, "a", "tastes")})
	for _, file := range []string{"../x", "/tmp/x", `..\x`, "a\x00b", "CON", "lpt1.md", "a/b", "..", strings.Repeat("y", 300)} {
		_, err := e.ProposeTasteUpdate(t.Context(), ProposeTasteUpdateParams{Content: "x", Category: "value", File: file})
		if !errors.Is(err, ErrInvalidInput) {
			t.Errorf("file %q: err = %v, want invalid_input", file, err)
		}
	}
	for _, content := range []string{"a\x00b", "\xff", "\x1b[2J", strings.Repeat("x", 16<<10+1), " \n"} {
		_, err := e.ProposeNotesUpdate(t.Context(), ProposeNotesUpdateParams{ImageID: "a", Content: content})
		if !errors.Is(err, ErrInvalidInput) {
			t.Errorf("content %.10q: err = %v, want invalid_input", content, err)
		}
	}
	for _, id := range []ProposalID{"../../image", "a", "AAAAAAAAAAAAAAAA", "aaaaaaaaaaaaaaa\x00"} {
		if _, err := e.ConfirmTasteUpdate(t.Context(), ConfirmParams{id}); !errors.Is(err, ErrNotFound) {
			t.Errorf("id %q: err = %v, want not_found", id, err)
		}
	}
	// A proposal's file that somebody has bent.
	proposal := proposeTaste(t, e, "- contrast: low")
	file := filepath.Join(e.workspace.Path("proposals"), string(proposal.ProposalID)+".json")
	bent := strings.Replace(read(t, file), `"taste": "_default"`, `"taste": "../../bent"`, 1)
	put(t, filepath.Dir(file), filepath.Base(file), bent)
	if _, err := e.ConfirmTasteUpdate(t.Context(), ConfirmParams{proposal.ProposalID}); !errors.Is(err, ErrState) {
		t.Errorf("a bent proposal: err = %v, want state_error", err)
	}
	put(t, filepath.Dir(file), filepath.Base(file), "garbage")
	if _, err := e.ConfirmTasteUpdate(t.Context(), ConfirmParams{proposal.ProposalID}); !errors.Is(err, ErrState) {
		t.Errorf("garbage: err = %v, want state_error", err)
	}
	if got := pending(t, e); len(got) > 0 {
		t.Errorf("pending: %+v", got)
	}
	put(t, image, "notes.md", strings.Repeat("x", 1<<20+1))
	if _, err := e.ProposeNotesUpdate(t.Context(), ProposeNotesUpdateParams{ImageID: "a", Content: "x"}); !errors.Is(err, ErrState) {
		t.Errorf("notes too long: err = %v, want state_error", err)
	}
	if have, _ := os.ReadDir(root); len(have) != 0 {
		t.Errorf("there is %v", have)
	}
}

func TestAReadOnlyEngineReadsContextAlone(t *testing.T) {
	workspace := filepath.Join(t.TempDir(), "workspace")
	first, _, _ := openWithTastes(t, Options{Workspace: workspace})
	id := proposeTaste(t, first, "x").ProposalID
	before := fingerprint(t, workspace)
	e, _, _ := openWithTastes(t, Options{Workspace: workspace, ReadOnly: true})
	for name, call := range map[string]func(context.Context) error{
		"propose_taste_update": func(ctx context.Context) error {
			_, err := e.ProposeTasteUpdate(ctx, ProposeTasteUpdateParams{Content: "x", Category: "value"})
			return err
		},
		"propose_notes_update": func(ctx context.Context) error {
			_, err := e.ProposeNotesUpdate(ctx, ProposeNotesUpdateParams{ImageID: "a", Content: "x"})
			return err
		},
		"confirm_taste_update": func(ctx context.Context) error {
			_, err := e.ConfirmTasteUpdate(ctx, ConfirmParams{id})
			return err
		},
		"decline_proposal": func(ctx context.Context) error {
			_, err := e.DeclineProposal(ctx, DeclineProposalParams{id})
			return err
		},
		"log_vocabulary_gap": func(ctx context.Context) error {
			_, err := e.LogVocabularyGap(ctx, LogVocabularyGapParams{ImageID: "a", Description: "x", Workaround: "x"})
			return err
		},
	} {
		if err := call(t.Context()); !errors.Is(err, ErrPermission) {
			t.Errorf("%s: err = %v, want permission_error", name, err)
		}
	}
	if got := readContext(t, e).PendingProposals; len(got) != 1 {
		t.Errorf("pending = %+v, want one", got)
	}
	if _, err := e.ListGaps(t.Context(), ListGapsParams{}); err != nil {
		t.Error(err)
	}
	if fingerprint(t, workspace) != before {
		t.Error("the workspace has changed")
	}
}

// A proposal is about the image that it was made for, not about a later one that has
// its id; one that comes back from the trash is the same.
func TestAProposalIsAboutOneImage(t *testing.T) {
	e, _, image := openWithTastes(t, Options{})
	put(t, image, "notes.md", "one\r\ntwo")
	proposal, err := e.ProposeNotesUpdate(t.Context(), ProposeNotesUpdateParams{ImageID: "a", Content: "three"})
	if err != nil {
		t.Fatal(err)
	}
	gone, err := e.DeleteImage(t.Context(), DeleteImageParams{ImageID: "a", Reason: "a test"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.ConfirmNotesUpdate(t.Context(), ConfirmParams{proposal.ProposalID}); !errors.Is(err, ErrNotFound) {
		t.Errorf("the image is deleted: %v", err)
	}
	add(t, e, "a", "5.4.1")
	put(t, image, "notes.md", "one\r\ntwo")
	_, err = e.ConfirmNotesUpdate(t.Context(), ConfirmParams{proposal.ProposalID})
	if !errors.Is(err, ErrState) || !strings.Contains(err.Error(), "another image") {
		t.Errorf("another image has the id: %v", err)
	}
	if got := read(t, filepath.Join(image, "notes.md")); got != "one\r\ntwo" || len(pending(t, e)) > 0 {
		t.Errorf("the other image's notes are %q, pending: %+v", got, pending(t, e))
	}
	if _, err := e.DeleteImage(t.Context(), DeleteImageParams{ImageID: "a", Reason: "a test"}); err != nil {
		t.Fatal(err)
	}
	if _, err := e.RestoreImage(t.Context(), RestoreImageParams{TrashName: gone.TrashName}); err != nil {
		t.Fatal(err)
	}
	if len(pending(t, e)) != 1 {
		t.Error("it is not pending for the image that is back")
	}
	if res, err := e.ConfirmNotesUpdate(t.Context(), ConfirmParams{proposal.ProposalID}); err != nil || !res.Changed {
		t.Errorf("the image is back: %+v, %v", res, err)
	}
	if got := read(t, filepath.Join(image, "notes.md")); got != "one\r\ntwo\n\nthree\n" {
		t.Errorf("the notes are %q", got)
	}
}

// What was shown is what is written.
func TestAProposalWritesWhatItsDiffShows(t *testing.T) {
	tastes := filepath.Join(t.TempDir(), "tastes")
	e, _, _ := openWithTastes(t, Options{Tastes: tastes})
	put(t, tastes, "_default.md", "- contrast: low\n")
	for _, bend := range []struct{ from, to string }{
		{`"content": "- contrast: high"`, `"content": "- contrast: none"`},
		{`+- contrast: high`, `+- contrast: hihg`},
	} {
		proposal := proposeTaste(t, e, "- contrast: high")
		file := filepath.Join(e.workspace.Path("proposals"), string(proposal.ProposalID)+".json")
		was := read(t, file)
		bent := strings.Replace(was, bend.from, bend.to, 1)
		if bent == was {
			t.Fatalf("there is no %s in %s", bend.from, was)
		}
		put(t, filepath.Dir(file), filepath.Base(file), bent)
		if _, err := e.ConfirmTasteUpdate(t.Context(), ConfirmParams{proposal.ProposalID}); !errors.Is(err, ErrState) {
			t.Errorf("%s: %v, want state_error", bend.to, err)
		}
		if got := read(t, filepath.Join(tastes, "_default.md")); got != "- contrast: low\n" {
			t.Errorf("%s: the taste is %q", bend.to, got)
		}
	}
	// Another folder of tastes, whose file has the same content.
	proposal := proposeTaste(t, e, "- contrast: high")
	other := filepath.Join(t.TempDir(), "tastes")
	put(t, other, "_default.md", "- contrast: low\n")
	elsewhere := openWithout(t, Options{Workspace: e.workspace.Root(), Tastes: other})
	if _, err := elsewhere.ConfirmTasteUpdate(t.Context(), ConfirmParams{proposal.ProposalID}); !errors.Is(err, ErrState) {
		t.Errorf("another folder: %v, want state_error", err)
	}
	if _, err := e.ConfirmTasteUpdate(t.Context(), ConfirmParams{proposal.ProposalID}); err != nil {
		t.Error(err)
	}
}

func TestADamagedProposalIsCounted(t *testing.T) {
	e, _, _ := openWithTastes(t, Options{})
	proposeTaste(t, e, "- contrast: low")
	dir := e.workspace.Path("proposals")
	put(t, dir, "aaaaaaaaaaaaaaaa.json", "garbage")
	put(t, dir, ".DS_Store", "\x00")
	if err := os.Mkdir(filepath.Join(dir, "bbbbbbbbbbbbbbbb.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	res, err := e.ListProposals(t.Context(), ListProposalsParams{})
	if err != nil || res.Total != 1 || res.Skipped != 2 {
		t.Errorf("%+v, %v, want one and two that are skipped", res, err)
	}
	if warnings := readContext(t, e).Warnings; !strings.Contains(strings.Join(warnings, "\n"), "2 files of proposals are damaged") {
		t.Errorf("warnings are %q", warnings)
	}
}

func TestATasteIsNotWrittenTwice(t *testing.T) {
	e, tastes, _ := openWithTastes(t, Options{})
	put(t, tastes, "_default.md", "## Appearance\n\n- no vignettes\n")
	_, err := e.ProposeTasteUpdate(t.Context(), ProposeTasteUpdateParams{Content: "- No vignettes", Category: "process"})
	if !errors.Is(err, ErrInvalidInput) || !strings.Contains(err.Error(), "says so already") {
		t.Errorf("what is there already: %v", err)
	}
	made := proposeTaste(t, e, "- no vignettes\n- deep blacks")
	if len(made.AlreadyThere) != 1 || made.AlreadyThere[0] != "- no vignettes" || strings.Contains(made.Diff, "+- no vignettes") {
		t.Errorf("already there: %q, diff %s", made.AlreadyThere, made.Diff)
	}
	if _, err := e.ConfirmTasteUpdate(t.Context(), ConfirmParams{made.ProposalID}); err != nil {
		t.Fatal(err)
	}
	if got, want := read(t, made.TargetFile), "## Appearance\n\n- no vignettes\n\n- deep blacks\n"; got != want {
		t.Errorf("the file is %q, want %q", got, want)
	}
}

// Whatever an id looks like: a proposal that is not there is not found.
func TestAnUnknownProposalIsNotFound(t *testing.T) {
	e := openWithout(t, Options{})
	for _, id := range []ProposalID{"aaaaaaaaaaaaaaaa", "AAAAAAAAAAAAAAAA", "p-1", "1", "../../image", "no such one", "\x00", "größe", "a/b.json"} {
		_, taste := e.ConfirmTasteUpdate(t.Context(), ConfirmParams{id})
		_, notes := e.ConfirmNotesUpdate(t.Context(), ConfirmParams{id})
		_, declined := e.DeclineProposal(t.Context(), DeclineProposalParams{id})
		for verb, err := range map[string]error{"confirm_taste_update": taste, "confirm_notes_update": notes, "decline_proposal": declined} {
			failure, _ := errors.AsType[*Error](err)
			if failure == nil || failure.Code != ErrNotFound || failure.Details["kind"] != "proposal" || failure.Details["name"] != string(id) {
				t.Errorf("%s of %q: %v", verb, id, err)
			}
		}
	}
}

// 100 proposals wait at a time, and of those with an answer the newest 400 are remembered.
func TestProposalsAreBounded(t *testing.T) {
	testutil.SkipShort(t)
	e := openWithout(t, Options{})
	files := func() int {
		t.Helper()
		found, err := filepath.Glob(filepath.Join(e.WorkspaceDir(), "proposals", "*.json"))
		if err != nil {
			t.Fatal(err)
		}
		return len(found)
	}
	var last ProposeTasteUpdateResult
	for range 3 {
		last = proposeTaste(t, e, "- contrast: low")
		if _, err := e.DeclineProposal(t.Context(), DeclineProposalParams{ProposalID: last.ProposalID}); err != nil {
			t.Fatal(err)
		}
	}
	// As if it had been declined many times more, before.
	declined, err := os.ReadFile(filepath.Join(e.WorkspaceDir(), "proposals", string(last.ProposalID)+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var proposal map[string]any
	if err := json.Unmarshal(declined, &proposal); err != nil {
		t.Fatal(err)
	}
	for i := range 500 {
		id := strings.ToLower(rand.Text()[:16])
		proposal["proposal_id"], proposal["proposed_at"] = id, time.Now().Add(-time.Hour-time.Duration(i)*time.Second).UTC().Format(time.RFC3339Nano)
		text, err := json.Marshal(proposal)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(e.WorkspaceDir(), "proposals", id+".json"), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	proposeTaste(t, e, "- contrast: low")
	if n := files(); n != 401 {
		t.Errorf("%d proposals are kept, want 400 with an answer and one that waits", n)
	}
	if _, err := e.ConfirmTasteUpdate(t.Context(), ConfirmParams{ProposalID: last.ProposalID}); !errors.Is(err, ErrState) {
		t.Errorf("the newest that was declined is not remembered: %v", err)
	}
	for range 99 {
		proposeTaste(t, e, "- contrast: low")
	}
	_, err = e.ProposeTasteUpdate(t.Context(), ProposeTasteUpdateParams{Content: "- contrast: low", Category: "appearance"})
	if !errors.Is(err, ErrState) {
		t.Errorf("the 101st that would wait: %v", err)
	}
}
