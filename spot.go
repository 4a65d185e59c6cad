package chemigram

import (
	"context"

	"github.com/chemigram/chemigram/internal/compose"
	"github.com/chemigram/chemigram/internal/probe"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/render"
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
	Kind SpotKind `json:"method,omitempty" default:"heal" formerly:"kind"`
	// X is the centre of a round spot: 0 left, 1 right.
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
	Feather *Fraction `json:"softness,omitempty" formerly:"feather"`
	// SourceX is the horizontal middle of the place to copy from. Default, for heal:
	// the place nearby whose surroundings go on best from the spot's.
	SourceX *Fraction `json:"source_x,omitempty"`
	// SourceY is the vertical middle of the place to copy from.
	SourceY *Fraction `json:"source_y,omitempty"`
	// ID of a spot to replace. Default: a new spot is added.
	ID SpotID `json:"id,omitempty"`
	// Remove is the id of a spot to remove; nothing else is given then.
	Remove SpotID `json:"remove,omitempty"`
	// NoPicture leaves out the picture, which takes some seconds.
	NoPicture bool `json:"no_picture,omitempty"`
	// TimeoutSeconds limits darktable's time.
	TimeoutSeconds TimeoutSeconds `json:"timeout_seconds,omitempty" default:"120"`
}

// SpotID is the number of a spot, 1 or more.
type SpotID int

// ApplySpotResult is what ApplySpot reports.
type ApplySpotResult struct {
	// StateAfter is the edit now.
	StateAfter State `json:"state_after"`
	// SnapshotHash is that of state_after.
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
	// JPEGPath is the path of the place before and after, side by side at 100 %; empty
	// when nothing changed, no picture was wanted, or darktable failed to develop it.
	JPEGPath string `json:"jpeg_path,omitempty"`
	// Score of the source that was found: 1 when nothing will be seen, below 0.5 when
	// something may be. 0 when none was looked for.
	Score float64 `json:"score,omitempty" decimals:"2"`
	// Others are up to two other sources to give instead.
	Others []SpotSource `json:"others,omitempty"`
	// Advice says what to do about a low score; empty otherwise.
	Advice string `json:"advice,omitempty"`
}

// SpotSource is a place to heal a spot from.
type SpotSource struct {
	// SourceX is its horizontal middle.
	SourceX float64 `json:"source_x" decimals:"4"`
	// SourceY is its vertical middle.
	SourceY float64 `json:"source_y" decimals:"4"`
	// Score as in the result.
	Score float64 `json:"score" decimals:"2"`
}

// Spot is a spot as the picture has it, in the frame of the picture now.
type Spot struct {
	// ID to replace or remove the spot by.
	ID SpotID `json:"id"`
	// Kind is heal or clone.
	Kind SpotKind `json:"method"`
	// X is its horizontal middle, 0 left, 1 right.
	X float64 `json:"x" decimals:"4"`
	// Y is its vertical middle, 0 top, 1 bottom.
	Y float64 `json:"y" decimals:"4"`
	// Radius, or half the longer side when it is not round.
	Radius float64 `json:"radius" decimals:"4"`
	// SourceX is the horizontal middle of its source.
	SourceX float64 `json:"source_x" decimals:"4"`
	// SourceY is the vertical middle of its source.
	SourceY float64 `json:"source_y" decimals:"4"`
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
	ctx, cancel := e.renderContext(ctx, p.TimeoutSeconds)
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
	var before *xmp.Sidecar
	var spots compose.Spots
	edited, err := e.edit(ctx, p.ImageID, change, func(now compose.Start, change *versioning.Change) (_ *xmp.Sidecar, err error) {
		before = now.Current
		if spots, err = now.WithSpot(ctx, edit, e.findSource(img, now.Current, &res)); err != nil {
			return nil, err
		}
		if p.Remove == 0 {
			change.Values = map[string]float64{"x": spots.Place.X, "y": spots.Place.Y, "radius": spots.Place.Radius}
		}
		return spots.Look, nil
	})
	if err != nil {
		return ApplySpotResult{}, err
	}
	res.ID = SpotID(spots.ID)
	for _, s := range spots.Seen {
		res.Spots = append(res.Spots, Spot{
			ID: SpotID(s.ID), Kind: s.Kind, X: s.X, Y: s.Y, Radius: s.Radius, SourceX: s.SourceX, SourceY: s.SourceY,
		})
	}
	res.StateAfter, res.SnapshotHash, res.Event, res.Changed = edited.StateAfter, edited.SnapshotHash, edited.Event, edited.Changed
	res.Looks = edited.Looks
	if res.Changed && p.Remove == 0 && !p.NoPicture {
		// The spot is set, whether it can be shown or not.
		res.JPEGPath, _ = e.showSpot(ctx, img, before, spots)
	}
	return res, nil
}

// findSource finds a source in the picture of a look, and says in a result what was
// found.
func (e *Engine) findSource(img *workspace.Image, look *xmp.Sidecar, res *ApplySpotResult) compose.FindSource {
	return func(ctx context.Context, frame mask.Frame, place compose.SpotPlace) ([2]float64, error) {
		pixels, err := e.preview(ctx, img, look, probe.PreviewSize)
		if err != nil {
			return [2]float64{}, err
		}
		sources, err := probe.HealSources(pixels, frame.Developed, place)
		if err != nil {
			return [2]float64{}, err
		}
		best := sources[0]
		if res.Score = best.Score; best.Score < probe.LowScore {
			res.Advice = "no place nearby goes on well from what is around the spot: look at the picture, and try another source, a smaller spot, or two spots"
		}
		res.Others = nil
		for _, s := range sources[1:] {
			res.Others = append(res.Others, SpotSource{SourceX: s.X, SourceY: s.Y, Score: s.Score})
		}
		return [2]float64{best.X, best.Y}, nil
	}
}

// showSpot draws the place of a spot before and after it was set, side by side.
func (e *Engine) showSpot(ctx context.Context, img *workspace.Image, before *xmp.Sidecar, spots compose.Spots) (path string, err error) {
	const size Size = 512
	around := aroundSpot(spots.Place, spots.Developed)
	var tiles [2]render.Tile
	for i, shown := range [...]struct {
		label string
		look  *xmp.Sidecar
	}{{"before", before}, {"after", spots.Look}} {
		picture, _, _, err := e.previewQuality(ctx, img, shown.look, size, &around, QualityExact)
		if err != nil {
			return "", err
		}
		pixels, err := render.Load(picture.Path)
		if err != nil {
			return "", err
		}
		tiles[i] = render.Tile{Picture: pixels, Label: shown.label}
	}
	return e.keepPicture(ctx, render.SideBySide(tiles[0], tiles[1]))
}

// aroundSpot is the part of a picture that shows a spot and its surroundings.
func aroundSpot(place compose.SpotPlace, developed mask.Size) render.Region {
	short := min(developed.Width, developed.Height)
	reach := 4 * (place.Radius + place.Feather)
	side := func(middle, length float64) (from, size float64) {
		half := reach * short / length
		from = max(middle-half, 0)
		return from, min(middle+half, 1) - from
	}
	var r render.Region
	r.X, r.Width = side(place.X, developed.Width)
	r.Y, r.Height = side(place.Y, developed.Height)
	return r
}
