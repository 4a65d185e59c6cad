package compose

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
	"github.com/chemigram/chemigram/xmp/mask"
)

// spotInstance is the instance of the retouch module that has our spots.
const spotInstance = "spots"

// Spots is a look whose spots have changed.
type Spots struct {
	Look *xmp.Sidecar
	// ID of the spot that was set, and its place; 0 when one was removed.
	ID    int
	Place SpotPlace
	// Seen are all spots, as they lie in the developed picture.
	Seen []SeenSpot
	// Developed is the size of the developed picture, in its frame.
	Developed mask.Size
}

// FindSource finds the middle of a place to heal a spot from, in the developed
// picture whose frame is given.
type FindSource func(ctx context.Context, frame mask.Frame, place SpotPlace) ([2]float64, error)

// WithSpot gives the current version with a spot set or removed. A spot without a
// source keeps the one that it has when it is there already; else find finds it.
func (s Start) WithSpot(ctx context.Context, edit SpotEdit, find FindSource) (Spots, error) {
	spots := mask.ReadSpots(s.Current.FormsOf("retouch", spotInstance))
	frame, err := s.Frame(ctx, s.Current)
	if err != nil {
		return Spots{}, err
	}
	result := Spots{Developed: frame.Developed}
	if edit.remove != 0 {
		spots, err = withoutSpot(spots, edit.remove)
	} else if result.Place, err = edit.locate(ctx, spots, frame, find); err == nil {
		spots, result.ID, err = edit.set(spots, frame, result.Place)
	}
	if err != nil {
		return Spots{}, err
	}
	for _, spot := range spots {
		result.Seen = append(result.Seen, seen(frame, spot))
	}
	result.Look, err = s.withSpots(spots)
	return result, err
}

// locate gives the spot's place in the developed picture, with its source.
func (e SpotEdit) locate(ctx context.Context, spots []mask.Spot, frame mask.Frame, find FindSource) (SpotPlace, error) {
	place := e.place.measured(frame.Developed)
	if place.source != nil {
		return place, nil
	}
	source, ok := knownSource(spots, frame, e.kind, place)
	if !ok {
		var err error
		if source, err = find(ctx, frame, place); err != nil {
			return SpotPlace{}, err
		}
	}
	place.source = &source
	return place, nil
}

// knownSource gives the source of a spot that is there already, so that the same
// call again changes nothing.
func knownSource(spots []mask.Spot, frame mask.Frame, kind mask.SpotKind, place SpotPlace) (source [2]float64, ok bool) {
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-3 }
	for _, spot := range spots {
		at := seen(frame, spot)
		if spot.Kind == kind && near(at.X, place.X) && near(at.Y, place.Y) && near(at.Radius, place.Radius) {
			return [2]float64{at.SourceX, at.SourceY}, true
		}
	}
	return source, false
}

// set puts the spot among the others and gives its ID.
func (e SpotEdit) set(spots []mask.Spot, frame mask.Frame, place SpotPlace) ([]mask.Spot, int, error) {
	spot, err := place.spot(frame)
	if err != nil {
		return nil, 0, err
	}
	spot.Kind = e.kind
	i, next := -1, 1
	for j, other := range spots {
		next = max(next, other.ID+1)
		if other.ID == e.id || e.id == 0 && spot.Same(other) {
			i = j
		}
	}
	switch {
	case e.id != 0 && i < 0:
		return nil, 0, missingSpot(spots, e.id)
	case i < 0:
		spot.ID = next
		return append(spots, spot), spot.ID, nil
	}
	spot.ID = spots[i].ID
	if !spot.Same(spots[i]) {
		spots[i] = spot
	}
	return spots, spot.ID, nil
}

func withoutSpot(spots []mask.Spot, id int) ([]mask.Spot, error) {
	i := slices.IndexFunc(spots, func(s mask.Spot) bool { return s.ID == id })
	if i < 0 {
		return nil, missingSpot(spots, id)
	}
	return slices.Delete(spots, i, i+1), nil
}

func missingSpot(spots []mask.Spot, id int) error {
	known := make([]string, len(spots))
	for i, s := range spots {
		known[i] = strconv.Itoa(s.ID)
	}
	return fault.Missing("spot", strconv.Itoa(id), known)
}

// withSpots gives the current version with these spots and no others of ours.
func (s Start) withSpots(spots []mask.Spot) (*xmp.Sidecar, error) {
	if len(spots) == 0 {
		return s.Current.With(s.Release, xmp.Remove{Operation: "retouch", MultiName: spotInstance})
	}
	made, err := mask.CompileSpots(s.Release.BlendVersion(), spots)
	if err != nil {
		return nil, err
	}
	params, err := s.Release.Defaults("retouch")
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
	return s.Current.With(s.Release, put)
}
