package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/examples/demo"
	"github.com/chemigram/chemigram/xmp/mask"
)

// job is what a photographer asks for, and how it is done.
type job struct {
	name  demo.Job
	asked string
	do    func(ctx context.Context, s session, id chemigram.ImageID, o *outcome) error
}

var jobs = []job{
	{demo.Forest, "A darker, quieter frame around the path.", frame},
	{demo.Sunset, "Bring the burnt sky back, and keep its colours.", recoverSky},
	{demo.Pier, "Straighten it.", straighten},
	{demo.Flower, "As bright as the meadow beside it, please.", matchBrightness},
	{demo.Beach, "There is a speck of dust in the sky.", heal},
	{demo.Leaf, "Blur what is behind it.", blurBehind},
	{demo.Glare, "Take the glare off the water.", heal},
	{demo.Portrait, "A little light on the face.", lightFace},
}

// names are what photographs can be given for: the jobs, and the meadow beside the
// flower.
func names() (all []string) {
	for _, j := range jobs {
		all = append(all, string(j.name))
	}
	return append(all, string(demo.Meadow))
}

// ingest registers the photograph that is given for a job, or a painted one.
func (s session) ingest(ctx context.Context, name demo.Job) (chemigram.ImageID, error) {
	raw := s.given[name].path
	if raw == "" {
		raw = filepath.Join(s.out, string(name)+".dng")
		if err := demo.WriteJob(raw, name, s.megapixels); err != nil {
			return "", err
		}
	}
	image, err := s.engine.Ingest(ctx, chemigram.IngestParams{RawPath: raw, ImageID: chemigram.ImageID(name)})
	return image.ImageID, err
}

// apply applies a move with its only value.
func (s session) apply(ctx context.Context, id chemigram.ImageID, move string, value float64, within *chemigram.Mask) error {
	_, err := s.engine.ApplyPrimitive(ctx, chemigram.ApplyPrimitiveParams{
		ImageID: id, PrimitiveName: move, Value: &value, Mask: within,
	})
	return err
}

// frame darkens the rim of the picture.
func frame(ctx context.Context, s session, id chemigram.ImageID, o *outcome) error {
	o.done = "vignette 0.4"
	return s.apply(ctx, id, "vignette", 0.4, nil)
}

// recoverSky darkens the picture, and then takes the lights down.
func recoverSky(ctx context.Context, s session, id chemigram.ImageID, o *outcome) error {
	before, err := s.engine.ImageStats(ctx, chemigram.ImageStatsParams{ImageID: id})
	if err != nil {
		return err
	}
	o.done = "exposure -0.7 EV, highlights -0.6"
	if err := s.apply(ctx, id, "exposure", -0.7, nil); err != nil {
		return err
	}
	if err := s.apply(ctx, id, "highlights", -0.6, nil); err != nil {
		return err
	}
	after, err := s.engine.ImageStats(ctx, chemigram.ImageStatsParams{ImageID: id})
	if err != nil {
		return err
	}
	for _, c := range []struct {
		name      string
		was, left float64
	}{
		{"red", before.Red.ClippedHigh, after.Red.ClippedHigh},
		{"green", before.Green.ClippedHigh, after.Green.ClippedHigh},
		{"blue", before.Blue.ClippedHigh, after.Blue.ClippedHigh},
	} {
		o.numbers = append(o.numbers, fmt.Sprintf("clipped in %s: %.2f %%, before %.2f %%", c.name, 100*c.left, 100*c.was))
	}
	return nil
}

// straighten turns the picture by what suggest_start finds.
func straighten(ctx context.Context, s session, id chemigram.ImageID, o *outcome) error {
	start, err := s.engine.SuggestStart(ctx, chemigram.SuggestStartParams{ImageID: id})
	if err != nil {
		return err
	}
	o.done = "nothing: no line was found that is sure"
	for _, found := range start.Suggestions {
		if found.About != "straighten" {
			continue
		}
		o.numbers = append(o.numbers, fmt.Sprintf("%s, with a confidence of %.2f", strings.TrimSuffix(found.Reason, "."), found.Confidence))
		for _, move := range found.Moves {
			_, err = s.engine.ApplyPrimitive(ctx, chemigram.ApplyPrimitiveParams{ImageID: id, PrimitiveName: move.Name, Values: move.Values})
			if err != nil {
				return err
			}
			o.done, o.reframed = fmt.Sprintf("straighten %+.1f°", move.Values["angle"]), true
		}
	}
	return nil
}

