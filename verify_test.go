package chemigram

import (
	"os"
	"path/filepath"
	"testing"
)

func TestVerifyNamesWhatIsWrongAndRepairMendsWhatIsSafe(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	apply(t, e, "exposure", 1)
	img, err := e.image("a")
	if err != nil {
		t.Fatal(err)
	}
	moved := img.imageFile
	moved.Raw.Path = filepath.Join(t.TempDir(), "a.dng")
	if err := os.WriteFile(moved.Raw.Path, []byte("raw"), 0o600); err != nil {
		t.Fatal(err)
	}
	if moved.Raw.SHA256, err = digestFile(moved.Raw.Path); err != nil {
		t.Fatal(err)
	}
	if err := moved.write(img.dir); err != nil {
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
	journal := filepath.Join(img.dir, "history", "journal")
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
