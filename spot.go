package chemigram

import (
	"context"
	"slices"

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
	// X of a round spot's centre.
	X *Fraction `json:"x,omitempty"`
	// Y of it.
	Y *Fraction `json:"y,omitempty"`
	// Radius of a round spot, as a fraction of the shorter side.
	Radius Fraction `json:"radius,omitempty"`
	// Points are the corners [x, y] of a spot of another shape, instead of x, y
	// and radius.
	Points [][]float64 `json:"points,omitempty"`
	// Feather is how far beyond its edge the spot fades out, as a fraction of
	// the shorter side. Default: half the radius.
	Feather *Fraction `json:"feather,omitempty"`
	// SourceX is the middle of the place to copy from. Default, for heal: an
	// even place nearby that looks like the spot's surroundings.
	SourceX *Fraction `json:"source_x,omitempty"`
	// SourceY of it.
	SourceY *Fraction `json:"source_y,omitempty"`
	// ID of a spot to set anew. Default: the spot is added.
	ID SpotID `json:"id,omitempty"`
	// Remove is the id of a spot to take away; nothing else is given then.
	Remove SpotID `json:"remove,omitempty"`
}

// SpotID is the number of a spot, 1 or more.
type SpotID int

// ApplySpotResult is what ApplySpot reports.
type ApplySpotResult struct {
	// StateAfter is the state that the image is in now.
	StateAfter State `json:"state_after"`
	// SnapshotHash names the snapshot that HEAD is at now.
	SnapshotHash string `json:"snapshot_hash"`
	// Changed is false when the spot was there already.
	Changed bool `json:"changed"`
	// ID of the spot that was set; 0 when one was removed.
	ID SpotID `json:"id"`
	// Spots are all spots that the picture has now.
	Spots []Spot `json:"spots"`
}

// Spot is a spot as the picture has it, in the frame of the picture now.
type Spot struct {
	// ID to set it anew or remove it by.
	ID SpotID `json:"id"`
	// Kind is heal or clone.
	Kind SpotKind `json:"kind"`
	// X of its middle.
	X float64 `json:"x"`
	// Y of it.
	Y float64 `json:"y"`
	// Radius, or half the longer side when it is not round.
	Radius float64 `json:"radius"`
	// SourceX is the middle of the place that it copies from.
	SourceX float64 `json:"source_x"`
	// SourceY of it.
	SourceY float64 `json:"source_y"`
}

// spotInstance is the instance of the retouch module that has our spots.
const spotInstance = "spots"

// ApplySpot heals or clones a spot, round or with corners: dust, a blemish, a
// thing in the way. Each call adds a spot and the result lists them all; the
// same call again changes nothing. Spots stay on their place when the picture
// is cropped or turned later.
func (e *Engine) ApplySpot(ctx context.Context, p ApplySpotParams) (_ ApplySpotResult, err error) {
	defer seal(&err, "apply_spot", p.ImageID)
	if err := validate(&p); err != nil {
		return ApplySpotResult{}, err
	}
	place, err := p.place()
	if err != nil {
		return ApplySpotResult{}, err
	}
	ctx, cancel := e.rendering(ctx, frameSeconds)
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
	edited, err := e.edit(ctx, p.ImageID, change, func(now session, change *versioning.Change) (*xmp.Sidecar, error) {
		spots := mask.ReadSpots(now.head.Sidecar.FormsOf("retouch", spotInstance))
		f, err := now.frame(ctx, now.head.Sidecar)
		if err != nil {
			return nil, err
		}
		if p.Remove != 0 {
			if spots, err = without(spots, p.Remove); err != nil {
				return nil, err
			}
		} else {
			at := place.in(f.Developed)
			if at.source == nil {
				if at.source, err = e.sourceFor(ctx, img, now, f, at, p.Kind, spots); err != nil {
					return nil, err
				}
			}
			if spots, res.ID, err = p.with(spots, f, at); err != nil {
				return nil, err
			}
			change.Values = map[string]float64{"x": at.x, "y": at.y, "radius": at.radius}
		}
		for _, s := range spots {
			res.Spots = append(res.Spots, seen(f, s))
		}
		return now.withSpots(spots)
	})
	res.StateAfter, res.SnapshotHash, res.Changed = edited.StateAfter, edited.SnapshotHash, edited.Changed
	return res, err
}

// with sets the spot among the others.
func (p ApplySpotParams) with(spots []mask.Spot, f mask.Frame, place spotPlace) ([]mask.Spot, SpotID, error) {
	spot, err := place.spot(f)
	if err != nil {
		return nil, 0, err
	}
	spot.Kind = p.Kind
	at, next := -1, 1
	for i, s := range spots {
		next = max(next, s.ID+1)
		if SpotID(s.ID) == p.ID || p.ID == 0 && spot.Same(s) {
			at = i
		}
	}
	switch {
	case p.ID != 0 && at < 0:
		return nil, 0, missingSpot(spots, p.ID)
	case at < 0:
		spot.ID = next
		return append(spots, spot), SpotID(spot.ID), nil
	}
	spot.ID = spots[at].ID
	if !spot.Same(spots[at]) {
		spots[at] = spot
	}
	return spots, SpotID(spot.ID), nil
}

func without(spots []mask.Spot, id SpotID) ([]mask.Spot, error) {
	i := slices.IndexFunc(spots, func(s mask.Spot) bool { return SpotID(s.ID) == id })
	if i < 0 {
		return nil, missingSpot(spots, id)
	}
	return slices.Delete(spots, i, i+1), nil
}

// seen gives a spot in the frame of the developed picture.
func seen(f mask.Frame, s mask.Spot) Spot {
	x, y, radius := middle(s.Shape, f.Input)
	ax, ay, _ := mask.Anchor(s.Shape)
	out := Spot{ID: SpotID(s.ID), Kind: s.Kind}
	out.X, out.Y = f.Seen(x, y)
	out.SourceX, out.SourceY = f.Seen(x+float64(s.SourceX-ax), y+float64(s.SourceY-ay))
	if scale := f.Scale(out.X, out.Y); scale > 0 {
		out.Radius = radius / scale
	}
	return out
}
