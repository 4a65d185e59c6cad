package chemigram

import (
	"fmt"
	"sync"
	"testing"
)

func TestManyGoroutinesEditAndReadOneImage(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	const writers, edits = 6, 12
	var group sync.WaitGroup
	for w := range writers {
		group.Go(func() {
			for i := range edits {
				value := 0.01 * float64(1+w*edits+i) // each its own look
				if _, err := e.ApplyPrimitive(t.Context(), ApplyPrimitiveParams{ImageID: "a", PrimitiveName: "exposure", Value: &value}); err != nil {
					t.Errorf("writer %d: %v", w, err)
				}
			}
		})
		group.Go(func() {
			for i := range edits {
				if _, err := e.DescribeState(t.Context(), DescribeStateParams{ImageID: "a"}); err != nil {
					t.Errorf("reader: %v", err)
				}
				if _, err := e.Branch(t.Context(), BranchParams{ImageID: "a", Name: fmt.Sprintf("w%d-%d", w, i)}); err != nil {
					t.Errorf("branch: %v", err)
				}
			}
		})
	}
	group.Wait()
	log, err := e.Log(t.Context(), LogParams{ImageID: "a", Limit: 500})
	if err != nil {
		t.Fatal(err)
	}
	if want := writers*edits + 1; log.Total != want || len(log.Entries) != want {
		t.Errorf("%d snapshots in the log, want %d: every edit that was acknowledged", log.Total, want)
	}
}
