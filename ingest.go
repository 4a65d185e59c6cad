package chemigram

import (
	"context"
	"errors"
	"time"

	"github.com/chemigram/chemigram/internal/exif"
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/render"
	"github.com/chemigram/chemigram/versioning"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

// IngestParams are the parameters of Ingest.
type IngestParams struct {
	// RawPath is the path of the raw file, or of a JPEG, TIFF, PNG or HEIC.
	RawPath string `json:"raw_path"`
	// ImageID is the name that the image gets. Default: the file's name
	// without its extension, numbered when another file has it.
	ImageID ImageID `json:"image_id,omitempty"`
	// TimeoutSeconds limits darktable's time for the baseline.
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
}

// Ingest registers a raw file as an image. The file stays where it is and is
// never written to. The baseline is darktable's own default development for
// this very file. The same file under the same id again is the image that is
// there; another file under a taken id is a state_error.
func (e *Engine) Ingest(ctx context.Context, p IngestParams) (_ IngestResult, err error) {
	defer seal(&err, "ingest", p.ImageID)
	if err := validate(&p); err != nil {
		return IngestResult{}, err
	}
	raw, err := workspace.ReadRaw(ctx, p.RawPath, e.opts.RawRoots)
	if err != nil {
		return IngestResult{}, err
	}
	id, known, err := e.workspace.ChooseID(string(p.ImageID), raw)
	if err != nil {
		return IngestResult{}, err
	}
	if known != nil {
		res, err := e.ingested(ctx, known, raw)
		if err == nil || e.workspace.Missing(id, err) == nil {
			return res, err
		}
	} // or it was deleted meanwhile
	if err := e.workspace.CheckWritable(); err != nil {
		return IngestResult{}, err
	}
	ctx, cancel := e.renderContext(ctx, p.TimeoutSeconds)
	defer cancel()
	img, err := e.develop(ctx, id, raw)
	if err != nil {
		return IngestResult{}, err
	}
	e.log.Info("ingested", "image_id", id, "raw", raw.Path, "baseline", img.BaselineHash)
	return img, nil
}

// develop asks darktable for the baseline and publishes the image.
func (e *Engine) develop(ctx context.Context, id string, raw workspace.Raw) (IngestResult, error) {
	darktable, err := e.renderer()
	if err != nil {
		return IngestResult{}, err
	}
	baseline, made, err := e.developBaseline(ctx, raw.Path)
	if err != nil {
		return IngestResult{}, err
	}
	if same, err := e.workspace.IsUnchanged(ctx, raw); err != nil {
		return IngestResult{}, err
	} else if !same {
		return IngestResult{}, fault.New(fault.State, "the content of %s has changed while it was ingested: ingest it again", raw.Path)
	}
	summary, err := exif.Read(raw.Path, made.JPEG)
	if err != nil {
		e.log.Info("the file's metadata cannot be read", "raw", raw.Path, "error", err)
	}
	if made.Width > 0 && made.Height > 0 {
		summary.Width, summary.Height = made.Width, made.Height
	}
	file := workspace.File{
		ImageID: id, Raw: raw, EXIF: summary,
		Darktable: darktable.Version(), IngestedAt: time.Now().UTC().Truncate(time.Second),
	}
	record, err := e.workspace.Add(ctx, file, baseline.Canonical(), versioning.Change{
		Op: "ingest", Darktable: darktable.Version(),
	})
	if err != nil {
		return IngestResult{}, err
	}
	return IngestResult{
		ImageID: ImageID(id), Created: true, EXIFSummary: EXIFSummary(summary),
		SuggestedBindings: e.suggestBindings(EXIFSummary(summary)), BaselineHash: record.State.String(),
	}, nil
}

// developBaseline gives the baseline, and what it came with.
func (e *Engine) developBaseline(ctx context.Context, raw string) (*xmp.Sidecar, render.Default, error) {
	made, err := e.darktable.Default(ctx, raw)
	if err != nil {
		return nil, made, err
	}
	sidecar, err := xmp.Parse(made.Packet)
	if err != nil {
		return nil, made, err
	}
	release, err := iop.ReleaseFor(e.darktable.Version())
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
		SuggestedBindings: e.suggestBindings(EXIFSummary(img.EXIF)), BaselineHash: baseline.Record.State.String(),
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
