package chemigram

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/chemigram/chemigram/internal/timelimit"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/render"
)

// ExportFinalParams are the parameters of ExportFinal.
type ExportFinalParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// RefOrHash is the version to export. Default: HEAD.
	RefOrHash RefOrHash `json:"ref_or_hash,omitempty"`
	// Size is the longest edge in pixels. Default: the full size.
	Size Size `json:"size,omitempty"`
	// Format is the file format, if the installed darktable has it.
	Format Format `json:"format,omitempty" default:"jpeg"`
	// Quality of a lossy format.
	Quality Percent `json:"encoder_quality,omitempty" default:"95" formerly:"quality"`
	// BitDepth per channel: png has 8 and 16; tiff 8, 16 and 32 (floating
	// point); avif 8, 10 and 12; jxl all of them; exr 16 and 32 (both floating
	// point). Default: 8, and 32 for exr.
	BitDepth BitDepth `json:"bit_depth,omitempty"`
	// ColorSpace of the picture.
	ColorSpace ColorSpace `json:"color_space,omitempty" default:"srgb"`
	// Metadata is what the file has beside its pixels.
	Metadata Metadata `json:"metadata,omitempty" default:"keep"`
	// Sharpen is output sharpening, 0 (none) to 1: darktable's sharpen module
	// once more, set for the size of the export, in the file only.
	Sharpen Strength `json:"sharpen,omitempty"`
	// OutputDir is the folder to write to; it is made when it is missing.
	// Default: the image's own folder in the workspace's exports.
	OutputDir string `json:"output_dir,omitempty"`
	// TimeoutSeconds limits darktable's time.
	TimeoutSeconds TimeoutSeconds `json:"timeout_seconds,omitempty" default:"600"`
}

// ExportFinalResult is the picture that was written.
type ExportFinalResult struct {
	// OutputPath is the file's path.
	OutputPath string `json:"output_path"`
	// Width in pixels.
	Width int `json:"width"`
	// Height in pixels.
	Height int `json:"height"`
	// Bytes is the size of the file.
	Bytes int64 `json:"bytes"`
	// Format of the file.
	Format Format `json:"format"`
	// StateHash is the hash of the look that it shows.
	StateHash string `json:"state_hash"`
	// DurationSeconds is how long it took.
	DurationSeconds float64 `json:"duration_seconds" decimals:"2"`
}

// ExportFinal develops a version in full quality into a file that stays. The XMP
// packet of a jpeg, png, tiff or webp has darktable's history of the edit, and the
// digests of the state, the raw and darktable. Metadata strip_location takes out where
// it was taken, strip_all all but the colour profile, the history and the hashes too.
// Nothing is ever overwritten: a name that is taken gets a number.
func (e *Engine) ExportFinal(ctx context.Context, p ExportFinalParams) (_ ExportFinalResult, err error) {
	defer e.seal(&err, "export_final", p.ImageID)
	if err := e.validateWrite(&p); err != nil {
		return ExportFinalResult{}, err
	}
	ctx, cancel := e.renderContext(ctx, p.TimeoutSeconds)
	defer cancel()
	darktable, err := e.renderer()
	if err != nil {
		return ExportFinalResult{}, err
	}
	job, dir, err := e.exportJob(ctx, ExportItem{p.ImageID, p.RefOrHash}, exportForm{
		size: p.Size, quality: p.Quality, bitDepth: p.BitDepth, colorSpace: p.ColorSpace,
		metadata: p.Metadata, sharpen: p.Sharpen, outputDir: p.OutputDir,
	})
	if err != nil {
		return ExportFinalResult{}, err
	}
	job.Timeout = timelimit.Left(ctx)
	stem := filepath.Join(dir, fmt.Sprintf("%s_%s", p.ImageID, job.State[:8]))
	picture, err := renderNew(ctx, darktable, job, stem, render.Extension(string(p.Format)))
	if err != nil {
		return ExportFinalResult{}, e.orGone(ctx, p.ImageID, err)
	}
	return ExportFinalResult{
		OutputPath: picture.Path, Width: picture.Width, Height: picture.Height, Bytes: picture.Bytes,
		Format: p.Format, StateHash: job.State, DurationSeconds: picture.Duration.Seconds(),
	}, nil
}

// renderNew renders to the first name that is free: STEM.EXT, STEM_2.EXT, …
func renderNew(ctx context.Context, darktable *render.Darktable, job render.Job, stem, ext string) (render.Picture, error) {
	for n := 1; ; n++ {
		job.Output = workspace.Numbered(stem, ext, n)
		if _, err := os.Lstat(job.Output); err == nil {
			continue
		}
		picture, err := darktable.Render(ctx, job)
		if failure, ok := errors.AsType[*render.Error](err); ok && failure.Kind == render.Exists {
			continue // another export took the name meanwhile
		}
		return picture, err
	}
}

// exportDir is the folder to write to, made when it is missing.
func (e *Engine) exportDir(asked string, id ImageID) (string, error) {
	return e.workspace.ExportDir(string(id), asked, e.opts.ExportRoots)
}

// An exportForm is what finished pictures have in common.
type exportForm struct {
	size       Size
	quality    Percent
	bitDepth   BitDepth
	colorSpace ColorSpace
	metadata   Metadata
	sharpen    Strength
	outputDir  string
}

// exportJob is the export of one version, but for its file's name and its time
// limit. dir is the folder to write to, which is made.
func (e *Engine) exportJob(ctx context.Context, item ExportItem, f exportForm) (job render.Job, dir string, err error) {
	img, err := e.image(item.ImageID)
	if err != nil {
		return job, "", err
	}
	shown, err := img.At(ctx, string(item.RefOrHash))
	if err == nil {
		err = img.CheckRaw(ctx)
	}
	if err != nil {
		return job, "", err
	}
	if dir, err = e.exportDir(f.outputDir, item.ImageID); err != nil {
		return job, "", err
	}
	look := shown.Sidecar
	if f.sharpen != 0 {
		now, err := e.startFrom(ctx, img, look)
		if err == nil {
			look, err = now.Sharpened(ctx, int(f.size), float64(f.sharpen))
		}
		if err != nil {
			return job, "", err
		}
	}
	if look, err = e.readable(ctx, img, look); err != nil {
		return job, "", err
	}
	darktable, err := e.renderer()
	if err != nil {
		return job, "", err
	}
	return render.Job{
		Raw: img.Raw.Path, RawDigest: img.Raw.SHA256, Darktable: darktable.Identity(), Verify: checkRaw(ctx, img),
		Sidecar: look.Bytes(), Durable: true, Size: int(f.size), HighQuality: true,
		Quality: int(f.quality), BitDepth: int(f.bitDepth), ColorSpace: string(f.colorSpace),
		Metadata: render.Metadata(f.metadata), State: shown.Record.State.String(),
	}, dir, nil
}

// Metadata is what an exported file has beside its pixels: keep is all that
// darktable writes; strip_location leaves only what is known to say nothing of
// where it was taken: the history, how the picture was taken, author, rights,
// title, caption and keywords, and of these none that holds a position; strip_all
// takes out EXIF, IPTC and XMP, and with them the history and the state's hash.
// The colour profile always stays.
type Metadata string
