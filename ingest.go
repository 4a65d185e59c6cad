package chemigram

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"
	"time"

	"github.com/chemigram/chemigram/internal/exif"
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/timelimit"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/render"
	"github.com/chemigram/chemigram/versioning"
	"github.com/chemigram/chemigram/xmp"
)

// IngestParams are the parameters of Ingest.
type IngestParams struct {
	// RawPath is the path of the raw file, or of a JPEG, TIFF, PNG or HEIC.
	RawPath string `json:"raw_path,omitempty"`
	// RawPaths are several files, and folders of them.
	RawPaths []string `json:"raw_paths,omitempty"`
	// Recursive goes into folders of folders.
	Recursive bool `json:"recursive,omitempty"`
	// ImageID is the name that the image gets. Default: the file's name
	// without its extension, numbered when another file has it.
	ImageID ImageID `json:"image_id,omitempty"`
	// TimeoutSeconds limits darktable's time for each file.
	TimeoutSeconds TimeoutSeconds `json:"timeout_seconds,omitempty" default:"120"`
}

// IngestResult is what Ingest found.
type IngestResult struct {
	// ImageID names the image in every other verb.
	ImageID ImageID `json:"image_id"`
	// Created is false when this file was registered under this id before.
	Created bool `json:"created"`
	// EXIFSummary is what the file says of how it was taken.
	EXIFSummary EXIFSummary `json:"exif_summary"`
	// SuggestedBindings are names of L1 entries made for this camera, lens or ISO.
	SuggestedBindings []string `json:"suggested_bindings"`
	// BaselineHash is the hash of darktable's own development of this file.
	BaselineHash string `json:"baseline_hash"`
	// Companions are files beside the raw that belong to it: sidecars, of
	// which import_sidecar takes darktable's, and pictures of the same name.
	Companions []string `json:"companions,omitempty"`
	// Problems are images passed over as unreadable, and files cut short.
	Problems []string `json:"problems,omitempty"`
	// Outcomes say of raw_paths what became of each file.
	Outcomes []IngestOutcome `json:"outcomes,omitempty"`
	// Failed is the number of outcomes with an error.
	Failed int `json:"failed,omitempty"`
}

// IngestOutcome is what became of one file.
type IngestOutcome struct {
	// RawPath is the file's path.
	RawPath string `json:"raw_path"`
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// Created is false when the file was registered before.
	Created bool `json:"created"`
	// Skipped is why the file was not looked at.
	Skipped string `json:"skipped,omitempty"`
	// Companions are files beside the raw that belong to it.
	Companions []string `json:"companions,omitempty"`
	// ErrorCode is the code of what went wrong.
	ErrorCode Code `json:"error_code,omitempty"`
	// Error says what went wrong.
	Error string `json:"error,omitempty"`
	// Recoverable is whether another call can succeed.
	Recoverable bool `json:"recoverable,omitempty"`
}

// Ingest registers a raw file as an image. The file stays where it is and is
// never written to. The baseline is darktable's own default development for
// this very file. The same file under the same id again is the image that is
// there; another file under a taken id is a state_error. Of raw_paths,
// outcomes says what became of each file; what is there already stays.
func (e *Engine) Ingest(ctx context.Context, p IngestParams) (_ IngestResult, err error) {
	defer seal(&err, "ingest", p.ImageID)
	if err := validate(&p); err != nil {
		return IngestResult{}, err
	}
	if err := p.checkNames(); err != nil {
		return IngestResult{}, err
	}
	if len(p.RawPaths) > 0 {
		return e.ingestAll(ctx, p)
	}
	return e.ingestFile(ctx, p.RawPath, string(p.ImageID), p.TimeoutSeconds, firstLook)
}

// mostTries bounds how often an id is chosen for a file, while others take the ids.
const mostTries = 10

