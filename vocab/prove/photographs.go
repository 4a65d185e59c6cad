package prove

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/vocab/measure"
)

const (
	// MostBorder is how much of the step that a photograph has along the border of a mask
	// a masked move may add there.
	MostBorder = 1.5
	// leastKept is the share of the photographs with a claim's subject on which the claim
	// has to keep its direction.
	leastKept = 0.9
	// leastSubject is the share of a photograph from which on a subject occurs in it.
	leastSubject = 0.02
)

// checkOnPhotographs checks that a move keeps its word on pictures that it was not made
// on: the direction of each claim, wherever what the claim is about occurs, and that it
// neither clips nor leaves a border of its own mask.
func (b *batch) checkOnPhotographs(ctx context.Context, e *vocab.Entry) ([]Finding, error) {
	var found []Finding
	moved := movesPicture(e)
	for _, c := range e.Claims {
		if !hasDirection(c) || moved && !c.Measure.OfFrame() {
			continue // what a crop leaves of a scene is as light as the scene is there
		}
		f, err := b.onPhotographs(ctx, c, e)
		if err != nil {
			return nil, err
		}
		found = append(found, f)
	}
	for _, check := range []func(context.Context, *vocab.Entry) (Finding, error){b.clippingOfPhotographs, b.bordersOnPhotographs} {
		f, err := check(ctx, e)
		if err != nil {
			return nil, err
		}
		found = append(found, f)
	}
	return found, nil
}

// hasDirection reports whether a claim says where something moves, of a scene as a
// photograph may be: not of noise, lamps or a lens that were made for the claim, nor what
// the entry says is about its scene alone.
func hasDirection(c vocab.Claim) bool {
	made := []vocab.Scene{vocab.Night, vocab.Lamps, vocab.Early, vocab.Optics}
	return c.Moves != vocab.Hold && c.SceneOnly == "" && !slices.Contains(made, c.Scene)
}

// onPhotographs counts on how many photographs a claim keeps its direction. In the
// finding Before is the number of those with its subject, and After the share of them.
func (b *batch) onPhotographs(ctx context.Context, c vocab.Claim, e *vocab.Entry) (Finding, error) {
	f := Finding{Check: "photographs", Claim: c.String()}
	var failed []string
	for _, scene := range b.Photographs {
		before, after, err := b.pair(ctx, scene, e, c.At)
		if err != nil {
			return f, err
		}
		occurs, err := b.occurs(ctx, scene, c, e, before)
		if err != nil {
			return f, err
		}
		was, is, ok := measureOn(c, before, after)
		if !occurs || !ok {
			continue
		}
		f.Before++
		if !towards(c, was, is) {
			f.Failed = append(f.Failed, scene)
			failed = append(failed, fmt.Sprintf("%s %.3g → %.3g", scene, was, is))
		}
	}
	f.After = 1
	if f.Before > 0 {
		f.After = 1 - float64(len(failed))/f.Before
	}
	if f.OK = f.After >= leastKept; len(failed) > 0 {
		f.Message = fmt.Sprintf("not on %d of %.0f: %s", len(failed), f.Before, strings.Join(failed, "; "))
	}
	return f, nil
}

// occurs reports whether a photograph has what a claim is about: the claim's region, of a
// claim without one a region that another of the entry's claims moves, and something that
// the entry's own mask selects.
func (b *batch) occurs(ctx context.Context, scene vocab.Scene, c vocab.Claim, e *vocab.Entry, before *measure.Picture) (bool, error) {
	selected, limited, err := b.ownSelection(ctx, scene, e)
	if err != nil || limited && selected.area() < leastSubject {
		return false, err
	}
	about := []vocab.Claim{c}
	if c.In == measure.Everywhere {
		for _, other := range e.Claims {
			if other.Moves != vocab.Hold && other.In != measure.Everywhere {
				about = append(about, other)
			}
		}
		if len(about) > 1 {
			about = about[1:]
		}
	}
	return slices.ContainsFunc(about, func(c vocab.Claim) bool {
		region := c.Mask(before)
		return region == nil || shareOf(region) >= leastSubject
	}), nil
}

