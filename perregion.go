package chemigram

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/chemigram/chemigram/internal/compose"
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/versioning"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/xmp"
)

// ApplyPerRegionParams are the parameters of ApplyPerRegion.
type ApplyPerRegionParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// PrimitiveName is the move for the regions that name none.
	PrimitiveName string `json:"primitive_name,omitempty"`
	// Regions, 1 to 20, each with its mask and values.
	Regions []RegionMove `json:"regions"`
	// TimeoutSeconds limits darktable's time.
	TimeoutSeconds TimeoutSeconds `json:"timeout_seconds,omitempty" default:"120"`
}

// RegionMove is a move within a part of the picture.
type RegionMove struct {
	// Mask selects the region.
	Mask Mask `json:"mask"`
	// PrimitiveName is the region's own move. Default: the call's.
	PrimitiveName string `json:"primitive_name,omitempty"`
	// Value is for a move with one parameter.
	Value *float64 `json:"value,omitempty"`
	// Values gives parameters by name.
	Values map[string]float64 `json:"values,omitempty"`
	// Strength scales the move. Default: 1.
	Strength *Strength `json:"strength,omitempty"`
}

// mostRegions bounds what one call changes.
const mostRegions = 20

// ApplyPerRegion applies a move with its own values in each region, or different
// moves in different regions, as one snapshot: all of them or none. Each is as
// apply_primitive with that mask.
func (e *Engine) ApplyPerRegion(ctx context.Context, p ApplyPerRegionParams) (_ EditResult, err error) {
	defer e.seal(&err, "apply_per_region", p.ImageID)
	if err := validate(&p); err != nil {
		return EditResult{}, err
	}
	if n := len(p.Regions); n < 1 || n > mostRegions {
		return EditResult{}, fault.Invalid("/regions", "%d regions: there are 1 to %d", n, mostRegions)
	}
	entries, err := e.regionMoves(p)
	if err != nil {
		return EditResult{}, err
	}
	ctx, cancel := e.renderContext(ctx, p.TimeoutSeconds)
	defer cancel()
	change := versioning.Change{Op: "apply_per_region", Entry: p.PrimitiveName, Values: map[string]float64{}}
	var applied []AppliedMove
	res, err := e.edit(ctx, p.ImageID, change, func(now compose.Start, change *versioning.Change) (*xmp.Sidecar, error) {
		for i, region := range p.Regions {
			next, values, err := now.Apply(ctx, entries[i], vocab.Application{
				Value: region.Value, Values: region.Values, Strength: (*float64)(region.Strength),
			}, &region.Mask)
			if err != nil {
				return nil, regionError(err, i)
			}
			now.Current = next
			applied = append(applied, appliedMove(entries[i], values, region.Strength, &region.Mask))
			for name, value := range maps.All(values) {
				change.Values["regions["+strconv.Itoa(i)+"]."+name] = value
			}
		}
		return now.Current, nil
	})
	if err != nil {
		return EditResult{}, err
	}
	return res.with(applied...), nil
}

// regionMoves finds the regions' moves. Two regions with the same move and the
// same mask would replace each other.
func (e *Engine) regionMoves(p ApplyPerRegionParams) ([]*vocab.Entry, error) {
	seen := map[string]int{}
	var entries []*vocab.Entry
	for i, region := range p.Regions {
		name := region.PrimitiveName
		if name == "" {
			name = p.PrimitiveName
		}
		if name == "" {
			return nil, fault.Invalid(regionPointer(i)+"/primitive_name", "regions[%d] has no primitive_name, and neither has the whole", i)
		}
		entry, err := e.move(name)
		if err != nil {
			return nil, err
		}
		key := name + "\x00" + region.Mask.Key()
		if other, twice := seen[key]; twice {
			return nil, fault.Invalid(regionPointer(i)+"/mask", "regions[%d] and regions[%d] have the same move and the same mask: give each mask a label, or leave one out", other, i)
		}
		seen[key] = i
		entries = append(entries, entry)
	}
	return entries, nil
}

// regionError says which region an error is about.
func regionError(err error, i int) error {
	located := locatedAt(err, regionPointer(i))
	located.Message = "regions[" + strconv.Itoa(i) + "]: " + located.Message
	return located
}

// regionPointer is the JSON pointer of a region.
func regionPointer(i int) string { return "/regions/" + strconv.Itoa(i) }

// locatedAt gives the error of a part of the arguments, whose JSON pointer is at.
func locatedAt(err error, at string) *Error {
	located := *AsError(err)
	if found, ok := located.Details["violations"].([]Violation); ok {
		located.Details = maps.Clone(located.Details)
		found = slices.Clone(found)
		for i := range found {
			found[i].Pointer = at + found[i].Pointer
		}
		located.Details["violations"] = found
	}
	return &located
}
