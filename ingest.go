package chemigram

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

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
// this very file, with this camera's black level, colour matrix and white
// balance. Ingesting the same file under the same id again gives the image
// that is there; another file under a taken id is a state_error.
func (e *Engine) Ingest(ctx context.Context, p IngestParams) (_ IngestResult, err error) {
	defer seal(&err, "ingest", p.ImageID)
	if err := validate(&p); err != nil {
		return IngestResult{}, err
	}
	raw, err := e.readRaw(p.RawPath)
	if err != nil {
		return IngestResult{}, err
	}
	id, known, err := e.chooseID(p.ImageID, raw)
	if err != nil {
		return IngestResult{}, err
	}
	if known != nil {
		return e.ingested(ctx, known, raw)
	}
	if err := e.writable(); err != nil {
		return IngestResult{}, err
	}
	ctx, cancel := e.rendering(ctx, p.TimeoutSeconds)
	defer cancel()
	img, err := e.develop(ctx, id, raw)
	if err != nil {
		return IngestResult{}, err
	}
	e.log.Info("ingested", "image_id", id, "raw", raw.Path, "baseline", img.BaselineHash)
	return img, nil
}

// develop asks darktable for the baseline and publishes the image.
func (e *Engine) develop(ctx context.Context, id ImageID, raw rawFile) (IngestResult, error) {
	darktable, err := e.renderer()
	if err != nil {
		return IngestResult{}, err
	}
	baseline, jpeg, err := e.developBaseline(ctx, raw.Path)
	if err != nil {
		return IngestResult{}, err
	}
	summary := e.summarise(raw.Path, jpeg)
	file := imageFile{
		ImageID: id, Raw: raw, EXIF: summary,
		Darktable: darktable.Version(), IngestedAt: time.Now().UTC().Truncate(time.Second),
	}
	var record versioning.Record
	err = e.workspace.add(ctx, id, func(dir string) error {
		if err := file.write(dir); err != nil {
			return err
		}
		history, err := versioning.Open(filepath.Join(dir, "history"), e.historyOptions())
		if err != nil {
			return err
		}
		record, err = history.Init(ctx, baseline.Canonical(), versioning.Change{
			Op: "ingest", Actor: e.actor(ctx), Darktable: darktable.Version(),
		})
		return err
	})
	if errors.Is(err, fs.ErrExist) {
		return IngestResult{}, e.taken(id)
	}
	if err != nil {
		return IngestResult{}, err
	}
	return IngestResult{
		ImageID: id, Created: true, EXIFSummary: summary,
		SuggestedBindings: e.suggestBindings(summary), BaselineHash: record.State.String(),
	}, nil
}

// developBaseline gives the baseline, and the small JPEG that it came with.
func (e *Engine) developBaseline(ctx context.Context, raw string) (*xmp.Sidecar, []byte, error) {
	made, err := e.darktable.Default(ctx, raw)
	if err != nil {
		return nil, nil, err
	}
	sidecar, err := xmp.Parse(made.Packet)
	if err != nil {
		return nil, nil, err
	}
	release, err := iop.ReleaseFor(e.darktable.Version())
	if err != nil {
		return nil, nil, err
	}
	sidecar, err = sidecar.Compact(release)
	return sidecar, made.JPEG, err
}

// ingested answers for an image that was there already.
func (e *Engine) ingested(ctx context.Context, img *image, raw rawFile) (IngestResult, error) {
	if _, err := os.Stat(img.Raw.Path); errors.Is(err, fs.ErrNotExist) && !e.opts.ReadOnly {
		moved := img.imageFile
		moved.Raw = raw
		if err := moved.write(img.Dir); err != nil {
			return IngestResult{}, err
		}
	}
	baseline, err := img.Baseline(ctx)
	if err != nil {
		return IngestResult{}, err
	}
	return IngestResult{
		ImageID: img.ImageID, EXIFSummary: img.EXIF,
		SuggestedBindings: e.suggestBindings(img.EXIF), BaselineHash: baseline.Record.State.String(),
	}, nil
}
