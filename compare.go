package chemigram

import "context"

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
	// nothing differs, white where ΔE2000 is 20 or more.
	DifferencePath string `json:"difference_path"`
}

// Compare is not here yet.
func (e *Engine) Compare(ctx context.Context, p CompareParams) (_ CompareResult, err error) {
	return CompareResult{}, fail(ErrState, "not yet")
}
