package farm

import (
	"cmp"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/baseline"
	"github.com/chemigram/chemigram/objects"
	"github.com/chemigram/chemigram/render"
)

func TestMain(m *testing.M) {
	for _, name := range []string{"NATS_CREDS", "NATS_NKEY", "NATS_USER", "NATS_PASSWORD", "NATS_TOKEN", "NATS_CA", "NATS_CERT", "NATS_KEY"} {
		_ = os.Unsetenv(name)
	}
	os.Exit(testutil.RunTests(m, works))
}

// logger writes to the test's log.
func logger(tb testing.TB, who string) *slog.Logger {
	return slog.New(slog.NewTextHandler(testLog{tb}, &slog.HandlerOptions{Level: slog.LevelDebug})).With("who", who)
}

type testLog struct{ tb testing.TB }

func (l testLog) Write(p []byte) (int, error) {
	l.tb.Log(strings.TrimSpace(string(p)))
	return len(p), nil
}

func openFolder(tb testing.TB, dir string) *objects.Folder {
	tb.Helper()
	store, err := objects.OpenFolder(dir)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = store.Close() })
	return store
}

// openFarm opens a farm with a broker in this process.
func openFarm(tb testing.TB, store objects.Store, o Options) *Renderer {
	tb.Helper()
	o.Store = store
	if o.URL == "" && o.Listen == "" {
		o.Listen = "127.0.0.1:0"
	}
	if o.Patience == 0 {
		o.Patience = time.Second
	}
	r, err := Open(context.WithoutCancel(tb.Context()), &o)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = r.Close() })
	return r
}

// startWorker starts a worker in this process, and waits until it is there.
func startWorker(tb testing.TB, r *Renderer, cli string, o WorkerOptions) (w *Worker, stop func()) {
	tb.Helper()
	o.URL, o.Darktable = cmp.Or(r.URL(), r.o.URL), cli
	if o.Store == nil {
		o.Store = r.o.Store
	}
	if o.Dir == "" {
		o.Dir = tb.TempDir()
	}
	if o.AckWait == 0 {
		o.AckWait = 2 * time.Second
	}
	w, err := NewWorker(tb.Context(), &o)
	if err != nil {
		tb.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(tb.Context()))
	var running sync.WaitGroup
	running.Go(func() { _ = w.Run(ctx) })
	stop = func() { cancel(); running.Wait() }
	tb.Cleanup(stop)
	testutil.WaitFor(tb, "the worker", w.isShown)
	return w, stop
}

// find finds a darktable whose pictures come from a farm, or from here when that is nil.
func find(tb testing.TB, cli string, r *Renderer) *render.Darktable {
	tb.Helper()
	o := &render.Options{Path: cli, Processes: 2}
	if r != nil {
		o.Elsewhere = r
	}
	d, err := render.Find(tb.Context(), o)
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

// writeRaw writes what the fake darktable takes for a raw.
func writeRaw(tb testing.TB, name, content string) (path, digest string) {
	tb.Helper()
	path = filepath.Join(tb.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		tb.Fatal(err)
	}
	return path, digestOf(content)
}

// fakeJobs are jobs for the fake darktable, of one raw in n sizes.
func fakeJobs(tb testing.TB, n int) []render.Job {
	tb.Helper()
	raw, digest := writeRaw(tb, "a.dng", strings.Repeat("raw", 1000))
	jobs, dir := make([]render.Job, n), tb.TempDir()
	for i := range jobs {
		jobs[i] = render.Job{
			Raw: raw, RawDigest: digest, Sidecar: baseline.Packet("5.4.1"), Size: 100 + i, Output: filepath.Join(dir, digestOf(string(rune(i)))[:8]+".jpg"),
		}
	}
	return jobs
}

func wantPictures(tb testing.TB, outcomes []render.Outcome) {
	tb.Helper()
	for i, o := range outcomes {
		if o.Err != nil {
			tb.Errorf("%d: %v", i, o.Err)
		}
	}
}
