package chemigram

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/baseline"
)

func TestTargetsAreMatchedSideBySide(t *testing.T) {
	packet := baseline.Packet("5.4.1")
	// Three baselines and the reference's preview, then nothing ends any more.
	script := slices.Repeat([]testutil.Behaviour{testutil.Works}, 4)
	fake := testutil.FakeDarktable(t, testutil.FakeOptions{Version: "5.4.1", XMP: packet, Script: append(script, testutil.Hangs)})
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	e, err := Open(t.Context(), &Options{Workspace: t.TempDir(), Darktable: fake.CLI, Workers: -1, Processes: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	for _, id := range []ImageID{"a", "b", "c"} {
		raw := filepath.Join(t.TempDir(), string(id)+".dng")
		if err := os.WriteFile(raw, []byte(id), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := e.Ingest(t.Context(), IngestParams{RawPath: raw}); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error)
	go func() {
		_, err := e.MatchExposure(ctx, MatchExposureParams{ImageID: "a", Targets: []ImageID{"b", "c"}})
		failed <- err
	}()
	testutil.WaitFor(t, "both targets' developments", func() bool { return len(fake.Running()) == 2 })
	cancel()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want canceled", err)
	}
	if running := fake.Running(); len(running) > 0 {
		t.Errorf("processes %v are left", running)
	}
}
