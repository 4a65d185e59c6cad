package probe

import "testing"

func TestWhatWasUsedLastIsKept(t *testing.T) {
	t.Parallel()
	r := newRecent[string, int](2)
	r.put("a", 1)
	r.put("b", 2)
	r.put("a", 3)
	r.put("c", 4) // in place of b
	for key, want := range map[string]int{"a": 3, "b": 0, "c": 4} {
		if got, ok := r.get(key); got != want || ok != (want > 0) {
			t.Errorf("%s: %d, %v, want %d", key, got, ok, want)
		}
	}
	if len(r.keys) != 2 || len(r.values) != 2 {
		t.Errorf("it keeps %v, %v", r.keys, r.values)
	}
}
