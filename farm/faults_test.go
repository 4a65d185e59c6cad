package farm

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/objects"
	"github.com/chemigram/chemigram/render"
)

// setup is an engine's darktable and a worker's, both fakes, of one identity.
type setup struct {
	*testing.T
	dir       string // of the store
	renderer  *Renderer
	elsewhere *counted
	engine    *render.Darktable
	fake      *testutil.Fake
}

func newSetup(t *testing.T, fake testutil.FakeOptions, o Options) *setup {
	t.Helper()
	s := &setup{T: t, dir: t.TempDir(), fake: testutil.FakeDarktable(t, fake)}
	o.Logger = logger(t, "engine")
	s.renderer = openFarm(t, openFolder(t, s.dir), o)
	s.elsewhere = &counted{Elsewhere: s.renderer}
	s.engine = mustFind(t, &render.Options{Path: s.fake.CLI, Elsewhere: s.elsewhere})
	return s
}

func (s *setup) work(o WorkerOptions) (stop func()) {
	s.Helper()
	o.Logger = logger(s.T, "worker")
	o.Prepared = -1 // they would be tested, in calls that count
	_, stop = startWorker(s, s.renderer, s.fake.CLI, o)
	return stop
}

// objects are the names of those in the store that begin with a prefix.
func (s *setup) objects(prefix string) (names []string) {
	s.Helper()
	list, _, err := s.renderer.o.Store.List(s.Context(), prefix, "")
	if err != nil {
		s.Fatal(err)
	}
	for _, o := range list {
		names = append(names, o.Name)
	}
	return names
}

// A batch goes to the worker, in few starts of darktable; asked for once more, it comes
// from the store.
func TestABatchIsDevelopedElsewhere(t *testing.T) {
	t.Parallel()
	s := newSetup(t, testutil.FakeOptions{}, Options{})
	s.work(WorkerOptions{Processes: 1})
	jobs := fakeJobs(t, 12)
	wantPictures(t, s.engine.RenderAll(t.Context(), jobs, nil))
	if made := s.elsewhere.made.Load(); made != 12 {
		t.Errorf("%d of 12 were made elsewhere", made)
	}
	calls := len(s.fake.Calls())
	if calls < 12 {
		t.Logf("%d starts of darktable for 12 sizes", calls)
	}
	if got := s.objects("raws/"); len(got) != 1 {
		t.Errorf("raws: %v", got)
	}
	again := fakeJobs(t, 12)
	wantPictures(t, s.engine.RenderAll(t.Context(), again, nil))
	if now := len(s.fake.Calls()); now != calls {
		t.Errorf("what was in the store was developed once more: %d calls", now-calls)
	}
}

// What darktable says three times is the item's error, with its words; the others of the
// batch are made.
func TestAfterThreeTriesAnItemFails(t *testing.T) {
	t.Parallel()
	s := newSetup(t, testutil.FakeOptions{Behaviour: testutil.Fails, Stderr: "this raw is of no camera\n", ExitCode: 7}, Options{})
	s.work(WorkerOptions{Processes: 1})
	_, err := s.engine.Render(t.Context(), fakeJobs(t, 1)[0])
	e, ok := errors.AsType[*render.Error](err)
	if !ok || e.Kind != render.Failed || !strings.Contains(e.Stderr, "this raw is of no camera") || e.ExitCode != 7 || !strings.Contains(e.Message, "tries") {
		t.Fatalf("got %#v", err)
	}
	if calls := len(s.fake.Calls()); calls != mostTries {
		t.Errorf("%d calls of darktable", calls)
	}
	if tries := s.objects("tries/"); len(tries) != 2*mostTries {
		t.Errorf("%v", tries)
	}
}

// A try that fails is followed by one that may not.
func TestALaterTrySucceeds(t *testing.T) {
	t.Parallel()
	s := newSetup(t, testutil.FakeOptions{Script: []testutil.Behaviour{testutil.Crashes, testutil.Truncated, testutil.Works}}, Options{})
	s.work(WorkerOptions{Processes: 1})
	if _, err := s.engine.Render(t.Context(), fakeJobs(t, 1)[0]); err != nil {
		t.Fatal(err)
	}
	if calls := len(s.fake.Calls()); calls != 3 || s.elsewhere.made.Load() != 1 {
		t.Errorf("%d calls, %d made elsewhere", calls, s.elsewhere.made.Load())
	}
}

