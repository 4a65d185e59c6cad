package chemigram

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
	"github.com/chemigram/chemigram/xmp/mask"
)

// spotPlace is a spot's place in the developed picture.
type spotPlace struct {
	x, y, radius, feather float64 // of the round spot, or of the one around the corners
	points                [][]float64
	source                *[2]float64 // nil to look for one
}

// place reads and checks the place that parameters give.
func (p ApplySpotParams) place() (*spotPlace, error) {
	given := p.X != nil || p.Y != nil || p.Radius != 0 || len(p.Points) > 0
	if p.Remove != 0 {
		if given || p.ID != 0 || p.SourceX != nil || p.SourceY != nil {
			return nil, fault.New(fault.InvalidInput, "remove is given alone, without a place, a source or an id")
		}
		return nil, nil
	}
	at := &spotPlace{points: p.Points, feather: -1}
	if p.Feather != nil {
		at.feather = float64(*p.Feather)
	}
	if err := errors.Join(p.shape(at), p.source(at)); err != nil {
		return nil, err
	}
	return at, nil
}

// shape reads where the spot is, and how large.
func (p ApplySpotParams) shape(at *spotPlace) error {
	switch {
	case len(p.Points) > 0 && (p.X != nil || p.Y != nil || p.Radius != 0):
		return fault.New(fault.InvalidInput, "a spot has x, y and radius, or points, not both")
	case len(p.Points) > 0:
		for i, c := range p.Points {
			if len(c) != 2 || !(c[0] >= 0 && c[0] <= 1 && c[1] >= 0 && c[1] <= 1) {
				return fault.New(fault.InvalidInput, "points[%d] is %v; a corner is [x, y], each 0 to 1 of the picture", i, c)
			}
		}
		at.x, at.y, at.radius = around(p.Points, mask.Size{Width: 1, Height: 1}) // until the picture's size is known
	case p.X == nil || p.Y == nil:
		return fault.New(fault.InvalidInput, "a spot needs x, y and radius, or points")
	case p.Radius <= 0:
		return fault.New(fault.Masking, "a spot of radius %g has no area; dust is often 0.005 to 0.02 of the shorter side", float64(p.Radius))
	default:
		at.x, at.y, at.radius = float64(*p.X), float64(*p.Y), float64(p.Radius)
	}
	if at.radius > 0.5 {
		return fault.New(fault.Masking, "a spot of radius %g leaves no place to copy from; at most 0.5", at.radius)
	}
	return nil
}

// source reads where the spot's cover comes from.
func (p ApplySpotParams) source(at *spotPlace) error {
	switch {
	case (p.SourceX == nil) != (p.SourceY == nil):
		return fault.New(fault.InvalidInput, "a source has source_x and source_y, both or none")
	case p.SourceX != nil:
		at.source = &[2]float64{float64(*p.SourceX), float64(*p.SourceY)}
	case p.Kind == mask.SpotClone:
		return fault.New(fault.InvalidInput, "clone needs source_x and source_y: the middle of the place to copy")
	}
	return nil
}

// around gives the middle of corners' box, and half its longer side in the
// shorter side of the picture.
func around(points [][]float64, size mask.Size) (x, y, radius float64) {
	left, top, right, bottom := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, c := range points {
		left, right = min(left, c[0]), max(right, c[0])
		top, bottom = min(top, c[1]), max(bottom, c[1])
	}
	longer := max((right-left)*size.Width, (bottom-top)*size.Height)
	return (left + right) / 2, (top + bottom) / 2, longer / 2 / min(size.Width, size.Height)
}

// in gives the place its lengths in a picture of a size.
func (at spotPlace) in(developed mask.Size) spotPlace {
	if len(at.points) > 0 {
		at.x, at.y, at.radius = around(at.points, developed)
	}
	if at.feather < 0 {
		at.feather = at.radius / 2
	}
	return at
}

