package chemigram

import (
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/render"
)

// The words that parameters share. Each is a type of its own, so that what may
// be said with it is written once, in [Rules].

// ImageID names an image in the workspace: a letter or digit, then up to 127
// letters, digits, dots, hyphens and underscores.
type ImageID string

// RefOrHash names a version of an image's edit: HEAD, a branch, a tag, a full
// ref such as refs/heads/main, 64 hex digits of a snapshot's or a state's
// hash, or a unique prefix of 8 or more, each optionally followed by ~N for
// the Nth ancestor.
type RefOrHash string

// Size is the longest edge of a picture in pixels, 16 to 16384.
type Size int

// TimeoutSeconds limits how long darktable may take, 1 to 3600 seconds.
type TimeoutSeconds float64

// Limit is how many items a list gives at most, 1 to 500.
type Limit int

// Offset is how many items a list skips, 0 or more.
type Offset int

// Layer is where a move belongs: L1 technical corrections bound to camera and
// lens, L2 a starting look, L3 taste.
type Layer string

// Strength scales a move, 0 to 1: 0 leaves the picture as the baseline has it,
// 1 is the move as authored.
type Strength float64

// PreviewQuality is how a preview is made: draft, fine or exact.
type PreviewQuality string

// The preview qualities.
const (
	QualityDraft PreviewQuality = "draft"
	QualityFine  PreviewQuality = "fine"
	QualityExact PreviewQuality = "exact"
)

// Format is a file format that darktable exports.
type Format string

// ColorSpace is the colour space of an exported picture; its ICC profile is
// embedded.
type ColorSpace string

// Percent is a compression quality, 1 (smallest file) to 100 (best picture).
type Percent int

// BitDepth is the number of bits per channel: 8, 10, 12, 16 or 32, as the
// format has it.
type BitDepth int

// Fraction is a share of a picture's width or height, 0 to 1.
type Fraction float64

// Region is a rectangle of the developed picture, as shares of its width and
// height, measured from the upper left corner, y down.
type Region struct {
	// X is the left edge: 0 to 1 of the width.
	X Fraction `json:"x"`
	// Y is the upper edge: 0 to 1 of the height.
	Y Fraction `json:"y"`
	// Width of the rectangle, more than 0.
	Width Fraction `json:"width"`
	// Height of the rectangle, more than 0.
	Height Fraction `json:"height"`
}

// State is what the edit of an image is, in short.
type State struct {
	// HeadHash is the look's SHA-256.
	HeadHash *string `json:"head_hash"`
	// EntryCount of the history stack.
	EntryCount int `json:"entry_count"`
	// EnabledCount is how many are enabled.
	EnabledCount int `json:"enabled_count"`
	// LayersPresent have an enabled entry.
	LayersPresent LayersPresent `json:"layers_present"`
}

// LayersPresent says for each layer whether an enabled history entry was put
// there by a vocabulary entry of that layer.
type LayersPresent struct {
	// L1 is technical corrections.
	L1 bool `json:"L1"`
	// L2 is a starting look.
	L2 bool `json:"L2"`
	// L3 is taste.
	L3 bool `json:"L3"`
}

// area checks that the region lies inside the picture and is not empty. nil is
// the whole picture.
func (r *Region) area() (*render.Region, error) {
	const slack = 1e-9
	if r == nil {
		return nil, nil
	}
	if r.Width <= 0 || r.Height <= 0 || r.X+r.Width > 1+slack || r.Y+r.Height > 1+slack {
		return nil, fault.Invalid("/region",
			"region x %g, y %g, width %g, height %g: width and height are more than 0, and it ends inside the picture (x + width and y + height at most 1)",
			r.X, r.Y, r.Width, r.Height)
	}
	return &render.Region{
		X: float64(r.X), Y: float64(r.Y),
		Width: min(float64(r.Width), 1-float64(r.X)), Height: min(float64(r.Height), 1-float64(r.Y)),
	}, nil
}
