package chemigram

import (
	"context"
	"errors"
	goimage "image"
	"time"

	"github.com/chemigram/chemigram/internal/timelimit"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/render"
	"github.com/chemigram/chemigram/xmp"
)

// RenderPreviewParams are the parameters of RenderPreview.
type RenderPreviewParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// Size is the longest edge of the preview in pixels.
	Size Size `json:"size,omitempty" default:"1024"`
	// RefOrHash is the version to develop. Default: HEAD.
	RefOrHash RefOrHash `json:"ref_or_hash,omitempty"`
	// Region to show at 100 % of the sensor's pixels, for judging sharpness and
	// noise; it is scaled down only when it has more pixels than size allows.
	// Default: the whole picture.
	Region *Region `json:"region,omitempty"`
	// Quality is the least that is asked for. The result says which was made.
	Quality PreviewQuality `json:"quality,omitempty" default:"draft"`
	// TimeoutSeconds limits darktable's time.
	TimeoutSeconds TimeoutSeconds `json:"timeout_seconds,omitempty" default:"120"`
}

// RenderPreviewResult is a picture to look at.
type RenderPreviewResult struct {
	// JPEGPath is the path of the picture, an sRGB JPEG.
	JPEGPath string `json:"jpeg_path"`
	// Width of the picture in pixels.
	Width int `json:"width"`
	// Height of the picture in pixels.
	Height int `json:"height"`
	// StateHash is the hash of the look that it shows.
	StateHash string `json:"state_hash"`
	// Quality that the preview has: that asked for or a better one. A draft has
	// right tone and colour, and not its fine texture; the others are the
	// export's own pixels at this size.
	Quality PreviewQuality `json:"quality"`
	// Cached is true when the same preview had been made before.
	Cached bool `json:"cached"`
	// DurationSeconds is how long it took.
	DurationSeconds float64 `json:"duration_seconds" decimals:"2"`
}

// RenderPreview develops a version of the edit as a JPEG to look at. The same
// version at the same size is developed once and then comes from the cache.
func (e *Engine) RenderPreview(ctx context.Context, p RenderPreviewParams) (_ RenderPreviewResult, err error) {
	defer e.seal(&err, "render_preview", p.ImageID)
	if err := validate(&p); err != nil {
		return RenderPreviewResult{}, err
	}
	region, err := p.Region.area()
	if err != nil {
		return RenderPreviewResult{}, err
	}
	ctx, cancel := e.renderContext(ctx, p.TimeoutSeconds)
	defer cancel()
	start := time.Now()
	img, err := e.image(p.ImageID)
	if err != nil {
		return RenderPreviewResult{}, err
	}
	shown, err := img.At(ctx, string(p.RefOrHash))
	if err != nil {
		return RenderPreviewResult{}, err
	}
	picture, made, cached, err := e.previewQuality(ctx, img, shown.Sidecar, p.Size, region, p.Quality)
	if err != nil {
		return RenderPreviewResult{}, err
	}
	return RenderPreviewResult{
		JPEGPath: picture.Path, Width: picture.Width, Height: picture.Height,
		StateHash: shown.Record.State.String(), Quality: made, Cached: cached,
		DurationSeconds: time.Since(start).Seconds(),
	}, nil
}

// preview gives the pixels of a look, as the export develops it.
func (e *Engine) preview(ctx context.Context, img *workspace.Image, look *xmp.Sidecar, size Size) (goimage.Image, error) {
	pixels, _, err := e.pixelsOf(ctx, img, look, size, QualityExact)
	return pixels, err
}

// pixelsOf gives the pixels of a look in a quality or in a better one, and which.
func (e *Engine) pixelsOf(
	ctx context.Context, img *workspace.Image, look *xmp.Sidecar, size Size, quality PreviewQuality,
) (goimage.Image, PreviewQuality, error) {
	picture, made, _, err := e.previewQuality(ctx, img, look, size, nil, quality)
	if err != nil {
		return nil, "", err
	}
	pixels, err := render.Load(picture.Path)
	return pixels, made, err
}