// Without a worker, a broker or a store, everything is made here, and soon.
func TestWithoutAFarmPicturesAreMadeHere(t *testing.T) {
	t.Parallel()
	t.Run("no worker", func(t *testing.T) {
		t.Parallel()
		s := newSetup(t, testutil.FakeOptions{}, Options{})
		wantPictures(t, s.engine.RenderAll(t.Context(), fakeJobs(t, 4), nil))
		if s.elsewhere.made.Load() != 0 {
			t.Error("made elsewhere")
		}
	})
	t.Run("no broker", func(t *testing.T) {
		t.Parallel()
		s := newSetup(t, testutil.FakeOptions{}, Options{URL: "nats://127.0.0.1:1"})
		wantPictures(t, s.engine.RenderAll(t.Context(), fakeJobs(t, 4), nil))
		if s.elsewhere.made.Load() != 0 {
			t.Error("made elsewhere")
		}
	})
	t.Run("no store", func(t *testing.T) {
		t.Parallel()
		s := newSetup(t, testutil.FakeOptions{}, Options{})
		s.work(WorkerOptions{})
		s.renderer.o.Store = &spoilt{Store: s.renderer.o.Store, fail: func(string) error { return awayError }}
		wantPictures(t, s.engine.RenderAll(t.Context(), fakeJobs(t, 4), nil))
		if s.elsewhere.made.Load() != 0 {
			t.Error("made elsewhere")
		}
	})
	t.Run("another darktable", func(t *testing.T) {
		t.Parallel()
		s := newSetup(t, testutil.FakeOptions{}, Options{})
		other := testutil.FakeDarktable(t, testutil.FakeOptions{Version: "5.4.0"})
		startWorker(t, s.renderer, other.CLI, WorkerOptions{})
		wantPictures(t, s.engine.RenderAll(t.Context(), fakeJobs(t, 2), nil))
		if calls := len(other.Calls()); calls > 0 {
			t.Errorf("the other darktable was called %d times", calls)
		}
	})
}

var awayError = &objects.Error{Op: "Get", Kind: objects.Unreachable, Message: "it is away"}

// spoilt is a store whose calls fail as fail says, which gets "Get NAME" and the like.
type spoilt struct {
	objects.Store
	fail func(call string) error
}

func (s *spoilt) Get(ctx context.Context, name string) (io.ReadCloser, error) {
	if err := s.fail("Get " + name); err != nil {
		return nil, err
	}
	return s.Store.Get(ctx, name)
}

func (s *spoilt) Create(ctx context.Context, name string, content io.ReadSeeker) error {
	if err := s.fail("Create " + name); err != nil {
		return err
	}
	return s.Store.Create(ctx, name, content)
}

// The worker's store goes away and comes back: what cannot be done is given back, and the
// picture comes.
func TestAWorkerWhoseStoreIsAway(t *testing.T) {
	t.Parallel()
	s := newSetup(t, testutil.FakeOptions{}, Options{})
	var away atomic.Bool
	store := &spoilt{Store: s.renderer.o.Store, fail: func(string) error {
		if away.Load() {
			return awayError
		}
		return nil
	}}
	s.work(WorkerOptions{Store: store, Processes: 1})
	away.Store(true)
	wantPictures(t, s.engine.RenderAll(t.Context(), fakeJobs(t, 2), nil)) // here, once the worker is hidden
	if s.elsewhere.made.Load() != 0 {
		t.Error("made elsewhere")
	}
	away.Store(false)
	testutil.WaitFor(t, "the worker", func() bool {
		slots, err := muster(t.Context(), s.renderer.nc, s.engine.Identity())
		return err == nil && slots > 0
	})
	jobs := fakeJobs(t, 3)
	testutil.WaitFor(t, "a picture from elsewhere", func() bool {
		jobs[2].Output = filepath.Join(t.TempDir(), "a.jpg")
		jobs[2].Size++
		wantPictures(t, s.engine.RenderAll(t.Context(), jobs[2:], nil))
		return s.elsewhere.made.Load() > 0
	})
}

