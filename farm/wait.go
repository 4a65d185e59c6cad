package farm

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/chemigram/chemigram/render"
)

const (
	// mostShare bounds how many pictures one process of a worker takes at once.
	mostShare = 16
	// mostNoRaw is how often a raw is sent again that workers do not find.
	mostNoRaw = 3
	// lostBroker is how long the broker may be away while a picture is waited for.
	lostBroker = 10 * time.Second
	// lostWorkers is how long none may answer meanwhile.
	lostWorkers = 5 * time.Second
	// mostPatience is how many times its length patience becomes.
	mostPatience = 8
)

// wait is a picture that is waited for.
type wait struct {
	r   *Renderer
	ctx context.Context //nolint:containedctx // that of the call
	o   render.Order
	raw *os.File
	job *job
	key string

	queued       uint64 // the job's number in the queue; 0 when another one has asked for it
	noRaw        int
	damaged      int
	patience     time.Duration
	seen, crewed time.Time // when the broker, and workers, were last there
}

func (w *wait) class() class {
	if w.o.Among == 1 {
		return single
	}
	return batch
}

// run asks for the picture and waits for it.
func (w *wait) run() error {
	slots, err := w.r.slots(w.ctx, w.job.Darktable)
	if err != nil {
		return w.failed(err)
	}
	w.job.Slots, w.job.Share = slots, max(1, min(mostShare, (w.o.Among+slots-1)/slots))
	if err := w.r.send(w.ctx, w.raw, w.job.RawBytes, w.job.Raw, false); err != nil {
		return w.storeFailed(err)
	}
	news, err := w.r.nc.SubscribeSync(donePrefix + w.key)
	if err != nil {
		return w.failed(err)
	}
	defer func() { _ = news.Unsubscribe() }()
	if err := w.ask(); err != nil {
		return w.failed(err)
	}
	defer w.withdraw()
	w.seen, w.crewed, w.patience = time.Now(), time.Now(), w.r.o.Patience
	for looked, reconnects := time.Now(), w.r.nc.Stats().Reconnects; ; {
		m, err := w.next(news)
		switch {
		case w.ctx.Err() != nil:
			return context.Cause(w.ctx)
		case err == nil:
			if done, err := w.hear(m); done || err != nil {
				w.queued = 0
				return err
			}
			looked = time.Now()
			continue
		case !errors.Is(err, context.DeadlineExceeded):
			return w.failed(err)
		}
		if err := w.isAlive(); err != nil {
			return err
		}
		if now := w.r.nc.Stats().Reconnects; now != reconnects { // news may have been lost
			reconnects, w.patience = now, w.r.o.Patience
		}
		if time.Since(looked) < w.patience {
			continue
		}
		looked, w.patience = time.Now(), min(2*w.patience, mostPatience*w.r.o.Patience)
		if done, err := w.take(getAny); done || err != nil {
			return err
		}
		if err := w.ask(); err != nil && w.r.nc.IsConnected() && !isPassing(err) {
			return w.failed(err)
		}
	}
}

// isAlive fails when the broker, or the workers, have been away for too long.
func (w *wait) isAlive() error {
	now := time.Now()
	if !w.r.nc.IsConnected() {
		if now.Sub(w.seen) > lostBroker {
			return w.failed(errNoBroker)
		}
		return nil
	}
	w.seen = now
	if _, err := w.r.slots(w.ctx, w.job.Darktable); err == nil {
		w.crewed = now
	}
	if now.Sub(w.crewed) > lostWorkers {
		return errNobody
	}
	return nil
}

// next waits a little for news.
func (w *wait) next(news *nats.Subscription) (*nats.Msg, error) {
	ctx, cancel := context.WithTimeout(w.ctx, min(time.Second, w.r.o.Patience))
	defer cancel()
	return news.NextMsgWithContext(ctx)
}

// ask puts the job into the queue, unless it is there.
func (w *wait) ask() error {
	message, err := w.job.encode()
	if err != nil {
		return err
	}
	js, _, err := w.r.queue(w.ctx)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(w.ctx, 5*time.Second)
	defer cancel()
	ack, err := js.Publish(ctx, w.class().subject(w.job.Darktable, w.key), message, jetstream.WithExpectStream(streamName))
	switch {
	case err == nil:
		w.queued = ack.Sequence
	case isQueued(err):
		return nil
	default:
		w.r.forgetQueue()
	}
	return err
}

// isPassing reports whether brokers that choose a new leader give such an error.
func isPassing(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, nats.ErrTimeout) || errors.Is(err, nats.ErrNoResponders) ||
		errors.Is(err, jetstream.ErrNoStreamResponse) || errors.Is(err, nats.ErrDisconnected) || errors.Is(err, nats.ErrReconnectBufExceeded)
}

// hear does what a message about the job demands. Whoever reaches the broker can send one:
// the picture is in the store, or it is not.
func (w *wait) hear(m *nats.Msg) (done bool, err error) {
	news, err := decodeOutcome(m.Data)
	switch {
	case err != nil:
		return false, nil
	case news.Made:
		done, err := w.take(getTold)
		if done || err != nil {
			return done, err
		}
		if w.damaged++; w.damaged > mostTries {
			return false, errAsked
		}
		return false, w.ask()
	case news.NoRaw:
		if w.noRaw++; w.noRaw > mostNoRaw {
			return false, errAsked
		}
		if err := w.r.send(w.ctx, w.raw, w.job.RawBytes, w.job.Raw, true); err != nil {
			return false, w.storeFailed(err)
		}
		return false, w.ask()
	case news.Failure != nil && news.Failure.isOfJob():
		return false, news.Failure.err(w.o.Job.Raw)
	case news.Failure != nil:
		return false, fmt.Errorf("the workers could not: %s", news.Failure.Message)
	case news.Unable != "":
		return false, fmt.Errorf("the workers could not: %s", news.Unable)
	}
	return false, nil
}

// withdraw takes the job out of the queue, when nobody waits for it any more.
func (w *wait) withdraw() {
	if w.queued == 0 || !w.r.nc.IsConnected() {
		return
	}
	w.r.mu.Lock()
	stream := w.r.stream
	w.r.mu.Unlock()
	if stream == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(w.ctx), 2*time.Second)
	defer cancel()
	_ = stream.DeleteMsg(ctx, w.queued) // it may be done
}

// failed is an error of the broker: everything is developed here for a while, unless there
// are just no workers.
func (w *wait) failed(err error) error {
	if errors.Is(err, errNobody) || w.ctx.Err() != nil {
		return err
	}
	return w.r.pause(w.ctx, fmt.Errorf("the broker: %w", err))
}

func (w *wait) storeFailed(err error) error {
	if errors.Is(err, errUnrelated) {
		return err
	}
	return w.r.pause(w.ctx, fmt.Errorf("the store: %w", err))
}
