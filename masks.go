package chemigram

import (
	"context"
	"errors"
	goimage "image"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/internal/compose"
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/lists"
	"github.com/chemigram/chemigram/internal/probe"
	"github.com/chemigram/chemigram/internal/regularfile"
	"github.com/chemigram/chemigram/internal/suggest"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/render"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/mask"
)

// Mask limits a move to a part of the picture: a named mask, shapes, ranges of
// light or colour, or several of these. See docs/masks.md.
type Mask = mask.Spec

// MaskShape is a shape of a [Mask].
type MaskShape = mask.SpecShape

// MaskRange is a range of light or colour of a [Mask].
type MaskRange = mask.SpecRange

// openMask opens the file of a mask, where files of masks may lie.
func (e *Engine) openMask(name string) (*os.File, error) {
	path, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	if err := workspace.Allowed(path, e.opts.RawRoots, "a mask"); err != nil {
		return nil, err
	}
	file, _, err := regularfile.Open(path)
	if err != nil {
		return nil, fault.New(fault.Masking, "the mask's file cannot be read: %v", err).With("file", path)
	}
	return file, nil
}

// ListMasksParams are the parameters of ListMasks.
type ListMasksParams struct {
	// Query chooses masks by words in name, description and tags.
	Query string `json:"query,omitempty"`
	// Limit is how many masks to give.
	Limit Limit `json:"limit,omitempty" default:"50"`
	// Offset is how many masks to skip.
	Offset Offset `json:"offset,omitempty"`
	// Detail gives tags and packs, too.
	Detail bool `json:"detail,omitempty"`
}

// ListMasksResult is a page of the named masks.
type ListMasksResult struct {
	// Masks of this page, by name.
	Masks []NamedMask `json:"masks"`
	// Total number of masks that the query chooses.
	Total int `json:"total"`
}

// NamedMask is a selection that has a name.
type NamedMask struct {
	// Name to use it by.
	Name string `json:"name"`
	// Description of what it selects.
	Description string `json:"description"`
	// Tags to find it by; with detail.
	Tags []string `json:"tags,omitempty"`
	// Pack that it comes from; with detail.
	Pack string `json:"pack,omitempty"`
}

// ListMasks lists the masks that have a name: tones, colours, and parts of the
// frame.
func (e *Engine) ListMasks(ctx context.Context, p ListMasksParams) (_ ListMasksResult, err error) {
	defer seal(&err, "list_masks", "")
	if err := validate(&p); err != nil {
		return ListMasksResult{}, err
	}
	masks := slices.DeleteFunc(e.namedMasks(), func(m NamedMask) bool {
		return !matchesQuery(p.Query, append([]string{m.Name, m.Description}, m.Tags...)...)
	})
	if len(masks) == 0 { // the words may be misspelt
		masks = slices.DeleteFunc(e.namedMasks(), func(m NamedMask) bool {
			return len(suggest.Nearest(p.Query, slices.Concat(strings.Split(m.Name, "_"), m.Tags, []string{m.Name}))) == 0
		})
	}
	slices.SortFunc(masks, func(a, b NamedMask) int { return strings.Compare(a.Name, b.Name) })
	if !p.Detail {
		for i := range masks {
			masks[i].Tags, masks[i].Pack = nil, ""
		}
	}
	return ListMasksResult{Masks: lists.Page(masks, p.Offset, p.Limit), Total: len(masks)}, ctx.Err()
}

// namedMasks are the masks by meaning, and those of the vocabulary: where both have a
// name, it is the meaning.
func (e *Engine) namedMasks() []NamedMask {
	masks := slices.Clone(meaningMasks)
	for _, m := range e.vocabulary.Masks() {
		if !slices.ContainsFunc(meaningMasks, func(meant NamedMask) bool { return meant.Name == m.Name }) {
			masks = append(masks, NamedMask{Name: m.Name, Description: m.Description, Tags: lists.NotNil(m.Tags), Pack: m.Pack.Name})
		}
	}
	return masks
}

// meaningMasks are the masks whose region is found in the picture.
var meaningMasks = []NamedMask{
	{Name: string(mask.Sky), Description: "The sky, found in the picture: blue, grey, clouds, dusk. sky_blue is the colour alone.", Tags: []string{"sky", "clouds", "sunset", "region"}, Pack: "built-in"},
	{Name: string(mask.Plants), Description: "Grass, leaves, trees and flowers, found in the picture. foliage is the colour alone.", Tags: []string{"plants", "grass", "trees", "leaves", "foliage", "region"}, Pack: "built-in"},
	{Name: string(mask.Water), Description: "Sea, lakes and rivers, found in the picture.", Tags: []string{"water", "sea", "lake", "river", "region"}, Pack: "built-in"},
	{Name: string(mask.Skin), Description: "Faces, hands and other bare skin of people, found in the picture.", Tags: []string{"skin", "face", "people", "portrait", "region"}, Pack: "built-in"},
	{Name: string(mask.Subject), Description: "What the picture is of, such as a person, an animal or a boat, found in the picture.", Tags: []string{"subject", "person", "animal", "object", "region"}, Pack: "built-in"},
	{Name: mask.Background, Description: "Everything but the subject, which is found in the picture.", Tags: []string{"background", "behind", "surroundings", "region"}, Pack: "built-in"},
}

