package chemigram

import (
	"context"
	goimage "image"
	"strings"

	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/render"
)

// CompareParams are the parameters of Compare.
type CompareParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// HashA is the version on the left.
	HashA RefOrHash `json:"hash_a"`
	// HashB is the version on the right.
	HashB RefOrHash `json:"hash_b"`
	// Size is the longest edge of each picture in pixels.
	Size Size `json:"size,omitempty" default:"1024"`
	// TimeoutSeconds limits darktable's time.
	TimeoutSeconds TimeoutSeconds `json:"timeout_seconds,omitempty" default:"120"`
}

// CompareResult is a difference to look at, and its measure. ΔE2000 is a colour
// distance: 1 is just visible side by side, 10 at a glance.
type CompareResult struct {
	// JPEGPath is the path of the two pictures side by side, labelled.
	JPEGPath string `json:"jpeg_path"`
	// MeanDeltaE is the mean ΔE2000 over all pixels.
	MeanDeltaE float64 `json:"mean_delta_e" decimals:"2"`
	// MaxDeltaE is the largest ΔE2000 of a pixel.
	MaxDeltaE float64 `json:"max_delta_e" decimals:"2"`
	// ChangedFraction is the share of pixels that differ by more than ΔE2000 1.
	ChangedFraction float64 `json:"changed_fraction" decimals:"4"`
	// SameFrame is false when one of the versions is cropped or turned: the
	// second was then scaled to the size of the first, and the numbers say that
	// the pictures differ rather than how their colours do.
	SameFrame bool `json:"same_frame"`
	// DifferencePath is the path of a picture of the difference: black where
	// nothing differs, over violet, red and orange to white where ΔE2000 is 20
	// or more.
	DifferencePath string `json:"difference_path"`
}

// Compare develops two versions of an edit, shows them side by side and
// measures how far they are apart.
func (e *Engine) Compare(ctx context.Context, p CompareParams) (_ CompareResult, err error) {
	defer e.seal(&err, "compare", p.ImageID)
	img, err := e.imageToRead(&p, p.ImageID)
	if err != nil {
		return CompareResult{}, err
	}
	ctx, cancel := e.renderContext(ctx, p.TimeoutSeconds)
	defer cancel()
	a, err := e.developed(ctx, img, p.HashA, p.Size)
	if err != nil {
		return CompareResult{}, err
	}
	b, err := e.developed(ctx, img, p.HashB, p.Size)
	if err != nil {
		return CompareResult{}, err
	}
	measured, err := render.Compare(a.pixels, b.pixels)
	if err != nil {
		return CompareResult{}, err
	}
	labels := [2]string{label(p.HashA, a.version), label(p.HashB, b.version)}
	both := render.SideBySide(render.Tile{Picture: a.pixels, Label: labels[0]}, render.Tile{Picture: b.pixels, Label: labels[1]})
	res := CompareResult{
		MeanDeltaE: measured.MeanDeltaE, MaxDeltaE: measured.MaxDeltaE, ChangedFraction: measured.ChangedFraction,
		SameFrame: measured.SameFrame,
	}
	if res.JPEGPath, err = e.keepPicture(ctx, both); err != nil {
		return CompareResult{}, err
	}
	res.DifferencePath, err = e.keepPicture(ctx, measured.Picture())
	return res, err
}

// label names a version in a picture: by what the caller called it, and its
// look.
func label(ref RefOrHash, v workspace.Version) string {
	state := v.Record.State.String()[:8]
	if name := string(ref); !strings.HasPrefix(v.Record.State.String(), name) && !strings.HasPrefix(v.Record.ID.String(), name) {
		return name + "  " + state
	}
	return state
}

// picture is a version that was developed.
type picture struct {
	version workspace.Version
	pixels  goimage.Image
	quality PreviewQuality
}

// developed gives the pixels of a version, as the export develops it.
func (e *Engine) developed(ctx context.Context, img *workspace.Image, ref RefOrHash, size Size) (picture, error) {
	return e.developVersion(ctx, img, ref, size, QualityExact)
}

// developVersion gives the pixels of a version in a quality or in a better one.
func (e *Engine) developVersion(ctx context.Context, img *workspace.Image, ref RefOrHash, size Size, quality PreviewQuality) (picture, error) {
	shown, err := img.At(ctx, string(ref))
	if err != nil {
		return picture{}, err
	}
	pixels, made, err := e.pixelsOf(ctx, img, shown.Sidecar, size, quality)
	return picture{shown, pixels, made}, err
}

// keepPicture keeps a picture that was drawn here among the previews.
func (e *Engine) keepPicture(ctx context.Context, pixels goimage.Image) (path string, err error) {
	kept, err := e.cache.Keep(ctx, pixels)
	return kept.Path, err
}
