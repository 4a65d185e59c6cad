package farm

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/chemigram/chemigram/objects"
)

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
