package chemigram

import "testing"

func TestTheHistoryNamesTheCallsActor(t *testing.T) {
	e := openWithout(t, Options{Actor: "the program"})
	add(t, e, "a", "5.4.1")
	for _, want := range []string{"the program", "a caller"} {
		ctx := t.Context()
		if want != "the program" {
			ctx = WithActor(ctx, " a caller ")
		}
		if _, err := e.Snapshot(ctx, SnapshotParams{ImageID: "a", Label: want}); err != nil {
			t.Fatal(err)
		}
		log, err := e.Log(ctx, LogParams{ImageID: "a", Limit: 1})
		if err != nil {
			t.Fatal(err)
		}
		if got := log.Entries[0].Actor; got != want {
			t.Errorf("the history names %q, want %q", got, want)
		}
	}
}
