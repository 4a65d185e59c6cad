package chemigram

import (
	"context"
	"errors"
	"fmt"

	"github.com/chemigram/chemigram/internal/compose"
	"github.com/chemigram/chemigram/internal/probe"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/render"
	"github.com/chemigram/chemigram/versioning"
	"github.com/chemigram/chemigram/xmp"
)

// MatchExposureParams are the parameters of MatchExposure.
type MatchExposureParams struct {
	// ImageID names the image whose brightness the targets get.
	ImageID ImageID `json:"image_id"`
	// RefOrHash is the version that is measured. Default: HEAD.
	RefOrHash RefOrHash `json:"ref_or_hash,omitempty"`
	// Targets are the images that are made as bright, 1 to 500.
	Targets []ImageID `json:"targets"`
	// Region to measure, in every picture alike. Default: the whole picture.
	Region *Region `json:"region,omitempty"`
	// TimeoutSeconds limits darktable's time for each target.
	TimeoutSeconds TimeoutSeconds `json:"timeout_seconds,omitempty" default:"120"`
}

// matchSize is the longest edge of the pictures that are measured.
const matchSize Size = 512

// MatchExposure makes a series equally bright: it measures the mid-tone (the
// median luma, in linear light) of the reference and of each target as
// developed, and changes the target's exposure until they are within 0.1 EV,
// as one labelled snapshot. A target that cannot be brought so near is left as
// it was, with an error.
func (e *Engine) MatchExposure(ctx context.Context, p MatchExposureParams) (_ SeriesResult, err error) {
	defer e.seal(&err, "match_exposure", p.ImageID)
	if err := errors.Join(e.validateWrite(&p), checkTargets(p.ImageID, p.Targets)); err != nil {
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
		return m.matchTarget(ctx, target, change, outcome)
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
	ctx, cancel := m.engine.renderContext(ctx, m.limit)
	defer cancel()
	pixels, err := m.engine.preview(ctx, img, look, matchSize)
	if err != nil {
		return 0, err
	}
	return probe.Midtone(img.ImageID, pixels, m.area)
}

// matchTarget changes a target's exposure until its mid-tone is the wanted one.
func (m midtoneMatch) matchTarget(ctx context.Context, target *workspace.Image, change versioning.Change, outcome *SeriesOutcome) error {
	head, err := target.At(ctx, "")
	if err != nil {
		return err
	}
	now, err := m.engine.startFrom(ctx, target, head.Sidecar)
	if err != nil {
		return err
	}
	look, ev, err := probe.MatchMidtone(ctx, target.ImageID, now.Stack, m.want,
		func(ctx context.Context, look *xmp.Sidecar) (float64, error) { return m.midtone(ctx, target, look) })
	if err != nil {
		return err
	}
	outcome.SnapshotHash, outcome.Event, outcome.EV = head.Record.State.String(), head.Record.ID.String(), ev
	if ev == 0 {
		return nil
	}
	// The look is published when the image is still where the measuring began.
	change.Expect, change.Values = head.Record.ID, map[string]float64{"ev": ev}
	res, err := m.engine.edit(ctx, ImageID(target.ImageID), change, func(compose.Start, *versioning.Change) (*xmp.Sidecar, error) { return look, nil })
	if err == nil {
		outcome.set(res)
	}
	return err
}
