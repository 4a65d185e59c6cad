package chemigram

import (
	"context"
	"fmt"
	"strconv"

	"github.com/chemigram/chemigram/internal/compose"
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/render"
	"github.com/chemigram/chemigram/versioning"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/xmp"
)

// RenderVariantsParams are the parameters of RenderVariants.
type RenderVariantsParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// RefOrHash is the version that the variants start from. Default: HEAD.
	RefOrHash RefOrHash `json:"ref_or_hash,omitempty"`
	// Variants to develop, 1 to 36, each with its name and moves.
	Variants []Variant `json:"variants,omitempty"`
	// PrimitiveName is a move to develop at several values, instead of
	// variants.
	PrimitiveName string `json:"primitive_name,omitempty"`
	// Parameter of the move that takes the values. Default: its only one.
	Parameter string `json:"parameter,omitempty"`
	// Values of the parameter, 1 to 36: one variant for each.
	Values []float64 `json:"parameter_values,omitempty" formerly:"values"`
	// Size is the longest edge in pixels of each picture on the sheet.
	Size Size `json:"size,omitempty" default:"480"`
	// TimeoutSeconds limits darktable's time for all of them.
	TimeoutSeconds TimeoutSeconds `json:"timeout_seconds,omitempty" default:"300"`
}

// Variant is one idea: moves applied on top of a version.
type Variant struct {
	// Name of the idea, as the sheet shows it.
	Name string `json:"name"`
	// Moves to apply, in order.
	Moves []VariantMove `json:"moves"`
}

// VariantMove is one move of a variant.
type VariantMove struct {
	// PrimitiveName is the move's name, from list_vocabulary.
	PrimitiveName string `json:"primitive_name"`
	// Value is for a move with one parameter. Default: the move's own.
	Value *float64 `json:"value,omitempty"`
	// Values gives parameters by name. Missing ones have the move's defaults.
	Values map[string]float64 `json:"values,omitempty"`
	// Strength scales the whole move. Default: 1.
	Strength *Strength `json:"strength,omitempty"`
	// Mask limits the move to a part of the picture.
	Mask *Mask `json:"mask,omitempty"`
}

// RenderVariantsResult is a contact sheet, and numbers for each variant.
type RenderVariantsResult struct {
	// JPEGPath is the path of the contact sheet, an sRGB JPEG.
	JPEGPath string `json:"jpeg_path"`
	// Variants in the sheet's order, by rows.
	Variants []VariantStats `json:"variants"`
}

// VariantStats are numbers for one variant.
type VariantStats struct {
	// Name of the variant.
	Name string `json:"name"`
	// StateHash is the hash of its look.
	StateHash string `json:"state_hash"`
	// LumaMean is the mean brightness of its encoded pixels, 0 to 1.
	LumaMean float64 `json:"luma_mean" decimals:"4"`
	// ClippedLow is the share of pixels whose luma is at 0.
	ClippedLow float64 `json:"clipped_low" decimals:"5"`
	// ClippedHigh is the share of pixels whose luma is at 1.
	ClippedHigh float64 `json:"clipped_high" decimals:"5"`
	// Lab is the mean colour in CIELAB (D50).
	Lab LabStats `json:"lab"`
}

// RenderVariants develops several ideas side by side as one labelled contact
// sheet, with numbers for each: either variants with their own moves, or one
// move at several values. One variant alone is the draft that render_preview
// would show. The history is not touched.
func (e *Engine) RenderVariants(ctx context.Context, p RenderVariantsParams) (_ RenderVariantsResult, err error) {
	defer e.seal(&err, "render_variants", p.ImageID)
	if err := validate(&p); err != nil {
		return RenderVariantsResult{}, err
	}
	variants, err := e.variants(p)
	if err != nil {
		return RenderVariantsResult{}, err
	}
	ctx, cancel := e.renderContext(ctx, p.TimeoutSeconds)
	defer cancel()
	img, err := e.image(p.ImageID)
	if err != nil {
		return RenderVariantsResult{}, err
	}
	now, err := e.start(ctx, img, p.RefOrHash)
	if err != nil {
		return RenderVariantsResult{}, err
	}
	looks := make([]*xmp.Sidecar, len(variants))
	for i, variant := range variants {
		if looks[i], err = e.applyMoves(ctx, now, variant.Moves); err != nil {
			return RenderVariantsResult{}, p.locate(err, i)
		}
	}
	var files []render.Picture
	if len(looks) == 1 {
		files = make([]render.Picture, 1)
		files[0], _, _, err = e.previewQuality(ctx, img, looks[0], p.Size, nil, QualityDraft)
	} else {
		files, err = e.previews(ctx, img, looks, p.Size)
	}
	if err != nil {
		return RenderVariantsResult{}, err
	}
	return e.sheet(ctx, variants, looks, files)
}

