package farm

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/chemigram/chemigram/internal/redact"
	"github.com/chemigram/chemigram/internal/regularfile"
	"github.com/chemigram/chemigram/objects"
	"github.com/chemigram/chemigram/render"
)

// Options are the options of [Open].
type Options struct {
	// Store has the raws and the pictures: a folder or a bucket that the workers reach,
	// too, and which nothing else is in. It must be given, and is the caller's to close.
	Store objects.Store
	// URL of the brokers, such as "nats://host1:4222,nats://host2:4222". Credentials are
	// taken from the environment alone: NATS_CREDS, NATS_NKEY, NATS_USER and
	// NATS_PASSWORD, NATS_TOKEN, NATS_CA, NATS_CERT and NATS_KEY. Default: a broker in
	// this process.
	URL string
	// Listen is where the broker in this process listens for workers, such as
	// "127.0.0.1:4222". Where another one listens already, that is taken. Default:
	// nowhere, for workers in this process.
	Listen string
	// Replicas is how many brokers keep the queue, when it is made. Default: 3 in a
	// cluster, otherwise 1.
	Replicas int
	// Patience is after which time without news a picture is looked for and asked for
	// again. Default: 10 s.
	Patience time.Duration
	// Pause is for how long all pictures are developed here after the broker or the store
	// has failed. Default: 15 s.
	Pause time.Duration
	// Logger receives what is worth knowing. Default: nothing is logged.
	Logger *slog.Logger
}

// Renderer develops an engine's pictures on workers; it is a [render.Elsewhere]. It is safe
// for concurrent use.
type Renderer struct {
	o       Options
	log     *slog.Logger
	broker  *embedded // nil when it is elsewhere
	nc      *nats.Conn
	closing context.Context
	cancel  context.CancelFunc

	mu      sync.Mutex
	js      jetstream.JetStream // nil until the queue was there
	stream  jetstream.Stream
	away    time.Time // until when pictures are developed here
	crews   map[string]*crew
	sent    map[string]bool // raws, by digest, that are in the store
	sending map[string]*sync.Mutex
}

var _ render.Elsewhere = (*Renderer)(nil)

// Why pictures are developed on this machine.
var (
	errAway      = errors.New("the broker or the store was away a moment ago")
	errNobody    = errors.New("no worker has this darktable")
	errTooLong   = errors.New("the workers took too long")
	errNoBroker  = errors.New("the broker is away")
	errAsked     = errors.New("it was asked for several times without a picture")
	errUnrelated = errors.New("the raw is not what its digest says")
)

// Open opens a farm. A broker that is away is no error: pictures are developed here until
// it is there.
func Open(ctx context.Context, o *Options) (_ *Renderer, err error) {
	r := &Renderer{crews: map[string]*crew{}, sent: map[string]bool{}, sending: map[string]*sync.Mutex{}}
	if o != nil {
		r.o = *o
	}
	if r.o.Store == nil {
		return nil, errors.New("a farm needs a store: a folder or a bucket that its workers reach, too")
	}
	if r.o.URL != "" && r.o.Listen != "" {
		return nil, errors.New("give the address of a broker, or where the broker in this process listens, not both")
	}
	r.o.Patience, r.o.Pause = cmp.Or(r.o.Patience, 10*time.Second), cmp.Or(r.o.Pause, 15*time.Second)
	r.log = redact.Logger(r.o.Logger)
	r.closing, r.cancel = context.WithCancel(context.WithoutCancel(ctx))
	const name = "chemigram"
	if r.o.URL == "" {
		switch r.broker, err = startEmbedded(ctx, r.o.Listen); {
		case err == nil:
			r.nc, err = r.broker.dial(name)
		case errors.Is(err, errTaken):
			r.nc, err = dial("nats://"+r.o.Listen, name)
		}
	} else if err = checkURLs(r.o.URL); err == nil {
		r.nc, err = dial(r.o.URL, name)
	}
	if err == nil {
		return r, nil
	}
	r.cancel()
	if r.broker != nil {
		r.broker.close()
	}
	return nil, err
}

// URL is where workers reach the broker in this process; "" when there is none.
func (r *Renderer) URL() string {
	if r.broker == nil || r.o.Listen == "" {
		return ""
	}
	return r.broker.url()
}

// Close ends the broker in this process, and what still waits for pictures.
func (r *Renderer) Close() error {
	r.cancel()
	r.nc.Close()
	if r.broker != nil {
		r.broker.close()
	}
	return nil
}

