package farm

import (
	"testing"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/chemigram/chemigram/internal/testutil"
)

// A broker with the configuration that is given to users serves a farm, with the rights
// that it grants and no others.
func TestTheConfigurationOfABroker(t *testing.T) {
	t.Setenv("NATS_USER", "farm")
	t.Setenv("NATS_PASSWORD", "hunter2hunter2")
	o, err := server.ProcessConfigFile("deploy/nats.conf")
	if err != nil {
		t.Fatal(err)
	}
	o.Host, o.Port, o.StoreDir, o.NoLog, o.NoSigs = "127.0.0.1", server.RANDOM_PORT, t.TempDir(), true, true
	s, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	fake := testutil.FakeDarktable(t, testutil.FakeOptions{})
	r := openFarm(t, openFolder(t, t.TempDir()), Options{URL: s.ClientURL(), Logger: logger(t, "engine")})
	startWorker(t, r, fake.CLI, WorkerOptions{Prepared: -1, Logger: logger(t, "worker")})
	elsewhere := &counted{Elsewhere: r}
	engine := findWith(t, fake, elsewhere)
	wantPictures(t, engine.RenderAll(t.Context(), fakeJobs(t, 6), nil))
	if made := elsewhere.made.Load(); made != 6 {
		t.Errorf("%d of 6 pictures came from the worker", made)
	}
	if err := r.nc.Publish("other", nil); err != nil {
		t.Error(err)
	}
	testutil.WaitFor(t, "a refusal", func() bool { return r.nc.LastError() != nil })
}
