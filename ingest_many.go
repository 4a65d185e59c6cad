package chemigram

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/render"
)

// checkNames refuses a call that names nothing, and one that names one image twice or
// several at once.
func (p IngestParams) checkNames() error {
	switch many := len(p.RawPaths) > 0; {
	case !many && p.RawPath == "":
		return fault.Violated([]fault.Violation{{Pointer: "/raw_path", Expected: "a text that is not blank", Got: `""`}})
	case many && p.RawPath != "":
		return fault.New(fault.InvalidInput, "give either raw_path, for one file, or raw_paths, for several and for folders")
	case many && p.ImageID != "":
		return fault.New(fault.InvalidInput, "image_id %q is the name of one image: leave it out for raw_paths", p.ImageID)
	}
	return nil
}

// ingestAll registers all pictures that a call names.
func (e *Engine) ingestAll(ctx context.Context, p IngestParams) (IngestResult, error) {
	found, err := workspace.FindPictures(p.RawPaths, p.Recursive, e.opts.RawRoots)
	if err != nil {
		return IngestResult{}, err
	}
	ctx, cancel := e.engineContext(ctx)
	defer cancel()
	known, err := e.knownRaws(ctx)
	if err != nil {
		return IngestResult{}, err
	}
	all := ingestion{IngestResult: IngestResult{Outcomes: make([]IngestOutcome, len(found))}}
	limit := make(chan struct{}, e.darktables())
	var running sync.WaitGroup
	for i, f := range found {
		o := &all.Outcomes[i]
		o.RawPath, o.Skipped = f.Path, f.Skipped
		limit <- struct{}{}
		running.Go(func() {
			defer func() { <-limit }()
			problems, err := []string(nil), cmp.Or(f.Err, ctx.Err())
			if err == nil && f.Skipped == "" {
				problems, err = e.ingestOutcome(ctx, o, known, p.TimeoutSeconds)
			}
			all.end(ctx, o, problems, err)
		})
	}
	running.Wait()
	all.Problems = slices.Compact(slices.Sorted(slices.Values(all.Problems))) // files may share one
	return all.IngestResult, context.Cause(ctx)
}

// knownRaws gives the image that is registered of a raw at each path.
func (e *Engine) knownRaws(ctx context.Context) (map[string]string, error) {
	ids, err := e.workspace.IDs()
	if err != nil {
		return nil, err
	}
	known := make(map[string]string, len(ids))
	for _, id := range ids {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if file, err := e.workspace.ImageFile(id); err == nil {
			known[file.Raw.Path] = id
		}
	}
	return known, nil
}

// ingestOutcome registers one file of many, and gives its problems. What is registered
// and has not changed is not read again.
func (e *Engine) ingestOutcome(ctx context.Context, o *IngestOutcome, known map[string]string, limit TimeoutSeconds) (problems []string, err error) {
	if id, ok := known[o.RawPath]; ok {
		img, err := e.image(ImageID(id))
		if err == nil && img.CheckRaw(ctx) == nil {
			o.ImageID, o.Companions = ImageID(id), workspace.Companions(o.RawPath)
			return nil, nil
		}
	}
	res, err := e.ingestFile(ctx, o.RawPath, "", limit, render.BaselineSize)
	if err == nil {
		o.ImageID, o.Created, o.Companions = res.ImageID, res.Created, res.Companions
	}
	return res.Problems, err
}

// ingestion collects what became of the files, from several goroutines.
type ingestion struct {
	mu sync.Mutex
	IngestResult
	done int
}

// end notes that a file is settled, well or not.
func (s *ingestion) end(ctx context.Context, o *IngestOutcome, problems []string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Problems = append(s.Problems, problems...)
	what := "registered"
	switch {
	case err != nil:
		failure := AsError(err)
		o.ErrorCode, o.Error, o.Recoverable, what = failure.Code, failure.Message, failure.Recoverable, "failed"
		s.Failed++
	case o.Skipped != "":
		what = "skipped"
	case !o.Created:
		what = "was there"
	}
	s.done++
	reportProgress(ctx, s.done, len(s.Outcomes), o.RawPath+": "+what)
}
