package chemigram

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	goimage "image"
	"slices"

	"github.com/chemigram/chemigram/internal/compose"
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/match"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/render"
	"github.com/chemigram/chemigram/versioning"
	"github.com/chemigram/chemigram/xmp"
)

// MatchPart is what match_series brings together: white_balance, exposure or contrast.
type MatchPart string

// MatchSeriesParams are the parameters of MatchSeries.
type MatchSeriesParams struct {
	// ImageIDs are the pictures of the series, 1 to 500.
	ImageIDs []ImageID `json:"image_ids"`
	// Reference is the image that the others become like. Default: the median picture
	// of the series, the one nearest to all others.
	Reference ImageID `json:"reference,omitempty"`
	// RefOrHash is the version of the reference. Default: HEAD.
	RefOrHash RefOrHash `json:"ref_or_hash,omitempty"`
	// Match is what is brought together: white_balance, exposure, contrast. Default: all.
	Match []MatchPart `json:"match,omitempty"`
	// Insist changes pictures that would be left alone, too.
	Insist bool `json:"insist,omitempty"`
	// DryRun measures, and changes nothing.
	DryRun bool `json:"dry_run,omitempty"`
	// Sheet draws all pictures before and after side by side, at most 35 and the reference.
	Sheet bool `json:"sheet,omitempty"`
	// Label of the snapshots. Default: which picture they were matched to.
	Label string `json:"label,omitempty"`
	// TimeoutSeconds limits darktable's time for each picture.
	TimeoutSeconds TimeoutSeconds `json:"timeout_seconds,omitempty" default:"300"`
}

// MatchSeriesResult says what became of each picture but the reference.
type MatchSeriesResult struct {
	// Reference is the image that the others were compared with.
	Reference ImageID `json:"reference"`
	// ReferenceHash is the hash of its look.
	ReferenceHash string `json:"reference_hash"`
	SeriesResult
	// JPEGPath is the path of the sheet, an sRGB JPEG; empty when none was asked for.
	JPEGPath string `json:"jpeg_path,omitempty"`
}

// SeriesMatch is what match_series measured of a picture, and what it changed.
type SeriesMatch struct {
	// Moves that were applied; of a picture left alone, or in a dry run, those that
	// would have been.
	Moves []SeriesMove `json:"moves"`
	// Before is its mean ΔE2000 from the reference: place by place when it shows the
	// same, else by bands of brightness.
	Before float64 `json:"delta_e_before" decimals:"2"`
	// After is the distance with the moves.
	After float64 `json:"delta_e_after" decimals:"2"`
	// Overlaps is true when it shows what the reference shows, at least in part.
	Overlaps bool `json:"overlaps"`
	// Distance of its colours from the reference's once the light is matched: 0 the
	// same, 1 none in common.
	Distance float64 `json:"distance" decimals:"2"`
	// ClippedBefore is the share of the pixels, 0 to 1, of which a channel is clipped.
	ClippedBefore float64 `json:"clipped_before" decimals:"4"`
	// ClippedAfter is the share with the moves.
	ClippedAfter float64 `json:"clipped_after" decimals:"4"`
	// Unlike is true when more differs than exposure, white balance and contrast: the
	// light itself, or the subject.
	Unlike bool `json:"unlike,omitempty"`
	// LeftAlone says why it was left as it is, with what was measured; empty when it
	// was not.
	LeftAlone string `json:"left_alone,omitempty"`
}

// SeriesMove is a move of match_series.
type SeriesMove struct {
	// Name of the move.
	Name string `json:"move"`
	// Value that it has then.
	Value float64 `json:"value"`
	// By is how much more that is than the picture had.
	By float64 `json:"by"`
	// Unit of both; empty for a plain number.
	Unit string `json:"unit,omitempty"`
}

// MatchSeries makes a series one set: it measures each picture as developed against
// the reference, where both show the same, and brings exposure, white balance and
// contrast together by the moves exposure, warmth, tint and contrast, as one labelled
// snapshot. Unless insist is set, a picture is left alone whose light or subject truly
// differs, that needs more than 1.5 EV, 60 mired, 0.6 of tint or 0.3 of contrast, or
// would clip 1 % more of its pixels than it or the reference has: left_alone says why.
func (e *Engine) MatchSeries(ctx context.Context, p MatchSeriesParams) (_ MatchSeriesResult, err error) {
	defer e.seal(&err, "match_series", p.Reference)
	if err := errors.Join(validate(&p), p.check()); err != nil {
		return MatchSeriesResult{}, err
	}
	if !p.DryRun {
		if err := e.workspace.CheckWritable(); err != nil {
			return MatchSeriesResult{}, err
		}
	}
	m := seriesMatch{MatchSeriesParams: p, engine: e, found: make(map[ImageID]*match.Outcome, len(p.ImageIDs))}
	if err := m.measure(ctx); err != nil {
		return MatchSeriesResult{}, err
	}
	done, err := e.eachTarget(ctx, m.targets, e.darktables(), m.matchTarget)
	if err != nil {
		return MatchSeriesResult{}, err
	}
	res := MatchSeriesResult{Reference: m.Reference, ReferenceHash: m.state, SeriesResult: done}
	if p.Sheet {
		res.JPEGPath, err = m.sheet(ctx)
	}
	return res, err
}

// check refuses what does not go together.
func (p MatchSeriesParams) check() error {
	switch n := len(p.ImageIDs); {
	case p.Sheet && n > render.MaxTiles-1:
		return fault.Invalid("/sheet", "%d pictures: a sheet shows %d at most, and the reference; match them in parts, to one reference", n, render.MaxTiles-1)
	case p.Reference == "" && n == 1:
		return fault.Invalid("/image_ids", "1 picture: without a reference at least 2 are compared")
	case p.Reference == "" && p.RefOrHash != "":
		return fault.Invalid("/ref_or_hash", "it is a version of the reference: give reference, too")
	}
	return checkImages("/image_ids", "pictures beside the reference", "", p.others())
}

