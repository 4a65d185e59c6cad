package chemigram

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/render"
	"github.com/chemigram/chemigram/versioning"
	"github.com/chemigram/chemigram/xmp"
)

// MatchExposureParams are the parameters of MatchExposure.
type MatchExposureParams struct {
	// ImageID names the image whose brightness the targets get.
	ImageID ImageID `json:"image_id"`
	// RefOrHash is the version whose brightness it is. Default: HEAD.
	RefOrHash RefOrHash `json:"ref_or_hash,omitempty"`
	// Targets are the images that get it, 1 to 500.
	Targets []ImageID `json:"targets"`
	// Region to measure, in every picture alike. Default: the whole picture.
	Region *Region `json:"region,omitempty"`
	// TimeoutSeconds limits darktable's time for each target.
	TimeoutSeconds TimeoutSeconds `json:"timeout_seconds,omitempty" default:"120"`
}

const (
	// matchWithin is how near two mid-tones have to be, in stops.
	matchWithin = 0.1
	// matchLooks is how many developments a match may take.
	matchLooks = 8
	// matchSize is the longest edge of what is measured.
	matchSize Size = 512
)

// MatchExposure makes a series equally bright: it measures the mid-tone (the
// median luma, in linear light) of the reference and of each target as
// developed, and changes the target's exposure until they are within 0.1 EV,
// as one labelled snapshot. A target that cannot be brought so near is left as
// it was, with an error.
func (e *Engine) MatchExposure(ctx context.Context, p MatchExposureParams) (_ SeriesResult, err error) {
	defer seal(&err, "match_exposure", p.ImageID)
	if err := errors.Join(validate(&p), e.writable(), checkTargets(p.ImageID, p.Targets)); err != nil {
		return SeriesResult{}, err
	}
	area, err := p.Region.area()
	if err != nil {
		return SeriesResult{}, err
	}
	if area == nil {
		area = &render.Region{}
	}
	m := midtoneMatch{engine: e, area: *area, limit: p.TimeoutSeconds}
	img, err := e.image(p.ImageID)
	if err != nil {
		return SeriesResult{}, err
	}
	reference, err := img.At(ctx, string(p.RefOrHash))
	if err != nil {
		return SeriesResult{}, err
	}
	if m.want, err = m.midtone(ctx, img, reference.Sidecar); err != nil {
		return SeriesResult{}, err
	}
	change := versioning.Change{
		Op: "match_exposure", Entry: string(p.ImageID),
		Label: fmt.Sprintf("as bright as %s %s", p.ImageID, reference.Record.State.String()[:8]),
	}
	return e.eachTarget(ctx, p.Targets, e.darktables(), func(ctx context.Context, target *workspace.Image, outcome *SeriesOutcome) error {
		return m.bring(ctx, target, change, outcome)
	})
}

// midtoneMatch brings pictures to a mid-tone.
type midtoneMatch struct {
	engine *Engine
	area   render.Region
	limit  TimeoutSeconds
	want   float64 // log2 of the mid-tone
}

// midtone is log2 of the median luma of a look, in linear light.
func (m midtoneMatch) midtone(ctx context.Context, img *workspace.Image, look *xmp.Sidecar) (float64, error) {
	ctx, cancel := m.engine.rendering(ctx, m.limit)
	defer cancel()
	file, _, err := m.engine.preview(ctx, img, look, matchSize, nil)
	if err != nil {
		return 0, err
	}
	pixels, err := render.Load(file.Path)
	if err != nil {
		return 0, err
	}
	s, err := render.Measure(pixels, m.area)
	if err != nil {
		return 0, err
	}
	if s.Luma.P50 <= 0 || s.Luma.P50 >= 1 {
		return 0, fault.New(fault.InvalidInput, "half of %s is black or white (median luma %g): there is no mid-tone to measure; give a region", img.ImageID, s.Luma.P50)
	}
	return math.Log2(linear(s.Luma.P50)), nil
}

// linear decodes a value of sRGB.
func linear(v float64) float64 {
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

// bring changes a target's exposure until its mid-tone is the wanted one. The
// tone curve stands between the two: where it is, and how steep, is found by
// the secant through what was measured.
func (m midtoneMatch) bring(ctx context.Context, target *workspace.Image, change versioning.Change, outcome *SeriesOutcome) error {
	now, err := m.engine.begin(ctx, target, "")
	if err != nil {
		return err
	}
	look, ev, slope := now.head.Sidecar, 0.0, 1.0
	var lastEV, lastOff float64
	for looks := range matchLooks {
		is, err := m.midtone(ctx, target, look)
		if err != nil {
			return err
		}
		off := m.want - is
		if math.Abs(off) <= matchWithin/2 || math.Abs(off) <= matchWithin && looks > matchLooks/2 {
			return m.keep(ctx, target, now, look, ev, change, outcome)
		}
		if looks > 0 && ev != lastEV {
			slope = min(max((lastOff-off)/(ev-lastEV), 0.25), 4)
		}
		lastEV, lastOff = ev, off
		ev += min(max(off/slope, -3), 3)
		edits, err := exposed(now.head.Sidecar, now, ev)
		if err != nil {
			return err
		}
		if look, err = now.head.Sidecar.With(now.release, edits...); err != nil {
			return err
		}
	}
	return fault.New(fault.State, "%s is still %.2f EV away after %d developments: its tone curve or the picture does not reach the reference's mid-tone",
		target.ImageID, lastOff, matchLooks)
}

// keep publishes a look that was found by measuring, when the image is still
// where the measuring began.
func (m midtoneMatch) keep(
	ctx context.Context, target *workspace.Image, began session, look *xmp.Sidecar, ev float64,
	change versioning.Change, outcome *SeriesOutcome,
) error {
	outcome.SnapshotHash, outcome.EV = began.head.Record.ID.String(), ev
	if ev == 0 {
		return nil
	}
	change.Expect, change.Values = began.head.Record.ID, map[string]float64{"ev": ev}
	res, err := m.engine.edit(ctx, ImageID(target.ImageID), change, func(session, *versioning.Change) (*xmp.Sidecar, error) { return look, nil })
	if err == nil {
		outcome.Changed, outcome.SnapshotHash = res.Changed, res.SnapshotHash
	}
	return err
}