// shareOf is the share of the pixels that are marked.
func shareOf(region []bool) float64 {
	n := 0
	for _, in := range region {
		if in {
			n++
		}
	}
	return float64(n) / float64(len(region))
}

// ownSelection is what an entry's own mask, if it has one, selects of a scene.
func (b *batch) ownSelection(ctx context.Context, scene vocab.Scene, e *vocab.Entry) (s selection, limited bool, err error) {
	within, err := ownMask(e)
	if within == nil || err != nil {
		return selection{}, false, err
	}
	s, err = b.selection(ctx, scene, within)
	return s, true, err
}

// measureOn measures a photograph before and after a move. It is not ok where the measure
// says nothing, or has nowhere to go.
func measureOn(c vocab.Claim, before, after *measure.Picture) (was, is float64, ok bool) {
	region := c.Mask(before)
	if region != nil && len(region) != len(after.L) {
		return 0, 0, false
	}
	was, is = c.Measure.Of(before, region), c.Measure.Of(after, region)
	least, bounded := c.Measure.Least()
	exhausted := bounded && c.Moves == vocab.Down && was-least < c.AtLeast
	return was, is, !math.IsNaN(was) && !math.IsNaN(is) && !exhausted
}

// towards reports whether a measure moves as a claim says, however far.
func towards(c vocab.Claim, was, is float64) bool {
	switch c.Moves {
	case vocab.Up:
		return is > was
	case vocab.Down:
		return is < was
	}
	return math.Abs(is-c.Target) <= max(c.Within, math.Abs(was-c.Target))
}

// clippingOfPhotographs finds the photograph of which a move, at its defaults, clips
// most.
func (b *batch) clippingOfPhotographs(ctx context.Context, e *vocab.Entry) (Finding, error) {
	f := Finding{Check: "photographs", Claim: "clips at most 1 % more", Before: HarmLimit(vocab.Clipping), OK: true}
	moved := movesPicture(e)
	for _, scene := range b.Photographs {
		before, after, err := b.pair(ctx, scene, e, nil)
		if err != nil {
			return f, err
		}
		f.worst(scene, measure.NewlyClipped(before, after, !moved))
	}
	if !f.OK && slices.Contains(e.Intends, vocab.Clipping) {
		f.Intended, f.OK, f.Message, f.Failed = true, true, "", nil
	}
	return f, nil
}

// bordersOnPhotographs finds the photograph on which a move with a mask of its own, at
// its defaults, draws the plainest border.
func (b *batch) bordersOnPhotographs(ctx context.Context, e *vocab.Entry) (Finding, error) {
	f := Finding{Check: "photographs", Claim: "leaves no border", Before: MostBorder, OK: true}
	for _, scene := range b.Photographs {
		s, limited, err := b.ownSelection(ctx, scene, e)
		if !limited || err != nil {
			return f, err
		}
		before, after, err := b.pair(ctx, scene, e, nil)
		if err != nil {
			return f, err
		}
		opacity := make([]float64, len(s.inside))
		for i := range opacity {
			opacity[i] = s.opacity(i)
		}
		added, had, err := measure.Border(before, after, opacity)
		if err != nil {
			return f, err
		}
		f.worst(scene, added/had)
	}
	return f, nil
}

// worst takes what was measured on a photograph into a finding that tells the largest. NaN
// is nothing.
func (f *Finding) worst(scene vocab.Scene, size float64) {
	if size > f.Before {
		f.Failed, f.OK = append(f.Failed, scene), false
	}
	if size > f.After {
		f.After = size
		if !f.OK {
			f.Message = fmt.Sprintf("%.3g on %s, at most %g", size, scene, f.Before)
		}
	}
}
