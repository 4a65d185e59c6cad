package transcript_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/transcript"
	"github.com/chemigram/chemigram/internal/workspace"
)

func open(t testing.TB) *workspace.Workspace {
	t.Helper()
	t.Helper()
	w, err := workspace.Open(filepath.Join(t.TempDir(), "workspace"), &workspace.Options{Actor: "a program"})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// write writes a transcript of two calls, and leaves it open.
func write(t *testing.T, w *workspace.Workspace) *transcript.Writer {
	t.Helper()
	out, err := transcript.Begin(t.Context(), w, transcript.Header{Engine: "1", Packs: []string{"starter 1"}}, 0)
	if err != nil {
		t.Fatal(err)
	}
	first := transcript.NewCall("apply_primitive", []byte(`{"image_id": "a", "value": 0.5}`))
	first.Outcome, first.StateAfter = "ok", "after"
	first.SetResult(map[string]any{"changed": true})
	second := transcript.NewCall("ingest", []byte(`{"raw_path": "/b.dng", "password": "hunter2"}`))
	second.Outcome = "ok"
	second.SetResult(map[string]any{"image_id": "b"})
	for _, call := range []*transcript.Call{first, second} {
		if err := out.Note(call, call == first); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// file gives a transcript's file.
func file(t *testing.T, w *workspace.Workspace, of *transcript.Writer) (path string, text []byte) {
	t.Helper()
	path = w.Path("transcripts", of.ID()+".jsonl")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return path, text
}

// read reads a transcript whole.
func read(t testing.TB, w *workspace.Workspace, id string) (about transcript.Transcript, calls []transcript.Call, err error) {
	t.Helper()
	about, err = transcript.Read(t.Context(), w, id, func(c transcript.Call) error {
		calls = append(calls, c)
		return nil
	})
	return about, calls, err
}

func TestWhatWasWrittenIsRead(t *testing.T) {
	t.Parallel()
	w := open(t)
	out := write(t, w)
	for range 2 { // the second time does nothing
		if err := out.End(); err != nil {
			t.Fatal(err)
		}
	}
	about, calls, err := read(t, w, out.ID())
	if err != nil {
		t.Fatal(err)
	}
	if about.BegunAt.IsZero() || !about.Ended || about.Actor != "a program" || about.Calls != 2 || about.Skipped != 0 ||
		!cmp.Equal(about.Images, []string{"a", "b"}) || !cmp.Equal(about.Packs, []string{"starter 1"}) {
		t.Errorf("%+v", about)
	}
	if calls[0].N != 1 || calls[0].StateAfter != "after" || calls[0].Params["value"] != 0.5 || calls[0].Result["changed"] != true || calls[0].At.IsZero() {
		t.Errorf("the first call is %+v", calls[0])
	}
	if calls[1].ImageID != "b" || !calls[1].Hidden || calls[1].Params["password"] == "hunter2" {
		t.Errorf("the second call is %+v", calls[1])
	}
}

func TestATornTranscriptHasItsWholeLines(t *testing.T) {
	t.Parallel()
	w := open(t)
	out := write(t, w)
	path, whole := file(t, w, out)
	for cut := range whole {
		if err := os.WriteFile(path, whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		about, calls, err := read(t, w, out.ID())
		if lines := strings.Count(string(whole[:cut]), "\n"); err != nil || about.Ended || len(calls) < lines-1 || about.Skipped > 1 {
			t.Fatalf("cut at %d, in line %d: %+v, %d calls, %v", cut, lines, about, len(calls), err)
		}
	}
}

// A line that no session writes, however long, is skipped, and the others are read.
func TestALineThatIsTooLongIsSkipped(t *testing.T) {
	t.Parallel()
	w := open(t)
	out := write(t, w)
	path, whole := file(t, w, out)
	long := strings.Repeat(`{"kind":"call"} `, 2<<20) + "\n"
	if err := os.WriteFile(path, []byte(long+string(whole)), 0o600); err != nil {
		t.Fatal(err)
	}
	about, calls, err := read(t, w, out.ID())
	if err != nil || len(calls) != 2 || about.Skipped != 1 || about.Actor != "a program" {
		t.Errorf("%+v, %d calls, %v", about, len(calls), err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"kind":"begin","time":"2026-11-21T10:15:02Z","actor":"a"}` + "\n" + `{"kind":"call","n":1,"params":{"label":"x"},"image_id":"a"}` + "\n"))
	f.Add([]byte(`{"kind":"end"}` + "\n\xff\x00\n[]\nnull\n{\"kind\":7}"))
	w := open(f)
	const id = "20260101T000000.000Z-aaaaaaaa"
	file, err := w.Create("transcripts", id+".jsonl")
	if err != nil {
		f.Fatal(err)
	}
	_ = file.Close()
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(w.Path("transcripts", id+".jsonl"), data, 0o600); err != nil {
			t.Fatal(err)
		}
		about, calls, err := read(t, w, id)
		lines := strings.Count(string(data), "\n") + 1
		if err != nil || about.Calls != len(calls) || about.Skipped+len(calls) > lines || len(about.Images) > len(calls) {
			t.Errorf("%+v with %d calls of %d lines, %v", about, len(calls), lines, err)
		}
		for _, c := range calls {
			_ = c.HiddenLabel()
			_ = transcript.Copy{ImageID: "b"}.Params(c.Params)
		}
	})
}

func TestTranscriptsAreListedNewestFirst(t *testing.T) {
	t.Parallel()
	w := open(t)
	for _, name := range []string{
		"20260101T000000.000Z-aaaaaaaa.jsonl", "20260301T000000.000Z-bbbbbbbb.jsonl", "20260201T000000.000Z-cccccccc.jsonl", "notes.txt",
	} {
		f, err := w.Create("transcripts", name)
		if err != nil {
			t.Fatal(err)
		}
		_ = f.Close()
	}
	got, err := transcript.List(w)
	want := []string{"20260301T000000.000Z-bbbbbbbb", "20260201T000000.000Z-cccccccc", "20260101T000000.000Z-aaaaaaaa"}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if _, _, err := read(t, w, "20260301T000000.000Z-bbbbbbbc"); !errors.Is(err, fault.NotFound) {
		t.Errorf("one that is not there says %v", err)
	}
}

func TestLongParametersAndResultsAreLeftOut(t *testing.T) {
	t.Parallel()
	call := transcript.NewCall("x", []byte(`{"a": "`+strings.Repeat("x", 70<<10)+`"}`))
	if !call.Cut || len(call.Params) != 0 {
		t.Errorf("long parameters: cut is %t, %d are kept", call.Cut, len(call.Params))
	}
	call = transcript.NewCall("x", []byte(`{}`))
	if call.SetResult(strings.Repeat("x", 9<<10)); !call.Cut || call.Result != nil {
		t.Errorf("a long result: cut is %t, %v is kept", call.Cut, call.Result)
	}
}

func TestACopyHasItsOwnNames(t *testing.T) {
	t.Parallel()
	c := transcript.Copy{ImageID: "a-replay", Snapshots: map[string]string{"1111111111": "2222222222"}}
	given := map[string]any{
		"image_id": "a", "hash": "11111111~1", "name": "warm-and-light", "reason": "it is blurred", "confirm": true, "value": 1.5,
	}
	want := map[string]any{"image_id": "a-replay", "hash": "2222222222~1", "name": "warm-and-light", "reason": "replay", "value": 1.5}
	if diff := cmp.Diff(want, c.Params(given)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if given["image_id"] != "a" || given["confirm"] != true {
		t.Errorf("what was given is %v now", given)
	}
}
