package baseline_test

import (
	"testing"

	"github.com/chemigram/chemigram/internal/testutil/baseline"
)

func TestEachBaselineIsRead(t *testing.T) {
	t.Parallel()
	for _, version := range baseline.Versions() {
		sidecar, release, err := baseline.Parse(version)
		if err != nil || release.Version() != version || len(sidecar.History()) < 10 {
			t.Errorf("%s: %v, %v", version, release.Version(), err)
		}
	}
}
