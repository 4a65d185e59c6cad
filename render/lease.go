package render

import (
	"context"
	"sync"
	"time"
)

// A lease is a context whose time can be extended until it is over. Its values are
// those of the context within.
type lease struct {
	context.Context
	done chan struct{}

	mu    sync.Mutex
	end   time.Time // zero is never
	timer *time.Timer
	err   error
}

// newLease gives a context that ends at the given time, or never.
func newLease(values context.Context, end time.Time) *lease {
	l := &lease{Context: context.WithoutCancel(values), done: make(chan struct{}), end: end}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !end.IsZero() {
		l.timer = time.AfterFunc(time.Until(end), l.expire)
	}
	return l
}

// expire ends the lease when its time is over.
func (l *lease) expire() {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch left := time.Until(l.end); {
	case l.end.IsZero(): // it was extended meanwhile
	case left > 0:
		l.timer.Reset(left)
	default:
		l.finish(context.DeadlineExceeded)
	}
}

// extend has the lease end at the given time, or never, unless it ends later.
func (l *lease) extend(end time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if end.IsZero() || !l.end.IsZero() && end.After(l.end) {
		l.end = end
	}
}

// expireNow ends the lease as if its time were over.
func (l *lease) expireNow() { l.stop(context.DeadlineExceeded) }

// cancel ends the lease now.
func (l *lease) cancel() { l.stop(context.Canceled) }

func (l *lease) stop(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.timer != nil {
		l.timer.Stop()
	}
	l.finish(err)
}

func (l *lease) finish(err error) {
	if l.err == nil {
		l.err = err
		close(l.done)
	}
}

// Deadline is when the lease ends, as it is known now.
func (l *lease) Deadline() (time.Time, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.end, !l.end.IsZero()
}

func (l *lease) Done() <-chan struct{} { return l.done }

func (l *lease) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}
