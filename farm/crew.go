package farm

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// freshCrew is for how long it is known which workers there are, and freshNobody for how
// long that there are none.
const (
	freshCrew   = 5 * time.Second
	freshNobody = time.Second
	// mostAnswer is how long the first worker may take to answer, and moreAnswers how long
	// the others may take after the one before.
	mostAnswer  = time.Second
	moreAnswers = 20 * time.Millisecond
	mostWorkers = 1 << 14
)

// presence is what a worker answers when it is asked whether it is there.
type presence struct {
	// Slots is how many pictures it develops at once.
	Slots int `json:"slots"`
}

// crew is what is known of the workers of a darktable.
type crew struct {
	mu    sync.Mutex
	asked time.Time
	slots int
}

// slots is how many pictures the workers of a darktable develop at once. It fails with
// errNobody when there are none.
func (r *Renderer) slots(ctx context.Context, darktable string) (int, error) {
	r.mu.Lock()
	c := r.crews[darktable]
	if c == nil {
		c = &crew{}
		r.crews[darktable] = c
	}
	r.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	fresh := freshCrew
	if c.slots == 0 {
		fresh = freshNobody
	}
	if time.Since(c.asked) > fresh {
		slots, err := muster(ctx, r.nc, darktable)
		if err != nil {
			return 0, err
		}
		c.asked, c.slots = time.Now(), slots
	}
	if c.slots == 0 {
		return 0, errNobody
	}
	return c.slots, nil
}

// muster asks for the workers of a darktable, and counts their slots.
func muster(ctx context.Context, nc *nats.Conn, darktable string) (slots int, err error) {
	inbox := nc.NewRespInbox()
	answers, err := nc.SubscribeSync(inbox)
	if err != nil {
		return 0, err
	}
	defer func() { _ = answers.Unsubscribe() }()
	if err := nc.PublishRequest(workersPrefix+darktable, inbox, nil); err != nil {
		return 0, err
	}
	wait := mostAnswer
	for range mostWorkers {
		limited, cancel := context.WithTimeout(ctx, wait)
		m, err := answers.NextMsgWithContext(limited)
		cancel()
		switch {
		case errors.Is(err, nats.ErrNoResponders):
			return 0, nil
		case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
			return slots, nil
		case err != nil:
			return 0, err
		}
		var p presence
		if json.Unmarshal(m.Data, &p) == nil && p.Slots > 0 && p.Slots <= 1<<10 {
			slots += p.Slots
		}
		wait = moreAnswers
	}
	return slots, nil
}
