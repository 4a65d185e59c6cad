package compose

import (
	"errors"
	"math"
	"strconv"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/xmp/mask"
)

// SpotRequest is what a caller says of a spot to set or to remove. Coordinates are
// fractions of the developed picture's width and height from the top left, lengths
// are fractions of its shorter side.
type SpotRequest struct {
	// Kind is heal or clone.
	Kind mask.SpotKind
	// X, Y and Radius are those of a round spot.
	X, Y   *float64
	Radius float64
	// Points are the corners [x, y] of a spot of another shape.
	Points [][]float64
	// Feather is how far beyond its edge the spot fades out; nil is half the
	// radius.
	Feather *float64
	// SourceX and SourceY are the middle of the place to copy from; without them
	// a place to heal from is looked for.
	SourceX, SourceY *float64
	// ID of a spot to replace; 0 adds one.
	ID int
	// Remove is the ID of a spot to remove, without anything else; 0 is none.
	Remove int
}

// SpotPlace is a spot's place in the developed picture.
type SpotPlace struct {
	// X, Y and Radius are those of the round spot, or of the one around the
	// corners. Feather is how far beyond its edge it fades out.
	X, Y, Radius, Feather float64

	points [][]float64
	source *[2]float64 // nil to look for one
}

// A SpotEdit is a request that was checked.
type SpotEdit struct {
	kind       mask.SpotKind
	id, remove int
	place      SpotPlace // of which the feather is negative for half the radius
}

// NewSpotEdit checks a request, as far as that is possible without the picture.
func NewSpotEdit(r SpotRequest) (SpotEdit, error) {
	given := r.X != nil || r.Y != nil || r.Radius != 0 || len(r.Points) > 0
	if r.Remove != 0 {
		if given || r.ID != 0 || r.SourceX != nil || r.SourceY != nil {
			return SpotEdit{}, fault.Invalid("/remove", "remove is given alone, without a place, a source or an id")
		}
		return SpotEdit{remove: r.Remove}, nil
	}
	place, shapeErr := r.shape()
	source, sourceErr := r.source()
	if err := errors.Join(shapeErr, sourceErr); err != nil {
		return SpotEdit{}, err
	}
	place.source, place.Feather = source, -1
	if r.Feather != nil {
		place.Feather = *r.Feather
	}
	return SpotEdit{kind: r.Kind, id: r.ID, place: place}, nil
}

// shape gives where the spot is, and how large.
func (r SpotRequest) shape() (SpotPlace, error) {
	place := SpotPlace{points: r.Points}
	switch {
	case len(r.Points) > 0 && (r.X != nil || r.Y != nil || r.Radius != 0):
		return place, fault.Invalid("/points", "a spot has x, y and radius, or points, not both")
	case len(r.Points) > 0:
		for i, c := range r.Points {
			if len(c) != 2 || !(c[0] >= 0 && c[0] <= 1 && c[1] >= 0 && c[1] <= 1) {
				return place, fault.Invalid("/points/"+strconv.Itoa(i), "points[%d] is %v; a corner is [x, y], each 0 to 1 of the picture", i, c)
			}
		}
		place.X, place.Y, place.Radius = enclosing(r.Points, mask.Size{Width: 1, Height: 1}) // until the picture's size is known
	case r.X == nil || r.Y == nil:
		return place, fault.Invalid("", "a spot needs x, y and radius, or points")
	case r.Radius <= 0:
		return place, fault.New(fault.Masking, "a spot of radius %g has no area; dust is often 0.005 to 0.02 of the shorter side", r.Radius)
	default:
		place.X, place.Y, place.Radius = *r.X, *r.Y, r.Radius
	}
	if place.Radius > 0.5 {
		return place, fault.New(fault.Masking, "a spot of radius %g leaves no place to copy from; at most 0.5", place.Radius)
	}
	return place, nil
}

// source gives the middle of the place to copy from, or nil to look for one.
func (r SpotRequest) source() (*[2]float64, error) {
	switch {
	case (r.SourceX == nil) != (r.SourceY == nil):
		return nil, fault.Invalid("/source_x", "a source has source_x and source_y, both or none")
	case r.SourceX != nil:
		return &[2]float64{*r.SourceX, *r.SourceY}, nil
	case r.Kind == mask.SpotClone:
		return nil, fault.Invalid("/source_x", "clone needs source_x and source_y: the middle of the place to copy")
	}
	return nil, nil
}

// enclosing gives the middle of the box around corners, and half its longer side
// as a fraction of the picture's shorter side.
func enclosing(points [][]float64, size mask.Size) (x, y, radius float64) {
	left, top, right, bottom := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, c := range points {
		left, right = min(left, c[0]), max(right, c[0])
		top, bottom = min(top, c[1]), max(bottom, c[1])
	}
	longer := max((right-left)*size.Width, (bottom-top)*size.Height)
	return (left + right) / 2, (top + bottom) / 2, longer / 2 / min(size.Width, size.Height)
}

// measured gives the place its lengths in a developed picture of the given size.
func (p SpotPlace) measured(developed mask.Size) SpotPlace {
	if len(p.points) > 0 {
		p.X, p.Y, p.Radius = enclosing(p.points, developed)
	}
	if p.Feather < 0 {
		p.Feather = p.Radius / 2
	}
	return p
}

// CheckSource refuses a source that overlaps the spot or leaves the picture.
func (p SpotPlace) CheckSource(x, y float64, developed mask.Size) error {
	short := min(developed.Width, developed.Height)
	sx, sy := short/developed.Width, short/developed.Height // of a length, as a fraction of a side
	apart := math.Hypot((x-p.X)/sx, (y-p.Y)/sy)
	switch {
	case apart < 2*p.Radius:
		return fault.New(fault.Masking, "the source at %.4g, %.4g overlaps the spot at %.4g, %.4g: they are %.3g of the shorter side apart, and have to be %.3g or more",
			x, y, p.X, p.Y, apart, 2*p.Radius)
	case x-p.Radius*sx < 0 || x+p.Radius*sx > 1 || y-p.Radius*sy < 0 || y+p.Radius*sy > 1:
		return fault.New(fault.Masking, "the source at %.4g, %.4g with the spot's radius of %.3g leaves the picture", x, y, p.Radius)
	}
	return nil
}
