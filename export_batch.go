package chemigram

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/lists"
	"github.com/chemigram/chemigram/render"
)

// ExportBatchParams are the parameters of ExportBatch.
type ExportBatchParams struct {
	// Items to export, 0 to 500.
	Items []ExportItem `json:"items,omitempty"`
	// Choose exports the HEADs of the page that list_images gives for these
	// parameters, too; {} is the first 50 images. What items name is left out.
	Choose *ListImagesParams `json:"choose,omitempty"`
	// Size is the longest edge in pixels. Default: the full size.
	Size Size `json:"size,omitempty"`
	// Format is the file format.
	Format Format `json:"format,omitempty" default:"jpeg"`
	// Quality of a lossy format.
	Quality Percent `json:"encoder_quality,omitempty" default:"95" formerly:"quality"`
	// BitDepth per channel, as for export_final.
	BitDepth BitDepth `json:"bit_depth,omitempty"`
	// ColorSpace of the pictures.
	ColorSpace ColorSpace `json:"color_space,omitempty" default:"srgb"`
	// Metadata is what the files have beside their pixels.
	Metadata Metadata `json:"metadata,omitempty" default:"keep"`
	// Sharpen is output sharpening, 0 (none) to 1, as for export_final.
	Sharpen Strength `json:"sharpen,omitempty"`
	// OutputDir is the folder to write to; it is made when it is missing.
	// Default: each image's own folder in the workspace's exports.
	OutputDir string `json:"output_dir,omitempty"`
	// TimeoutSeconds limits darktable's time for each picture.
	TimeoutSeconds TimeoutSeconds `json:"timeout_seconds,omitempty" default:"600"`
}

// ExportItem is one version of one image.
type ExportItem struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// RefOrHash is the version. Default: HEAD.
	RefOrHash RefOrHash `json:"ref_or_hash,omitempty"`
}

// ExportBatchResult says what became of each image.
type ExportBatchResult struct {
	// Outcomes in the order of the items, then of the chosen images.
	Outcomes []ExportOutcome `json:"outcomes"`
	// Exported is the number of files that were written.
	Exported int `json:"exported"`
	// Skipped is the number of files that were there already.
	Skipped int `json:"skipped"`
	// Failed is the number of outcomes with an error.
	Failed int `json:"failed"`
	// Chosen is how many images choose matches, on all its pages.
	Chosen int `json:"chosen"`
}

// ExportOutcome is what became of one item.
type ExportOutcome struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// OutputPath is the file's path.
	OutputPath string `json:"output_path,omitempty"`
	// Width in pixels.
	Width int `json:"width,omitempty"`
	// Height in pixels.
	Height int `json:"height,omitempty"`
	// StateHash is the hash of the look that it shows.
	StateHash string `json:"state_hash,omitempty"`
	// Skipped is true when the file was there, from an earlier call.
	Skipped bool `json:"skipped,omitempty"`
	Failure
}

// ExportBatch exports many images with few starts of darktable, in full
// quality: items with a version each, images chosen as list_images does, or
// both. Files are named by image, look, the raw's content, darktable and recipe,
// and never overwritten: a file that is there is done already and skipped, so
// that a call that was cancelled can be repeated. What another raw or another
// build of darktable makes goes beside it. One item's error does not stop the
// others.
//
// When ctx ends, the result that comes with the error says what is done.
func (e *Engine) ExportBatch(ctx context.Context, p ExportBatchParams) (_ ExportBatchResult, err error) {
	defer seal(&err, "export_batch", "")
	if p.Choose != nil {
		choose := *p.Choose // its defaults are filled in
		p.Choose = &choose
	}
	if err := e.validateWrite(&p); err != nil {
		return ExportBatchResult{}, err
	}
	darktable, err := e.renderer()
	if err != nil {
		return ExportBatchResult{}, err
	}
	ctx, cancel := e.engineContext(ctx)
	defer cancel()
	items, chosen, err := e.exportItems(ctx, p)
	if err != nil {
		return ExportBatchResult{}, err
	}
	b := exportBatch{ExportBatchParams: p, res: ExportBatchResult{Outcomes: make([]ExportOutcome, len(items)), Chosen: chosen}}
	e.plan(ctx, &b, items)
	darktable.RenderAll(ctx, b.jobs, &render.BatchOptions{Done: func(n int, done render.Outcome) {
		b.end(ctx, b.places[n], e.orGone(ctx, b.res.Outcomes[b.places[n]].ImageID, b.outcome(n, done)))
	}})
	return b.count(), context.Cause(ctx)
}

// exportItems are what p asks for, without repetition.
func (e *Engine) exportItems(ctx context.Context, p ExportBatchParams) (items []ExportItem, chosen int, err error) {
	named := map[ImageID]bool{}
	seen := map[ExportItem]bool{}
	for _, item := range p.Items {
		if seen[item] {
			return nil, 0, fault.Invalid("/items", "%s is in the items twice, at the same version", item.ImageID)
		}
		seen[item], named[item.ImageID] = true, true
		items = append(items, item)
	}
	if p.Choose != nil {
		ids, err := e.workspace.IDs()
		if err == nil {
			ids, err = e.matchingImages(ctx, ids, *p.Choose)
		}
		if err != nil {
			return nil, 0, err
		}
		chosen = len(ids)
		for _, id := range lists.Page(ids, p.Choose.Offset, p.Choose.Limit) {
			if !named[ImageID(id)] {
				items = append(items, ExportItem{ImageID: ImageID(id)})
			}
		}
	} else if len(items) == 0 {
		return nil, 0, fault.Invalid("", "give items, or choose, or both")
	}
	if len(p.Items) > maxTargets {
		return nil, 0, fault.Invalid("/items", "%d items: %d can be given at most", len(p.Items), maxTargets)
	}
	return items, chosen, nil
}