// qualityDraftAlone is a draft, even where a better picture is known; a better one only
// where none can be made.
const qualityDraftAlone PreviewQuality = "draft alone"

// previewQuality gives the JPEG of a look in a quality or in a better one, from the
// cache or from darktable. region is nil for the whole picture.
func (e *Engine) previewQuality(
	ctx context.Context, img *workspace.Image, look *xmp.Sidecar, size Size, region *render.Region, quality PreviewQuality,
) (_ render.Picture, made PreviewQuality, cached bool, err error) {
	darktable, err := e.renderer()
	if err != nil {
		return render.Picture{}, "", false, err
	}
	if err := img.CheckRaw(ctx); err != nil {
		return render.Picture{}, "", false, err
	}
	defer func() { err = e.orGone(ctx, ImageID(img.ImageID), err) }()
	job, err := e.developJob(ctx, darktable.Identity(), img, look, size)
	if err != nil {
		return render.Picture{}, "", false, err
	}
	shown := render.Region{}
	if region != nil {
		shown = *region
	}
	recipe, err := job.Recipe(string(QualityExact), shown)
	if err != nil {
		return render.Picture{}, "", false, err
	}
	full := QualityExact
	if quality == QualityFine {
		full = QualityFine // the same pixels
	}
	if picture, ok := e.cache.Get(recipe); ok && quality != qualityDraftAlone {
		return picture, full, true, nil // the best there is serves everyone
	}
	if (quality == QualityDraft || quality == qualityDraftAlone) && region == nil && e.workers != nil {
		draft := recipe
		draft.Path = string(QualityDraft)
		picture, cached, err := e.cache.PictureWithin(ctx, draft, job.Timeout, func(ctx context.Context, path string) (render.Picture, error) {
			job.Output, job.Timeout = path, 0
			return e.workers.Draft(ctx, job)
		})
		if !errors.Is(err, render.ErrNoDraft) {
			return picture, QualityDraft, cached, err
		}
	}
	picture, cached, err := e.cache.PictureWithin(ctx, recipe, job.Timeout, func(ctx context.Context, path string) (render.Picture, error) {
		job.Output, job.Timeout = path, 0
		switch {
		case region != nil:
			return darktable.RenderRegion(ctx, job, *region)
		case e.workers != nil:
			return e.workers.Preview(ctx, job)
		}
		return darktable.Render(ctx, job)
	})
	return picture, full, cached, err
}

// developJob is the development of a look for the eye, as the darktable of an
// identity reads it.
func (e *Engine) developJob(
	ctx context.Context, darktable string, img *workspace.Image, look *xmp.Sidecar, size Size,
) (render.Job, error) {
	look, err := e.readable(ctx, img, look)
	if err != nil {
		return render.Job{}, err
	}
	return render.Job{
		Raw: img.Raw.Path, RawDigest: img.Raw.SHA256, Darktable: darktable, Verify: checkRaw(ctx, img),
		Sidecar: look.Bytes(), Size: int(size), Timeout: timelimit.Left(ctx),
	}, nil
}

// previews gives the JPEGs of several looks of one image, in their order: what
// was seen before from the cache, the rest from few starts of darktable.
func (e *Engine) previews(ctx context.Context, img *workspace.Image, looks []*xmp.Sidecar, size Size) ([]render.Picture, error) {
	darktable, err := e.renderer()
	if err != nil {
		return nil, err
	}
	if err := img.CheckRaw(ctx); err != nil {
		return nil, err
	}
	wanted := make([]render.Wanted, len(looks))
	identity := darktable.Identity()
	for i, look := range looks {
		if wanted[i].Job, err = e.developJob(ctx, identity, img, look, size); err != nil {
			return nil, err
		}
		if wanted[i].Recipe, err = wanted[i].Job.Recipe(string(QualityExact), render.Region{}); err != nil {
			return nil, err
		}
	}
	return e.cache.Pictures(ctx, darktable, wanted, func(done, total int) {
		what := "developed"
		if done == 0 {
			what = "planned"
		}
		reportProgress(ctx, done, total, what)
	})
}
