package chemigram

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/internal/workspace"
)

func TestVerifyNamesWhatIsWrongAndRepairMendsWhatIsSafe(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	apply(t, e, "exposure", 1)
	img, err := e.image("a")
	if err != nil {
		t.Fatal(err)
	}
	moved := img.File
	moved.Raw.Path = filepath.Join(t.TempDir(), "a.dng")
	if err := os.WriteFile(moved.Raw.Path, []byte("raw"), 0o600); err != nil {
		t.Fatal(err)
	}
	if moved.Raw.SHA256, err = workspace.DigestFile(t.Context(), moved.Raw.Path); err != nil {
		t.Fatal(err)
	}
	if err := moved.Write(img.Dir); err != nil {
		t.Fatal(err)
	}
	faults := func() map[FaultKind]FaultFinding {
		t.Helper()
		res, err := e.Verify(t.Context(), VerifyParams{})
		if err != nil {
			t.Fatal(err)
		}
		found := map[FaultKind]FaultFinding{}
		for _, f := range res.Findings {
			if f.Detail == "" || f.Advice == "" || f.ImageID != "a" {
				t.Errorf("finding %+v does not say what is wrong, what to do, and of which image", f)
			}
			found[f.Fault] = f
		}
		return found
	}
	if found := faults(); len(found) > 0 {
		t.Fatalf("a healthy workspace has findings: %+v", found)
	}

	if err := os.WriteFile(moved.Raw.Path, []byte("RAW"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, ok := faults()["raw_changed"]; !ok {
		t.Error("a changed raw is not found")
	}
	if err := os.Remove(moved.Raw.Path); err != nil {
		t.Fatal(err)
	}
	if _, ok := faults()["raw_missing"]; !ok {
		t.Error("a missing raw is not found")
	}

	// A flipped bit in the newest snapshot: found, mended by going back, never
	// taken for the look.
	baseline := headOf(t, e, "baseline")
	journal := filepath.Join(img.Dir, "history", "journal")
	data, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)-40] ^= 1
	if err := os.WriteFile(journal, data, 0o600); err != nil {
		t.Fatal(err)
	}
	damaged := faults()
	delete(damaged, "raw_missing")
	if len(damaged) == 0 {
		t.Fatal("a flipped bit is not found")
	}
	if _, err := e.Repair(t.Context(), VerifyParams{ImageID: "a"}); err != nil {
		t.Fatal(err)
	}
	if got := headHash(t, e); got != baseline {
		t.Errorf("after the repair HEAD is at %.8s, want the last whole snapshot, the baseline %.8s", got, baseline)
	}
}

func headOf(t *testing.T, e *Engine, ref RefOrHash) string {
	t.Helper()
	res, err := e.DescribeState(t.Context(), DescribeStateParams{ImageID: "a", RefOrHash: ref})
	if err != nil {
		t.Fatal(err)
	}
	return *res.State.HeadHash
}

func TestVerifyNamesWhatBelongsToNoImage(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	add(t, e, "b", "5.4.1")
	old := time.Now().Add(-2 * time.Hour)
	for path, age := range map[string]time.Time{
		"images/.tmp-dead/image.json": old, "images/.tmp-busy/image.json": time.Now(), ".tmp-2": old,
		"cache/raws/.tmp-3": old, "exports/.tmp-4": old, "exports/a/.tmp-5": old, "exports/a/.tmp-6": time.Now(),
		"proofs/.tmp-6": old, "proofs/d/.tmp-7": old,
		"images/orphan/history/journal": old, "trash/whatever/image.json": old, "gaps.jsonl": old,
	} {
		full := e.workspace.Path(filepath.FromSlash(path))
		err := os.MkdirAll(filepath.Dir(full), 0o700)
		err = errors.Join(err, os.WriteFile(full, []byte(`{"time":"2026`), 0o600), os.Chtimes(full, age, age), os.Chtimes(filepath.Dir(full), age, age))
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(filepath.Join(e.workspace.ImageDir("b"), "image.json")); err != nil {
		t.Fatal(err)
	}
	find := func(verify func(context.Context, VerifyParams) (VerifyResult, error)) map[string]FaultKind {
		t.Helper()
		res, err := verify(t.Context(), VerifyParams{})
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]FaultKind{}
		for _, f := range res.Findings {
			if f.Fault != "raw_missing" {
				found[f.File] = f.Fault
			}
			if f.Detail == "" || f.Advice == "" {
				t.Errorf("%+v does not say what is wrong, and what to do", f)
			}
		}
		return found
	}
	want := map[string]FaultKind{
		"images/.tmp-dead": "temp_file", ".tmp-2": "temp_file", "cache/raws/.tmp-3": "temp_file", "exports/.tmp-4": "temp_file", "exports/a/.tmp-5": "temp_file",
		"proofs/.tmp-6": "temp_file", "proofs/d/.tmp-7": "temp_file",
		"images/orphan": "unknown_file", "images/b": "unknown_file", "trash/whatever": "unknown_file", "gaps.jsonl": "torn_line",
	}
	if diff := cmp.Diff(want, find(e.Verify)); diff != "" {
		t.Errorf("verify (-want +got):\n%s", diff)
	}
	find(e.Repair)
	for name, fault := range want {
		if fault == "temp_file" {
			delete(want, name)
		}
	}
	if diff := cmp.Diff(want, find(e.Verify)); diff != "" {
		t.Errorf("after repair (-want +got):\n%s", diff)
	}
}

func TestOpeningRemovesWhatProgramsThatDiedHaveLeft(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	old := time.Now().Add(-2 * time.Hour)
	want := map[string]bool{".tmp-dead": false, ".tmp-busy": true, "images/a/.tmp-dead": false, "images/a/.tmp-busy": true}
	for path, stays := range want {
		full := e.workspace.Path(filepath.FromSlash(path))
		if err := os.WriteFile(full, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
		if !stays {
			if err := os.Chtimes(full, old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, readOnly := range []bool{true, false} {
		headHash(t, openWithout(t, Options{Workspace: e.workspace.Root(), ReadOnly: readOnly}))
		for path, stays := range want {
			if _, err := os.Stat(e.workspace.Path(filepath.FromSlash(path))); (err == nil) != (stays || readOnly) {
				t.Errorf("after opening, read only %v: %s: %v", readOnly, path, err)
			}
		}
	}
}
