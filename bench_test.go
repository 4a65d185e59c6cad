package chemigram

import "testing"

// BenchmarkApply is one edit, published and synced to disk: two exposures in
// turn, so that each changes something.
func BenchmarkApply(b *testing.B) {
	e := openWithout(b, Options{})
	add(b, e, "a", "5.4.1")
	values := [2]float64{0.5, 1}
	i := 0
	for b.Loop() {
		apply(b, e, "exposure", values[i%2])
		i++
	}
}

// BenchmarkApplyUnchanged is the same move again: what an edit costs beside
// publishing it.
func BenchmarkApplyUnchanged(b *testing.B) {
	e := openWithout(b, Options{})
	add(b, e, "a", "5.4.1")
	for b.Loop() {
		apply(b, e, "exposure", 1)
	}
}

func BenchmarkSnapshot(b *testing.B) {
	e := openWithout(b, Options{})
	add(b, e, "a", "5.4.1")
	for b.Loop() {
		if _, err := e.Snapshot(b.Context(), SnapshotParams{ImageID: "a", Label: "again"}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGetState(b *testing.B) {
	e := openWithout(b, Options{})
	add(b, e, "a", "5.4.1")
	for b.Loop() {
		headHash(b, e)
	}
}

func BenchmarkDiff(b *testing.B) {
	e := openWithout(b, Options{})
	add(b, e, "a", "5.4.1")
	apply(b, e, "exposure", 1)
	apply(b, e, "shadows", 1)
	for b.Loop() {
		if _, err := e.Diff(b.Context(), DiffParams{ImageID: "a", HashA: "baseline", HashB: "HEAD"}); err != nil {
			b.Fatal(err)
		}
	}
}
