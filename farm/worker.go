package farm

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

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

// mostWait is how long a worker waits for a job before it asks again.
const mostWait = 20 * time.Second

// pull takes jobs of a class from the queue until ctx ends, and develops them while working
// lasts. Of those that pull, one waits for a job at a time: turn is theirs.
func (w *Worker) pull(ctx, working context.Context, identity string, c class, turn chan struct{}) {
	var jobs jetstream.Consumer
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
			return
		case turn <- struct{}{}:
		}
		m, err := w.next(ctx, identity, c, &jobs)
		<-turn
		switch {
		case m != nil:
			w.serve(working, jobs, m)
		case err != nil && ctx.Err() == nil:
			jobs = nil // it may be gone, with its stream
			w.log.Debug("no jobs can be taken", "error", err)
			pauseFor(ctx, 200*time.Millisecond)
		}
	}
}

// errHidden is why a worker takes no jobs.
var errHidden = errors.New("the store or the broker is away")

// next waits for a job of a class. It gives nil when there was none for a while.
func (w *Worker) next(ctx context.Context, identity string, c class, jobs *jetstream.Consumer) (m jetstream.Msg, err error) {
	if !w.isShown() || !w.nc.IsConnected() {
		return nil, errHidden
	}
	if *jobs == nil {
		if *jobs, err = w.reader(ctx, identity, c); err != nil {
			*jobs = nil
			return nil, err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, mostWait)
	defer cancel()
	taken, err := (*jobs).Fetch(1, jetstream.FetchContext(ctx), jetstream.FetchHeartbeat(2*time.Second))
	if err != nil {
		return nil, err
	}
	if m, ok := <-taken.Messages(); ok {
		return m, nil
	}
	if err = taken.Error(); ctx.Err() != nil {
		err = nil
	}
	return nil, err
}

// pauseFor waits a while, or until ctx ends.
func pauseFor(ctx context.Context, d time.Duration) {
	limited, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	<-limited.Done()
}

// reader is what takes the jobs of a class and a darktable from the queue, for all workers
// together.
func (w *Worker) reader(ctx context.Context, identity string, c class) (jetstream.Consumer, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	_, stream, err := queue(ctx, w.nc, w.o.Replicas)
	if err != nil {
		return nil, err
	}
	consumer, err := stream.Consumer(ctx, c.consumer(identity))
	if !errors.Is(err, jetstream.ErrConsumerNotFound) {
		return consumer, err
	}
	return stream.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: c.consumer(identity), FilterSubject: c.subject(identity, "*"), AckPolicy: jetstream.AckExplicitPolicy,
		AckWait: w.o.AckWait, MaxDeliver: -1, MaxAckPending: 100_000, InactiveThreshold: 24 * time.Hour,
	})
}

// held is a job that a worker has taken.
type held struct {
	*job
	m     jetstream.Msg
	key   string
	try   int
	raw   string
	again bool // it was given to a worker before
	path  string
	free  func() // releases the raw
}

// serve develops what was taken, and with it more of the same batch.
func (w *Worker) serve(ctx context.Context, jobs jetstream.Consumer, first jetstream.Msg) {
	messages := []jetstream.Msg{first}
	done := make(chan struct{})
	var mu sync.Mutex
	var beats sync.WaitGroup
	beats.Go(func() { w.beat(done, &mu, &messages) })
	defer beats.Wait()
	defer close(done)

	h := w.hold(ctx, first)
	if h == nil {
		return
	}
	if h.again || h.Share <= 1 {
		w.develop(ctx, []*held{h})
		return
	}
	together, alone := []*held{h}, []*held(nil)
	if more, err := jobs.FetchNoWait(min(h.Share, mostShare) - 1); err == nil {
		var holding sync.WaitGroup
		for m := range more.Messages() {
			mu.Lock()
			messages = append(messages, m)
			mu.Unlock()
			holding.Go(func() {
				h := w.hold(ctx, m)
				mu.Lock()
				defer mu.Unlock()
				// One that another worker had may be what ended it.
				if h != nil && h.again {
					alone = append(alone, h)
				} else if h != nil {
					together = append(together, h)
				}
			})
		}
		holding.Wait()
	}
	w.develop(ctx, together)
	for _, h := range alone {
		w.develop(ctx, []*held{h})
	}
}