// matchBrightness asks for the brightness of another picture, without insisting.
func matchBrightness(ctx context.Context, s session, id chemigram.ImageID, o *outcome) error {
	source, err := s.ingest(ctx, demo.Meadow)
	if err != nil {
		return err
	}
	matched, err := s.engine.MatchExposure(ctx, chemigram.MatchExposureParams{ImageID: source, Targets: []chemigram.ImageID{id}})
	if err != nil {
		return err
	}
	became := matched.Outcomes[0]
	o.done = fmt.Sprintf("exposure %+.2f EV", became.EV)
	if m := became.Match; m != nil {
		if m.LeftAlone != "" {
			o.done = "left alone: " + m.LeftAlone
		}
		o.numbers = append(o.numbers, fmt.Sprintf("%+.2f EV asked for; clipped before %.2f %%, after %.2f %%",
			m.NeededEV, 100*m.ClippedBefore, 100*m.ClippedAfter))
	}
	return nil
}

// heal covers a spot with what is most like its surroundings.
func heal(ctx context.Context, s session, id chemigram.ImageID, o *outcome) error {
	at := o.job.Part()
	if p := s.given[o.job]; p.placed {
		at.X, at.Y = p.x, p.y
	}
	spot, err := s.engine.ApplySpot(ctx, chemigram.ApplySpotParams{
		ImageID: id, X: new(chemigram.Fraction(at.X)), Y: new(chemigram.Fraction(at.Y)), Radius: chemigram.Fraction(at.RadiusX), NoPicture: true,
	})
	if err != nil {
		return err
	}
	o.done = fmt.Sprintf("healed from %.2f, %.2f", spot.Spots[0].SourceX, spot.Spots[0].SourceY)
	o.numbers = append(o.numbers, fmt.Sprintf("likeness of the source %.2f of 1", spot.Score))
	if spot.Advice != "" {
		o.numbers = append(o.numbers, spot.Advice)
	}
	after, err := s.picture(ctx, id)
	if err != nil {
		return err
	}
	o.numbers = append(o.numbers, fmt.Sprintf("from its surroundings ΔE2000 %.1f, before %.1f",
		fromSurroundings(after, at), fromSurroundings(o.before, at)))
	return nil
}

// blurBehind blurs all but the subject.
func blurBehind(ctx context.Context, s session, id chemigram.ImageID, o *outcome) error {
	const radius = 12
	within := &chemigram.Mask{Name: "background"}
	if s.given[o.job].path == "" {
		within = drawn(o.job.Part(), 0)
		within.Invert = true
	}
	o.done = fmt.Sprintf("blur %d px around the subject", radius)
	return s.selective(ctx, id, o, "blur", radius, within)
}

// lightFace brightens the skin.
func lightFace(ctx context.Context, s session, id chemigram.ImageID, o *outcome) error {
	within := &chemigram.Mask{Name: "skin"}
	if s.given[o.job].path == "" {
		within = drawn(o.job.Part(), 0.01)
	}
	o.done = "exposure +0.35 EV on the face"
	return s.selective(ctx, id, o, "exposure", 0.35, within)
}

// drawn selects a part of a painted picture.
func drawn(part demo.Round, softness mask.Share) *chemigram.Mask {
	return &chemigram.Mask{Shapes: []chemigram.MaskShape{{
		Kind: mask.KindEllipse, X: &part.X, Y: &part.Y, Radius: part.RadiusX, RadiusY: part.RadiusY, Softness: &softness,
	}}}
}

// selective applies a move within a mask, and measures the mask and how much of the
// picture changed.
func (s session) selective(ctx context.Context, id chemigram.ImageID, o *outcome, move string, value float64, within *chemigram.Mask) error {
	seen, err := s.engine.PreviewMask(ctx, chemigram.PreviewMaskParams{ImageID: id, Mask: *within})
	if found := chemigram.AsError(err); found != nil && found.Details["nothing_found"] == true {
		o.done = "nothing: " + found.Message
		return nil
	}
	if err != nil {
		return err
	}
	if err := s.apply(ctx, id, move, value, within); err != nil {
		return err
	}
	after, err := s.picture(ctx, id)
	if err != nil {
		return err
	}
	o.numbers = append(o.numbers, fmt.Sprintf("%.1f %% of the picture is selected; %.1f %% of it moved by more than ΔE2000 1",
		100*seen.Fraction, 100*moved(o.before, after)))
	return nil
}