// A picture that is damaged in the store, or another's, is made again.
func TestADamagedPictureIsMadeAgain(t *testing.T) {
	t.Parallel()
	s := newSetup(t, testutil.FakeOptions{}, Options{})
	s.work(WorkerOptions{})
	job := fakeJobs(t, 1)[0]
	if _, err := s.engine.Render(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(s.dir, filepath.FromSlash(s.objects("results/")[0]))
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	content[len(content)-5] ^= 1
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	job.Output = filepath.Join(t.TempDir(), "again.jpg")
	if _, err := s.engine.Render(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	if calls := len(s.fake.Calls()); calls != 2 || s.elsewhere.made.Load() != 2 {
		t.Errorf("%d calls, %d made elsewhere", calls, s.elsewhere.made.Load())
	}
}

// A result that is no picture, whoever put it there, is not taken.
func TestAResultThatIsNoPicture(t *testing.T) {
	t.Parallel()
	s := newSetup(t, testutil.FakeOptions{}, Options{})
	s.work(WorkerOptions{})
	job := fakeJobs(t, 1)[0]
	order := render.Order{Job: job, Among: 1}
	order.Job.Darktable = s.engine.Identity()
	key := newJob(order, "", 0).key()
	if err := s.renderer.o.Store.Create(t.Context(), resultObject(key), strings.NewReader(string(recordOf(t, key, "no picture")))); err != nil {
		t.Fatal(err)
	}
	if _, err := s.engine.Render(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	if p, _, err := render.InspectStamp(job.Output); err != nil || p.Width != job.Size {
		t.Errorf("%+v, %v", p, err)
	}
}

// A message that is no job, or another's, is thrown away, and the worker goes on.
func TestHostileMessages(t *testing.T) {
	t.Parallel()
	s := newSetup(t, testutil.FakeOptions{}, Options{})
	s.work(WorkerOptions{Processes: 1})
	js, stream, err := s.renderer.queue(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	identity := s.engine.Identity()
	j := sound()
	j.Darktable = identity
	other, err := j.encode()
	if err != nil {
		t.Fatal(err)
	}
	for i, message := range [][]byte{nil, []byte("garbage"), other} {
		if _, err := js.Publish(t.Context(), batch.subject(identity, digestOf(string(rune(i)))), message); err != nil {
			t.Fatal(err)
		}
	}
	// Whoever says that a picture is made is not believed.
	job := fakeJobs(t, 1)[0]
	order := render.Order{Job: job, Among: 1}
	order.Job.Darktable = identity
	key := newJob(order, "", 0).key()
	lies := time.NewTicker(time.Millisecond)
	defer lies.Stop()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		for {
			select {
			case <-lies.C:
				_ = s.renderer.nc.Publish(donePrefix+key, []byte("garbage"))
			case <-ctx.Done():
				return
			}
		}
	}()
	if _, err := s.engine.Render(t.Context(), job); err != nil || s.elsewhere.made.Load() != 1 {
		t.Errorf("%v, %d made elsewhere", err, s.elsewhere.made.Load())
	}
	testutil.WaitFor(t, "an empty queue", func() bool {
		info, err := stream.Info(t.Context())
		return err == nil && info.State.Msgs == 0
	})
}

// A call that was cancelled leaves nothing in the queue.
func TestACancelledBatchLeavesTheQueue(t *testing.T) {
	t.Parallel()
	s := newSetup(t, testutil.FakeOptions{Behaviour: testutil.Hangs}, Options{})
	s.work(WorkerOptions{Processes: 1, Grace: time.Millisecond})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan []render.Outcome)
	go func() { ended <- s.engine.RenderAll(ctx, fakeJobs(t, 8), nil) }()
	queued := func() uint64 {
		_, stream, err := s.renderer.queue(t.Context())
		if err != nil {
			return 0
		}
		info, err := stream.Info(t.Context())
		if err != nil {
			return 0
		}
		return info.State.Msgs
	}
	testutil.WaitFor(t, "the jobs", func() bool { return queued() == 8 })
	cancel()
	for i, o := range <-ended {
		if !errors.Is(o.Err, render.Canceled) {
			t.Errorf("%d: %v", i, o.Err)
		}
	}
	testutil.WaitFor(t, "an empty queue", func() bool { return queued() == 0 })
}