// others are all pictures but the reference.
func (p MatchSeriesParams) others() []ImageID {
	return slices.DeleteFunc(slices.Clone(p.ImageIDs), func(id ImageID) bool { return id == p.Reference })
}

// seriesMatch is a call of MatchSeries.
type seriesMatch struct {
	MatchSeriesParams
	engine    *Engine
	reference match.Reference
	state     string // of the reference
	targets   []ImageID
	found     map[ImageID]*match.Outcome // of each target
}

// measure develops the reference, which it chooses when none is given.
func (m *seriesMatch) measure(ctx context.Context) (err error) {
	if m.Reference == "" {
		if m.Reference, err = m.median(ctx); err != nil {
			return err
		}
	}
	m.targets = m.others()
	for _, id := range m.targets {
		m.found[id] = new(match.Outcome)
	}
	img, err := m.engine.image(m.Reference)
	if err != nil {
		return err
	}
	shown, err := m.develop(ctx, img, m.RefOrHash)
	if err != nil {
		return err
	}
	m.state = shown.version.Record.State.String()
	m.reference, err = match.NewReference(string(m.Reference), shown.pixels)
	return err
}

// median is the picture that is nearest to all others.
func (m *seriesMatch) median(ctx context.Context) (ImageID, error) {
	views := make([]match.View, len(m.ImageIDs))
	quiet := WithProgress(ctx, func(int, int, string) {})
	done, err := m.engine.eachTarget(quiet, m.ImageIDs, m.engine.darktables(), func(ctx context.Context, img *workspace.Image, o *SeriesOutcome) error {
		shown, err := m.develop(ctx, img, "")
		if err == nil {
			views[slices.Index(m.ImageIDs, o.ImageID)] = match.NewView(shown.pixels)
		}
		return err
	})
	if err != nil {
		return "", err
	}
	if i := match.Median(views); i >= 0 {
		return m.ImageIDs[i], nil
	}
	return "", firstFailure(done, m.ImageIDs)
}

// develop develops a version to be measured.
func (m *seriesMatch) develop(ctx context.Context, img *workspace.Image, ref RefOrHash) (picture, error) {
	ctx, cancel := m.engine.renderContext(ctx, m.TimeoutSeconds)
	defer cancel()
	return m.engine.developVersion(ctx, img, ref, matchSize, QualityDraft)
}

// matchTarget brings a picture to the reference, unless it is better left alone.
func (m *seriesMatch) matchTarget(ctx context.Context, target *workspace.Image, outcome *SeriesOutcome) error {
	ctx, cancel := m.engine.renderContext(ctx, m.TimeoutSeconds)
	defer cancel()
	head, err := m.develop(ctx, target, "")
	if err != nil {
		return err
	}
	outcome.SnapshotHash, outcome.Event = head.version.Record.State.String(), head.version.Record.ID.String()
	now, err := m.engine.startFrom(ctx, target, head.version.Sidecar)
	if err != nil {
		return err
	}
	parts := make([]string, len(m.Match))
	for i, part := range m.Match {
		parts[i] = string(part)
	}
	found, err := match.Bring(ctx, m.reference, match.Picture{
		First: head.pixels, Start: now, Parts: parts, Insist: m.Insist,
		Develop: func(ctx context.Context, look *xmp.Sidecar) (goimage.Image, error) {
			pixels, _, err := m.engine.pixelsOf(ctx, target, look, matchSize, QualityDraft)
			return pixels, err
		},
	})
	if err != nil {
		return err
	}
	outcome.Series = seriesMatchOf(found)
	if m.Sheet { // of at most 36, as the pictures take memory
		*m.found[outcome.ImageID] = found
	}
	if m.DryRun || found.LeftAlone != "" || len(found.Moves) == 0 {
		return nil
	}
	change := versioning.Change{
		Op: "match_series", Entry: string(m.Reference), Values: found.Values(), Expect: head.version.Record.ID,
		Label: cmp.Or(m.Label, fmt.Sprintf("in a series with %s %s", m.Reference, m.state[:8])),
	}
	res, err := m.engine.edit(ctx, outcome.ImageID, change, func(compose.Start, *versioning.Change) (*xmp.Sidecar, error) { return found.Look, nil })
	if err == nil {
		outcome.set(res)
		outcome.EV = found.Values()["exposure"]
	}
	return err
}

// seriesMatchOf tells what was found.
func seriesMatchOf(found match.Outcome) *SeriesMatch {
	out := &SeriesMatch{
		Before: found.Before, After: found.After, Overlaps: found.Overlaps, Distance: found.Distance,
		ClippedBefore: found.ClippedBefore, ClippedAfter: found.ClippedAfter, Unlike: found.Unlike, LeftAlone: found.LeftAlone,
	}
	for _, move := range found.Moves {
		out.Moves = append(out.Moves, SeriesMove(move))
	}
	return out
}

// sheet draws the reference, and all pictures before and after.
func (m *seriesMatch) sheet(ctx context.Context) (path string, err error) {
	names, found := make([]string, len(m.targets)), make([]match.Outcome, len(m.targets))
	for i, id := range m.targets {
		names[i], found[i] = string(id), *m.found[id]
	}
	sheet, err := match.Sheet(m.reference, names, found)
	if err != nil {
		return "", err
	}
	return m.engine.keepPicture(ctx, sheet)
}
