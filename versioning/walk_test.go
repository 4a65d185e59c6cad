package versioning

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/versioning/internal/journal"
)

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
			t.Errorf("an edit that changes nothing on a detached HEAD returned %v, %v", changed, err)
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
		if diff := cmp.Diff(Ref{Name: "refs/heads/side", Record: one.ID}, ref); diff != "" {
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
		h.clearCaches()
		if diff := cmp.Diff(want, must[[]Ref](t)(h.Refs(t.Context()))); diff != "" || len(want) != 302 {
			t.Errorf("%d refs; read anew they differ:\n%s", len(want), diff)
		}
		v := must[*view](t)(h.view(false))
		defer v.Close()
		if tail := must[journal.Row](t)(v.Row(v.Last())); tail.Checkpoint == 1 {
			t.Error("no checkpoint was written in 600 transactions")
		}
	})
}

func TestBranchesMergedIntoEachOtherHaveTwoMergeBases(t *testing.T) {
	everywhere(t, func(t *testing.T, h *History) {
		ctx := t.Context()
		zero := begin(t, h)
		must[Ref](t)(h.Branch(ctx, "side", ""))
		main := commit(t, h, "main 1")
		must[Head](t)(h.Checkout(ctx, "side"))
		commit(t, h, "side 1")
		side := commit(t, h, "side 2")
		merged := func(other Record) {
			if _, _, err := h.Commit(ctx, []byte("both"), Change{Op: "merge", Merged: []Hash{other.ID}}); err != nil {
				t.Fatal(err)
			}
		}
		merged(main)
		must[Head](t)(h.Checkout(ctx, "main"))
		merged(side)
		for _, c := range []struct {
			a, b []string
			want []Record
		}{
			{[]string{"main"}, []string{"side"}, []Record{side, main}},
			{[]string{"side"}, []string{"main"}, []Record{side, main}},
			{[]string{main.ID.String()}, []string{side.ID.String()}, []Record{zero}},
			{[]string{main.ID.String(), side.ID.String()}, []string{"side"}, []Record{side, main}},
			{[]string{"main"}, []string{main.ID.String()}, []Record{main}},
			{[]string{"main"}, []string{"main"}, []Record{must[Record](t)(h.Resolve(ctx, "main"))}},
		} {
			got := must[[]Record](t)(h.MergeBases(ctx, c.a, c.b))
			if !slices.EqualFunc(got, c.want, func(a, b Record) bool { return a.ID == b.ID }) {
				t.Errorf("MergeBases(%s, %s) = %v, want %v", c.a, c.b, got, c.want)
			}
		}
	})
}