// variants gives the ideas, spelt out: the ones given, or one for each value.
func (e *Engine) variants(p RenderVariantsParams) ([]Variant, error) {
	if (len(p.Variants) > 0) == (p.PrimitiveName != "" || len(p.Values) > 0) {
		return nil, fault.Invalid("", "give either variants, or a primitive_name with parameter_values")
	}
	variants := p.Variants
	if p.PrimitiveName != "" {
		entry, err := e.move(p.PrimitiveName)
		if err != nil {
			return nil, err
		}
		parameter := p.Parameter
		if parameter == "" && len(entry.Parameters) == 1 {
			parameter = entry.Parameters[0].Name
		}
		for _, value := range p.Values {
			move := VariantMove{PrimitiveName: entry.Name, Values: map[string]float64{parameter: value}}
			variants = append(variants, Variant{Name: fmt.Sprintf("%s %s %g", entry.Name, parameter, value), Moves: []VariantMove{move}})
		}
	}
	if n := len(variants); n < 1 || n > render.MaxTiles {
		return nil, fault.Invalid("/variants", "%d variants: a sheet has 1 to %d", n, render.MaxTiles)
	}
	return variants, nil
}

// locate says which variant an error is about, in what the caller gave.
func (p RenderVariantsParams) locate(err error, i int) error {
	if len(p.Variants) > 0 {
		return locatedAt(err, "/variants/"+strconv.Itoa(i))
	}
	located := locatedAt(err, "")
	if found, ok := located.Details["violations"].([]Violation); ok {
		for j := range found {
			found[j].Pointer = "/parameter_values/" + strconv.Itoa(i)
		}
	}
	return located
}

// applyMoves gives a look with moves applied in their order.
func (e *Engine) applyMoves(ctx context.Context, now compose.Start, moves []VariantMove) (*xmp.Sidecar, error) {
	for i, move := range moves {
		entry, err := e.move(move.PrimitiveName)
		if err != nil {
			return nil, err
		}
		now.Current, _, err = now.Apply(ctx, entry, vocab.Application{
			Value: move.Value, Values: move.Values, Strength: (*float64)(move.Strength),
		}, move.Mask)
		if err != nil {
			return nil, locatedAt(err, "/moves/"+strconv.Itoa(i))
		}
	}
	return now.Current, nil
}

// sheet lays the pictures out and measures them. One at a time is read at its full size.
func (e *Engine) sheet(
	ctx context.Context, variants []Variant, looks []*xmp.Sidecar, files []render.Picture,
) (RenderVariantsResult, error) {
	res := RenderVariantsResult{Variants: make([]VariantStats, 0, len(variants))}
	tiles := make([]render.Tile, len(variants))
	for i, variant := range variants {
		if err := ctx.Err(); err != nil {
			return res, err
		}
		pixels, err := render.Load(files[i].Path)
		if err != nil {
			return res, err
		}
		s, err := render.Measure(pixels, render.Region{})
		if err != nil {
			return res, err
		}
		tiles[i] = render.Tile{Picture: render.FitTile(pixels, len(variants)), Label: variant.Name}
		state := versioning.Hash(looks[i].Hash()).String()
		res.Variants = append(res.Variants, VariantStats{
			Name: variant.Name, StateHash: state, LumaMean: s.Luma.Mean,
			ClippedLow: s.Luma.ClippedLow, ClippedHigh: s.Luma.ClippedHigh, Lab: LabStats(s.Lab),
		})
	}
	if len(files) == 1 {
		res.JPEGPath = files[0].Path
		return res, nil
	}
	sheet, err := render.Sheet(tiles, 0)
	if err != nil {
		return res, err
	}
	res.JPEGPath, err = e.keepPicture(ctx, sheet)
	return res, err
}
