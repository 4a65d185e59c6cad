package versioning

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// everywhere runs a test on every kind of history.
func everywhere(t *testing.T, test func(t *testing.T, h *History)) {
	t.Parallel()
	opts := func() *Options { return &Options{Now: ticking()} }
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		test(t, NewMemory(opts()))
	})
	t.Run("disk", func(t *testing.T) {
		t.Parallel()
		h, err := Open(t.TempDir()+"/image/history", opts())
		if err != nil {
			t.Fatal(err)
		}
		test(t, h)
	})
}

// ticking is a clock that goes on by a second whenever it is read.
func ticking() func() time.Time {
	now := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	ch := make(chan time.Time, 1)
	ch <- now
	return func() time.Time {
		t := <-ch
		ch <- t.Add(time.Second)
		return t
	}
}

// begun gives a history with its first record, and state numbers as records.
func begin(t *testing.T, h *History) Record {
	t.Helper()
	rec, err := h.Init(t.Context(), []byte("state 0"), Change{Op: "ingest"})
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

func commit(t *testing.T, h *History, state string) Record {
	t.Helper()
	rec, changed, err := h.Commit(t.Context(), []byte(state), Change{Op: "apply_primitive"})
	if err != nil || !changed {
		t.Fatalf("Commit(%q) = changed %v, error %v", state, changed, err)
	}
	return rec
}

func wantKind(t *testing.T, err error, want Kind) {
	t.Helper()
	if got := KindOf(err); got != want {
		t.Errorf("error %v has kind %q, want %q", err, got, want)
	}
}

func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// states gives the bytes of the states of records.
func states(t *testing.T, h *History, recs []Record) string {
	t.Helper()
	var names []string
	for _, r := range recs {
		names = append(names, string(must[[]byte](t)(h.State(t.Context(), r.State))))
	}
	return strings.Join(names, ", ")
}

func TestInitPublishesTheBaselineOnce(t *testing.T) {
	everywhere(t, func(t *testing.T, h *History) {
		ctx := t.Context()
		_, err := h.Head(ctx)
		wantKind(t, err, NotInitialised)
		first := begin(t, h)
		again := begin(t, h)
		if diff := cmp.Diff(first, again); diff != "" {
			t.Errorf("the second Init gave another record (-first +again):\n%s", diff)
		}
		_, err = h.Init(ctx, []byte("other"), Change{})
		wantKind(t, err, Conflict)
		head := must[Head](t)(h.Head(ctx))
		if diff := cmp.Diff(Head{Ref: "refs/heads/main", Record: first}, head); diff != "" {
			t.Error(diff)
		}
		want := []Ref{{"refs/heads/main", first.ID}, {"refs/tags/baseline", first.ID}}
		if diff := cmp.Diff(want, must[[]Ref](t)(h.Refs(ctx))); diff != "" {
			t.Error(diff)
		}
	})
}

func TestCommitKeepsEverythingItIsTold(t *testing.T) {
	everywhere(t, func(t *testing.T, h *History) {
		first := begin(t, h)
		label := "two\nlines \u202e right-to-left \x00 ../../etc/passwd CON <&> " + strings.Repeat("x", 10_000)
		change := Change{
			Op: "apply_primitive", Label: label, Actor: "agent", Entry: "exposure", Darktable: "5.4.1",
			Values: map[string]float64{"ev": 0.5, "a": -1e-300}, Annotations: json.RawMessage(`{"b": 1, "a": "<&>"}`),
		}
		rec, changed, err := h.Commit(t.Context(), []byte("state 1"), change)
		if err != nil || !changed {
			t.Fatal(changed, err)
		}
		want := Record{
			ID: rec.ID, State: HashOf([]byte("state 1")), Parents: []Hash{first.ID}, Time: rec.Time,
			Op: change.Op, Label: label, Actor: "agent", Entry: "exposure", Values: change.Values,
			Darktable: "5.4.1", Annotations: json.RawMessage(`{"b":1,"a":"<&>"}`),
		}
		if diff := cmp.Diff(want, rec); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(want, must[Head](t)(h.Head(t.Context())).Record); diff != "" {
			t.Error(diff)
		}
	})
}

func TestCommitRefusesWhatCannotBeKept(t *testing.T) {
	everywhere(t, func(t *testing.T, h *History) {
		first := begin(t, h)
		for name, c := range map[string]Change{
			"text that is not UTF-8": {Label: "\xff"},
			"not a number":           {Values: map[string]float64{"ev": math.NaN()}},
			"infinite":               {Values: map[string]float64{"ev": math.Inf(1)}},
			"annotations":            {Annotations: json.RawMessage(`{`)},
			"a record above 1 MiB":   {Label: strings.Repeat("x", 1<<20)},
		} {
			_, _, err := h.Commit(t.Context(), []byte(name), c)
			wantKind(t, err, Invalid)
		}
		_, _, err := h.Commit(t.Context(), []byte("x"), Change{Expect: HashOf(nil)})
		wantKind(t, err, Conflict)
		if head := must[Head](t)(h.Head(t.Context())); head.Record.ID != first.ID {
			t.Error("a refused commit moved HEAD")
		}
	})
}

func TestCommitOfTheSameStatePublishesNothingWithoutALabel(t *testing.T) {
	everywhere(t, func(t *testing.T, h *History) {
		first := begin(t, h)
		rec, changed, err := h.Commit(t.Context(), []byte("state 0"), Change{Op: "apply"})
		if err != nil || changed || rec.ID != first.ID {
			t.Errorf("got %v, %v, %v; want the head, unchanged", rec.ID, changed, err)
		}
		rec, changed, err = h.Commit(t.Context(), []byte("state 0"), Change{Op: "snapshot", Label: "here"})
		if err != nil || !changed || rec.State != first.State || rec.ID == first.ID {
			t.Errorf("with a label got %v, %v, %v; want a new record of the same state", rec, changed, err)
		}
	})
}

func TestEveryStateComesBack(t *testing.T) {
	everywhere(t, func(t *testing.T, h *History) {
		begin(t, h)
		var want [][]byte
		s := newSession(1, fullSession)
		for range 60 {
			state := s.edit()
			commit(t, h, string(state))
			want = append(want, state)
		}
		h.states = stateCache{}
		for i, state := range want {
			if got := must[[]byte](t)(h.State(t.Context(), HashOf(state))); !bytes.Equal(got, state) {
				t.Errorf("state %d came back with other bytes", i)
			}
		}
		_, err := h.State(t.Context(), HashOf([]byte("never")))
		wantKind(t, err, Missing)
	})
}

func TestResolve(t *testing.T) {
	everywhere(t, func(t *testing.T, h *History) {
		ctx := t.Context()
		zero := begin(t, h)
		one := commit(t, h, "state 1")
		two := commit(t, h, "state 2")
		must[Ref](t)(h.Branch(ctx, "side", "HEAD~1"))
		must[Ref](t)(h.Tag(ctx, "side", "HEAD"))
		must[Ref](t)(h.Tag(ctx, "v1", one.ID.String()))
		tests := map[string]Hash{
			"":                            two.ID,
			"HEAD":                        two.ID,
			"HEAD~0":                      two.ID,
			"HEAD~":                       one.ID,
			"main~2":                      zero.ID,
			"baseline":                    zero.ID,
			"side":                        one.ID,
			"refs/tags/side":              two.ID,
			"refs/heads/side":             one.ID,
			"v1~1":                        zero.ID,
			two.ID.String():               two.ID,
			two.ID.String()[:8]:           two.ID,
			one.State.String():            one.ID,
			one.State.String()[:9]:        one.ID,
			one.State.String()[:63] + "~": zero.ID,
		}
		for name, want := range tests {
			if got, err := h.Resolve(ctx, name); err != nil || got.ID != want {
				t.Errorf("Resolve(%q) = %v, %v; want %v", name, got.ID, err, want)
			}
		}
		for _, name := range []string{
			"nosuch", "HEAD~3", "HEAD~x", "HEAD~-1", "HEAD~+1", "HEAD~99999999999999999999", "refs/heads/", "refs/heads/v1",
			two.ID.String()[:7], strings.Repeat("0", 64), strings.Repeat("0", 65), "../journal", "HEAD~1~1",
		} {
			_, err := h.Resolve(ctx, name)
			wantKind(t, err, UnknownRef)
		}
	})
}

func TestAStateNamesItsNewestRecordOnTheBranchBeforeOthers(t *testing.T) {
	everywhere(t, func(t *testing.T, h *History) {
		ctx := t.Context()
		begin(t, h)
		must[Ref](t)(h.Branch(ctx, "side", ""))
		commit(t, h, "look")
		commit(t, h, "between")
		onMain := commit(t, h, "look")
		must[Head](t)(h.Checkout(ctx, "side"))
		onSide := commit(t, h, "look")
		commit(t, h, "end")
		name := onMain.State.String()
		for branch, want := range map[string]Record{"side": onSide, "main": onMain, "baseline": onSide} {
			must[Head](t)(h.Checkout(ctx, branch))
			for _, digits := range []string{name, name[:8]} {
				if got := must[Record](t)(h.Resolve(ctx, digits)); got.ID != want.ID {
					t.Errorf("on %s the state names record %s, want %s", branch, got.ID, want.ID)
				}
			}
		}
	})
}

func TestCheckoutAttachesToBranchesOnly(t *testing.T) {
	everywhere(t, func(t *testing.T, h *History) {
		ctx := t.Context()
		zero := begin(t, h)
		one := commit(t, h, "state 1")
		for name, want := range map[string]Head{
			"baseline":        {Detached: true, Record: zero},
			"main~1":          {Detached: true, Record: zero},
			one.ID.String():   {Detached: true, Record: one},
			"refs/heads/main": {Ref: "refs/heads/main", Record: one},
		} {
			got := must[Head](t)(h.Checkout(ctx, name))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("Checkout(%q):\n%s", name, diff)
			}
			if diff := cmp.Diff(want, must[Head](t)(h.Head(ctx))); diff != "" {
				t.Errorf("Head after Checkout(%q):\n%s", name, diff)
			}
		}
		must[Head](t)(h.Checkout(ctx, "baseline"))
		_, _, err := h.Commit(ctx, []byte("new"), Change{})
		wantKind(t, err, Detached)
		_, _, err = h.Reset(ctx, "main")
		wantKind(t, err, Detached)
		_, err = h.Undo(ctx)
		wantKind(t, err, Detached)
		if rec, changed, err := h.Commit(ctx, []byte("state 0"), Change{}); err != nil || changed || rec.ID != zero.ID {
			t.Errorf("an edit that changes nothing on a detached HEAD gave %v, %v", changed, err)
		}
	})
}

