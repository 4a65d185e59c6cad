package prove

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/vocab/measure"
	"github.com/chemigram/chemigram/xmp"
)

// Seen is the least change that counts as seen, in CIEDE2000: about what an eye tells
// apart side by side. A hundredth of the picture has to differ by as much.
const Seen = 1.0

const mostUnseen = 0.99 // of the pixels

// Response is the measured response of an entry to one parameter.
type Response struct {
	Entry     string `json:"entry"`
	Parameter string `json:"parameter"`
	vocab.Response
}

// Responses measures from which change on the effect of each parameter that says how much
// can be seen, on the scene of the entry's claims that shows it best: the others are
// neutral or, where they say how, default. Of an entry without such a parameter it is the
// strength. Left out are entries that the darktable cannot develop, switches, and what
// changes the picture's size.
func Responses(ctx context.Context, p VerifyParams) ([]Response, error) {
	v := newVerifier(p)
	var all []Response
	var members []*vocab.Entry
	b := newBatch(v)
	flush := func() error {
		if err := b.develop(ctx); err != nil {
			return err
		}
		for _, e := range members {
			found, err := b.responses(ctx, e)
			if err != nil {
				return err
			}
			all = append(all, found...)
		}
		b, members = newBatch(v), nil
		return nil
	}
	for _, e := range p.Entries {
		if ok, _ := e.Available(p.Target); !ok || isSwitch(e) {
			continue
		}
		if _, err := b.responses(ctx, e); err != nil {
			return nil, fmt.Errorf("the response of %s: %w", e.Name, err)
		}
		members = append(members, e)
		if len(b.shots) >= batchShots {
			if err := flush(); err != nil {
				return nil, err
			}
		}
	}
	err := flush()
	return all, err
}

// responses measures an entry.
func (b *batch) responses(ctx context.Context, e *vocab.Entry) ([]Response, error) {
	if len(e.Amounts()) == 0 {
		above, err := b.threshold(ctx, e, []float64{1. / 16, 1. / 4, 1}, func(x float64) (map[string]float64, float64) { return nil, x })
		return heard(Response{e.Name, vocab.StrengthName, vocab.Response{Above: above}}), err
	}
	var all []Response
	for _, p := range e.Amounts() {
		at := func(offset float64) (map[string]float64, float64) {
			values := neutralValues(e)
			values[p.Name] = p.Neutral + offset
			return values, 1
		}
		usual := math.Abs(p.Default - p.Neutral)
		r := Response{Entry: e.Name, Parameter: p.Name}
		for _, side := range []struct {
			span, sign float64
			found      *float64
		}{{p.Neutral - p.Min, -1, &r.Below}, {p.Max - p.Neutral, 1, &r.Above}} {
			points := distances(usual, side.span)
			for i := range points {
				points[i] *= side.sign
			}
			at, err := b.threshold(ctx, e, points, at)
			if err != nil {
				return nil, err
			}
			*side.found = at
		}
		all = append(all, heard(r)...)
	}
	return all, nil
}

// heard leaves out what had no response.
func heard(r Response) []Response {
	if r.Response == (vocab.Response{}) {
		return nil
	}
	return []Response{r}
}

// distances are the distances from neutral that are measured on a side of a range, given
// that of the default.
func distances(usual, span float64) []float64 {
	if span <= 0 {
		return nil
	}
	if usual == 0 {
		usual = span / 2
	}
	points := []float64{min(usual/8, span), min(usual/2, span), span}
	return slices.Compact(points)
}

// threshold gives the distance from which on the effect is seen; 0 is nowhere.
func (b *batch) threshold(
	ctx context.Context, e *vocab.Entry, points []float64, at func(float64) (map[string]float64, float64),
) (float64, error) {
	effects := make([]float64, len(points))
	for i, x := range points {
		values, strength := at(x)
		effect, err := b.effect(ctx, e, values, strength)
		if errors.Is(err, measure.ErrSize) { // pictures of different frames have no distance
			return 0, nil
		} else if err != nil {
			return 0, err
		}
		effects[i] = effect
	}
	before, least := 0.0, 0.0
	for i, x := range points {
		x = math.Abs(x)
		if effects[i] >= Seen {
			return twoDigits(before + (x-before)*(Seen-least)/(effects[i]-least)), nil
		}
		before, least = x, effects[i]
	}
	return 0, nil
}

// effect is by how much a hundredth of the picture differs, at least, on the scene that
// shows it best.
func (b *batch) effect(ctx context.Context, e *vocab.Entry, values map[string]float64, strength float64) (float64, error) {
	most := 0.0
	for _, scene := range scenesOf(e) {
		base, err := b.start(ctx, scene, e)
		if err != nil {
			return 0, err
		}
		state, err := b.apply(ctx, scene, e, nil, values, strength)
		if err != nil {
			return 0, err
		}
		var pictures [2]*measure.Picture
		for i, s := range []*xmp.Sidecar{base, state} {
			if pictures[i], err = b.picture(scene, s); err != nil {
				return 0, err
			}
		}
		d, err := measure.DeltaEQuantile(pictures[0], pictures[1], nil, mostUnseen)
		if err != nil {
			return 0, err
		}
		most = max(most, d)
	}
	return most, nil
}

// scenesOf are the scenes of an entry's claims.
func scenesOf(e *vocab.Entry) []vocab.Scene {
	var scenes []vocab.Scene
	for _, c := range e.Claims {
		if c.Scene == "" {
			c.Scene = vocab.Natural
		}
		if !slices.Contains(scenes, c.Scene) {
			scenes = append(scenes, c.Scene)
		}
	}
	return scenes
}

// twoDigits rounds to two significant digits.
func twoDigits(x float64) float64 {
	scale := math.Pow(10, 1-math.Floor(math.Log10(x)))
	return math.Round(x*scale) / scale
}
