package render

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"
)

const (
	// workerMemory and workerMemoryPerByte are what a worker takes: 0.7 GB for
	// a raw of 24 megapixels and 48 MB, and more while it works.
	workerMemory        = 300 << 20
	workerMemoryPerByte = 20
	// tolerated is how many workers in a row may fail before previews do
	// without.
	tolerated = 2
	// longestService is how many previews a worker makes before another takes
	// its place: darktable keeps a little of each.
	longestService = 64
)

// WorkersOptions bound the prepared workers.
type WorkersOptions struct {
	// Max is how many there are at once, those that serve and those that wait.
	// Default the number of CPUs. None is started when memory is short.
	Max int
	// Idle is how long one waits for the next preview; default 2 minutes.
	Idle time.Duration
	// Recovery is how long previews do without workers when two of them in a row
	// have failed; default 10 minutes.
	Recovery time.Duration
}

// Workers make previews fast: darktables that have loaded a raw and wait for the
// next edit. What they cannot do, the command line does.
//
// Nothing that they make is believed before it was tested: the first preview
// comes from the command line, and in the background a worker makes the same one,
// which must look the same.
type Workers struct {
	d              *Darktable
	max            int
	idle, recovery time.Duration

	closing context.Context // ends with Close
	cancel  context.CancelFunc

	mu       sync.Mutex
	waiting  []*worker // the one that waits for longest first
	serving  int
	trust    trust
	failures int
	reason   error
	until    time.Time // when the reason is forgotten
	tasks    sync.WaitGroup
}

// trust is what the test of the workers has shown.
type trust int

const (
	untested trust = iota
	beingTested
	tested
)

// NewWorkers makes a pool of prepared workers, without starting one. It must be
// closed. A nil opts means defaults.
func NewWorkers(d *Darktable, opts *WorkersOptions) *Workers {
	var o WorkersOptions
	if opts != nil {
		o = *opts
	}
	p := &Workers{d: d, max: max(1, cmp.Or(o.Max, runtime.NumCPU())), idle: cmp.Or(o.Idle, 2*time.Minute), recovery: cmp.Or(o.Recovery, 10*time.Minute)}
	p.closing, p.cancel = context.WithCancel(context.Background())
	return p
}

// WorkersStatus tells how previews are made.
type WorkersStatus struct {
	// Waiting and Serving count the workers.
	Waiting, Serving int
	// Tested tells whether workers have proven themselves.
	Tested bool
	// Reason is why previews do without workers at present, and nil when they
	// do not, or when nothing is known yet.
	Reason error
}

// Status tells how previews are made at present.
func (p *Workers) Status() WorkersStatus {
	p.mu.Lock()
	defer p.mu.Unlock()
	return WorkersStatus{Waiting: len(p.waiting), Serving: p.serving, Tested: p.trust == tested, Reason: p.unfit(0)}
}

// unfit is why no worker should be used for a raw of so many bytes. The caller
// holds the lock.
func (p *Workers) unfit(size int64) error {
	if p.reason != nil && time.Now().After(p.until) {
		p.reason, p.failures = nil, 0
	}
	need := int64(workerMemory) + workerMemoryPerByte*size
	switch free := freeMemory(); {
	case p.closing.Err() != nil:
		return errors.New("the workers are closed")
	case p.reason != nil:
		return p.reason
	case free < need:
		return fmt.Errorf("memory is short: %d MB are free, a prepared worker needs %d MB", free>>20, need>>20)
	}
	return nil
}

// Close ends all workers and waits for their end.
func (p *Workers) Close() error {
	p.mu.Lock()
	p.cancel()
	waiting := p.waiting
	p.waiting = nil
	p.mu.Unlock()
	for _, w := range waiting {
		p.discard(w)
	}
	p.tasks.Wait()
	return nil
}

// go runs f in the background, until Close at the latest; not after it.
func (p *Workers) background(f func(ctx context.Context)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closing.Err() == nil {
		p.tasks.Go(func() { f(p.closing) })
	}
}

// take gives a worker to serve: one that waits, or a new one. It gives nil when
// there are too many, and an error when there should be none.
func (p *Workers) take(key workerKey) (*worker, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := len(p.waiting) - 1; i >= 0; i-- {
		w := p.waiting[i]
		if !w.alive() {
			p.drop(i)
		} else if w.key == key {
			p.waiting = slices.Delete(p.waiting, i, i+1)
			w.expiry.Stop()
			p.serving++
			return w, nil
		}
	}
	if err := p.unfit(key.size); err != nil {
		return nil, err
	}
	for len(p.waiting) > 0 && len(p.waiting)+p.serving >= p.max {
		p.drop(0)
	}
	if p.serving >= p.max {
		return nil, nil
	}
	w, err := p.d.startWorker(key)
	if err != nil {
		return nil, err
	}
	p.serving++
	return w, nil
}

// drop ends a worker that waits. The caller holds the lock.
func (p *Workers) drop(i int) {
	w := p.waiting[i]
	p.waiting = slices.Delete(p.waiting, i, i+1)
	w.expiry.Stop()
	p.tasks.Go(w.end)
}

// discard ends a worker, in the background.
func (p *Workers) discard(w *worker) {
	if w.expiry != nil {
		w.expiry.Stop()
	}
	p.tasks.Go(w.end)
}

// release takes a worker back, which has done well or has failed.
func (p *Workers) release(w *worker, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.serving--
	switch {
	case err == nil:
		p.failures = 0
	case errors.Is(err, context.Canceled): // not the worker's fault
	default:
		if p.failures++; p.failures >= tolerated {
			p.distrust(err)
		}
	}
	if err != nil || p.closing.Err() != nil || !w.alive() || w.served >= longestService {
		p.discard(w)
		return
	}
	w.tidy()
	w.expiry = time.AfterFunc(p.idle, func() { p.expire(w) })
	p.waiting = append(p.waiting, w)
}

// distrust has previews do without workers for a while. The caller holds the
// lock.
func (p *Workers) distrust(reason error) { p.reason, p.until = reason, time.Now().Add(p.recovery) }

// expire ends a worker that nobody wanted.
func (p *Workers) expire(w *worker) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.Index(p.waiting, w); i >= 0 {
		p.drop(i)
	}
}

// tidy removes what a worker needed for what it has served.
func (w *worker) tidy() {
	_ = os.RemoveAll(w.box.at("edit"))
	_ = os.Mkdir(w.box.at("edit"), 0o700)
}
