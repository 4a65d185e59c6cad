package render

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/chemigram/chemigram/render/internal/imagefile"
)

// DefaultChunk bounds the pictures that one process of a batch develops.
const DefaultChunk = 48

// Outcome is what became of one job of a batch: a picture, or an *Error.
type Outcome struct {
	Picture Picture
	Err     error
}

// BatchOptions are the options of [Darktable.RenderAll].
type BatchOptions struct {
	// Done is told of each job that has ended, by its place in jobs, in the
	// order in which they end and one at a time. Default: nobody is told.
	Done func(i int, o Outcome)
	// Chunk bounds the pictures that one process develops; default
	// [DefaultChunk]. What a process has not finished when it fails is
	// developed picture by picture.
	Chunk int
}

// RenderAll develops many pictures with few starts of darktable, which is
// several times faster for small ones, and gives the outcome of each job in
// its place. The pixels are those of [Darktable.Render], and so are the care
// taken and the errors: a job that a common process did not finish is given to
// Render. The Duration of a Picture counts from the one before it in the same
// process, the Timeout of a Job likewise.
//
// When ctx ends, the finished pictures stay and the other jobs fail as
// Canceled or TimedOut. A nil opts means defaults.
func (d *Darktable) RenderAll(ctx context.Context, jobs []Job, opts *BatchOptions) []Outcome {
	b := &batch{darktable: d, jobs: jobs, outcomes: make([]Outcome, len(jobs)), ended: make([]bool, len(jobs))}
	if opts != nil {
		b.BatchOptions = *opts
	}
	places := make(chan struct{}, d.schedule.places)
	var all sync.WaitGroup
	chunks := b.chunks()
	b.processes = min(len(chunks), d.schedule.places)
	for _, c := range chunks {
		all.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			b.develop(ctx, c)
		})
	}
	all.Wait()
	return b.outcomes
}

type batch struct {
	BatchOptions
	darktable *Darktable
	jobs      []Job
	processes int // at once

	mu       sync.Mutex
	outcomes []Outcome
	ended    []bool
}

// common is what the jobs that one process develops share: all that is said on
// its command line.
type common struct {
	format       imagefile.Format
	quality      int
	depth        int
	space        string
	size         int
	highQuality  bool
	uncompressed bool
}

// chunks spreads the jobs, by their places, over the processes. What is wrong with a job as such
// is settled here.
func (b *batch) chunks() [][]int {
	groups := map[common][]int{}
	var chunks [][]int
	var order []common
	for i, j := range b.jobs {
		f, space, err := j.plan()
		if err == nil {
			err = vacant(j.Output)
		}
		switch {
		case err != nil:
			b.end(i, Picture{}, err)
		case !settled(j.Sidecar):
			chunks = append(chunks, []int{i})
		default:
			key := common{
				f.name, cmp.Or(j.Quality, defaultQuality), cmp.Or(j.BitDepth, f.depths[0]),
				space.name, j.Size, j.HighQuality, j.Uncompressed,
			}
			if groups[key] == nil {
				order = append(order, key)
			}
			groups[key] = append(groups[key], i)
		}
	}
	places := b.darktable.schedule.places
	for _, key := range order {
		n := (len(groups[key]) + places - 1) / places
		n = min(n, max(1, cmp.Or(b.Chunk, DefaultChunk)))
		chunks = slices.AppendSeq(chunks, slices.Chunk(groups[key], n))
	}
	return chunks
}

// settled tells whether a sidecar says that darktable's defaults are in it. A
// sidecar that is read from beside its raw gets them added otherwise, where one
// on the command line is taken as it is.
func settled(sidecar []byte) bool {
	return bytes.Contains(sidecar, []byte(`darktable:auto_presets_applied="1"`))
}

// develop ends each job of a chunk.
func (b *batch) develop(ctx context.Context, c []int) {
	if len(c) > 1 {
		b.together(ctx, c)
	}
	for _, i := range c {
		if !b.hasEnded(i) {
			p, err := b.darktable.Render(ctx, b.jobs[i])
			b.end(i, p, err)
		}
	}
}

// end notes the outcome of a job, once.
func (b *batch) end(i int, p Picture, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended[i] {
		return
	}
	b.ended[i], b.outcomes[i] = true, Outcome{Picture: p, Err: err}
	if b.Done != nil {
		b.Done(i, b.outcomes[i])
	}
}

func (b *batch) hasEnded(i int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.ended[i]
}
