package versioning

import "testing"

func BenchmarkCommit(b *testing.B) {
	s := newSession(1, fullSession)
	states := make([][]byte, 500)
	for i := range states {
		states[i] = s.edit()
	}
	for name, d := range map[string]Durability{"full": Full, "relaxed": Relaxed} {
		b.Run(name, func(b *testing.B) {
			h, err := Open(b.TempDir(), &Options{Durability: d})
			if err != nil {
				b.Fatal(err)
			}
			if _, err := h.Init(b.Context(), states[len(states)-1], Change{}); err != nil {
				b.Fatal(err)
			}
			i := 0
			for b.Loop() {
				if _, _, err := h.Commit(b.Context(), states[i%len(states)], Change{Op: "apply_primitive"}); err != nil {
					b.Fatal(err)
				}
				i++
			}
		})
	}
}