// beat tells the broker that the worker is alive.
func (w *Worker) beat(done <-chan struct{}, mu *sync.Mutex, messages *[]jetstream.Msg) {
	ticks := time.NewTicker(w.o.AckWait / 4)
	defer ticks.Stop()
	for {
		select {
		case <-done:
			return
		case <-ticks.C:
		}
		mu.Lock()
		for _, m := range *messages {
			_ = m.InProgress() // of one that is done it is an error
		}
		mu.Unlock()
	}
}

// mostDelivered is how often a job is given to workers that cannot even begin.
const mostDelivered = 30

// hold reads a job and brings its raw. It returns nil when the job is settled, or given
// back.
func (w *Worker) hold(ctx context.Context, m jetstream.Msg) *held {
	meta, err := m.Metadata()
	if err != nil {
		_ = m.Term()
		return nil
	}
	j, err := decodeJob(m.Data())
	if err != nil {
		w.log.Warn("a message is no job", "subject", m.Subject(), "error", err)
		_ = m.TermWithReason("it is no job")
		return nil
	}
	h := &held{job: j, m: m, key: j.key(), again: meta.NumDelivered > 1, try: int(min(meta.NumDelivered, mostTries))}
	if m.Subject() != single.subject(j.Darktable, h.key) && m.Subject() != batch.subject(j.Darktable, h.key) {
		w.log.Warn("a message is another job than its subject says", "subject", m.Subject())
		_ = m.TermWithReason("it is another job")
		return nil
	}
	switch made, err := w.isMade(ctx, h.key); {
	case err != nil:
		w.giveBack(h, meta.NumDelivered, err)
		return nil
	case made:
		w.settle(h, outcome{Made: true})
		return nil
	}
	switch h.raw, h.free, err = w.raws.get(ctx, j); {
	case errors.Is(err, objects.NotFound):
		w.settle(h, outcome{NoRaw: true})
		return nil
	case errors.Is(err, errDamaged):
		w.settle(h, outcome{Unable: err.Error()})
		return nil
	case err != nil:
		w.giveBack(h, meta.NumDelivered, err)
		return nil
	}
	switch h.try, err = begin(ctx, w.o.Store, j.Ask, h.try, w.o.Name); {
	case errors.Is(err, errTries):
		h.free()
		w.giveUp(ctx, h)
		return nil
	case err != nil:
		h.free()
		w.giveBack(h, meta.NumDelivered, err)
		return nil
	}
	return h
}

// isMade reports whether the picture of a job is in the store.
func (w *Worker) isMade(ctx context.Context, key string) (bool, error) {
	from, err := w.o.Store.Get(ctx, resultObject(key))
	if errors.Is(err, objects.NotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, from.Close()
}

// giveUp settles a job whose tries are used up: with darktable's words, when a try left some.
func (w *Worker) giveUp(ctx context.Context, h *held) {
	said, err := explain(ctx, w.o.Store, h.Ask)
	switch {
	case err != nil:
		_ = h.m.NakWithDelay(time.Second)
	case said != nil:
		w.settle(h, outcome{Failure: said})
	default:
		w.settle(h, outcome{Unable: fmt.Sprintf("%d workers ended while they developed it", mostTries)})
	}
}

// giveBack gives a job to another worker, which may reach what this one does not.
func (w *Worker) giveBack(h *held, delivered uint64, err error) {
	w.log.Warn("a job cannot be begun", "raw", h.RawName, "error", err)
	if _, ok := errors.AsType[*objects.Error](err); ok {
		w.hide() // until the store is there
	}
	if delivered >= mostDelivered {
		w.settle(h, outcome{Unable: err.Error()})
		return
	}
	_ = h.m.NakWithDelay(time.Second)
}

// settle takes a job out of the queue and tells what became of it. Should the broker not
// hear it, the job comes again, and the picture is there.
func (w *Worker) settle(h *held, o outcome) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	_ = h.m.DoubleAck(ctx) // first, so that who hears of it can ask again
	_ = w.nc.Publish(donePrefix+h.key, o.encode())
}
