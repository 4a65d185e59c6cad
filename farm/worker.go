package farm

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/chemigram/chemigram/internal/redact"
	"github.com/chemigram/chemigram/objects"
	"github.com/chemigram/chemigram/render"
)

// WorkerOptions are the options of [NewWorker].
type WorkerOptions struct {
	// Store is that of the engines whose pictures are developed. It must be given, and is
	// the caller's to close.
	Store objects.Store
	// URL of the brokers; credentials as in [Options]. Default: "nats://127.0.0.1:4222".
	URL string
	// Name of the worker, in errors and logs. Default: that of the machine.
	Name string
	// Darktable is the path of darktable-cli. Default: as the engine finds it.
	Darktable string
	// Dir is the folder for raws. Default: "chemigram/farm" in the user's cache folder.
	Dir string
	// RawBytes is how many bytes of raws are kept in it. Default: 20 GiB.
	RawBytes int64
	// Processes is how many pictures of batches are developed at once; one that somebody
	// waits for is developed beside them. Default: the number of CPUs.
	Processes int
	// Prepared bounds the darktables that have loaded a raw and wait for its next
	// preview. Default: the number of CPUs, none on Windows. Negative: none.
	Prepared int
	// AckWait is after which time without a sign of life the broker gives a job to another
	// worker; the first worker of a darktable decides. Default: 10 s.
	AckWait time.Duration
	// Grace is how long what is being developed may go on after Run's context has ended.
	// Default: 30 s.
	Grace time.Duration
	// Replicas as in [Options].
	Replicas int
	// Logger receives what is worth knowing. Default: nothing is logged.
	Logger *slog.Logger
}

// Worker develops pictures for engines elsewhere.
type Worker struct {
	o         WorkerOptions
	log       *slog.Logger
	darktable *render.Darktable
	prepared  *render.Workers // nil when there are none
	raws      *raws
	nc        *nats.Conn

	mu      sync.Mutex
	present *nats.Subscription // nil while it takes no jobs
	each    time.Duration      // that a picture took of late; 0 when none is known
}

// NewWorker finds darktable and connects to the broker, which may be away.
func NewWorker(ctx context.Context, o *WorkerOptions) (_ *Worker, err error) {
	w := &Worker{}
	if o != nil {
		w.o = *o
	}
	if w.o.Store == nil {
		return nil, errors.New("a worker needs the store of the engines: a folder or a bucket")
	}
	host, _ := os.Hostname()
	w.o.Name = words(cmp.Or(w.o.Name, host, "worker"), 100)
	w.o.URL = cmp.Or(w.o.URL, nats.DefaultURL)
	w.o.RawBytes, w.o.Processes = cmp.Or(w.o.RawBytes, 20<<30), max(1, cmp.Or(w.o.Processes, runtime.GOMAXPROCS(0)))
	w.o.AckWait, w.o.Grace = cmp.Or(w.o.AckWait, 10*time.Second), cmp.Or(w.o.Grace, 30*time.Second)
	w.log = redact.Logger(w.o.Logger)
	if w.o.Dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return nil, err
		}
		w.o.Dir = filepath.Join(cache, "chemigram", "farm")
	}
	if w.raws, err = openRaws(w.o.Dir, w.o.RawBytes, w.o.Store); err != nil {
		return nil, err
	}
	if w.darktable, err = render.Find(ctx, &render.Options{Path: w.o.Darktable, Processes: w.o.Processes}); err != nil {
		return nil, err
	}
	if err := checkURLs(w.o.URL); err != nil {
		return nil, err
	}
	if w.nc, err = dial(w.o.URL, "chemigram-worker "+w.o.Name); err != nil {
		return nil, err
	}
	if w.o.Prepared >= 0 && runtime.GOOS != "windows" {
		w.prepared = render.NewWorkers(w.darktable, &render.WorkersOptions{Max: w.o.Prepared})
	}
	return w, nil
}

// Darktable is the version of the one that develops, and its identity.
func (w *Worker) Darktable() (version, identity string) {
	return w.darktable.Version(), w.darktable.Identity()
}

// Run develops pictures until ctx ends, and then finishes those that it has begun. After a
// change of the installed darktable it takes the jobs of the new one.
func (w *Worker) Run(ctx context.Context) error {
	defer w.close()
	// What is begun is finished, unless that takes too long.
	working, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	defer context.AfterFunc(ctx, func() {
		w.hide()
		time.AfterFunc(w.o.Grace, stop)
	})()
	for ctx.Err() == nil {
		identity := w.darktable.Identity()
		shift, end := context.WithCancel(ctx)
		var all sync.WaitGroup
		all.Go(func() { w.watch(shift, end, identity) })
		turn := make(chan struct{}, 1)
		for range w.o.Processes {
			all.Go(func() { w.pull(shift, working, identity, batch, turn) })
		}
		all.Go(func() { w.pull(shift, working, identity, single, make(chan struct{}, 1)) })
		all.Wait()
		end()
		w.hide()
	}
	return nil
}

func (w *Worker) close() {
	if w.prepared != nil {
		_ = w.prepared.Close() // it never fails
	}
	w.nc.Close()
}

// watchEvery is how often a worker looks whether it can work.
const watchEvery = 5 * time.Second

// watch shows the worker as soon as it reaches the store, also after giveBack has hidden
// it, and ends the shift when darktable is another one.
func (w *Worker) watch(ctx context.Context, end context.CancelFunc, identity string) {
	defer end()
	ticks := time.NewTicker(watchEvery)
	defer ticks.Stop()
	for {
		if !w.isShown() {
			if err := w.reach(ctx); err == nil {
				w.show(identity)
			} else if ctx.Err() == nil {
				w.log.Warn("the store cannot be reached", "error", err)
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
		}
		if w.darktable.Identity() != identity {
			w.log.Info("darktable has changed")
			return
		}
	}
}

// reach asks the store for something that is not there.
func (w *Worker) reach(ctx context.Context) error {
	from, err := w.o.Store.Get(ctx, "worker")
	if errors.Is(err, objects.NotFound) {
		return nil
	}
	if err == nil {
		err = from.Close()
	}
	return err
}

// show answers those who ask for workers of a darktable.
func (w *Worker) show(identity string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.present != nil {
		return
	}
	answer, err := json.Marshal(presence{Slots: w.o.Processes})
	if err != nil {
		return
	}
	w.present, err = w.nc.Subscribe(workersPrefix+identity, func(m *nats.Msg) { _ = m.Respond(answer) })
	if err == nil {
		err = w.nc.FlushTimeout(2 * time.Second) // so that who asks from now on is heard
	}
	if err != nil && w.present != nil {
		_ = w.present.Unsubscribe()
	}
	if err != nil {
		w.present = nil
	}
}

// hide stops that, and with it taking jobs.
func (w *Worker) hide() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.present != nil {
		_ = w.present.Unsubscribe()
		w.present = nil
	}
}

func (w *Worker) isShown() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.present != nil
}
