package render

import (
	"context"
	"errors"
	"os"
	"strconv"
	"sync"
	"time"
)

// Elsewhere develops pictures on other machines; see [Options].
type Elsewhere interface {
	// Develop makes a new file at the Output of an order's job, with the picture that
	// this darktable would make: of the same pixels, by a darktable of the job's
	// identity. Of State, Metadata, Durable and Verify it need know nothing. Its
	// *Error is what is wrong with the job; after any other error, the picture is
	// developed here. It is called by many goroutines at once.
	Develop(ctx context.Context, o Order) error
}

// Order is a picture that is wanted from elsewhere. Its job has a RawDigest and the
// Darktable that has to develop it.
type Order struct {
	Job Job
	// Region is what is shown of the picture, as [Darktable.RenderRegion] does; the
	// zero Region is all of it.
	Region Region
	// Among is how many pictures are ordered together: 1 is one that somebody waits for.
	Among int
}

// mostOrders is how many pictures of a batch are ordered at once.
const mostOrders = 1024

// errHere means that a picture is to be developed here.
var errHere = errors.New("it is to be developed here")

// renderElsewhere is Render, or RenderRegion, on another machine. It fails with errHere
// when the picture is to be developed here.
func (d *Darktable) renderElsewhere(ctx context.Context, job Job, region Region) (Picture, error) {
	if d.elsewhere == nil || job.RawDigest == "" {
		return Picture{}, errHere
	}
	f, _, err := job.plan()
	if err == nil {
		err = checkVacant(job.Output)
	}
	if err != nil {
		return Picture{}, err
	}
	tmp, err := newScratch(d.scratch)
	if err != nil {
		return Picture{}, systemError("render", job.Raw, err)
	}
	defer tmp.remove()
	return d.order(ctx, Order{Job: job, Region: region, Among: 1}, tmp.path("out", "picture"+f.extensions[0]))
}

// order orders a picture at a path in a scratch folder, checks it and publishes it.
func (d *Darktable) order(ctx context.Context, o Order, path string) (Picture, error) {
	began, job := time.Now(), o.Job
	o.Job.Output = path
	if o.Job.Darktable == "" {
		o.Job.Darktable = d.Identity()
	}
	if err := d.elsewhere.Develop(ctx, o); err != nil {
		if e, ok := errors.AsType[*Error](err); ok {
			return Picture{}, e
		}
		return Picture{}, errHere
	}
	p, err := o.finish(path, &job)
	if err != nil {
		return Picture{}, errHere // it is not what was ordered
	}
	if err := job.verify(d); err != nil {
		return Picture{}, err
	}
	if err := job.publish(path); err != nil {
		return Picture{}, err
	}
	_ = os.Remove(path)
	p.Path, p.Duration = job.Output, time.Since(began)
	return p, nil
}

// finish checks what has come, and gives it the metadata of the job.
func (o *Order) finish(path string, job *Job) (Picture, error) {
	f := formatOf(job.Output)
	if o.Region != (Region{}) {
		return checkPicture(path, f, job.Size)
	}
	return f.finishPicture(path, job)
}

// developElsewhere finishes the jobs of a batch that other machines develop. The rest
// is left.
func (b *batch) developElsewhere(ctx context.Context) {
	if b.darktable.elsewhere == nil {
		return
	}
	tmp, err := newScratch(b.darktable.scratch)
	if err != nil {
		return
	}
	defer tmp.remove()
	ordered := make(chan struct{}, mostOrders)
	var all sync.WaitGroup
	for i, job := range b.jobs {
		f, _, err := job.plan()
		if err != nil || job.RawDigest == "" || checkVacant(job.Output) != nil {
			continue
		}
		ordered <- struct{}{}
		all.Go(func() {
			defer func() { <-ordered }()
			path := tmp.path("out", strconv.Itoa(i)+f.extensions[0])
			p, err := b.darktable.order(ctx, Order{Job: job, Among: len(b.jobs)}, path)
			if !errors.Is(err, errHere) {
				b.finish(i, p, err)
			}
		})
	}
	all.Wait()
}
