package render

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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
	// maxFailures is how many workers in a row may fail before previews do
	// without.
	maxFailures = 2
	// maxServed is how many previews a worker makes before another replaces it:
	// darktable keeps a little of each in memory.
	maxServed = 64
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
// They are tested before they are used: the first preview comes from the command
// line, and in the background a worker makes the same one, which must look the
// same.
type Workers struct {
	d              *Darktable
	max            int
	idle, recovery time.Duration

	closing context.Context // ends with Close
	cancel  context.CancelFunc

	mu       sync.Mutex
	waiting  []*worker // the one that has waited for longest first
	serving  []*worker
	freed    chan struct{} // closed, and made anew, when one of them serves no longer
	test     testState
	testOf   string // the darktable's identity
	failures int    // in a row
	reason   error
	until    time.Time // when the reason ends
	tasks    sync.WaitGroup
}

// testState is how far the test of the workers is.
type testState int

const (
	untested testState = iota
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
	p := &Workers{d: d, max: max(1, cmp.Or(o.Max, runtime.NumCPU())), idle: cmp.Or(o.Idle, 2*time.Minute), recovery: cmp.Or(o.Recovery, 10*time.Minute), freed: make(chan struct{})}
	p.closing, p.cancel = context.WithCancel(context.Background())
	return p
}

// WorkersStatus is how previews are made.
type WorkersStatus struct {
	// Waiting and Serving count the workers.
	Waiting, Serving int
	// Tested reports whether workers have passed their test.
	Tested bool
	// Reason is why previews do without workers at present, and nil when they
	// do not, or when nothing is known yet.
	Reason error
}

// Status gives how previews are made at present.
func (p *Workers) Status() WorkersStatus {
	p.mu.Lock()
	defer p.mu.Unlock()
	return WorkersStatus{Waiting: len(p.waiting), Serving: len(p.serving), Tested: p.test == tested, Reason: p.unusable(0)}
}

// unusable is the reason why no worker can be used for a raw of so many bytes, and
// nil when one can. The caller holds the lock.
func (p *Workers) unusable(size int64) error {
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
		p.endWorker(w)
	}
	p.tasks.Wait()
	return nil
}

// background runs f in a goroutine, whose context ends with Close. After Close it
// does nothing.
func (p *Workers) background(f func(ctx context.Context)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closing.Err() == nil {
		p.tasks.Go(func() { f(p.closing) })
	}
}

// take gives a worker to serve: one that waits, or a new one. It fails with errBusy when
// all serve others, with an errPrepared when a patient caller is to wait for one that
// serves, and otherwise when there can be none.
func (p *Workers) take(key workerKey, patient bool) (*worker, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := len(p.waiting) - 1; i >= 0; i-- {
		w := p.waiting[i]
		if !w.isAlive() {
			p.endWaiting(i)
		} else if w.key == key {
			p.waiting = slices.Delete(p.waiting, i, i+1)
			w.expiry.Stop()
			p.serving = append(p.serving, w)
			return w, nil
		}
	}
	if patient && slices.ContainsFunc(p.serving, func(w *worker) bool { return w.key == key }) {
		return nil, errPrepared{p.freed}
	}
	if err := p.unusable(key.stamp.Size); err != nil {
		return nil, err
	}
	for len(p.waiting) > 0 && len(p.waiting)+len(p.serving) >= p.max {
		p.endWaiting(0)
	}
	if len(p.serving) >= p.max {
		return nil, errBusy
	}
	w, err := p.d.startWorker(key)
	if err != nil {
		return nil, err
	}
	p.serving = append(p.serving, w)
	return w, nil
}

// endWaiting ends a worker that waits. The caller holds the lock.
func (p *Workers) endWaiting(i int) {
	w := p.waiting[i]
	p.waiting = slices.Delete(p.waiting, i, i+1)
	w.expiry.Stop()
	p.tasks.Go(w.end)
}

// endWorker ends a worker in the background.
func (p *Workers) endWorker(w *worker) {
	if w.expiry != nil {
		w.expiry.Stop()
	}
	p.tasks.Go(w.end)
}

// release takes a worker back, with the error of what it was asked for.
func (p *Workers) release(w *worker, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.serving = slices.DeleteFunc(p.serving, func(other *worker) bool { return other == w })
	defer func() {
		close(p.freed)
		p.freed = make(chan struct{})
	}()
	switch {
	case err == nil:
		p.failures = 0
	case errors.Is(err, context.Canceled), isUnverified(err): // not the worker's fault
	default:
		if p.failures++; p.failures >= maxFailures {
			p.suspend(err)
		}
	}
	if err != nil || p.closing.Err() != nil || !w.isAlive() || w.served >= maxServed {
		p.endWorker(w)
		return
	}
	w.removeEdits()
	w.expiry = time.AfterFunc(p.idle, func() { p.expire(w) })
	p.waiting = append(p.waiting, w)
}

// suspend makes previews do without workers for a while. The caller holds the
// lock.
func (p *Workers) suspend(reason error) { p.reason, p.until = reason, time.Now().Add(p.recovery) }

// expire ends a worker that nobody wanted.
func (p *Workers) expire(w *worker) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.Index(p.waiting, w); i >= 0 {
		p.endWaiting(i)
	}
}
