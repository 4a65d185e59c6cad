package chemigram

import (
	"testing"
)

// A hash names a look, and an event a snapshot of it; both are versions.
func TestAHashNamesALookAndAnEventASnapshot(t *testing.T) {
	eachBaseline(t, func(t *testing.T, e *Engine) {
		ctx := t.Context()
		edit := apply(t, e, "exposure", 0.5)
		look := *edit.StateAfter.HeadHash
		named, err := e.Snapshot(ctx, SnapshotParams{ImageID: "a", Label: "brighter"})
		if err != nil {
			t.Fatal(err)
		}
		branch, err := e.Branch(ctx, BranchParams{ImageID: "a", Name: "try"})
		if err != nil {
			t.Fatal(err)
		}
		tag, err := e.Tag(ctx, TagParams{ImageID: "a", Name: "v1", Hash: RefOrHash(edit.Event)})
		if err != nil {
			t.Fatal(err)
		}
		log, err := e.Log(ctx, LogParams{ImageID: "a"})
		if err != nil {
			t.Fatal(err)
		}
		for name, hash := range map[string]string{
			"snapshot_hash": edit.SnapshotHash, "snapshot.hash": named.Hash, "branch.hash": branch.Hash, "tag.hash": tag.Hash,
			"log[0].hash": log.Entries[0].Hash, "log[1].hash": log.Entries[1].Hash,
		} {
			if hash != look {
				t.Errorf("%s is %.8s, and the look %.8s", name, hash, look)
			}
		}
		if edit.Event == named.Event || tag.Event != edit.Event || branch.Event != named.Event {
			t.Errorf("events: the edit is %.8s (tagged %.8s), the named snapshot %.8s (branch %.8s)", edit.Event, tag.Event, named.Event, branch.Event)
		}
		if log.Entries[0].Event != named.Event || log.Entries[1].Event != edit.Event || log.Entries[0].Parents[0] != edit.Event {
			t.Errorf("the log tells of %+v", log.Entries[:2])
		}
		for _, version := range []string{look, edit.Event, named.Event, edit.Event[:12]} {
			if got := headOf(t, e, RefOrHash(version)); got != look {
				t.Errorf("%.8s is the look %.8s, want %.8s", version, got, look)
			}
		}
	})
}

func TestUndoAndCherryPickNameEvents(t *testing.T) {
	eachBaseline(t, func(t *testing.T, e *Engine) {
		ctx := t.Context()
		first := apply(t, e, "exposure", 0.5)
		second := apply(t, e, "contrast", 0.2)
		undone, err := e.Undo(ctx, UndoParams{ImageID: "a"})
		if err != nil || undone.Event != first.Event || undone.SnapshotHash != first.SnapshotHash {
			t.Errorf("undone to %+v (%v), want %+v", undone, err, first)
		}
		picked, err := e.CherryPick(ctx, CherryPickParams{ImageID: "a", Event: RefOrHash(second.Event)})
		if err != nil || picked.SnapshotHash != second.SnapshotHash || picked.Event == second.Event {
			t.Errorf("picked %+v (%v), want the look of %+v", picked, err, second)
		}
	})
}
