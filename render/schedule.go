package render

import (
	"context"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
)

// A scheduler decides when one more darktable may run, and on how many threads.
//
//   - Images take turns: one with fifty pictures to develop does not keep another
//     one's preview waiting. So do batches, each of which counts as an image.
//   - When batches hold all slots, one picture of its own may run beside them.
//   - While others run, none starts that memory is too short for.
//   - Those that run at once share the processors: on two of them two processes
//     with one thread each get more done than one with two (docs/BENCHMARKS.md).
type scheduler struct {
	slots      int
	processors int
	free       func() int64 // bytes of memory that a program can take

	mu              sync.Mutex
	batches, single int // slots in use
	queues          []*queue
}

// A request is for a slot to run a darktable in.
type request struct {
	// owner is whose turn it is: the path of an image, or a *batch.
	owner any
	// batch is above 0 when owner is one: how many processes it wants at once.
	batch int
	// memory is how many bytes will be taken in addition to what is taken.
	memory int64
}

// A queue is the waiting requests of one owner, the oldest first.
type queue struct {
	owner any
	slots []*slot
}

// A slot is where a darktable may run, from the closing of ready to release.
type slot struct {
	request
	scheduler *scheduler
	ready     chan struct{}
	threads   int
}

func newScheduler(slots int) *scheduler {
	return &scheduler{slots: slots, processors: runtime.GOMAXPROCS(0), free: freeMemory}
}

// acquire waits until one more darktable may run. The caller releases the slot
// when it has ended.
func (s *scheduler) acquire(ctx context.Context, r request) (*slot, error) {
	p := s.enqueue(r)
	select {
	case <-p.ready:
		return p, nil
	case <-ctx.Done():
		p.withdraw()
		return nil, ctx.Err()
	}
}

func (s *scheduler) enqueue(r request) *slot {
	p := &slot{request: r, scheduler: s, ready: make(chan struct{})}
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.queues, func(q *queue) bool { return q.owner == r.owner })
	if i < 0 {
		i = len(s.queues)
		s.queues = append(s.queues, &queue{owner: r.owner})
	}
	s.queues[i].slots = append(s.queues[i].slots, p)
	s.grantNext()
	return p
}

// withdraw takes back a request, whether it was granted meanwhile or not.
func (p *slot) withdraw() {
	s := p.scheduler
	s.mu.Lock()
	for i, q := range s.queues {
		if j := slices.Index(q.slots, p); j >= 0 {
			if q.slots = slices.Delete(q.slots, j, j+1); len(q.slots) == 0 {
				s.queues = slices.Delete(s.queues, i, i+1)
			}
			s.grantNext() // others may have waited for it
			s.mu.Unlock()
			return
		}
	}
	s.mu.Unlock()
	p.release()
}

// release frees a slot whose darktable has ended.
func (p *slot) release() {
	s := p.scheduler
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.batch > 0 {
		s.batches--
	} else {
		s.single--
	}
	s.grantNext()
}

// grantNext grants all requests that can be. The caller holds the lock.
func (s *scheduler) grantNext() {
	for i := 0; i < len(s.queues); {
		q := s.queues[i]
		p := q.slots[0]
		if !s.hasSlot(p.request) {
			i++ // there may be one for a request of the other kind
			continue
		}
		if s.batches+s.single > 0 && p.memory > s.free() {
			return // nobody overtakes, lest a large one wait for ever
		}
		s.queues = slices.Delete(s.queues, i, i+1)
		if q.slots = q.slots[1:]; len(q.slots) > 0 {
			s.queues = append(s.queues, q)
		}
		s.grant(p)
		i = 0
	}
}

// hasSlot reports whether a slot is free for a request. The caller holds the
// lock.
func (s *scheduler) hasSlot(r request) bool {
	return s.batches+s.single < s.slots || r.batch == 0 && s.single == 0
}

// grant lets a darktable run on its share of the processors, counting those
// that will run beside it. The caller holds the lock.
func (s *scheduler) grant(p *slot) {
	if p.batch > 0 {
		s.batches++
	} else {
		s.single++
	}
	atOnce := max(s.batches+s.single+len(s.queues), p.batch)
	p.threads = max(1, s.processors/min(atOnce, s.slots))
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

// ompThreads is the environment variable that gives OpenMP, and so darktable, its
// number of threads.
const ompThreads = "OMP_NUM_THREADS"

// environment gives a darktable its share of the processors, unless the user has
// decided that.
func (p *slot) environment() []string {
	if _, decided := os.LookupEnv(ompThreads); decided {
		return nil
	}
	return []string{ompThreads + "=" + strconv.Itoa(p.threads)}
}
