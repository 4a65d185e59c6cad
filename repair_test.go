package chemigram

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// frames returns where the transactions of a journal begin, and its end.
func frames(journal []byte) (at []int) {
	for from := 0; ; from++ {
		next := bytes.Index(journal[from:], []byte("CgT1"))
		if next < 0 {
			return append(at, len(journal))
		}
		from += next
		at = append(at, from)
	}
}

// damageJournal changes the journal of image "a".
func damageJournal(t *testing.T, e *Engine, change func(journal []byte, frames []int) []byte) {
	t.Helper()
	path := filepath.Join(e.workspace.ImageDir("a"), "history", "journal")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, change(data, frames(data)), 0o600); err != nil {
		t.Fatal(err)
	}
}

// wholeLog gives the log of HEAD by pages, and checks its total.
func wholeLog(t *testing.T, e *Engine) (hashes []string) {
	t.Helper()
	for {
		page, err := e.Log(t.Context(), LogParams{ImageID: "a", Limit: 7, Offset: Offset(len(hashes))})
		if err != nil {
			t.Fatal(err)
		}
		if len(page.Entries) == 0 {
			if page.Total != len(hashes) {
				t.Errorf("the log has %d snapshots and lists %d", page.Total, len(hashes))
			}
			return hashes
		}
		for _, entry := range page.Entries {
			hashes = append(hashes, entry.Event)
		}
	}
}

// Whatever becomes of the first transaction: repair gives the baseline back, and
// edits, resets and prunes work.
func TestEditsWorkAfterADamagedBaseline(t *testing.T) {
	for name, damage := range map[string]func(first []byte){
		"a bit":      func(first []byte) { first[len(first)/2] ^= 1 },
		"many bytes": func(first []byte) { clear(first[len(first)/3 : len(first)/2]) },
		"all of it":  func(first []byte) { clear(first) },
	} {
		t.Run(name, func(t *testing.T) {
			e := openWithout(t, Options{})
			add(t, e, "a", "5.4.1")
			first := headHash(t, e)
			for i := range 6 {
				apply(t, e, "exposure", float64(i+1)/10)
			}
			before := wholeLog(t, e)
			damageJournal(t, e, func(journal []byte, at []int) []byte { damage(journal[at[0]:at[1]]); return journal })
			repaired, err := e.Repair(t.Context(), VerifyParams{ImageID: "a"})
			if err != nil || len(repaired.Findings) == 0 {
				t.Fatal(repaired, err)
			}
			apply(t, e, "exposure", 0.9)
			if after := wholeLog(t, e); len(after) != len(before)+1 || after[len(after)-1] != before[len(before)-1] {
				t.Errorf("the log has %d snapshots, want the %d of before and one", len(after), len(before))
			}
			for _, hash := range before {
				headOf(t, e, RefOrHash(hash))
			}
			none := Days(0)
			if pruned, err := e.Prune(t.Context(), PruneParams{ImageID: "a", OlderThanDays: &none, Reason: "space"}); err != nil || pruned.Snapshots != 0 {
				t.Errorf("prune took %+v, %v", pruned, err)
			}
			reset, err := e.Reset(t.Context(), ResetParams{ImageID: "a"})
			if err != nil || *reset.StateAfter.HeadHash != first {
				t.Errorf("reset goes to %+v, %v; want the baseline", reset, err)
			}
			if _, err := e.Tag(t.Context(), TagParams{ImageID: "a", Name: "baseline"}); !errors.Is(err, ErrVersioning) {
				t.Errorf("a tag of the baseline's name: %v", err)
			}
		})
	}
}

// Whatever transaction is lost: what can be read after the repair can be read
// after prune, the log's total is what it lists, and a branch at a hole is refused.
func TestPruneAfterRepairTakesNoSnapshotThatIsNeeded(t *testing.T) {
	for lost := 2; lost < 14; lost += 3 {
		t.Run(fmt.Sprint(lost), func(t *testing.T) {
			e := openWithout(t, Options{})
			add(t, e, "a", "5.4.1")
			for i := range 8 {
				apply(t, e, "exposure", float64(i+1)/10)
				if _, err := e.Snapshot(t.Context(), SnapshotParams{ImageID: "a", Label: fmt.Sprint("look ", i)}); err != nil {
					t.Fatal(err)
				}
			}
			all := wholeLog(t, e)
			damageJournal(t, e, func(journal []byte, at []int) []byte {
				return append(journal[:at[lost]:at[lost]], journal[at[lost+1]:]...)
			})
			if _, err := e.Repair(t.Context(), VerifyParams{ImageID: "a"}); err != nil {
				t.Fatal(err)
			}
			looks := map[string]string{}
			for i, hash := range all {
				res, err := e.DescribeState(t.Context(), DescribeStateParams{ImageID: "a", RefOrHash: RefOrHash(hash)})
				if err == nil {
					looks[hash] = *res.State.HeadHash
					continue
				}
				if _, err := e.Branch(t.Context(), BranchParams{ImageID: "a", Name: fmt.Sprint("hole", i), From: RefOrHash(hash)}); err == nil {
					t.Errorf("a branch is made at a hole")
				}
			}
			if len(looks) < 4 || len(looks) == len(all) {
				t.Fatalf("after the repair %d of %d snapshots can be read", len(looks), len(all))
			}
			wholeLog(t, e)
			none := Days(0)
			if _, err := e.Prune(t.Context(), PruneParams{ImageID: "a", OlderThanDays: &none, Reason: "space"}); err != nil {
				t.Fatal(err)
			}
			for hash, look := range looks {
				if got := headOf(t, e, RefOrHash(hash)); got != look {
					t.Errorf("after prune snapshot %.8s is %.8s, want %.8s", hash, got, look)
				}
			}
			wholeLog(t, e)
			apply(t, e, "exposure", 1)
		})
	}
}
