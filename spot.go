package chemigram

import (
	"context"

	"github.com/chemigram/chemigram/internal/compose"
	"github.com/chemigram/chemigram/internal/probe"
	"github.com/chemigram/chemigram/versioning"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/mask"
)

// SpotKind is what covers a spot: heal takes the texture of another place and
// the light of the spot's surroundings, clone copies the other place as it is.
type SpotKind = mask.SpotKind

// ApplySpotParams are the parameters of ApplySpot. Coordinates are fractions of
// the developed picture's width and height from the top left; lengths are
// fractions of its shorter side.
type ApplySpotParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// Kind is heal or clone.
	Kind SpotKind `json:"kind,omitempty" default:"heal"`
	// X is the horizontal centre of a round spot: 0 left, 1 right.
	X *Fraction `json:"x,omitempty"`
	// Y is its vertical centre: 0 top, 1 bottom.
	Y *Fraction `json:"y,omitempty"`
	// Radius of a round spot, as a fraction of the shorter side.
	Radius Fraction `json:"radius,omitempty"`
	// Points are the corners [x, y] of a spot that is not round, instead of x, y and
	// radius.
	Points [][]float64 `json:"points,omitempty"`
	// Feather is how far beyond its edge the spot fades out, as a fraction of
	// the shorter side. Default: half the radius.
	Feather *Fraction `json:"feather,omitempty"`
	// SourceX is the horizontal middle of the place to copy from. Default, for heal:
	// an even place nearby that looks like the spot's surroundings.
	SourceX *Fraction `json:"source_x,omitempty"`
	// SourceY is the vertical middle of the place to copy from.
	SourceY *Fraction `json:"source_y,omitempty"`
	// ID of a spot to replace. Default: a new spot is added.
	ID SpotID `json:"id,omitempty"`
	// Remove is the id of a spot to remove; nothing else is given then.
	Remove SpotID `json:"remove,omitempty"`
}

// SpotID is the number of a spot, 1 or more.
type SpotID int

// ApplySpotResult is what ApplySpot reports.
type ApplySpotResult struct {
	// StateAfter is the edit now.
	StateAfter State `json:"state_after"`
	// SnapshotHash is the hash of HEAD's look, as in state_after.
	SnapshotHash string `json:"snapshot_hash"`
	// Event is HEAD's snapshot. Answers of tools leave it out: log has it.
	Event string `json:"-"`
	// Changed is false when the spot was there already.
	Changed bool `json:"changed"`
	Looks
	// ID of the spot that was set; 0 when one was removed.
	ID SpotID `json:"id"`
	// Spots are all spots that the picture has now.
	Spots []Spot `json:"spots"`
}

// Spot is a spot as the picture has it, in the frame of the picture now.
type Spot struct {
	// ID to replace or remove the spot by.
	ID SpotID `json:"id"`
	// Kind is heal or clone.
	Kind SpotKind `json:"kind"`
	// X is its horizontal middle, 0 left, 1 right.
	X float64 `json:"x"`
	// Y is its vertical middle, 0 top, 1 bottom.
	Y float64 `json:"y"`
	// Radius, or half the longer side when it is not round.
	Radius float64 `json:"radius"`
	// SourceX is the horizontal middle of its source.
	SourceX float64 `json:"source_x"`
	// SourceY is the vertical middle of its source.
	SourceY float64 `json:"source_y"`
}

// ApplySpot heals or clones a spot, round or with corners: dust, a blemish, a
// thing in the way. Each call adds a spot and the result lists them all; the
// same call again changes nothing. Spots stay on their place when the picture
// is cropped or turned later.
func (e *Engine) ApplySpot(ctx context.Context, p ApplySpotParams) (_ ApplySpotResult, err error) {
	defer e.seal(&err, "apply_spot", p.ImageID)
	if err := validate(&p); err != nil {
		return ApplySpotResult{}, err
	}
	edit, err := compose.NewSpotEdit(compose.SpotRequest{
		Kind: p.Kind, X: (*float64)(p.X), Y: (*float64)(p.Y), Radius: float64(p.Radius), Points: p.Points,
		Feather: (*float64)(p.Feather), SourceX: (*float64)(p.SourceX), SourceY: (*float64)(p.SourceY),
		ID: int(p.ID), Remove: int(p.Remove),
	})
	if err != nil {
		return ApplySpotResult{}, err
	}
	ctx, cancel := e.renderContext(ctx, frameSeconds)
	defer cancel()
	img, err := e.image(p.ImageID)
	if err != nil {
		return ApplySpotResult{}, err
	}
	res := ApplySpotResult{Spots: []Spot{}}
	change := versioning.Change{Op: "apply_spot", Entry: string(p.Kind)}
	if p.Remove != 0 {
		change.Entry = "remove"
	}
	edited, err := e.edit(ctx, p.ImageID, change, func(now compose.Start, change *versioning.Change) (*xmp.Sidecar, error) {
		spots, err := now.WithSpot(ctx, edit, func(ctx context.Context, frame mask.Frame, place compose.SpotPlace) ([2]float64, error) {
			pixels, err := e.preview(ctx, img, now.Current, probe.PreviewSize)
			if err != nil {
				return [2]float64{}, err
			}
			return probe.HealFrom(pixels, frame.Developed, place)
		})
		if err != nil {
			return nil, err
		}
		if p.Remove == 0 {
			change.Values = map[string]float64{"x": spots.Place.X, "y": spots.Place.Y, "radius": spots.Place.Radius}
		}
		res.ID = SpotID(spots.ID)
		for _, s := range spots.Seen {
			res.Spots = append(res.Spots, Spot{
				ID: SpotID(s.ID), Kind: s.Kind, X: s.X, Y: s.Y, Radius: s.Radius, SourceX: s.SourceX, SourceY: s.SourceY,
			})
		}
		return spots.Look, nil
	})
	res.StateAfter, res.SnapshotHash, res.Event, res.Changed = edited.StateAfter, edited.SnapshotHash, edited.Event, edited.Changed
	res.Looks = edited.Looks
	return res, err
}
