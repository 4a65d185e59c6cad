package chemigram

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/render"
	"github.com/chemigram/chemigram/xmp"
)

// PreviewMaskParams are the parameters of PreviewMask.
type PreviewMaskParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// Mask to look at.
	Mask Mask `json:"mask"`
	// Size is the longest edge of the picture.
	Size Size `json:"size,omitempty" default:"768"`
	// TimeoutSeconds limits darktable's time.
	TimeoutSeconds TimeoutSeconds `json:"timeout_seconds,omitempty" default:"120"`
}

// PreviewMaskResult is what a mask selects.
type PreviewMaskResult struct {
	// JPEGPath is the path of the picture with what is selected tinted red and outlined.
	JPEGPath string `json:"jpeg_path"`
	// Width of the picture in pixels.
	Width int `json:"width"`
	// Height of the picture in pixels.
	Height int `json:"height"`
	// Fraction of the picture that is selected, 0 to 1.
	Fraction float64 `json:"fraction"`
	// Lab is the mean colour of what is selected.
	Lab LabStats `json:"lab"`
}

// PreviewMask shows what a mask selects of the present picture, tinted red and
// outlined, and says how much of it and of what colour. The history is not touched. Ranges are
// judged where exposure works, before curves; a move that works later may see
// the light brighter or with more contrast.
func (e *Engine) PreviewMask(ctx context.Context, p PreviewMaskParams) (_ PreviewMaskResult, err error) {
	defer seal(&err, "preview_mask", p.ImageID)
	if err := validate(&p); err != nil {
		return PreviewMaskResult{}, err
	}
	ctx, cancel := e.rendering(ctx, p.TimeoutSeconds)
	defer cancel()
	img, err := e.image(p.ImageID)
	if err != nil {
		return PreviewMaskResult{}, err
	}
	now, err := e.begin(ctx, img, "")
	if err != nil {
		return PreviewMaskResult{}, err
	}
	selection, err := e.selection(ctx, img, now, p.Mask)
	if err != nil {
		return PreviewMaskResult{}, err
	}
	shown, err := e.developed(ctx, img, "", p.Size)
	if err != nil {
		return PreviewMaskResult{}, err
	}
	tinted, selected, err := render.Tint(shown.pixels, selection)
	if err != nil {
		return PreviewMaskResult{}, err
	}
	how, err := json.Marshal(p.Mask)
	if err != nil {
		return PreviewMaskResult{}, err
	}
	size := tinted.Bounds().Size()
	res := PreviewMaskResult{Width: size.X, Height: size.Y, Fraction: selected.Fraction, Lab: LabStats(selected.Lab)}
	res.JPEGPath, err = e.keepPicture(ctx, shown.version.Record.State.String(), "mask "+string(how), tinted)
	return res, err
}

// The last of these takes three stops away, so that nothing clips.
const (
	probeMasked = "mask 1"
	probeDarker = "mask 2"
	darkerEV    = -3
)

// selection develops what a mask selects: half of full scale is added to the
// light, nowhere, within the mask, and everywhere; the differences tell how much
// is selected, however dark the place.
func (e *Engine) selection(ctx context.Context, img *workspace.Image, now session, where Mask) (render.Selection, error) {
	spec, err := now.vocabulary.Expand(where)
	if err != nil {
		return render.Selection{}, err
	}
	m, err := now.place(ctx, spec)
	if err != nil {
		return render.Selection{}, err
	}
	darker, err := exposurePut(now.release, probeDarker, darkerEV, 0)
	if err != nil {
		return render.Selection{}, err
	}
	lighter, err := exposurePut(now.release, probeMasked, 1, -0.5)
	if err != nil {
		return render.Selection{}, err
	}
	everywhere := lighter
	if err := limitPut(&lighter, now.release, m); err != nil {
		return render.Selection{}, err
	}
	with, err := now.head.Sidecar.With(now.release, darker, lighter)
	if err != nil {
		return render.Selection{}, err
	}
	if with, err = straightAfter(now, with, lighter.Entry.MultiName, darker.Entry.MultiName); err != nil {
		return render.Selection{}, err
	}
	without, err := with.With(now.release, xmp.Remove{Operation: "exposure", MultiName: lighter.Entry.MultiName})
	if err != nil {
		return render.Selection{}, err
	}
	full, err := without.With(now.release, everywhere)
	if err != nil {
		return render.Selection{}, err
	}
	pictures, err := e.linear(ctx, img, probeSize, without, with, full)
	if err != nil {
		return render.Selection{}, err
	}
	size := pictures[0].Bounds().Size()
	s := render.Selection{Width: size.X, Height: size.Y, At: make([]float64, size.X*size.Y)}
	if pictures[1].Bounds().Size() != size || pictures[2].Bounds().Size() != size {
		return render.Selection{}, fault.New(fault.Masking, "the mask changes the picture's size, so what it selects cannot be shown")
	}
	const green = 1
	before, after, most := channelsOf(pictures[0])[green], channelsOf(pictures[1])[green], channelsOf(pictures[2])[green]
	for i := range s.At {
		if step := most[i] - before[i]; step > 0 {
			s.At[i] = min(max((after[i]-before[i])/step, 0), 1)
		}
	}
	return s, nil
}

// straightAfter disables what comes after the named exposures and would bend
// the light that they add.
func straightAfter(now session, look *xmp.Sidecar, names ...string) (*xmp.Sidecar, error) {
	entries := look.History() // in pipeline order
	from := 0
	for i, entry := range entries {
		if entry.MultiName == names[0] {
			from = i + 1
		}
	}
	later := slices.DeleteFunc(slices.Clone(entries[from:]), func(entry xmp.Entry) bool {
		return slices.Contains(names, entry.MultiName)
	})
	return look.With(now.release, switchOff(later)...)
}
