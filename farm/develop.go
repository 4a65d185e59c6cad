package farm

import (
	"cmp"
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/chemigram/chemigram/internal/owned"
	"github.com/chemigram/chemigram/objects"
	"github.com/chemigram/chemigram/render"
)

// workPrefix begins the names of folders with pictures on their way to the store.
const workPrefix = "chemigram-farm-"

// develop develops jobs, in one process when there are several, and settles each.
func (w *Worker) develop(ctx context.Context, jobs []*held) {
	owned.Sweep(os.TempDir(), workPrefix)
	folder, err := owned.MakeFolder(os.TempDir(), workPrefix)
	if err != nil {
		for _, h := range jobs {
			w.finish(ctx, h, err)
		}
		return
	}
	defer folder.Remove()
	orders := make([]render.Job, len(jobs))
	for i, h := range jobs {
		h.path = folder.Path(strconv.Itoa(i) + h.Extension)
		orders[i] = h.order(h.raw, h.path, cmp.Or(h.Timeout, render.DefaultTimeout))
	}
	if len(jobs) == 1 {
		began := time.Now()
		err := w.developOne(ctx, jobs[0], orders[0])
		if strings.HasPrefix(jobs[0].m.Subject(), batch.subject(jobs[0].Darktable, "")) {
			w.keepPace(1, time.Since(began))
		}
		w.finish(ctx, jobs[0], err)
		return
	}
	defer func(began time.Time) { w.keepPace(len(jobs), time.Since(began)) }(time.Now())
	// Each is sent as soon as it is there, while darktable develops the next.
	var sent sync.WaitGroup
	w.darktable.RenderAll(ctx, orders, &render.BatchOptions{Processes: 1, Done: func(i int, o render.Outcome) {
		sent.Go(func() { w.finish(ctx, jobs[i], o.Err) })
	}})
	sent.Wait()
}

// developOne develops a picture, by a darktable that has loaded its raw where that is
// possible.
func (w *Worker) developOne(ctx context.Context, h *held, order render.Job) (err error) {
	switch {
	case h.Region != render.Region{}:
		_, err = w.darktable.RenderRegion(ctx, order, h.Region)
	case w.prepared != nil && strings.HasSuffix(h.m.Subject(), "."+string(single)+"."+h.key):
		_, err = w.prepared.Preview(ctx, order)
	default:
		_, err = w.darktable.Render(ctx, order)
	}
	return err
}

// finish puts a picture into the store, or says why there is none, and settles the job.
func (w *Worker) finish(ctx context.Context, h *held, err error) {
	defer h.free()
	if err == nil {
		if err = w.send(ctx, h); err == nil {
			w.log.Info("developed", "raw", h.RawName, "key", h.key)
			w.settle(h, outcome{Made: true})
			return
		}
	}
	if ctx.Err() != nil {
		_ = h.m.Nak() // this worker ends; another one takes it over at once
		return
	}
	f := newFailure(err, w.o.Name)
	w.log.Warn("not developed", "raw", h.RawName, "key", h.key, "try", h.try, "error", err)
	if f.isOfJob() {
		o := outcome{Failure: f}
		noted := w.o.Store.Create(ctx, failureObject(h.Ask, h.try), strings.NewReader(string(o.encode())))
		if h.try == mostTries && (noted == nil || errors.Is(noted, objects.Exists)) {
			w.settle(h, o)
			return
		}
	}
	_ = h.m.NakWithDelay(200 * time.Millisecond)
}

// send puts a picture into the store. Where there is one of the job already, that stays.
func (w *Worker) send(ctx context.Context, h *held) error {
	r, err := newRecord(ctx, h.key, h.path)
	if err != nil {
		return err
	}
	defer r.file.Close()
	// What was developed is worth some patience.
	for wait := 100 * time.Millisecond; ; wait *= 4 {
		err = w.o.Store.Create(ctx, resultObject(h.key), r.content())
		if err == nil || errors.Is(err, objects.Exists) {
			return nil
		}
		if ctx.Err() != nil || wait > 2*time.Second || errors.Is(err, objects.Denied) || errors.Is(err, objects.Full) {
			return err
		}
		pauseFor(ctx, wait)
	}
}
