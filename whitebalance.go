package chemigram

import (
	"context"

	"github.com/chemigram/chemigram/internal/compose"
	"github.com/chemigram/chemigram/internal/probe"
	"github.com/chemigram/chemigram/versioning"
	"github.com/chemigram/chemigram/xmp"
)

// WBFromPointParams are the parameters of WBFromPoint.
type WBFromPointParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// X is the point's place: 0 left, 1 right.
	X Fraction `json:"x"`
	// Y is the point's place: 0 top, 1 bottom.
	Y Fraction `json:"y"`
	// Radius of the place that is averaged, as a fraction of the shorter side.
	Radius Fraction `json:"radius,omitempty" default:"0.01"`
	// TimeoutSeconds limits darktable's time.
	TimeoutSeconds TimeoutSeconds `json:"timeout_seconds,omitempty" default:"120"`
}

// WBFromPointResult is what WBFromPoint reports.
type WBFromPointResult struct {
	// StateAfter is the edit now.
	StateAfter State `json:"state_after"`
	// SnapshotHash is that of state_after.
	SnapshotHash string `json:"snapshot_hash"`
	// Event is HEAD's snapshot. Answers of tools leave it out: log has it.
	Event string `json:"-"`
	// Changed is false when the white balance was so already.
	Changed bool `json:"changed"`
	Looks
	// Multipliers of linear red, green and blue (Rec. 2020) that make the point
	// neutral; green's is 1.
	Multipliers [3]float64 `json:"multipliers" decimals:"4"`
	// A is the point's green (negative) to magenta in the preview now, in CIELAB;
	// near 0 unless other moves colour it.
	A float64 `json:"a" decimals:"2"`
	// B is the point's blue (negative) to yellow in the preview now.
	B float64 `json:"b" decimals:"2"`
}

// WBFromPoint makes a point neutral that should be: grey card, concrete, paper
// in the shade; neither burnt out nor black. It is measured on linear data. Warmth,
// tint and looks go on top. Another point replaces the first.
func (e *Engine) WBFromPoint(ctx context.Context, p WBFromPointParams) (_ WBFromPointResult, err error) {
	defer e.seal(&err, "wb_from_point", p.ImageID)
	img, err := e.imageToRead(&p, p.ImageID)
	if err != nil {
		return WBFromPointResult{}, err
	}
	ctx, cancel := e.renderContext(ctx, p.TimeoutSeconds)
	defer cancel()
	var res WBFromPointResult
	change := versioning.Change{Op: "wb_from_point", Values: map[string]float64{
		"x": float64(p.X), "y": float64(p.Y), "radius": float64(p.Radius),
	}}
	point := probe.Point{X: float64(p.X), Y: float64(p.Y), Radius: float64(p.Radius)}
	prepared, err := e.prepare(ctx, p.ImageID, change, func(now compose.Start, _ *versioning.Change) (*xmp.Sidecar, error) {
		light, err := e.probe.Light(ctx, rawOf(ctx, img), now.Stack, point)
		if err != nil {
			return nil, err
		}
		res.Multipliers = [3]float64{light[1] / light[0], 1, light[1] / light[2]}
		return now.Neutral(light)
	})
	if err != nil {
		return WBFromPointResult{}, err
	}
	defer prepared.release()
	// What can fail comes before the edit is published.
	pixels, err := e.preview(ctx, img, prepared.Next, probe.PreviewSize)
	if err != nil {
		return WBFromPointResult{}, err
	}
	if res.A, res.B, err = point.Colour(pixels); err != nil {
		return WBFromPointResult{}, err
	}
	edited, err := e.commit(ctx, prepared)
	if err != nil {
		return WBFromPointResult{}, err
	}
	res.StateAfter, res.SnapshotHash, res.Event, res.Changed = edited.StateAfter, edited.SnapshotHash, edited.Event, edited.Changed
	res.Looks = edited.Looks
	return res, nil
}
