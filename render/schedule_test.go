package render

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func testScheduler(slots int, free int64) *scheduler {
	return &scheduler{slots: slots, processors: 4, free: func() int64 { return free }}
}

// granted reports which of the slots are ready, in their order.
func granted(slots ...*slot) []bool {
	all := make([]bool, len(slots))
	for i, p := range slots {
		select {
		case <-p.ready:
			all[i] = true
		default:
		}
	}
	return all
}

func wantGranted(t *testing.T, when string, slots []*slot, want ...bool) {
	t.Helper()
	if diff := cmp.Diff(want, granted(slots...)); diff != "" {
		t.Errorf("%s: granted (-want +got)\n%s", when, diff)
	}
}

func TestFiftyPicturesOfOneImageDoNotKeepAnotherWaiting(t *testing.T) {
	t.Parallel()
	s := testScheduler(1, 0)
	running := s.enqueue(request{owner: "a"})
	many := make([]*slot, 50)
	for i := range many {
		many[i] = s.enqueue(request{owner: "a"})
	}
	one := s.enqueue(request{owner: "b"})
	wantGranted(t, "before anything ended", []*slot{running, many[0], one}, true, false, false)
	running.release()
	many[0].release()
	wantGranted(t, "after one of the other's", []*slot{many[0], one, many[1]}, true, true, false)
	one.release()
	for i, p := range many[1:] {
		wantGranted(t, "in the order of their coming", many[i+1:min(i+3, len(many))], []bool{true, false}[:min(2, len(many)-i-1)]...)
		p.release()
	}
	if s.batches+s.single+len(s.queues) != 0 {
		t.Errorf("something is left: %+v", s)
	}
}

func TestAPreviewDoesNotWaitForABatch(t *testing.T) {
	t.Parallel()
	s := testScheduler(2, 0)
	batch, other := &batch{}, &batch{}
	slots := []*slot{
		s.enqueue(request{owner: batch, batch: 2}), s.enqueue(request{owner: batch, batch: 2}), s.enqueue(request{owner: batch, batch: 2}),
		s.enqueue(request{owner: "a"}), s.enqueue(request{owner: "b"}),
		s.enqueue(request{owner: other, batch: 2}),
	}
	wantGranted(t, "one picture runs beside a batch", slots, true, true, false, true, false, false)
	slots[3].release()
	wantGranted(t, "the next one follows", slots, true, true, false, true, true, false)
	slots[4].release()
	slots[0].release()
	wantGranted(t, "batches take turns as they came", slots, true, true, true, true, true, false)
	slots[1].release()
	wantGranted(t, "the other's turn", slots, true, true, true, true, true, true)
}

func TestTheProcessorsAreShared(t *testing.T) {
	t.Parallel()
	s := testScheduler(4, 0)
	for i, want := range []int{4, 2, 1, 1} {
		if p := s.enqueue(request{owner: i}); p.threads != want {
			t.Errorf("process %d has %d threads, want %d", i, p.threads, want)
		}
	}
	s = testScheduler(4, 0)
	if p := s.enqueue(request{owner: "a", batch: 2}); p.threads != 2 {
		t.Errorf("the first of two of a batch has %d threads, want 2", p.threads)
	}
	s = testScheduler(1, 0)
	if p := s.enqueue(request{owner: "a", batch: 3}); p.threads != 4 {
		t.Errorf("the only one that may run has %d threads, want 4", p.threads)
	}
}

func TestTheUserDecidesOnThreads(t *testing.T) {
	p := testScheduler(2, 0).enqueue(request{owner: "a", batch: 2})
	t.Setenv(ompThreads, "3")
	if got := p.environment(); got != nil {
		t.Errorf("darktable is given %v in spite of the user", got)
	}
	if err := os.Unsetenv(ompThreads); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"OMP_NUM_THREADS=2"}, p.environment()); diff != "" {
		t.Error(diff)
	}
}

func TestNoneStartsThatMemoryIsTooShortFor(t *testing.T) {
	t.Parallel()
	s := testScheduler(3, 1000)
	large, second := s.enqueue(request{owner: "a", memory: 5000}), s.enqueue(request{owner: "b", memory: 1001})
	small := s.enqueue(request{owner: "c", memory: 1})
	slots := []*slot{large, second, small}
	wantGranted(t, "alone it may try", slots, true, false, false)
	large.release()
	wantGranted(t, "the next, and what there is room for", slots, true, true, true)
}

func TestARequestThatIsTakenBackLeavesNothing(t *testing.T) {
	t.Parallel()
	s := testScheduler(1, 0)
	running := s.enqueue(request{owner: "a"})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.acquire(ctx, request{owner: "b"}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want canceled", err)
	}
	late := s.enqueue(request{owner: "c"})
	running.release()
	late.withdraw() // after it was granted
	if s.batches+s.single+len(s.queues) != 0 {
		t.Errorf("something is left: %+v", s)
	}
	if p, err := s.acquire(t.Context(), request{owner: "d"}); err != nil {
		t.Error(err)
	} else {
		p.release()
	}
}
