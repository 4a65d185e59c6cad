package farm

import (
	"errors"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/baseline"
	"github.com/chemigram/chemigram/objects"
	"github.com/chemigram/chemigram/remote"
)

// openEngine opens an engine with images a, b and c, whose pictures come from a farm.
func openEngine(t *testing.T, fake *testutil.Fake, r *counted) *chemigram.Engine {
	t.Helper()
	e, err := chemigram.Open(t.Context(), &chemigram.Options{
		Workspace: filepath.Join(t.TempDir(), "workspace"), Darktable: fake.CLI, Workers: -1, Renderer: r,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	for _, name := range []string{"a", "b", "c"} {
		path, _ := writeRaw(t, name+".dng", "raw of "+name)
		if _, err := e.Ingest(t.Context(), chemigram.IngestParams{RawPath: path}); err != nil {
			t.Fatal(err)
		}
	}
	return e
}

func fakeOf5(t *testing.T) *testutil.Fake {
	t.Helper()
	return testutil.FakeDarktable(t, testutil.FakeOptions{Version: "5.4.1", XMP: baseline.Packet("5.4.1")})
}

// useEngine asks an engine for everything that a farm makes, in a form that was not asked
// for before, and gives how many pictures came from elsewhere.
func useEngine(t *testing.T, e *chemigram.Engine, r *counted, size int) int64 {
	t.Helper()
	before := r.made.Load()
	exported, err := e.ExportBatch(t.Context(), chemigram.ExportBatchParams{
		Items: []chemigram.ExportItem{{ImageID: "a"}, {ImageID: "b"}, {ImageID: "c"}}, Size: chemigram.Size(size),
	})
	if err != nil || exported.Exported != 3 {
		t.Fatalf("%+v, %v", exported, err)
	}
	preview, err := e.RenderPreview(t.Context(), chemigram.RenderPreviewParams{ImageID: "a", Size: chemigram.Size(size)})
	if err != nil || preview.Width != size {
		t.Fatalf("%+v, %v", preview, err)
	}
	final, err := e.ExportFinal(t.Context(), chemigram.ExportFinalParams{ImageID: "b", Size: chemigram.Size(size + 1)})
	if err != nil || final.Width != size+1 {
		t.Fatalf("%+v, %v", final, err)
	}
	return r.made.Load() - before
}

// Previews and exports of an engine come from workers, and from its own darktable as soon
// as the broker is away.
func TestAnEngineWithAFarm(t *testing.T) {
	t.Parallel()
	fake := fakeOf5(t)
	r := openFarm(t, openFolder(t, t.TempDir()), Options{Logger: logger(t, "engine")})
	_, stop := startWorker(t, r, fake.CLI, WorkerOptions{Prepared: -1, Logger: logger(t, "worker")})
	elsewhere := &counted{Elsewhere: r}
	e := openEngine(t, fake, elsewhere)
	if made := useEngine(t, e, elsewhere, 120); made != 5 {
		t.Errorf("%d of 5 pictures came from elsewhere", made)
	}
	stop()
	testutil.WaitFor(t, "the end of the worker", func() bool {
		slots, err := muster(t.Context(), r.nc, mustFind(t, findOptions(fake)).Identity())
		return err == nil && slots == 0
	})
	if made := useEngine(t, e, elsewhere, 130); made != 0 {
		t.Errorf("%d pictures came from elsewhere without a worker", made)
	}
	r.broker.close()
	if made := useEngine(t, e, elsewhere, 140); made != 0 {
		t.Errorf("%d pictures came from elsewhere without a broker", made)
	}
}

// Proofs go to workers, too.
func TestProofsGoToWorkers(t *testing.T) {
	dt := testutil.AnyDarktable(t)
	r := openFarm(t, openFolder(t, t.TempDir()), Options{})
	startWorker(t, r, dt.CLI, WorkerOptions{Prepared: -1})
	elsewhere := &counted{Elsewhere: r}
	e, err := chemigram.Open(t.Context(), &chemigram.Options{
		Workspace: filepath.Join(t.TempDir(), "workspace"), Darktable: dt.CLI, Workers: -1, Renderer: elsewhere,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	proven, err := e.Prove(t.Context(), chemigram.ProveParams{Entries: []string{"exposure"}})
	if err != nil || proven.Proven != 1 || len(proven.Failures) > 0 {
		t.Errorf("%+v, %v", proven, err)
	}
	if elsewhere.made.Load() == 0 || elsewhere.failed.Load() > 0 {
		t.Errorf("%d pictures came from elsewhere, %d did not", elsewhere.made.Load(), elsewhere.failed.Load())
	}
}

// Raws and pictures may travel through a bucket, which goes away and comes back.
func TestAFarmInABucket(t *testing.T) {
	for name, value := range map[string]string{
		"AWS_ACCESS_KEY_ID": "AKIDFORTESTSALONE123", "AWS_SECRET_ACCESS_KEY": "a/secret+that/no/error/may/show/1234567", "AWS_REGION": "us-east-1", "AWS_EC2_METADATA_DISABLED": "true",
	} {
		t.Setenv(name, value)
	}
	backend := s3mem.New()
	if err := backend.CreateBucket("farm"); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(gofakes3.New(backend).Server())
	defer server.Close()
	location := "s3://farm?" + url.Values{"endpoint": {server.URL}, "use_path_style": {"true"}}.Encode()
	open := func() objects.Store {
		store, err := remote.Open(t.Context(), location)
		if err != nil {
			t.Fatal(err)
		}
		return store
	}
	fake := fakeOf5(t)
	r := openFarm(t, open(), Options{Pause: time.Millisecond})
	startWorker(t, r, fake.CLI, WorkerOptions{Store: open(), Prepared: -1, Logger: logger(t, "worker")})
	elsewhere := &counted{Elsewhere: r}
	e := openEngine(t, fake, elsewhere)
	if made := useEngine(t, e, elsewhere, 120); made != 5 {
		t.Errorf("%d of 5 pictures came from elsewhere", made)
	}
	server.Close()
	if made := useEngine(t, e, elsewhere, 130); made != 0 {
		t.Errorf("%d pictures came from elsewhere without a bucket", made)
	}
}

// A broker that other machines reach asks for credentials, which stand in no address and
// in no error.
func TestCredentials(t *testing.T) {
	store := openFolder(t, t.TempDir())
	wrong := func(what string, o Options, want string) {
		t.Helper()
		o.Store = store
		r, err := Open(t.Context(), &o)
		if err == nil {
			_ = r.Close()
			t.Errorf("%s: no error", what)
			return
		}
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", what, err)
		}
		for cause := err; cause != nil; cause = errors.Unwrap(cause) {
			if strings.Contains(cause.Error(), "hunter2") {
				t.Errorf("%s: %v", what, cause)
			}
		}
	}
	wrong("reached by all", Options{Listen: "0.0.0.0:0"}, "NATS_USER")
	wrong("a password", Options{URL: "nats://me:hunter2@host:4222"}, "environment")
	wrong("a parameter", Options{URL: "nats://host:4222?token=hunter2"}, "environment")
	wrong("no URL", Options{URL: "\x7fhunter2"}, "no URL")
	wrong("another scheme", Options{URL: "https://host"}, "scheme")
	wrong("both", Options{URL: "nats://host", Listen: "127.0.0.1:0"}, "not both")
	wrong("no address", Options{Listen: "nowhere"}, "no address")
	creds := filepath.Join(t.TempDir(), "hunter2.creds")
	t.Setenv("NATS_CREDS", creds)
	wrong("no creds", Options{URL: "nats://host:4222"}, "NATS_CREDS")
	t.Setenv("NATS_CREDS", "")
	nkey := filepath.Join(t.TempDir(), "a.nk")
	if err := os.WriteFile(nkey, []byte("hunter2"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("NATS_NKEY", nkey)
	wrong("a damaged key", Options{URL: "nats://host:4222"}, "NATS_NKEY")
	t.Setenv("NATS_NKEY", "")

	t.Setenv("NATS_USER", "me")
	t.Setenv("NATS_PASSWORD", "hunter2")
	r := openFarm(t, store, Options{Listen: "0.0.0.0:0", Logger: logger(t, "engine")})
	address := strings.Replace(r.URL(), "0.0.0.0", "127.0.0.1", 1)
	nc, err := dial(address, "test")
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	testutil.WaitFor(t, "a connection", nc.IsConnected)
	t.Setenv("NATS_PASSWORD", "hunter3")
	refused, err := dial(address, "test")
	if err != nil {
		t.Fatal(err)
	}
	defer refused.Close()
	testutil.WaitFor(t, "a refusal", func() bool { return refused.LastError() != nil })
	if refused.IsConnected() {
		t.Error("a wrong password is taken")
	}
}

// A second engine on a machine takes the broker of the first.
func TestTwoEnginesShareABroker(t *testing.T) {
	t.Parallel()
	store := openFolder(t, t.TempDir())
	first := openFarm(t, store, Options{})
	second := openFarm(t, store, Options{Listen: strings.TrimPrefix(first.URL(), "nats://")})
	if second.broker != nil {
		t.Error("it has a broker of its own")
	}
	testutil.WaitFor(t, "a connection", second.nc.IsConnected)
}

// What is old is removed from the store, and nothing else.
func TestPrune(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	store := openFolder(t, dir)
	for _, name := range []string{rawObject(digestOf("old")), resultObject(digestOf("old")), tryObject("old", 1), rawObject(digestOf("new")), "other/old"} {
		if err := store.Create(t.Context(), name, strings.NewReader("content")); err != nil {
			t.Fatal(err)
		}
		if name != rawObject(digestOf("new")) {
			long := time.Now().Add(-48 * time.Hour)
			if err := os.Chtimes(filepath.Join(dir, filepath.FromSlash(name)), long, long); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := Prune(t.Context(), store, time.Minute); err == nil {
		t.Error("an age of a minute is taken")
	}
	p, err := Prune(t.Context(), store, 24*time.Hour)
	if err != nil || p.Objects != 3 || p.Bytes != 21 {
		t.Errorf("%+v, %v", p, err)
	}
	list, _, err := store.List(t.Context(), "", "")
	if err != nil || len(list) != 2 {
		t.Errorf("%v, %v", list, err)
	}
}