// ingestFile registers one file, of which a picture of a size is developed.
func (e *Engine) ingestFile(ctx context.Context, path, asked string, limit TimeoutSeconds, size Size) (IngestResult, error) {
	raw, err := e.workspace.ReadRaw(ctx, path, e.opts.RawRoots)
	if err != nil {
		return IngestResult{}, err
	}
	var made *developed
	for try := 1; ; try++ {
		choice, err := e.workspace.ChooseID(asked, raw)
		if err != nil {
			return IngestResult{}, err
		}
		var res IngestResult
		if choice.Known != nil {
			if res, err = e.ingested(ctx, choice.Known, raw); err == nil || e.workspace.Missing(choice.ID, err) == nil {
				return res.beside(ctx, raw.Path, choice.Unreadable), err
			} // or it was deleted meanwhile
		}
		if err := e.workspace.CheckWritable(); err != nil {
			return IngestResult{}, err
		}
		if made == nil {
			if made, err = e.develop(ctx, raw, limit, size); err != nil {
				return IngestResult{}, err
			}
		}
		res, err = e.register(ctx, choice.ID, raw, made)
		switch {
		case err == nil:
			if size == firstLook {
				e.keepFirstLook(ctx, choice.ID, raw, made)
			}
			e.log.Info("ingested", "image_id", choice.ID, "raw", raw.Path, "baseline", res.BaselineHash)
			return res.beside(ctx, raw.Path, choice.Unreadable), nil
		case !workspace.IsTaken(err) || try == mostTries:
			return IngestResult{}, err
		} // it was taken meanwhile: perhaps by this very file
	}
}

// beside gives the result with what lies beside the raw, and with all problems.
func (r IngestResult) beside(ctx context.Context, raw string, problems []string) IngestResult {
	r.Companions, r.Problems = workspace.Companions(raw), slices.Concat(problems, render.CutShort(ctx, raw))
	return r
}

// developed is what darktable made of a raw, and what is known of it.
type developed struct {
	baseline  *xmp.Sidecar
	jpeg      []byte // of the baseline
	summary   exif.Summary
	darktable string // its version,
	identity  string // and which one it is
}

// develop asks darktable for the baseline.
func (e *Engine) develop(ctx context.Context, raw workspace.Raw, limit TimeoutSeconds, size Size) (*developed, error) {
	ctx, cancel := e.renderContext(ctx, limit)
	defer cancel()
	darktable, err := e.renderer()
	if err != nil {
		return nil, err
	}
	identity := darktable.Identity()
	baseline, made, err := e.developBaseline(ctx, raw.Path, size)
	switch same, gone := e.workspace.IsUnchanged(ctx, raw); { // the reason why darktable failed, if it did
	case gone == nil && !same:
		return nil, fault.New(fault.State, "the content of %s has changed while it was ingested: ingest it again", raw.Path)
	case errors.Is(gone, fs.ErrNotExist):
		return nil, fault.New(fault.State, "%s was taken away while it was ingested: put it back, and ingest it again", raw.Path)
	case err != nil || gone != nil:
		return nil, cmp.Or(err, gone)
	}
	summary, err := exif.Read(raw.Path, made.JPEG)
	if err != nil {
		e.log.Info("the file's metadata cannot be read", "raw", raw.Path, "error", err)
	}
	return &developed{baseline, made.JPEG, summary.WithSize(made.Width, made.Height), darktable.Version(), identity}, nil
}

// orGone gives the error of a darktable that developed an image, or the reason for it, that
// the raw is there no more.
func (e *Engine) orGone(ctx context.Context, id ImageID, err error) error {
	if _, failed := errors.AsType[*render.Error](err); failed && ctx.Err() == nil {
		if img, missing := e.image(id); missing == nil {
			return cmp.Or(img.CheckRaw(ctx), err)
		}
	}
	return err
}

// firstLook is the size of the picture that is developed with the baseline of one
// raw: that of a preview, unless another one is asked for.
const firstLook Size = 1024

// keepFirstLook keeps the picture that was developed with a baseline as the preview of
// it, and has a darktable load the raw while the caller looks.
func (e *Engine) keepFirstLook(ctx context.Context, id string, raw workspace.Raw, made *developed) {
	img, err := e.image(ImageID(id))
	if err != nil || img.Raw.SHA256 != raw.SHA256 {
		return // deleted meanwhile, or another one
	}
	job, picture, err := e.keepDeveloped(ctx, img, made)
	if err != nil {
		e.log.Warn("the first picture is not kept: it is developed again when it is looked at", "image_id", id, "error", err)
		return
	}
	if job.Output = picture.Path; e.workers != nil {
		e.workers.Prepare(job, picture)
	}
}

