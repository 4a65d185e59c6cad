package farm

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

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
	if ctx.Err() != nil {
		return nil, nil
	}
	return nil, taken.Error()
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
	more, err := w.fetchMore(ctx, jobs, h)
	if err == nil {
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

// How long one process of darktable should work for a batch: so long that its start counts
// little, and so short that no worker is left alone with the rest of a batch.
const (
	leastWork = 3 * time.Second
	mostWork  = 30 * time.Second
	// settled is for how long no job of a batch comes when all are in the queue, and
	// mostSettling how long that is waited for.
	settled      = 50 * time.Millisecond
	mostSettling = 500 * time.Millisecond
)

// fetchMore takes the share of a process of what is queued now, beside a first job.
func (w *Worker) fetchMore(ctx context.Context, jobs jetstream.Consumer, h *held) (jetstream.MessageBatch, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	waiting, taken, err := inQueue(ctx, jobs)
	if err != nil {
		return nil, err
	}
	n := share(waiting+1, taken-1, h.Slots, min(h.Share, mostShare), w.pace())
	if n < 2 {
		return nil, errNothing
	}
	return jobs.FetchNoWait(n - 1)
}

// inQueue is how many jobs wait in the queue, and how many are taken and not done, once the
// engine that makes them has made them all.
func inQueue(ctx context.Context, jobs jetstream.Consumer) (waiting, taken int, err error) {
	for began, before := time.Now(), -1; ; before = waiting + taken {
		info, err := jobs.Info(ctx)
		if err != nil {
			return 0, 0, err
		}
		waiting, taken = int(min(info.NumPending, mostAmong)), info.NumAckPending
		if waiting+taken <= before || time.Since(began) > mostSettling {
			return waiting, taken, nil
		}
		pauseFor(ctx, settled)
	}
}

// errNothing says that a process should develop one picture alone.
var errNothing = errors.New("nothing more is to be taken")

// share is how many of the pictures that are left one of so many processes should take, most
// at most, when the others have taken so many that are not done, and each needs some time.
// Where a process has enough to do with its part of the batch, that is its share at once, as
// each further start of darktable costs about a second; of more than that, it takes ever
// less as the end comes near.
func share(left, taken, slots, most int, each time.Duration) int {
	slots = max(1, slots)
	if most < mostShare && time.Duration(most)*each <= mostWork && left+taken > (slots-1)*most {
		return max(1, min(left, most))
	}
	fair := (left + slots - 1) / slots
	return max(1, min(left, most, max(fair, int(leastWork/each)), int(mostWork/each)))
}

// firstPace is what a picture takes when nothing is known yet.
const firstPace = 2 * time.Second

// pace is how long a picture of a batch has taken of late.
func (w *Worker) pace() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return max(cmp.Or(w.each, firstPace), 10*time.Millisecond)
}

// keepPace notes how long so many pictures took.
func (w *Worker) keepPace(pictures int, took time.Duration) {
	each := took / time.Duration(pictures)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.each = (cmp.Or(w.each, each) + each) / 2
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
