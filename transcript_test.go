package chemigram

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/scene"
)

// say records a call of a verb, as an adapter does.
func say[P, R any](t *testing.T, s *Session, name string, verb func(context.Context, P) (R, error), p P) R {
	t.Helper()
	params, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	end := s.Call(t.Context(), name, params)
	result, err := verb(t.Context(), p)
	end(result, err)
	return result
}

func begin(t *testing.T, e *Engine) *Session {
	t.Helper()
	s, err := e.BeginSession(WithActor(t.Context(), "a client"), nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func readTranscript(t *testing.T, e *Engine, id SessionID) ReadTranscriptResult {
	t.Helper()
	got, err := e.ReadTranscript(t.Context(), ReadTranscriptParams{SessionID: id})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestATranscriptTellsEachCall(t *testing.T) {
	e, _, _ := openWithTastes(t, Options{})
	s := begin(t, e)
	half := 0.5
	say(t, s, "apply_primitive", e.ApplyPrimitive, ApplyPrimitiveParams{ImageID: "a", PrimitiveName: "exposure", Value: &half})
	say(t, s, "apply_primitive", e.ApplyPrimitive, ApplyPrimitiveParams{ImageID: "a", PrimitiveName: "no such move"})
	say(t, s, "log_vocabulary_gap", e.LogVocabularyGap,
		LogVocabularyGapParams{ImageID: "a", Description: strings.Repeat("x", 90_000), Workaround: "none"})
	if still := readTranscript(t, e, s.ID()).Transcript; still.Ended || still.Calls != 3 {
		t.Errorf("before the end: %+v", still)
	}
	if err := s.End(); err != nil {
		t.Fatal(err)
	}
	got := readTranscript(t, e, s.ID())
	about := got.Transcript
	if !about.Ended || about.Actor != "a client" || about.Engine == "" || len(about.Packs) == 0 ||
		about.Calls != 3 || len(about.Images) != 1 || about.Skipped != 0 {
		t.Errorf("the session: %+v", about)
	}
	edit, wrong, long := got.Calls[0], got.Calls[1], got.Calls[2]
	if edit.Outcome != "ok" || edit.StateBefore == edit.StateAfter || edit.Params["value"] != 0.5 || edit.Result["changed"] != true {
		t.Errorf("the edit: %+v", edit)
	}
	if wrong.Outcome != "not_found" || wrong.Message == "" || wrong.StateBefore != edit.StateAfter || wrong.StateAfter != edit.StateAfter {
		t.Errorf("the failure: %+v", wrong)
	}
	if !long.Cut || len(long.Params) != 0 {
		t.Errorf("90 KB of parameters were kept: cut %v, %d parameters", long.Cut, len(long.Params))
	}
	list, err := e.ListTranscripts(t.Context(), ListTranscriptsParams{})
	if err != nil || list.Total != 1 || list.Transcripts[0].SessionID != s.ID() {
		t.Errorf("the list: %+v, %v", list, err)
	}
}

// Secrets are not kept, names in edits are: a replay finds its way.
func TestATranscriptHidesSecretsAndCanBeReplayed(t *testing.T) {
	e, _ := openFake(t, testutil.FakeOptions{}, "a")
	s := begin(t, e)
	const branch, password = "sk-4f9aB2kd83hGq71zXw", "https://me:hunter22@example.org"
	say(t, s, "branch", e.Branch, BranchParams{ImageID: "a", Name: branch})
	say(t, s, "checkout", e.Checkout, CheckoutParams{ImageID: "a", RefOrHash: branch})
	say(t, s, "snapshot", e.Snapshot, SnapshotParams{ImageID: "a", Label: "api_key=abc123def"})
	say(t, s, "branch", e.Branch, BranchParams{ImageID: "a", Name: "token=abc123def and more"})
	say(t, s, "propose_notes_update", e.ProposeNotesUpdate, ProposeNotesUpdateParams{ImageID: "a", Content: "- from: " + password})
	if err := s.End(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(transcriptPath(s))
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"abc123def", "hunter22"} {
		if strings.Contains(string(text), secret) {
			t.Errorf("%s is in the transcript:\n%s", secret, text)
		}
	}
	for i, want := range []struct {
		outcome string
		hidden  bool
	}{{"ok", true}, {"ok", true}, {"ok", true}, {"invalid_input", true}, {"ok", true}} {
		got := readTranscript(t, e, s.ID()).Calls[i]
		if got.Outcome != want.outcome || got.Hidden != want.hidden {
			t.Errorf("call %d: %s, hidden %v, want %+v", i+1, got.Outcome, got.Hidden, want)
		}
	}
	got, err := e.Replay(t.Context(), ReplayParams{SessionID: s.ID(), ImageID: "a"})
	if err != nil || !got.Same || got.Calls != 5 {
		t.Fatalf("%+v, %+v, %v", got, got.FirstDifference, err)
	}
	copied, err := e.Log(t.Context(), LogParams{ImageID: got.ImageID, Ref: branch})
	if err != nil || copied.Total != 2 || copied.Entries[0].Label != "api_key=abc123def" {
		t.Errorf("on the copy's branch: %+v, %v", copied, err)
	}
}

// Labels and names stay as they are in a replay, also those that look like the hashes
// of snapshots; what names a snapshot names the copy's.
func TestAReplayKeepsLabelsAndNames(t *testing.T) {
	e, _ := openFake(t, testutil.FakeOptions{}, "a")
	s := begin(t, e)
	at := say(t, s, "snapshot", e.Snapshot, SnapshotParams{ImageID: "a", Label: "first"}).Hash
	hashes := []string{at, at[:8], at[:12] + "~1"}
	for _, hash := range hashes {
		say(t, s, "snapshot", e.Snapshot, SnapshotParams{ImageID: "a", Label: hash})
	}
	say(t, s, "branch", e.Branch, BranchParams{ImageID: "a", Name: at[:9], From: RefOrHash(at)})
	say(t, s, "tag", e.Tag, TagParams{ImageID: "a", Name: "t" + at, Hash: "HEAD~1"})
	say(t, s, "checkout", e.Checkout, CheckoutParams{ImageID: "a", RefOrHash: RefOrHash(at[:9])})
	say(t, s, "snapshot", e.Snapshot, SnapshotParams{ImageID: "a", Label: "on the branch"})
	if err := s.End(); err != nil {
		t.Fatal(err)
	}
	got, err := e.Replay(t.Context(), ReplayParams{SessionID: s.ID(), ImageID: "a"})
	if err != nil || !got.Same {
		t.Fatalf("%+v, %+v, %v", got, got.FirstDifference, err)
	}
	labels := func(id ImageID, ref RefOrHash) (labels []string) {
		log, err := e.Log(t.Context(), LogParams{ImageID: id, Ref: ref})
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range log.Entries {
			labels = append(labels, entry.Label)
		}
		return append(labels, log.Refs...)
	}
	for _, ref := range []RefOrHash{"main", "HEAD"} {
		if diff := cmp.Diff(labels("a", ref), labels(got.ImageID, ref)); diff != "" {
			t.Errorf("%s of the image and its copy (-want +got):\n%s", ref, diff)
		}
	}
}

func TestATornTranscriptIsRead(t *testing.T) {
	e, _, _ := openWithTastes(t, Options{})
	s := begin(t, e)
	say(t, s, "get_state", e.GetState, GetStateParams{ImageID: "a"})
	say(t, s, "reset", e.Reset, ResetParams{ImageID: "a"})
	whole, err := os.ReadFile(transcriptPath(s))
	if err != nil {
		t.Fatal(err)
	}
	for cut := 0; cut < len(whole); cut += 13 {
		if err := os.WriteFile(transcriptPath(s), whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		got := readTranscript(t, e, s.ID())
		lines := strings.Count(string(whole[:cut]), "\n")
		if n := got.Transcript.Calls; n < max(0, lines-1) || got.Transcript.Skipped > 1 {
			t.Fatalf("cut at %d of %d, in line %d: %d calls, %d skipped", cut, len(whole), lines, n, got.Transcript.Skipped)
		}
	}
}

func TestSessionsDoNotMixAndEndWithTheEngine(t *testing.T) {
	workspace := filepath.Join(t.TempDir(), "workspace")
	e := openWithout(t, Options{Workspace: workspace})
	add(t, e, "a", "5.4.1")
	first, second := begin(t, e), begin(t, e)
	say(t, first, "get_state", e.GetState, GetStateParams{ImageID: "a"})
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	later := openWithout(t, Options{Workspace: workspace})
	for s, calls := range map[*Session]int{first: 1, second: 0} {
		if got := readTranscript(t, later, s.ID()).Transcript; got.Calls != calls || !got.Ended {
			t.Errorf("%s: %+v, want %d calls and an end", s.ID(), got, calls)
		}
	}
}

// A verb that changes the edit and is not repeated would make replays worthless.
func TestEveryEditCanBeReplayed(t *testing.T) {
	t.Parallel()
	for method := range reflect.TypeFor[*Engine]().Methods() {
		if method.Type.NumIn() != 3 || method.Type.NumOut() != 2 || method.Type.Out(0).Kind() != reflect.Struct {
			continue
		}
		_, edits := method.Type.Out(0).FieldByName("StateAfter")
		_, one := method.Type.In(2).FieldByName("ImageID")
		switch method.Name {
		case "ImportBundle", "CloneImage": // they make an image, and edit none
			continue
		case "Pull": // what a remote had then, it need not have now; a replay says that it was not repeated
			continue
		}
		if edits && one && reruns()[strings.Replace(snakeCase(method.Name), "w_b_", "wb_", 1)] == nil {
			t.Errorf("%s changes an edit and is not in reruns", method.Name)
		}
	}
}

func snakeCase(name string) string {
	var out strings.Builder
	for i, r := range name {
		if r >= 'A' && r <= 'Z' && i > 0 {
			out.WriteByte('_')
		}
		out.WriteRune(r)
	}
	return strings.ToLower(out.String())
}

func TestAReplayGoesTheSameWay(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		raw := filepath.Join(t.TempDir(), "a.dng")
		if err := scene.Write(raw, scene.Landscape{}, scene.Options{Megapixels: 0.1}); err != nil {
			t.Fatal(err)
		}
		e, err := Open(t.Context(), &Options{Workspace: filepath.Join(t.TempDir(), "workspace"), Darktable: dt.CLI})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = e.Close() }()
		if _, err := e.Ingest(t.Context(), IngestParams{RawPath: raw, ImageID: "a"}); err != nil {
			t.Fatal(err)
		}
		half, more := 0.5, 0.8
		if _, err := e.ApplyPrimitive(t.Context(), ApplyPrimitiveParams{ImageID: "a", PrimitiveName: "exposure", Value: &half}); err != nil {
			t.Fatal(err)
		}
		s := begin(t, e)
		at := say(t, s, "apply_primitive", e.ApplyPrimitive, ApplyPrimitiveParams{ImageID: "a", PrimitiveName: "vibrance"})
		say(t, s, "branch", e.Branch, BranchParams{ImageID: "a", Name: "other"})
		say(t, s, "checkout", e.Checkout, CheckoutParams{ImageID: "a", RefOrHash: "other"})
		say(t, s, "apply_primitive", e.ApplyPrimitive, ApplyPrimitiveParams{ImageID: "a", PrimitiveName: "exposure", Value: &more})
		say(t, s, "undo", e.Undo, UndoParams{ImageID: "a"})
		say(t, s, "checkout", e.Checkout, CheckoutParams{ImageID: "a", RefOrHash: RefOrHash(at.Event)})
		say(t, s, "apply_primitive", e.ApplyPrimitive, ApplyPrimitiveParams{ImageID: "a", PrimitiveName: "exposure"})
		if err := s.End(); err != nil {
			t.Fatal(err)
		}
		got, err := e.Replay(t.Context(), ReplayParams{SessionID: s.ID(), ImageID: "a"})
		if err != nil || !got.Same || got.Calls != 7 || got.FirstDifference != nil {
			t.Fatalf("%+v, %+v, %v", got, got.FirstDifference, err)
		}
		spoil(t, s, `"value":0.8`, `"value":0.9`)
		got, err = e.Replay(t.Context(), ReplayParams{SessionID: s.ID(), ImageID: "a", As: "spoilt"})
		if err != nil || got.Same || got.FirstDifference == nil || got.FirstDifference.N != 4 || got.FirstDifference.What != "state" {
			t.Errorf("with another value in call 4: %+v, %+v, %v", got, got.FirstDifference, err)
		}
	})
}

func spoil(t *testing.T, s *Session, from, to string) {
	t.Helper()
	text, err := os.ReadFile(transcriptPath(s))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(transcriptPath(s), []byte(strings.Replace(string(text), from, to, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
}

func transcriptPath(s *Session) string {
	return s.engine.workspace.Path("transcripts", string(s.ID())+".jsonl")
}

// Of many sessions the newest are kept, up to a number of bytes and of transcripts. One
// that is still written stays, also one of another engine.
func TestTranscriptsAreBounded(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "workspace")
	const most = 20_000
	e := openWithout(t, Options{Workspace: dir, TranscriptBytes: most})
	other := openWithout(t, Options{Workspace: dir, TranscriptBytes: most})
	running, err := other.BeginSession(t.Context(), nil) // the oldest
	if err != nil {
		t.Fatal(err)
	}
	session := func() SessionID {
		t.Helper()
		s, err := e.BeginSession(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		s.Call(t.Context(), "health_check", []byte(`{"note": "`+strings.Repeat("x", 1000)+`"}`))(HealthCheckResult{}, nil)
		if err := s.End(); err != nil {
			t.Fatal(err)
		}
		return s.ID()
	}
	sizes := func() (bytes int64, names []string) {
		t.Helper()
		entries, err := os.ReadDir(filepath.Join(dir, "transcripts"))
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range entries {
			info, err := entry.Info()
			if err != nil {
				t.Fatal(err)
			}
			bytes += info.Size()
			names = append(names, entry.Name())
		}
		return bytes, names
	}
	var last SessionID
	for range 40 {
		last = session()
		if bytes, names := sizes(); bytes > most+5_000 {
			t.Fatalf("the transcripts have %d bytes: %v", bytes, names)
		}
	}
	_, names := sizes()
	for id, want := range map[SessionID]bool{running.ID(): true, last: true} {
		if slices.Contains(names, string(id)+".jsonl") != want {
			t.Errorf("%s is there: %t; there are %v", id, !want, names)
		}
	}
	if len(names) < 8 {
		t.Errorf("%v are left, fewer than fit", names)
	}

	// Ended, it is the first to go; and so is what a program left that was killed.
	if err := running.End(); err != nil {
		t.Fatal(err)
	}
	killed := filepath.Join(dir, "transcripts", "20200101T000000.000Z-aaaaaaaa")
	for _, ending := range []string{".jsonl", ".lock"} {
		if err := os.WriteFile(killed+ending, []byte(strings.Repeat("y", most)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	session()
	_, names = sizes()
	for _, name := range names {
		if strings.Contains(name, string(running.ID())) || strings.Contains(name, "aaaaaaaa") || strings.HasSuffix(name, ".lock") {
			t.Errorf("%s is still there", name)
		}
	}

	// Beyond a number the oldest go, however small.
	for i := range 5000 {
		name := fmt.Sprintf("20190101T%06d.000Z-bbbbbbbb.jsonl", i)
		if err := os.WriteFile(filepath.Join(dir, "transcripts", name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	session()
	if _, names = sizes(); len(names) > 5000 || !slices.Contains(names, "20190101T004999.000Z-bbbbbbbb.jsonl") {
		t.Errorf("%d are left", len(names))
	}
}

func TestAllTranscriptsAreKeptWhenSaidSo(t *testing.T) {
	e := openWithout(t, Options{TranscriptBytes: -1})
	for n := range 20 {
		s, err := e.BeginSession(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.End(); err != nil {
			t.Fatal(err)
		}
		if list, err := e.ListTranscripts(t.Context(), ListTranscriptsParams{}); err != nil || list.Total != n+1 {
			t.Fatalf("%d transcripts after %d sessions, %v", list.Total, n+1, err)
		}
	}
}