// keepDeveloped keeps the picture that was developed with an image's baseline. It gives
// the job that would make it.
func (e *Engine) keepDeveloped(ctx context.Context, img *workspace.Image, made *developed) (job render.Job, picture render.Picture, err error) {
	if job, err = e.developJob(ctx, made.identity, img, made.baseline, firstLook); err != nil {
		return job, picture, err
	}
	recipe, err := job.Recipe(string(QualityExact), render.Region{})
	if err != nil {
		return job, picture, err
	}
	picture, err = e.cache.KeepDeveloped(ctx, recipe, made.jpeg)
	return job, picture, err
}

// register publishes the image of a raw.
func (e *Engine) register(ctx context.Context, id string, raw workspace.Raw, made *developed) (IngestResult, error) {
	file := workspace.File{
		ImageID: id, Raw: raw, EXIF: made.summary,
		Darktable: made.darktable, IngestedAt: time.Now().UTC().Truncate(time.Second),
	}
	record, err := e.workspace.Add(ctx, file, made.baseline.Canonical(), versioning.Change{Op: "ingest", Darktable: made.darktable})
	if err != nil {
		return IngestResult{}, err
	}
	return IngestResult{
		ImageID: ImageID(id), Created: true, EXIFSummary: EXIFSummary(made.summary),
		SuggestedBindings: e.suggestBindings(EXIFSummary(made.summary), made.baseline), BaselineHash: record.State.String(),
	}, nil
}

// developBaseline gives the baseline, and what it came with: a picture of a size.
func (e *Engine) developBaseline(ctx context.Context, raw string, size Size) (*xmp.Sidecar, render.Default, error) {
	limited, cancel := context.WithTimeout(ctx, timelimit.Left(ctx))
	defer cancel()
	made, err := e.darktable.Default(limited, raw, int(size))
	if err != nil {
		return nil, made, err
	}
	sidecar, err := xmp.Parse(made.Packet)
	if err != nil {
		return nil, made, err
	}
	release, err := e.release()
	if err != nil {
		return nil, made, err
	}
	sidecar, err = sidecar.Compact(release)
	return sidecar, made, err
}

// ingested answers for an image that was there already. When its raw is gone from
// where it was, or another file lies there, the raw is at its new place from now on.
func (e *Engine) ingested(ctx context.Context, img *workspace.Image, raw workspace.Raw) (IngestResult, error) {
	if raw.Path != img.Raw.Path && !e.opts.ReadOnly && errors.Is(img.CheckRaw(ctx), fault.State) {
		if err := img.SetRaw(ctx, raw); err != nil {
			return IngestResult{}, err
		}
	}
	baseline, err := img.Baseline(ctx)
	if err != nil {
		return IngestResult{}, err
	}
	return IngestResult{
		ImageID: ImageID(img.ImageID), EXIFSummary: EXIFSummary(img.EXIF),
		SuggestedBindings: e.suggestBindings(EXIFSummary(img.EXIF), baseline.Sidecar), BaselineHash: baseline.Record.State.String(),
	}, nil
}

// EXIFSummary is what the file says of how it was taken. A field that the file
// does not say is empty or 0.
type EXIFSummary struct {
	// Make of the camera.
	Make string `json:"make"`
	// Model of the camera.
	Model string `json:"model"`
	// LensModel is the lens's model.
	LensModel string `json:"lens_model"`
	// FocalLengthMM is the focal length in millimetres.
	FocalLengthMM float64 `json:"focal_length_mm"`
	// ISO sensitivity.
	ISO int `json:"iso"`
	// Aperture as an f-number.
	Aperture float64 `json:"aperture"`
	// ExposureSeconds is the exposure time in seconds.
	ExposureSeconds float64 `json:"exposure_seconds"`
	// TakenAt is when, by the camera's clock, as ISO 8601 without a zone.
	TakenAt string `json:"taken_at"`
	// Width of the file's picture in pixels.
	Width int `json:"width"`
	// Height of the file's picture in pixels.
	Height int `json:"height"`
}
