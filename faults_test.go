package chemigram

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/baseline"
)

// TestAFailingDarktableIsAnErrorAndTheNextCallWorks runs a fake darktable that
// makes the baseline, then fails once, then works.
func TestAFailingDarktableIsAnErrorAndTheNextCallWorks(t *testing.T) {
	for name, tt := range map[string]struct {
		behaviour testutil.Behaviour
		reason    string
	}{
		"hangs":            {testutil.Hangs, "timed_out"},
		"ignores SIGTERM":  {testutil.IgnoresTerm, "timed_out"},
		"hangs in a child": {testutil.HangsInChild, "timed_out"},
		"floods for ever":  {testutil.FloodsForEver, "timed_out"},
		"writes nothing":   {testutil.WritesNothing, "no_output"},
		"fails":            {testutil.Fails, "failed"},
		"crashes":          {testutil.Crashes, "failed"},
		"writes garbage":   {testutil.Garbage, "bad_output"},
		"writes half":      {testutil.Truncated, "bad_output"},
	} {
		t.Run(name, func(t *testing.T) {
			e, fake := faulty(t, tt.behaviour)
			p := RenderPreviewParams{ImageID: "a", Size: 64, TimeoutSeconds: 30}
			if tt.reason == "timed_out" {
				p.TimeoutSeconds = 1
			}
			began := time.Now()
			_, err := e.RenderPreview(t.Context(), p)
			if !errors.Is(err, ErrDarktable) {
				t.Fatalf("err = %v, want darktable_error", err)
			}
			failure, _ := errors.AsType[*Error](err)
			if failure.Details["reason"] != tt.reason || !failure.Recoverable {
				t.Errorf("details = %v, recoverable %v; want the reason %s, recoverable", failure.Details, failure.Recoverable, tt.reason)
			}
			if command, _ := failure.Details["command"].(string); !strings.Contains(command, "--configdir") {
				t.Errorf("command = %q, want the command line", command)
			}
			if took := time.Since(began); took > 40*time.Second {
				t.Errorf("the error came after %v", took)
			}
			p.TimeoutSeconds = 30
			if _, err := e.RenderPreview(t.Context(), p); err != nil {
				t.Errorf("the next call: %v", err)
			}
			if running := fake.Running(); len(running) > 0 {
				t.Errorf("processes %v are left", running)
			}
		})
	}
}

// faulty is an engine on a fake darktable that makes the baseline of the image a,
// then shows each fault once, then works.
func faulty(t *testing.T, faults ...testutil.Behaviour) (*Engine, *testutil.Fake) {
	t.Helper()
	packet := baseline.Packet("5.4.1")
	fake := testutil.FakeDarktable(t, testutil.FakeOptions{
		Version: "5.4.1", XMP: packet, Stderr: "something is wrong",
		Script: slices.Concat([]testutil.Behaviour{testutil.Works}, faults, []testutil.Behaviour{testutil.Works}),
	})
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	e, err := Open(t.Context(), &Options{Workspace: filepath.Join(t.TempDir(), "workspace"), Darktable: fake.CLI, Workers: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	raw := filepath.Join(t.TempDir(), "a.dng")
	if err := os.WriteFile(raw, []byte("for the fake"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Ingest(t.Context(), IngestParams{RawPath: raw}); err != nil {
		t.Fatal(err)
	}
	return e, fake
}

// Two callers who want the same preview wait for one darktable, each for as long as it
// has said, and darktable has the longer time.
func TestASharedPreviewHasTheLongestTimeLimit(t *testing.T) {
	e, fake := faulty(t, testutil.Hangs)
	before := len(fake.Calls())
	var ended []TimeoutSeconds
	var mu sync.Mutex
	wait := func(limit TimeoutSeconds) func() {
		return func() {
			began := time.Now()
			_, err := e.RenderPreview(t.Context(), RenderPreviewParams{ImageID: "a", Size: 64, TimeoutSeconds: limit})
			failure, _ := errors.AsType[*Error](err)
			if failure == nil || failure.Details["reason"] != "timed_out" {
				t.Errorf("a limit of %g seconds: %v", limit, err)
			}
			if took := time.Since(began).Seconds(); took < float64(limit) {
				t.Errorf("a limit of %g seconds: the error came after %.1f", limit, took)
			}
			mu.Lock()
			defer mu.Unlock()
			ended = append(ended, limit)
		}
	}
	var all sync.WaitGroup
	all.Go(wait(1))
	testutil.WaitFor(t, "darktable to run", func() bool { return len(fake.Running()) > 0 })
	all.Go(wait(5))
	all.Wait()
	if !slices.IsSorted(ended) {
		t.Errorf("the calls ended in the order of %v seconds", ended)
	}
	if calls, left := len(fake.Calls())-before, fake.Running(); calls != 1 || len(left) > 0 {
		t.Errorf("darktable was started %d times, %v are left; want one start", calls, left)
	}
}
