package chemigram

import (
	"context"
	"errors"
	"fmt"
	"math"

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
	// Insist matches targets that would be left alone, too.
	Insist bool `json:"insist,omitempty"`
	// TimeoutSeconds limits darktable's time for each target.
	TimeoutSeconds TimeoutSeconds `json:"timeout_seconds,omitempty" default:"120"`
}

// matchSize is the longest edge of the pictures that are measured.
const matchSize Size = 512

// The limits of a match that nobody insists on.
const (
	maxMatchEV      = 1.5
	maxMatchClipped = 0.01 // of the pixels, newly
)

// ExposureMatch is what was measured of one target of match_exposure.
type ExposureMatch struct {
	// Apart is how much darker the target's mid-tone was than the reference's, in
	// stops; below 0 it was brighter.
	Apart float64 `json:"apart" decimals:"2"`
	// NeededEV is the change of exposure that makes it as bright, in stops; 0 when that
	// was not looked for, as the picture is unlike.
	NeededEV float64 `json:"needed_ev" decimals:"2"`
	// ClippedBefore is the share of the pixels, 0 to 1, of which a channel was clipped.
	ClippedBefore float64 `json:"clipped_before" decimals:"4"`
	// ClippedAfter is the share with the needed change, applied or not.
	ClippedAfter float64 `json:"clipped_after" decimals:"4"`
	// Distance of the target's colours from the reference's, however bright: 0 the same,
	// 1 none in common.
	Distance float64 `json:"distance" decimals:"2"`
	// Unlike is true from a distance of 0.4 on: another subject, or other light.
	Unlike bool `json:"unlike,omitempty"`
	// LeftAlone says why the target was left as it was; empty when it was matched.
	LeftAlone string `json:"left_alone,omitempty"`
}

// MatchExposure makes a series equally bright: it measures the mid-tone (the
// median light, in which colourful pixels count for little) of the reference and
// of each target as developed, and changes the target's exposure until they are
// within 0.1 EV, as one labelled snapshot. Unless insist is set, a target is left
// alone that is unlike the reference, needs more than 1.5 EV, or would newly clip
// more than 1 % of its pixels; its match says why, in left_alone. A target that
// cannot be brought so near is left as it was, with an error.
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
	m := midtoneMatch{engine: e, area: *area, limit: p.TimeoutSeconds, insist: p.Insist}
	img, err := e.image(p.ImageID)
	if err != nil {
		return SeriesResult{}, err
	}
	reference, err := img.At(ctx, string(p.RefOrHash))
	if err != nil {
		return SeriesResult{}, err
	}
	measured, err := m.measure(ctx, img, reference.Sidecar)
	if err != nil {
		return SeriesResult{}, err
	}
	m.want, m.palette = measured.midtone, measured.palette
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
	engine  *Engine
	area    render.Region
	limit   TimeoutSeconds
	insist  bool
	want    float64 // log2 of the mid-tone
	palette probe.Palette
}

// measured is what a match looks at in a picture.
type measured struct {
	midtone, clipped float64
	palette          probe.Palette
}

// measure develops a look and measures it.
func (m midtoneMatch) measure(ctx context.Context, img *workspace.Image, look *xmp.Sidecar) (s measured, err error) {
	ctx, cancel := m.engine.renderContext(ctx, m.limit)
	defer cancel()
	pixels, err := m.engine.preview(ctx, img, look, matchSize)
	if err != nil {
		return s, err
	}
	if s.midtone, err = probe.Midtone(img.ImageID, pixels, m.area); err != nil {
		return s, err
	}
	if s.clipped, err = probe.ClippedShare(pixels, m.area); err != nil {
		return s, err
	}
	s.palette, err = probe.PaletteOf(pixels, m.area)
	return s, err
}

// matchTarget changes a target's exposure until its mid-tone is the wanted one,
// unless it is better left alone.
func (m midtoneMatch) matchTarget(ctx context.Context, target *workspace.Image, change versioning.Change, outcome *SeriesOutcome) error {
	head, err := target.At(ctx, "")
	if err != nil {
		return err
	}
	outcome.SnapshotHash, outcome.Event = head.Record.State.String(), head.Record.ID.String()
	first, err := m.measure(ctx, target, head.Sidecar)
	if err != nil {
		return err
	}
	match := &ExposureMatch{
		Apart: m.want - first.midtone, ClippedBefore: first.clipped, ClippedAfter: first.clipped,
		Distance: m.palette.Distance(first.palette),
	}
	match.Unlike, outcome.Match = match.Distance >= probe.Unlike, match
	if match.Unlike && !m.insist {
		match.LeftAlone = fmt.Sprintf("its colours are %.2f away from the reference's: another subject or other light", match.Distance)
		return nil
	}
	now, err := m.engine.startFrom(ctx, target, head.Sidecar)
	if err != nil {
		return err
	}
	look, ev, err := probe.MatchMidtone(ctx, target.ImageID, now.Stack, m.want,
		func(ctx context.Context, look *xmp.Sidecar) (float64, error) {
			s, err := m.measure(ctx, target, look)
			match.ClippedAfter = s.clipped
			return s.midtone, err
		})
	if err != nil {
		return err
	}
	match.NeededEV = ev
	if match.LeftAlone = match.beyondLimits(); match.LeftAlone != "" && !m.insist {
		return nil
	}
	match.LeftAlone = ""
	return m.publish(ctx, target, look, change, head, outcome)
}

// beyondLimits says which limit the change is beyond; empty when none.
func (m *ExposureMatch) beyondLimits() string {
	switch clipped := m.ClippedAfter - m.ClippedBefore; {
	case math.Abs(m.NeededEV) > maxMatchEV:
		return fmt.Sprintf("it needs %+.2f EV, the limit is %g", m.NeededEV, maxMatchEV)
	case clipped > maxMatchClipped:
		return fmt.Sprintf("%+.2f EV would clip %.1f %% more of its pixels, the limit is %g %%", m.NeededEV, 100*clipped, 100*maxMatchClipped)
	}
	return ""
}

// publish makes a look the target's edit when the image is still where the measuring
// began.
func (m midtoneMatch) publish(
	ctx context.Context, target *workspace.Image, look *xmp.Sidecar, change versioning.Change, head workspace.Version, outcome *SeriesOutcome,
) error {
	ev := outcome.Match.NeededEV
	if outcome.EV = ev; ev == 0 {
		return nil
	}
	ctx, cancel := m.engine.renderContext(ctx, m.limit)
	defer cancel()
	change.Expect, change.Values = head.Record.ID, map[string]float64{"ev": ev}
	res, err := m.engine.edit(ctx, ImageID(target.ImageID), change, func(compose.Start, *versioning.Change) (*xmp.Sidecar, error) { return look, nil })
	if err == nil {
		outcome.set(res)
	}
	return err
}
