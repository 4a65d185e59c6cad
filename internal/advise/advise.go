package advise

import (
	"context"
	"image"

	"github.com/chemigram/chemigram/internal/exif"
)

// What an advice is about.
const (
	Exposure     = "exposure"
	WhiteBalance = "white_balance"
	Straighten   = "straighten"
	Crop         = "crop"
	Noise        = "noise"
	Lens         = "lens"
)

// What an advice says: change it by the moves, keep it as it is, or the picture does not
// show what would be right.
const (
	Change = "change"
	Keep   = "keep"
	Unsure = "unsure"
)

// A Move with its values by parameter.
type Move struct {
	Name   string
	Values map[string]float64
}

// An Advice says where to start with one side of a photograph.
type Advice struct {
	About, Verdict, Reason string
	// Confidence in the verdict, 0 to 1.
	Confidence float64
	// Moves that would do it; of Change alone.
	Moves []Move
}

// A Photograph is looked at.
type Photograph struct {
	// Picture is darktable's own development of it, in sRGB.
	Picture image.Image
	// Linear is that without a tone curve, in linear Rec. 2020.
	Linear image.Image
	// Taken is how it was taken.
	Taken exif.Summary
	// NoiseTemplates are the templates that were made for its sensitivity.
	NoiseTemplates []string
	// Corrected is true when darktable corrects the lens already.
	Corrected bool
	// Develop develops it with moves, as Picture was; nil without error when one of
	// them is not there.
	Develop func(ctx context.Context, moves ...Move) (image.Image, error)
}

// All looks at every side of a photograph.
func All(ctx context.Context, p Photograph) ([]Advice, error) {
	exposure, err := p.exposure(ctx)
	if err != nil {
		return nil, err
	}
	lens, err := p.lens(ctx)
	if err != nil {
		return nil, err
	}
	return []Advice{exposure, p.whiteBalance(), p.straighten(), p.crop(), p.noise(), lens}, nil
}

func unsure(about, reason string) Advice {
	return Advice{About: about, Verdict: Unsure, Reason: reason}
}
