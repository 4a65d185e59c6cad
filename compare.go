package chemigram

import (
	"bytes"
	"context"
	"fmt"
	goimage "image"
	"path/filepath"
	"strings"

	"github.com/chemigram/chemigram/internal/atomicfile"
	"github.com/chemigram/chemigram/render"
)

// CompareParams are the parameters of Compare.
type CompareParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// HashA is the version on the left; refs are accepted.
	HashA RefOrHash `json:"hash_a"`
	// HashB is the version on the right; refs are accepted.
	HashB RefOrHash `json:"hash_b"`
	// Size is the longest edge of each of the two pictures.
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
	MeanDeltaE float64 `json:"mean_delta_e"`
	// MaxDeltaE is the largest ΔE2000 of a pixel.
	MaxDeltaE float64 `json:"max_delta_e"`
	// ChangedFraction is the share of pixels that differ by more than ΔE2000 1.
	ChangedFraction float64 `json:"changed_fraction"`
	// DifferencePath is the path of a picture of the difference: black where
	// nothing differs, over violet, red and orange to white where ΔE2000 is 20
	// or more.
	DifferencePath string `json:"difference_path"`
}

// Compare develops two versions of an edit, shows them side by side and tells
// how far they are apart.
func (e *Engine) Compare(ctx context.Context, p CompareParams) (_ CompareResult, err error) {
	defer seal(&err, "compare", p.ImageID)
	if err := validate(&p); err != nil {
		return CompareResult{}, err
	}
	ctx, cancel := e.rendering(ctx, p.TimeoutSeconds)
	defer cancel()
	img, err := e.image(p.ImageID)
	if err != nil {
		return CompareResult{}, err
	}
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
	name := fmt.Sprintf("%s-%s-%d", a.version.record.State.String()[:16], b.version.record.State.String()[:16], p.Size)
	labels := [2]string{label(p.HashA, a.version), label(p.HashB, b.version)}
	both := render.SideBySide(render.Tile{Picture: a.pixels, Label: labels[0]}, render.Tile{Picture: b.pixels, Label: labels[1]})
	res := CompareResult{
		MeanDeltaE: measured.MeanDeltaE, MaxDeltaE: measured.MaxDeltaE, ChangedFraction: measured.ChangedFraction,
	}
	if res.JPEGPath, err = e.keepPicture("compare-"+name, both); err != nil {
		return CompareResult{}, err
	}
	res.DifferencePath, err = e.keepPicture("difference-"+name, measured.Picture())
	return res, err
}

// label names a version in a picture: by what the caller called it, and its
// look.
func label(ref RefOrHash, v version) string {
	state := v.record.State.String()[:8]
	if name := string(ref); !strings.HasPrefix(v.record.State.String(), name) && !strings.HasPrefix(v.record.ID.String(), name) {
		return name + "  " + state
	}
	return state
}

// picture is a version that was developed.
type picture struct {
	version version
	pixels  goimage.Image
}

// developed gives the pixels of a version.
func (e *Engine) developed(ctx context.Context, img *image, ref RefOrHash, size Size) (picture, error) {
	shown, err := img.at(ctx, ref)
	if err != nil {
		return picture{}, err
	}
	file, _, err := e.preview(ctx, img, shown.sidecar, size)
	if err != nil {
		return picture{}, err
	}
	pixels, err := render.Load(file.Path)
	return picture{shown, pixels}, err
}

// keepPicture writes a picture that was made here beside the previews.
func (e *Engine) keepPicture(name string, pixels goimage.Image) (path string, err error) {
	var jpeg bytes.Buffer
	if err := render.EncodeJPEG(&jpeg, pixels, 0); err != nil {
		return "", err
	}
	dir, err := e.pictures()
	if err != nil {
		return "", err
	}
	path = filepath.Join(dir, name+".jpg")
	return path, atomicfile.Write(path, jpeg.Bytes(), 0o666)
}