func TestRefsAreMadeOnce(t *testing.T) {
	everywhere(t, func(t *testing.T, h *History) {
		ctx := t.Context()
		begin(t, h)
		for _, name := range []string{"warm", "Warm", "CON", "a/b", "a", "größe", "deadbeef"} {
			must[Ref](t)(h.Branch(ctx, name, ""))
			_, err := h.Branch(ctx, name, "")
			wantKind(t, err, RefExists)
			must[Ref](t)(h.Tag(ctx, name, ""))
			_, err = h.Tag(ctx, name, "")
			wantKind(t, err, RefExists)
		}
		_, err := h.Branch(ctx, "x", "nosuch")
		wantKind(t, err, UnknownRef)
		_, err = h.Branch(ctx, "../x", "")
		wantKind(t, err, BadRefName)
	})
}

func TestDeletedRefsAreGoneAndTheirRecordsStay(t *testing.T) {
	everywhere(t, func(t *testing.T, h *History) {
		ctx := t.Context()
		begin(t, h)
		must[Ref](t)(h.Branch(ctx, "side", ""))
		must[Head](t)(h.Checkout(ctx, "side"))
		one := commit(t, h, "state 1")
		audit := Audit{Actor: "me", Reason: "not wanted"}
		_, err := h.DeleteRef(ctx, "side", audit)
		wantKind(t, err, Conflict)
		must[Head](t)(h.Checkout(ctx, "main"))
		_, err = h.DeleteRef(ctx, "side", Audit{Actor: "me", Reason: " "})
		wantKind(t, err, Invalid)
		_, err = h.DeleteRef(ctx, "baseline", audit)
		wantKind(t, err, Conflict)
		ref := must[Ref](t)(h.DeleteRef(ctx, "side", audit))
		if diff := cmp.Diff(Ref{"refs/heads/side", one.ID}, ref); diff != "" {
			t.Error(diff)
		}
		_, err = h.Resolve(ctx, "side")
		wantKind(t, err, UnknownRef)
		if got := must[Ref](t)(h.Branch(ctx, "side", one.ID.String())); got != ref {
			t.Errorf("the branch came back as %v", got)
		}
	})
}

