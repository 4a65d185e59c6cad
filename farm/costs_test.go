package farm

import (
	"context"
	"io"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/objects"
	"github.com/chemigram/chemigram/render"
)

// priced counts the requests to a store.
type priced struct {
	objects.Store
	mu       sync.Mutex
	requests map[string]int
}

func (p *priced) count(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.requests[what]++
}

func (p *priced) Get(ctx context.Context, name string) (io.ReadCloser, error) {
	p.count("Get")
	return p.Store.Get(ctx, name)
}

func (p *priced) Create(ctx context.Context, name string, content io.ReadSeeker) error {
	p.count("Create")
	return p.Store.Create(ctx, name, content)
}

func (p *priced) List(ctx context.Context, prefix, page string) ([]objects.Object, string, error) {
	p.count("List")
	return p.Store.List(ctx, prefix, page)
}

// The requests and messages of a picture are those that docs/farm.md tells.
func TestWhatAPictureCosts(t *testing.T) {
	t.Parallel()
	const pictures = 40
	fake := testutil.FakeDarktable(t, testutil.FakeOptions{})
	folder := openFolder(t, t.TempDir())
	engineStore, workerStore := &priced{Store: folder, requests: map[string]int{}}, &priced{Store: folder, requests: map[string]int{}}
	r := openFarm(t, engineStore, Options{Patience: time.Minute})
	startWorker(t, r, fake.CLI, WorkerOptions{Store: workerStore, Prepared: -1, Processes: 2})
	elsewhere := &counted{Elsewhere: r}
	engine := mustFind(t, &render.Options{Path: fake.CLI, Elsewhere: elsewhere})
	develop := func(size int) {
		jobs := fakeJobs(t, pictures)
		for i := range jobs {
			jobs[i].Size += size
			jobs[i].Output = filepath.Join(t.TempDir(), "a.jpg")
		}
		wantPictures(t, engine.RenderAll(t.Context(), jobs, nil))
	}
	develop(0) // the raw, the queue and its readers
	before, err := r.broker.server.Varz(&server.VarzOptions{})
	if err != nil {
		t.Fatal(err)
	}
	clear(engineStore.requests)
	clear(workerStore.requests)
	develop(pictures)
	after, err := r.broker.server.Varz(&server.VarzOptions{})
	if err != nil {
		t.Fatal(err)
	}
	each := func(n int64) float64 { return float64(n) / pictures }
	messages, bytes := each(after.InMsgs-before.InMsgs+after.OutMsgs-before.OutMsgs), each(after.InBytes-before.InBytes+after.OutBytes-before.OutBytes)
	t.Logf("for a picture: engine %v, worker %v of %d; %.1f messages and %.0f bytes in and out of the broker", engineStore.requests, workerStore.requests, pictures, messages, bytes)
	if elsewhere.made.Load() != 2*pictures {
		t.Errorf("%d pictures came from elsewhere", elsewhere.made.Load())
	}
	if engineStore.requests["Get"] > 2*pictures+5 || engineStore.requests["Create"] > 0 || workerStore.requests["Get"] > pictures+5 || workerStore.requests["Create"] > 2*pictures+5 || messages > 20 {
		t.Error("that is more than docs/farm.md tells")
	}
}