// exportBatch is a call on its way.
type exportBatch struct {
	ExportBatchParams
	res    ExportBatchResult
	ended  int
	jobs   []render.Job
	places []int // of the jobs in the outcomes
}

// plan settles what needs no darktable, and makes jobs of the rest.
func (e *Engine) plan(ctx context.Context, b *exportBatch, items []ExportItem) {
	reportProgress(ctx, 0, len(items), "planned")
	for i, item := range items {
		o := &b.res.Outcomes[i]
		o.ImageID = item.ImageID
		job, err := e.batchJob(ctx, b.ExportBatchParams, item)
		o.OutputPath, o.StateHash = job.Output, job.State
		if err == nil {
			err = o.skipFinished(job)
		}
		if err != nil || o.Skipped {
			b.end(ctx, i, e.orMissing(item.ImageID, err))
			continue
		}
		b.jobs, b.places = append(b.jobs, job), append(b.places, i)
	}
}

// outcome takes over what became of a job.
func (b *exportBatch) outcome(n int, done render.Outcome) error {
	o := &b.res.Outcomes[b.places[n]]
	o.Width, o.Height = done.Picture.Width, done.Picture.Height
	if failure, ok := errors.AsType[*render.Error](done.Err); ok && failure.Kind == render.Exists {
		return o.skipFinished(b.jobs[n]) // another call has exported it meanwhile
	}
	return done.Err
}

// end notes that an item is settled, well or not.
func (b *exportBatch) end(ctx context.Context, i int, err error) {
	o := &b.res.Outcomes[i]
	what := "exported"
	if o.Skipped {
		what = "was there"
	}
	if err != nil {
		o.Failure, what = failureOf(err), "failed"
	}
	b.ended++
	reportProgress(ctx, b.ended, len(b.res.Outcomes), string(o.ImageID)+": "+what)
}

func (b *exportBatch) count() ExportBatchResult {
	for _, o := range b.res.Outcomes {
		switch {
		case o.ErrorCode != "":
			b.res.Failed++
		case o.Skipped:
			b.res.Skipped++
		default:
			b.res.Exported++
		}
	}
	return b.res
}

// batchJob is the export of one item.
func (e *Engine) batchJob(ctx context.Context, p ExportBatchParams, item ExportItem) (render.Job, error) {
	if err := ctx.Err(); err != nil {
		return render.Job{}, err
	}
	limited, cancel := e.renderContext(ctx, p.TimeoutSeconds)
	defer cancel()
	job, dir, err := e.exportJob(limited, item, exportForm{
		size: p.Size, quality: p.Quality, bitDepth: p.BitDepth, colorSpace: p.ColorSpace,
		metadata: p.Metadata, sharpen: p.Sharpen, outputDir: p.OutputDir,
	})
	if err != nil {
		return render.Job{}, err
	}
	job.Timeout = time.Duration(float64(p.TimeoutSeconds) * float64(time.Second))
	job.Output = p.fileName(dir, item.ImageID, job)
	return job, nil
}

// fileName has all that a batch's file depends on: that is how it is found
// again.
func (p ExportBatchParams) fileName(dir string, id ImageID, job render.Job) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s_%.16s_%.16s_%.8s_%s_q%d", id, job.State, job.RawDigest, job.Darktable, p.ColorSpace, p.Quality)
	if p.Size > 0 {
		fmt.Fprintf(&b, "_%dpx", p.Size)
	}
	if p.BitDepth > 0 {
		fmt.Fprintf(&b, "_%dbit", p.BitDepth)
	}
	if p.Sharpen > 0 {
		fmt.Fprintf(&b, "_sharp%g", p.Sharpen)
	}
	if p.Metadata != Metadata(render.KeepMetadata) {
		fmt.Fprintf(&b, "_%s", p.Metadata)
	}
	return filepath.Join(dir, b.String()+render.Extension(string(p.Format)))
}

// skipFinished skips an item whose file is there. Anything else of that name
// stays as it is and is an error: a file that is not whole, or that says that
// another job made it.
func (o *ExportOutcome) skipFinished(job render.Job) error {
	if _, err := os.Lstat(o.OutputPath); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	picture, says, err := render.InspectStamp(o.OutputPath)
	differs := func(said, wanted string) bool { return said != "" && said != wanted }
	switch {
	case err != nil:
		return fault.New(fault.State, "there is another file at %s, which is not overwritten: %v", o.OutputPath, err)
	case differs(says.State, job.State):
		return fault.New(fault.State, "the file at %s shows the state %s and is not overwritten: move it away", o.OutputPath, says.State)
	case differs(says.Raw, job.RawDigest):
		return fault.New(fault.State, "the file at %s shows another raw, of digest %s, and is not overwritten: move it away", o.OutputPath, says.Raw)
	case differs(says.Darktable, job.Darktable):
		return fault.New(fault.State, "the file at %s was developed by another darktable and is not overwritten: move it away", o.OutputPath)
	}
	o.Skipped, o.Width, o.Height = true, picture.Width, picture.Height
	return nil
}