func TestUndoAndRedoWalkTheBranchsOwnMovements(t *testing.T) {
	everywhere(t, func(t *testing.T, h *History) {
		ctx := t.Context()
		begin(t, h)
		commit(t, h, "state 1")
		commit(t, h, "state 2")
		if _, changed, err := h.Reset(ctx, "baseline"); err != nil || !changed {
			t.Fatal(changed, err)
		}
		if _, changed, err := h.Reset(ctx, "baseline"); err != nil || changed {
			t.Fatal(changed, err)
		}
		now := func() string { return states(t, h, []Record{must[Head](t)(h.Head(ctx)).Record}) }
		walk := func(step func(context.Context) (Record, error), want ...string) {
			t.Helper()
			for _, w := range want {
				rec := must[Record](t)(step(ctx))
				if got := states(t, h, []Record{rec}); got != w || now() != w {
					t.Fatalf("came to %s and HEAD to %s, want %s", got, now(), w)
				}
			}
		}
		walk(h.Undo, "state 2", "state 1", "state 0")
		_, err := h.Undo(ctx)
		wantKind(t, err, NothingToUndo)
		walk(h.Redo, "state 1", "state 2", "state 0")
		_, err = h.Redo(ctx)
		wantKind(t, err, NothingToRedo)
		walk(h.Undo, "state 2", "state 1")
		walk(h.Redo, "state 2")
		walk(h.Undo, "state 1")
		commit(t, h, "state 3")
		_, err = h.Redo(ctx)
		wantKind(t, err, NothingToRedo)
		walk(h.Undo, "state 1", "state 0")
		walk(h.Redo, "state 1", "state 3")

		must[Ref](t)(h.Branch(ctx, "side", ""))
		must[Head](t)(h.Checkout(ctx, "side"))
		_, err = h.Undo(ctx)
		wantKind(t, err, NothingToUndo)
	})
}

