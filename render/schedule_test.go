package render

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func testScheduler(places int, free int64) *scheduler {
	return &scheduler{places: places, processors: 4, free: func() int64 { return free }}
}

// granted tells which of the places are ready, in their order.
func granted(places ...*place) []bool {
	all := make([]bool, len(places))
	for i, p := range places {
		select {
		case <-p.ready:
			all[i] = true
		default:
		}
	}
	return all
}

func wantGranted(t *testing.T, when string, places []*place, want ...bool) {
	t.Helper()
	if diff := cmp.Diff(want, granted(places...)); diff != "" {
		t.Errorf("%s: granted (-want +got)\n%s", when, diff)
	}
}

func TestFiftyPicturesOfOneImageDoNotKeepAnotherWaiting(t *testing.T) {
	t.Parallel()
	s := testScheduler(1, 0)
	running := s.join(claim{owner: "a"})
	many := make([]*place, 50)
	for i := range many {
		many[i] = s.join(claim{owner: "a"})
	}
	one := s.join(claim{owner: "b"})
	wantGranted(t, "before anything ended", []*place{running, many[0], one}, true, false, false)
	running.leave()
	many[0].leave()
	wantGranted(t, "after one of the other's", []*place{many[0], one, many[1]}, true, true, false)
	one.leave()
	for i, p := range many[1:] {
		wantGranted(t, "in the order of their coming", many[i+1:min(i+3, len(many))], []bool{true, false}[:min(2, len(many)-i-1)]...)
		p.leave()
	}
	if s.batches+s.alone+len(s.turns) != 0 {
		t.Errorf("something is left: %+v", s)
	}
}

func TestAPreviewDoesNotWaitForABatch(t *testing.T) {
	t.Parallel()
	s := testScheduler(2, 0)
	batch, other := &batch{}, &batch{}
	places := []*place{
		s.join(claim{owner: batch, batch: 2}), s.join(claim{owner: batch, batch: 2}), s.join(claim{owner: batch, batch: 2}),
		s.join(claim{owner: "a"}), s.join(claim{owner: "b"}),
		s.join(claim{owner: other, batch: 2}),
	}
	wantGranted(t, "one picture runs beside a batch", places, true, true, false, true, false, false)
	places[3].leave()
	wantGranted(t, "the next one follows", places, true, true, false, true, true, false)
	places[4].leave()
	places[0].leave()
	wantGranted(t, "batches take turns as they came", places, true, true, true, true, true, false)
	places[1].leave()
	wantGranted(t, "the other's turn", places, true, true, true, true, true, true)
}

func TestTheProcessorsAreShared(t *testing.T) {
	t.Parallel()
	s := testScheduler(4, 0)
	for i, want := range []int{4, 2, 1, 1} {
		if p := s.join(claim{owner: i}); p.threads != want {
			t.Errorf("process %d has %d threads, want %d", i, p.threads, want)
		}
	}
	s = testScheduler(4, 0)
	if p := s.join(claim{owner: "a", batch: 2}); p.threads != 2 {
		t.Errorf("the first of two of a batch has %d threads, want 2", p.threads)
	}
	s = testScheduler(1, 0)
	if p := s.join(claim{owner: "a", batch: 3}); p.threads != 4 {
		t.Errorf("the only one that may run has %d threads, want 4", p.threads)
	}
}

func TestTheUserDecidesOnThreads(t *testing.T) {
	p := testScheduler(2, 0).join(claim{owner: "a", batch: 2})
	t.Setenv(ompThreads, "3")
	if got := p.environment(); got != nil {
		t.Errorf("darktable is told %v in spite of the user", got)
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
	large, second := s.join(claim{owner: "a", memory: 5000}), s.join(claim{owner: "b", memory: 1001})
	small := s.join(claim{owner: "c", memory: 1})
	places := []*place{large, second, small}
	wantGranted(t, "alone it may try", places, true, false, false)
	large.leave()
	wantGranted(t, "the next, and what there is room for", places, true, true, true)
}

func TestAClaimThatIsTakenBackLeavesNothing(t *testing.T) {
	t.Parallel()
	s := testScheduler(1, 0)
	running := s.join(claim{owner: "a"})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.enter(ctx, claim{owner: "b"}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want canceled", err)
	}
	late := s.join(claim{owner: "c"})
	running.leave()
	late.giveUp() // after it was granted
	if s.batches+s.alone+len(s.turns) != 0 {
		t.Errorf("something is left: %+v", s)
	}
	if p, err := s.enter(t.Context(), claim{owner: "d"}); err != nil {
		t.Error(err)
	} else {
		p.leave()
	}
}