// PreviewMaskParams are the parameters of PreviewMask.
type PreviewMaskParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// Mask to look at.
	Mask Mask `json:"mask"`
	// Size is the longest edge of the picture in pixels.
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
	Fraction float64 `json:"fraction" decimals:"4"`
	// Lab is the mean colour of what is selected.
	Lab LabStats `json:"lab"`
	// Confidence is how much of a found region is probably right, 0 to 1.
	Confidence *float64 `json:"confidence,omitempty" decimals:"2"`
}

// PreviewMask shows what a mask selects of the present picture, tinted red and
// outlined, and says how much of it and of what colour. Ranges are judged where
// exposure works, before curves; a move that works later may see the light brighter
// or with more contrast.
func (e *Engine) PreviewMask(ctx context.Context, p PreviewMaskParams) (_ PreviewMaskResult, err error) {
	defer e.seal(&err, "preview_mask", p.ImageID)
	img, err := e.imageToRead(&p, p.ImageID)
	if err != nil {
		return PreviewMaskResult{}, err
	}
	ctx, cancel := e.renderContext(ctx, p.TimeoutSeconds)
	defer cancel()
	current, err := img.At(ctx, "") // once: another writer may move HEAD meanwhile
	if err != nil {
		return PreviewMaskResult{}, err
	}
	now, err := e.startFrom(ctx, img, current.Sidecar)
	if err != nil {
		return PreviewMaskResult{}, err
	}
	shown, selection, err := e.selected(ctx, img, now, p.Mask, p.Size)
	if err != nil {
		return PreviewMaskResult{}, err
	}
	tinted, selected, err := render.Tint(shown, selection)
	if err != nil {
		return PreviewMaskResult{}, err
	}
	size := tinted.Bounds().Size()
	res := PreviewMaskResult{Width: size.X, Height: size.Y, Fraction: selected.Fraction, Lab: LabStats(selected.Lab), Confidence: now.Sure.Confidence}
	res.JPEGPath, err = e.keepPicture(ctx, tinted)
	return res, err
}

// selected gives a draft of the present picture and what a mask selects of it. Shapes
// and ranges are drawn here: ranges in light that is developed once for all moves at and
// after exposure. What needs more of the picture is measured with darktable.
func (e *Engine) selected(
	ctx context.Context, img *workspace.Image, now compose.Start, m Mask, size Size,
) (shown goimage.Image, _ render.Selection, err error) {
	spec, err := now.Expand(m)
	if err != nil {
		return nil, render.Selection{}, err
	}
	drawn, err := now.Drawn(ctx, spec)
	if err != nil {
		return nil, render.Selection{}, err
	}
	if shown, err = e.draft(ctx, img, now.Current, size); err != nil {
		return nil, render.Selection{}, err
	}
	pixels := shown.Bounds().Size()
	placed, err := drawn(mask.Size{Width: float64(pixels.X), Height: float64(pixels.Y)})
	if err != nil {
		return nil, render.Selection{}, err
	}
	if !placed.IsDrawn() {
		selection, err := e.probe.InLight(ctx, rawOf(ctx, img), now, placed)
		if errors.Is(err, probe.ErrMoreThanLight) {
			selection, err = e.probe.Selection(ctx, rawOf(ctx, img), now, spec)
		}
		return shown, selection, err
	}
	return shown, drawSelection(placed, pixels), nil
}

// drawnSize is the longest edge at which masks are drawn. They are smooth, and places
// between pixels are interpolated.
const drawnSize = 512

func drawSelection(m mask.Mask, picture goimage.Point) render.Selection {
	scale := min(1, drawnSize/float64(max(picture.X, picture.Y)))
	s := render.Selection{Width: max(1, int(float64(picture.X)*scale+0.5)), Height: max(1, int(float64(picture.Y)*scale+0.5))}
	s.At = m.Draw(s.Width, s.Height)
	return s
}

// draft gives the pixels of a look for the eye, as they were developed before or as a
// draft.
func (e *Engine) draft(ctx context.Context, img *workspace.Image, look *xmp.Sidecar, size Size) (goimage.Image, error) {
	picture, _, _, err := e.previewQuality(ctx, img, look, size, nil, QualityDraft)
	if err != nil {
		return nil, err
	}
	return render.Load(picture.Path)
}
