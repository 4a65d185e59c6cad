package render

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"
)

// Quality is one of darktable's own ways to a preview.
type Quality string

const (
	// Draft demosaics at half size, in a prepared worker: tone and colour are
	// right, fine texture and sharpness are not.
	Draft Quality = "draft"
	// Fine demosaics at full size, in a prepared worker.
	Fine Quality = "fine"
	// Exact is the export itself.
	Exact Quality = "exact"
)

const (
	// workerMemory is what must be free to start a worker: it takes 0.7 GB for
	// a raw of 24 megapixels.
	workerMemory = 3 << 29
	// tolerated is how many workers in a row may fail before previews do
	// without, for the time of recovery.
	tolerated = 2
	recovery  = 10 * time.Minute
)

// WorkersOptions bound the prepared workers.
type WorkersOptions struct {
	// Max is how many there are at once, those that serve and those that wait.
	// Default the number of CPUs. None is started when less than 1.5 GB of
	// memory are free.
	Max int
	// Idle is how long one waits for the next preview; default 2 minutes.
	Idle time.Duration
}

// Workers make previews fast: while the caller looks at one, a darktable loads
// the raw for the next. What they cannot do, the export does.
type Workers struct {
	d    *Darktable
	max  int
	idle time.Duration

	mu       sync.Mutex
	waiting  []*worker // the one that waits for longest first
	serving  int
	failures int
	reason   error
	until    time.Time // when the reason is forgotten
	closed   bool
	tasks    sync.WaitGroup
}

// NewWorkers makes a pool of prepared workers, without starting one. It must be
// closed. A nil opts means defaults.
func NewWorkers(d *Darktable, opts *WorkersOptions) *Workers {
	var o WorkersOptions
	if opts != nil {
		o = *opts
	}
	return &Workers{d: d, max: cmp.Or(o.Max, runtime.NumCPU()), idle: cmp.Or(o.Idle, 2*time.Minute)}
}

// WorkersStatus tells how previews are made.
type WorkersStatus struct {
	// Waiting and Serving count the workers.
	Waiting, Serving int
	// Reason is why previews do without workers at present, and nil when they
	// do not.
	Reason error
}

// Status tells how previews are made at present.
func (p *Workers) Status() WorkersStatus {
	p.mu.Lock()
	defer p.mu.Unlock()
	return WorkersStatus{Waiting: len(p.waiting), Serving: p.serving, Reason: p.unfit()}
}

// unfit is why no worker should be used. The caller holds the lock.
func (p *Workers) unfit() error {
	if p.reason != nil && time.Now().After(p.until) {
		p.reason, p.failures = nil, 0
	}
	switch free := freeMemory(); {
	case p.closed:
		return errors.New("the workers are closed")
	case p.reason != nil:
		return p.reason
	case free < workerMemory:
		return fmt.Errorf("memory is short: %d MB are free, a prepared worker needs %d MB", free>>20, workerMemory>>20)
	}
	return nil
}

// Close ends all workers and waits for their end.
func (p *Workers) Close() error {
	p.mu.Lock()
	p.closed = true
	waiting := p.waiting
	p.waiting = nil
	p.mu.Unlock()
	for _, w := range waiting {
		p.discard(w)
	}
	p.tasks.Wait()
	return nil
}

// keyFor says what a worker for a raw must be prepared for.
func keyFor(raw string, q Quality) (workerKey, error) {
	info, err := os.Stat(raw)
	if err != nil {
		return workerKey{}, err
	}
	raw, err = filepath.Abs(raw)
	return workerKey{raw: raw, size: info.Size(), changed: info.ModTime(), quality: q}, err
}

// Prepare has a worker load a raw for a preview that is likely to be asked for.
// It does not wait, and does nothing when one is there or when workers are of
// no use.
func (p *Workers) Prepare(raw string, q Quality) {
	key, err := keyFor(raw, q)
	if err != nil || q != Draft && q != Fine {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	there := slices.ContainsFunc(p.waiting, func(w *worker) bool { return w.want == key })
	if there || p.unfit() != nil {
		return
	}
	p.tasks.Go(func() { p.prepare(key) })
}

// prepare starts a worker and waits until it is ready, as one of the darktables
// that may run at once.
func (p *Workers) prepare(key workerKey) {
	ctx, cancel := context.WithTimeout(context.Background(), DefaultTimeout)
	defer cancel()
	select {
	case p.d.slots <- struct{}{}:
		defer func() { <-p.d.slots }()
	case <-ctx.Done():
		return
	}
	w := p.enlist(key)
	if w == nil {
		return
	}
	select {
	case how := <-w.ready:
		w.ready <- how // for serve
	case <-w.ended:
	case <-ctx.Done():
	}
}

// enlist starts a worker that waits, in place of the one that waits for longest
// when there are too many. It gives nil when it is not wanted.
func (p *Workers) enlist(key workerKey) *worker {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || !p.makeRoom() {
		return nil
	}
	w, err := p.d.startWorker(key, true)
	if err != nil {
		return nil
	}
	w.expiry = time.AfterFunc(p.idle, func() {
		if p.withdraw(w) {
			p.discard(w)
		}
	})
	p.waiting = append(p.waiting, w)
	return w
}

// makeRoom tells whether one more worker may be started, after ending one that
// waits if need be. The caller holds the lock.
func (p *Workers) makeRoom() bool {
	for len(p.waiting) > 0 && len(p.waiting)+p.serving >= p.max {
		w := p.waiting[0]
		p.waiting = p.waiting[1:]
		p.discard(w)
	}
	return p.serving < p.max
}

// withdraw takes a worker from those that wait, and tells whether it was there.
func (p *Workers) withdraw(w *worker) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.Index(p.waiting, w)
	if i >= 0 {
		p.waiting = slices.Delete(p.waiting, i, i+1)
	}
	return i >= 0
}

// discard ends a worker, in the background.
func (p *Workers) discard(w *worker) {
	if w.expiry != nil {
		w.expiry.Stop()
	}
	p.tasks.Go(w.end)
}

// take gives a worker to serve a preview: one that waits, or a new one, or nil
// when there are too many.
func (p *Workers) take(key workerKey) (*worker, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.unfit(); err != nil {
		return nil, err
	}
	for i := 0; i < len(p.waiting); i++ {
		w := p.waiting[i]
		if w.want != key {
			continue
		}
		p.waiting = slices.Delete(p.waiting, i, i+1)
		select {
		case <-w.ended: // it died while it waited
			p.discard(w)
			i--
			continue
		default:
		}
		w.expiry.Stop()
		p.serving++
		return w, nil
	}
	if !p.makeRoom() {
		return nil, nil
	}
	w, err := p.d.startWorker(key, false)
	if err != nil {
		return nil, err
	}
	p.serving++
	return w, nil
}

// served notes how a worker has done.
func (p *Workers) served(w *worker, err error) {
	p.discard(w)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.serving--
	if err == nil {
		p.failures = 0
		return
	}
	if p.failures++; p.failures >= tolerated {
		p.reason, p.until = err, time.Now().Add(recovery)
	}
}
