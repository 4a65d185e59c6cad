package versioning

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestACacheKeepsWhatWasPutLast(t *testing.T) {
	t.Parallel()
	name := func(i int) Hash { return HashOf(fmt.Append(nil, i)) }
	r := cache[int]{capacity: 3}
	for i := range 10 {
		r.put(name(i), i)
		r.put(name(i), i)
	}
	for i := range 10 {
		if got, ok := r.get(name(i)); ok != (i >= 7) || ok && got != i {
			t.Errorf("%d is there: %v, as %d", i, ok, got)
		}
	}
	if r.clear(); len(r.values) > 0 {
		t.Errorf("%v was not forgotten", r.values)
	}
}

func TestACacheKeepsWhatFitsItsCapacity(t *testing.T) {
	t.Parallel()
	r := cache[string]{capacity: 10, size: func(s string) int { return len(s) }}
	for _, s := range []string{"four", "five.", "one", "twelve......", "a", "b"} {
		r.put(HashOf([]byte(s)), s)
	}
	for s, want := range map[string]bool{"four": false, "five.": false, "one": false, "twelve......": false, "a": true, "b": true} {
		if _, ok := r.get(HashOf([]byte(s))); ok != want {
			t.Errorf("%q is there: %v, want %v", s, ok, want)
		}
	}
	if r.put(HashOf([]byte("twelve......")), "twelve......"); len(r.values) != 1 || r.used != 12 {
		t.Errorf("beside one that is too large there are %v, taking %d", r.values, r.used)
	}
}

func TestARecordThatWasGivenMayBeWrittenTo(t *testing.T) {
	everywhere(t, func(t *testing.T, h *History) {
		begin(t, h)
		commit(t, h, "state 1")
		change := Change{Op: "apply_primitive", Values: map[string]float64{"ev": 1}, Annotations: json.RawMessage(`{"a":1}`)}
		want, _, err := h.Commit(t.Context(), []byte("state 2"), change)
		if err != nil {
			t.Fatal(err)
		}
		want = want.clone()
		for range 2 {
			got := must[Head](t)(h.Head(t.Context())).Record
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatal(diff)
			}
			got.Parents[0], got.Values["ev"], got.Annotations[1] = Hash{}, 9, 'x'
		}
	})
}
