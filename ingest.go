package chemigram

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
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
	// SuggestedBindings are names of L1 entries made for this camera or lens.
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
	baseline, err := e.developBaseline(ctx, raw.Path)
	if err != nil {
		return IngestResult{}, err
	}
	summary, err := readEXIF(raw.Path)
	if err != nil {
		e.log.Info("the file's metadata cannot be read", "raw", raw.Path, "error", err)
	}
	file := imageFile{
		ImageID: id, Raw: raw, EXIF: summary,
		Darktable: darktable.Version(), IngestedAt: time.Now().UTC().Truncate(time.Second),
	}
	var record versioning.Record
	err = e.workspace.add(id, func(dir string) error {
		if err := file.write(dir); err != nil {
			return err
		}
		history, err := versioning.Open(filepath.Join(dir, "history"), e.historyOptions())
		if err != nil {
			return err
		}
		record, err = history.Init(ctx, baseline.Canonical(), versioning.Change{
			Op: "ingest", Actor: e.opts.Actor, Darktable: darktable.Version(),
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
		SuggestedBindings: []string{}, BaselineHash: record.State.String(),
	}, nil
}

func (e *Engine) developBaseline(ctx context.Context, raw string) (*xmp.Sidecar, error) {
	packet, err := e.darktable.Baseline(ctx, raw)
	if err != nil {
		return nil, err
	}
	sidecar, err := xmp.Parse(packet)
	if err != nil {
		return nil, err
	}
	release, err := iop.ReleaseFor(e.darktable.Version())
	if err != nil {
		return nil, err
	}
	return sidecar.Compact(release)
}

// ingested answers for an image that was there already.
func (e *Engine) ingested(ctx context.Context, img *image, raw rawFile) (IngestResult, error) {
	if _, err := os.Stat(img.Raw.Path); errors.Is(err, fs.ErrNotExist) && !e.opts.ReadOnly {
		img.Raw = raw // the file has moved
		if err := img.imageFile.write(img.dir); err != nil {
			return IngestResult{}, err
		}
	}
	baseline, err := img.baseline(ctx)
	if err != nil {
		return IngestResult{}, err
	}
	return IngestResult{
		ImageID: img.ImageID, EXIFSummary: img.EXIF,
		SuggestedBindings: []string{}, BaselineHash: baseline.record.State.String(),
	}, nil
}

// readRaw checks that the path is a readable file below the allowed roots, and
// takes its digest.
func (e *Engine) readRaw(path string) (rawFile, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return rawFile{}, err
	}
	if err := within(path, e.opts.RawRoots, "a raw"); err != nil {
		return rawFile{}, err
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return rawFile{}, notFound("file", path, nil)
	}
	if err != nil {
		return rawFile{}, err
	}
	if !info.Mode().IsRegular() {
		return rawFile{}, fail(ErrInvalidInput, "%s is not a file but a %s", path, describeMode(info.Mode()))
	}
	if info.Size() == 0 {
		return rawFile{}, fail(ErrInvalidInput, "%s is empty", path)
	}
	digest, err := digestFile(path)
	if err != nil {
		return rawFile{}, err
	}
	return rawFile{Path: path, SHA256: digest, Size: info.Size(), ModifiedAt: info.ModTime().UTC()}, nil
}

func digestFile(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// chooseID finds the id for a raw: the one asked for, or one made from the
// file's name. known is the image when this very file has the id already.
func (e *Engine) chooseID(asked ImageID, raw rawFile) (id ImageID, known *image, err error) {
	stem := asked
	if asked == "" {
		stem = idFromPath(raw.Path)
	}
	for n := 1; ; n++ {
		id := stem
		if n > 1 {
			id = ImageID(fmt.Sprintf("%.120s-%d", stem, n))
		}
		img, err := e.image(id)
		switch {
		case errors.Is(err, ErrNotFound):
			if clash, err := e.differsInCase(id); err != nil || !clash {
				return id, nil, err
			}
		case err != nil:
			return "", nil, err
		case img.Raw.SHA256 == raw.SHA256:
			return id, img, nil
		}
		if asked != "" {
			return "", nil, e.taken(asked)
		}
	}
}

// differsInCase tells whether an image has this id but for upper and lower
// case: on many systems the two would be one folder.
func (e *Engine) differsInCase(id ImageID) (bool, error) {
	ids, err := e.workspace.imageIDs()
	for _, have := range ids {
		if strings.EqualFold(have, string(id)) {
			return true, err
		}
	}
	return false, err
}

// taken is the error for an id that another file has.
func (e *Engine) taken(id ImageID) error {
	suggestion := id
	for n := 2; ; n++ {
		suggestion = ImageID(fmt.Sprintf("%.120s-%d", id, n))
		if clash, err := e.differsInCase(suggestion); err != nil || !clash {
			break
		}
	}
	return fail(ErrState, "image_id %q is taken by another file; %q is free", id, suggestion).
		with("suggested_image_id", string(suggestion))
}

// idFromPath makes an id of a file's name: what is not allowed in an id
// becomes a hyphen.
func idFromPath(path string) ImageID {
	stem := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	id := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '_', r == '-':
			return r
		}
		return '-'
	}, stem)
	id = strings.TrimLeft(id, "._-")
	if id == "" {
		id = "image"
	}
	return ImageID(id[:min(len(id), 120)])
}
