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
	// Done is called for each job that has ended, with its index in jobs, in the
	// order in which they end and one at a time. Default: none.
	Done func(i int, o Outcome)
	// Chunk bounds the pictures that one process develops; default
	// [DefaultChunk]. What a process has not finished when it fails is
	// developed picture by picture.
	Chunk int
	// Processes bounds the processes that develop the batch at once; default as many as
	// may run.
	Processes int
}

// RenderAll develops many pictures with few starts of darktable, which is
// several times faster for small ones, and gives the outcome of each job by
// its index. The pixels, the checks and the errors are those of [Darktable.Render],
// which develops a job that a shared process did not finish. The Duration of a
// Picture counts from the one before it in the same process, the Timeout of a Job
// likewise.
//
// When ctx ends, the finished pictures stay and the other jobs fail as
// Canceled or TimedOut. A nil opts means defaults.
func (d *Darktable) RenderAll(ctx context.Context, jobs []Job, opts *BatchOptions) []Outcome {
	b := &batch{darktable: d, jobs: jobs, outcomes: make([]Outcome, len(jobs)), copies: newRawCopies(d.scratch, jobs), finished: make([]bool, len(jobs))}
	defer b.copies.remove()
	if opts != nil {
		b.BatchOptions = *opts
	}
	b.Processes = min(cmp.Or(b.Processes, d.schedule.slots), d.schedule.slots)
	b.developElsewhere(ctx)
	running := make(chan struct{}, b.Processes)
	var all sync.WaitGroup
	chunks := b.chunks()
	b.processes = min(len(chunks), b.Processes)
	for _, c := range chunks {
		all.Go(func() {
			running <- struct{}{}
			defer func() { <-running }()
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

	copies *rawCopies

	mu       sync.Mutex
	outcomes []Outcome
	finished []bool
}

// A commandKey is what the jobs that one process develops have in common: all that
// is on its command line.
type commandKey struct {
	format       imagefile.Format
	quality      int
	depth        int
	space        string
	size         int
	highQuality  bool
	uncompressed bool
}

// chunks spreads the jobs, by their indices, over the processes. A job that is
// wrong in itself ends here.
func (b *batch) chunks() [][]int {
	groups := map[commandKey][]int{}
	var chunks [][]int
	var order []commandKey
	for i, j := range b.jobs {
		if b.finished[i] {
			continue
		}
		f, space, err := j.plan()
		if err == nil {
			err = checkVacant(j.Output)
		}
		switch {
		case err != nil:
			b.finish(i, Picture{}, err)
		case !hasPresets(j.Sidecar):
			chunks = append(chunks, []int{i})
		default:
			key := commandKey{
				f.name, cmp.Or(j.Quality, defaultQuality), cmp.Or(j.BitDepth, f.depths[0]),
				space.name, j.Size, j.HighQuality, j.Uncompressed,
			}
			if groups[key] == nil {
				order = append(order, key)
			}
			groups[key] = append(groups[key], i)
		}
	}
	for _, key := range order {
		n := (len(groups[key]) + b.Processes - 1) / b.Processes
		n = min(n, max(1, cmp.Or(b.Chunk, DefaultChunk)))
		chunks = slices.AppendSeq(chunks, slices.Chunk(groups[key], n))
	}
	return chunks
}

// hasPresets reports whether a sidecar says that darktable's automatic presets are
// in it. Otherwise darktable adds them to a sidecar that lies beside its raw, and
// takes one on the command line as it is.
func hasPresets(sidecar []byte) bool {
	return bytes.Contains(sidecar, []byte(`darktable:auto_presets_applied="1"`))
}

// develop finishes each job of a chunk.
func (b *batch) develop(ctx context.Context, c []int) {
	if len(c) > 1 {
		b.developAtOnce(ctx, c)
	}
	for _, i := range c {
		if !b.hasFinished(i) {
			p, err := b.darktable.render(ctx, b.jobs[i], b.copies)
			b.finish(i, p, err)
		}
	}
}

// finish records the outcome of a job, once.
func (b *batch) finish(i int, p Picture, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.finished[i] {
		return
	}
	b.finished[i], b.outcomes[i] = true, Outcome{Picture: p, Err: err}
	b.copies.release(b.jobs[i].Raw)
	if b.Done != nil {
		b.Done(i, b.outcomes[i])
	}
}

func (b *batch) hasFinished(i int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.finished[i]
}
