package chemigram

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// Undo steps over the gap that repair leaves, back to the baseline, and cherry_pick beside
// it says what is missing.
func TestTheHistoryGoesOnAroundAGap(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	baseline := headHash(t, e)
	for i := range 10 {
		apply(t, e, "exposure", float64(i+1)/10)
		if _, err := e.Snapshot(t.Context(), SnapshotParams{ImageID: "a", Label: "kept"}); err != nil {
			t.Fatal(err)
		}
	}
	damageJournal(t, e, func(journal []byte, at []int) []byte {
		return append(journal[:at[12]:at[12]], journal[at[13]:]...)
	})
	if _, err := e.Repair(t.Context(), VerifyParams{ImageID: "a"}); err != nil {
		t.Fatal(err)
	}
	log, err := e.Log(t.Context(), LogParams{ImageID: "a", Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	var events []string
	for _, entry := range log.Entries {
		events = append(events, entry.Event)
	}
	beside := slices.IndexFunc(log.Entries, func(entry LogEntry) bool {
		return len(entry.Parents) > 0 && !slices.Contains(events, entry.Parents[0])
	})
	if beside < 0 {
		t.Fatalf("no snapshot of %d lies beside a hole", len(events))
	}
	_, err = e.CherryPick(t.Context(), CherryPickParams{ImageID: "a", Event: RefOrHash(events[beside])})
	if !errors.Is(err, ErrVersioning) || !strings.Contains(AsError(err).Message, "lost") {
		t.Errorf("cherry_pick beside a hole: %v", err)
	}
	for range events[:len(events)-1] {
		if _, err := e.Undo(t.Context(), UndoParams{ImageID: "a"}); err != nil {
			t.Logf("undo: %v", err)
			break
		}
	}
	if headHash(t, e) != baseline {
		t.Error("undo does not lead back to the baseline")
	}
}