// spot takes the place into the frame of the raw.
func (at spotPlace) spot(f mask.Frame) (mask.Spot, error) {
	if err := at.checkSource(f.Developed); err != nil {
		return mask.Spot{}, err
	}
	soft := mask.Share(at.feather)
	shape := mask.SpecShape{Kind: mask.KindCircle, X: &at.x, Y: &at.y, Radius: at.radius, Softness: &soft}
	anchor := [2]float64{at.x, at.y}
	if len(at.points) > 0 {
		shape = mask.SpecShape{Kind: mask.KindPath, Points: at.points, Softness: &soft}
		anchor = [2]float64(at.points[0])
	}
	placed, err := mask.Spec{Shapes: []mask.SpecShape{shape}}.Mask(f)
	if err != nil {
		return mask.Spot{}, err
	}
	s := mask.Spot{Shape: placed.Shapes[0].Shape}
	if e, ok := s.Shape.(mask.Ellipse); ok && e.RadiusB > 0.97*e.RadiusA {
		s.Shape = mask.Circle{X: e.X, Y: e.Y, Radius: (e.RadiusA + e.RadiusB) / 2, Border: e.Border}
	}
	x, y := f.At(anchor[0]+at.source[0]-at.x, anchor[1]+at.source[1]-at.y)
	s.SourceX, s.SourceY = float32(x), float32(y)
	return s, nil
}

// checkSource refuses a source that overlaps the spot or leaves the picture.
func (at spotPlace) checkSource(developed mask.Size) error {
	short := min(developed.Width, developed.Height)
	sx, sy := short/developed.Width, short/developed.Height // of a length, as a fraction of a side
	x, y := at.source[0], at.source[1]
	apart := math.Hypot((x-at.x)/sx, (y-at.y)/sy)
	switch {
	case apart < 2*at.radius:
		return fault.New(fault.Masking, "the source at %.4g, %.4g overlaps the spot at %.4g, %.4g: they are %.3g of the shorter side apart, and have to be %.3g or more",
			x, y, at.x, at.y, apart, 2*at.radius)
	case x-at.radius*sx < 0 || x+at.radius*sx > 1 || y-at.radius*sy < 0 || y+at.radius*sy > 1:
		return fault.New(fault.Masking, "the source at %.4g, %.4g with the spot's radius of %.3g leaves the picture", x, y, at.radius)
	}
	return nil
}

// middle gives the middle and the radius of a spot's shape, in the shape's own
// frame of that size.
func middle(s mask.Shape, size mask.Size) (x, y, radius float64) {
	switch s := s.(type) {
	case mask.Circle:
		return float64(s.X), float64(s.Y), float64(s.Radius)
	case mask.Ellipse:
		return float64(s.X), float64(s.Y), float64(s.RadiusA)
	case mask.Path:
		points := make([][]float64, len(s.Vertices))
		for i, v := range s.Vertices {
			points[i] = []float64{float64(v.X), float64(v.Y)}
		}
		return around(points, size)
	}
	return 0, 0, 0
}

// withSpots gives the head with these spots and no others of ours.
func (s session) withSpots(spots []mask.Spot) (*xmp.Sidecar, error) {
	if len(spots) == 0 {
		return s.head.Sidecar.With(s.release, xmp.Remove{Operation: "retouch", MultiName: spotInstance})
	}
	made, err := mask.CompileSpots(s.release.BlendVersion(), spots)
	if err != nil {
		return nil, err
	}
	params, err := s.release.Defaults("retouch")
	if err != nil {
		return nil, err
	}
	for i, spot := range spots {
		for field, v := range map[string]iop.Value{
			"formid":    iop.Number(float64(made.Forms[i+1].ID)),
			"algorithm": iop.Text(mask.Algorithms[spot.Kind]),
			// What darktable writes; it was proven with no other.
			"distort_mode": iop.Number(2),
		} {
			if params, err = params.With(fmt.Sprintf("rt_forms[%d].%s", i, field), v); err != nil {
				return nil, err
			}
		}
	}
	put := xmp.Put{Forms: made.Forms, Entry: xmp.Entry{
		Operation: "retouch", MultiName: spotInstance, Enabled: true, Modversion: params.Modversion(), Params: params.Encode(),
		BlendVersion: made.Blend.Version, Origins: []xmp.Origin{{Entry: "apply_spot"}},
	}}
	if put.Entry.Blend, err = made.Blend.Encode(); err != nil {
		return nil, err
	}
	return s.head.Sidecar.With(s.release, put)
}

func missingSpot(spots []mask.Spot, id SpotID) error {
	known := make([]string, len(spots))
	for i, s := range spots {
		known[i] = strconv.Itoa(s.ID)
	}
	return fault.Missing("spot", strconv.Itoa(int(id)), known)
}