func TestLogFollowsAncestryNewestFirst(t *testing.T) {
	everywhere(t, func(t *testing.T, h *History) {
		ctx := t.Context()
		zero := begin(t, h)
		must[Ref](t)(h.Branch(ctx, "side", ""))
		one := commit(t, h, "state 1")
		must[Head](t)(h.Checkout(ctx, "side"))
		commit(t, h, "side 1")
		side := commit(t, h, "side 2")
		must[Head](t)(h.Checkout(ctx, "main"))
		commit(t, h, "state 2")
		merged, _, err := h.Commit(ctx, []byte("merged"), Change{Op: "merge", Actor: "me", Merged: []Hash{side.ID}})
		if err != nil {
			t.Fatal(err)
		}
		tests := []struct {
			o     LogOptions
			want  string
			total int
		}{
			{LogOptions{}, "merged, state 2, side 2, side 1, state 1, state 0", 6},
			{LogOptions{Limit: 2}, "merged, state 2", 6},
			{LogOptions{Limit: 2, Offset: 3}, "side 1, state 1", 6},
			{LogOptions{Limit: 2, Offset: 7}, "", 6},
			{LogOptions{From: "side"}, "side 2, side 1, state 0", 3},
			{LogOptions{From: "main~1"}, "state 2, state 1, state 0", 3},
			{LogOptions{Op: "merge"}, "merged", 1},
			{LogOptions{Op: "apply_primitive", Limit: 1, Offset: 1}, "side 2", 4},
			{LogOptions{Actor: "me"}, "merged", 1},
			{LogOptions{Until: zero.Time}, "state 0", 1},
			{LogOptions{Since: side.Time, Until: merged.Time}, "merged, state 2, side 2", 3},
		}
		for _, test := range tests {
			recs, total, err := h.Log(ctx, test.o)
			if err != nil {
				t.Fatal(err)
			}
			if got := states(t, h, recs); got != test.want || total != test.total {
				t.Errorf("Log(%+v) = %q of %d, want %q of %d", test.o, got, total, test.want, test.total)
			}
		}
		if base := must[Record](t)(h.MergeBase(ctx, "main~1", "side")); base.ID != zero.ID {
			t.Errorf("the merge base before the merge is %s, want the first record", base.ID)
		}
		if base := must[Record](t)(h.MergeBase(ctx, "main", "side")); base.ID != side.ID {
			t.Errorf("the merge base after the merge is %s, want side's tip", base.ID)
		}
		if base := must[Record](t)(h.MergeBase(ctx, "main", one.ID.String())); base.ID != one.ID {
			t.Errorf("the merge base with an ancestor is %s, want the ancestor", base.ID)
		}
	})
}

func TestCheckpointsCarryTheRefs(t *testing.T) {
	everywhere(t, func(t *testing.T, h *History) {
		begin(t, h)
		for i := range 300 {
			commit(t, h, fmt.Sprint("state ", i+1))
			must[Ref](t)(h.Tag(t.Context(), fmt.Sprintf("a-name-of-some-length-%d", i), ""))
		}
		want := must[[]Ref](t)(h.Refs(t.Context()))
		h.known.Store(nil)
		if diff := cmp.Diff(want, must[[]Ref](t)(h.Refs(t.Context()))); diff != "" || len(want) != 302 {
			t.Errorf("%d refs; read anew they differ:\n%s", len(want), diff)
		}
		v := must[*view](t)(h.view(false))
		defer v.close()
		if tail := must[row](t)(v.row(v.last)); tail.checkpoint == 1 {
			t.Error("no checkpoint was written in 600 transactions")
		}
	})
}
