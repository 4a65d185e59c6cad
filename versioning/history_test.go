package versioning

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/versioning/internal/edittest"
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

// begin publishes the first record, of state 0.
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

// states returns the bytes of the states of records, joined.
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
			t.Errorf("the second Init returned another record (-first +again):\n%s", diff)
		}
		_, err = h.Init(ctx, []byte("other"), Change{})
		wantKind(t, err, Conflict)
		head := must[Head](t)(h.Head(ctx))
		if diff := cmp.Diff(Head{Ref: "refs/heads/main", Record: first}, head); diff != "" {
			t.Error(diff)
		}
		want := []Ref{{Name: "refs/heads/main", Record: first.ID}, {Name: "refs/tags/baseline", Record: first.ID}}
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
		s := edittest.New(1, edittest.Full)
		for range 60 {
			state := s.Edit()
			commit(t, h, string(state))
			want = append(want, state)
		}
		h.clearCaches()
		for i, state := range want {
			if got := must[[]byte](t)(h.State(t.Context(), HashOf(state))); !bytes.Equal(got, state) {
				t.Errorf("state %d came back with other bytes", i)
			}
		}
		_, err := h.State(t.Context(), HashOf([]byte("never")))
		wantKind(t, err, Missing)
	})
}