// Develop has a worker develop a picture, or takes it from the store when one has done so
// before. It fails with darktable's *render.Error after three tries, and with another error
// when the picture is to be developed here.
func (r *Renderer) Develop(ctx context.Context, o render.Order) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(r.closing, cancel)()
	// As with prepared darktables, what somebody waits for leaves half of its time for
	// the one of this machine.
	if deadline, has := ctx.Deadline(); has && o.Among == 1 {
		var end context.CancelFunc
		ctx, end = context.WithTimeoutCause(ctx, time.Until(deadline)/2, errTooLong)
		defer end()
	}
	err := r.develop(ctx, o)
	if err != nil {
		if _, ok := errors.AsType[*render.Error](err); !ok && ctx.Err() == nil && !errors.Is(err, errAway) {
			r.log.Info("a picture is developed here", "raw", o.Job.Raw, "reason", err)
		}
	}
	return err
}

func (r *Renderer) develop(ctx context.Context, o render.Order) error {
	if err := r.isAway(); err != nil {
		return err
	}
	raw, info, err := regularfile.Open(o.Job.Raw)
	if err != nil {
		return err
	}
	defer raw.Close()
	w := &wait{r: r, ctx: ctx, raw: raw, o: o}
	w.job = newJob(o, strings.ToLower(rand.Text()), info.Size())
	if err := w.job.check(); err != nil {
		return err
	}
	w.key = w.job.key()
	if done, err := w.take(getAny); done || err != nil {
		return err
	}
	return w.run()
}

// isAway fails while everything is developed here.
func (r *Renderer) isAway() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case time.Now().Before(r.away):
		return errAway
	case !r.nc.IsConnected():
		return errNoBroker
	}
	return nil
}

// pause has everything developed here for a while, unless ctx is what has ended.
func (r *Renderer) pause(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if now := time.Now(); now.After(r.away) {
		r.log.Warn("the farm is away; pictures are developed here", "reason", err, "for", r.o.Pause)
		r.away = now.Add(r.o.Pause)
	}
	return err
}

// queue gives the stream of jobs, made when it is missing.
func (r *Renderer) queue(ctx context.Context) (jetstream.JetStream, jetstream.Stream, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.js != nil {
		return r.js, r.stream, nil
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	js, stream, err := queue(ctx, r.nc, r.o.Replicas)
	if err == nil {
		r.js, r.stream = js, stream
	}
	return js, stream, err
}

// forgetQueue has the queue looked for again: a broker may have lost it.
func (r *Renderer) forgetQueue() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.js, r.stream = nil, nil
}

// send makes sure that a raw is in the store. again is set when it was, and is not any
// more.
func (r *Renderer) send(ctx context.Context, raw *os.File, size int64, digest string, again bool) error {
	r.mu.Lock()
	known := r.sent[digest]
	lock := r.sending[digest]
	if lock == nil {
		lock = &sync.Mutex{}
		r.sending[digest] = lock
	}
	r.mu.Unlock()
	if known && !again {
		return nil
	}
	lock.Lock()
	defer lock.Unlock()
	r.mu.Lock()
	known = r.sent[digest]
	r.mu.Unlock()
	if known && !again {
		return nil
	}
	err := r.o.Store.Create(ctx, rawObject(digest), &provenReader{file: raw, size: size, digest: digest})
	if err != nil && !errors.Is(err, objects.Exists) {
		if errors.Is(err, errDamaged) {
			return errUnrelated
		}
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sent[digest] = true
	return nil
}

// getAny opens an object that may be there.
func getAny(ctx context.Context, s objects.Store, name string) (io.ReadCloser, error) {
	return s.Get(ctx, name)
}

// take brings a picture from the store, when it is there. A damaged one is removed, so that
// it is made again.
func (w *wait) take(get func(context.Context, objects.Store, string) (io.ReadCloser, error)) (done bool, err error) {
	s, name := w.r.o.Store, resultObject(w.key)
	from, err := get(w.ctx, s, name)
	if errors.Is(err, objects.NotFound) {
		return false, nil
	}
	if err == nil {
		err = readRecord(w.ctx, from, w.key, w.o.Job.Output)
		_ = from.Close() // it was only read
	}
	var system *fs.PathError
	switch {
	case err == nil:
		return true, nil
	case errors.Is(err, errDamaged):
		w.r.log.Warn("a picture in the store is damaged, and made again", "object", name, "reason", err)
		return false, s.Delete(w.ctx, name)
	case errors.As(err, &system): // this machine's disk
		return false, err
	}
	return false, w.r.pause(w.ctx, fmt.Errorf("the store: %w", err))
}
