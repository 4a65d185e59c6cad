package render

import (
	"context"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
)

// A scheduler says when one more darktable may run, and on how many threads.
//
//   - Images take turns: one with fifty pictures to develop does not keep another
//     one's preview waiting. So do batches, each of which counts as an image.
//   - When batches hold all places, one picture of its own may run beside them.
//   - While others run, none starts that memory is too short for.
//   - Those that run at once share the processors: on two of them two processes
//     with one thread each get more done than one with two (docs/BENCHMARKS.md).
type scheduler struct {
	places     int
	processors int
	free       func() int64 // bytes of memory that a program can take

	mu             sync.Mutex
	batches, alone int // that run
	turns          []*turn
}

// A claim is what a darktable wants to run for.
type claim struct {
	// owner is whose turn it is: the path of an image, or a *batch.
	owner any
	// batch tells that owner is one, and wants this many processes at once.
	batch int
	// memory is how many bytes will be taken in addition to what is taken.
	memory int64
}

// A turn is the claims of one owner that wait, the oldest first.
type turn struct {
	owner  any
	places []*place
}

// A place is where a darktable may run once ready is closed, until it leaves.
type place struct {
	claim
	scheduler *scheduler
	ready     chan struct{}
	threads   int
}

func newScheduler(places int) *scheduler {
	return &scheduler{places: places, processors: runtime.GOMAXPROCS(0), free: freeMemory}
}

// enter waits until one more darktable may run, which the caller must tell the
// end of by leave.
func (s *scheduler) enter(ctx context.Context, c claim) (*place, error) {
	p := s.join(c)
	select {
	case <-p.ready:
		return p, nil
	case <-ctx.Done():
		p.giveUp()
		return nil, ctx.Err()
	}
}

// join queues a claim.
func (s *scheduler) join(c claim) *place {
	p := &place{claim: c, scheduler: s, ready: make(chan struct{})}
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.turns, func(t *turn) bool { return t.owner == c.owner })
	if i < 0 {
		i = len(s.turns)
		s.turns = append(s.turns, &turn{owner: c.owner})
	}
	s.turns[i].places = append(s.turns[i].places, p)
	s.admit()
	return p
}

// giveUp takes back a claim, whether it was granted meanwhile or not.
func (p *place) giveUp() {
	s := p.scheduler
	s.mu.Lock()
	for i, t := range s.turns {
		if j := slices.Index(t.places, p); j >= 0 {
			if t.places = slices.Delete(t.places, j, j+1); len(t.places) == 0 {
				s.turns = slices.Delete(s.turns, i, i+1)
			}
			s.admit() // it may have stood in the way of others
			s.mu.Unlock()
			return
		}
	}
	s.mu.Unlock()
	p.leave()
}

// leave tells that the darktable of a place does not run any more.
func (p *place) leave() {
	s := p.scheduler
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.batch > 0 {
		s.batches--
	} else {
		s.alone--
	}
	s.admit()
}

// admit grants what can be granted. The caller holds the lock.
func (s *scheduler) admit() {
	for i := 0; i < len(s.turns); {
		t := s.turns[i]
		p := t.places[0]
		if !s.vacant(p.claim) {
			i++ // one of another kind may have a place
			continue
		}
		if s.batches+s.alone > 0 && p.memory > s.free() {
			return // nobody overtakes, lest a large one wait for ever
		}
		s.turns = slices.Delete(s.turns, i, i+1)
		if t.places = t.places[1:]; len(t.places) > 0 {
			s.turns = append(s.turns, t)
		}
		s.grant(p)
		i = 0
	}
}

// vacant tells whether there is a place for a claim. The caller holds the lock.
func (s *scheduler) vacant(c claim) bool {
	return s.batches+s.alone < s.places || c.batch == 0 && s.alone == 0
}

// grant lets a darktable run on its share of the processors, counting those
// that will run beside it. The caller holds the lock.
func (s *scheduler) grant(p *place) {
	if p.batch > 0 {
		s.batches++
	} else {
		s.alone++
	}
	together := max(s.batches+s.alone+len(s.turns), p.batch)
	p.threads = max(1, s.processors/min(together, s.places))
	close(p.ready)
}

// memoryFor is how many bytes darktable takes to develop the file at path.
func memoryFor(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return workerMemory + workerMemoryPerByte*info.Size()
}

// ompThreads is the environment variable by which OpenMP, and so darktable, is
// told how many threads to use.
const ompThreads = "OMP_NUM_THREADS"

// environment tells a darktable its share of the processors, unless the user
// has decided that.
func (p *place) environment() []string {
	if _, decided := os.LookupEnv(ompThreads); decided {
		return nil
	}
	return []string{ompThreads + "=" + strconv.Itoa(p.threads)}
}
