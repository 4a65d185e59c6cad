package prove

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/vocab/measure"
)

// The bounds of a masked move, as CIEDE2000.
const (
	leastInside = 0.3 // the mean of what is selected: it can be seen
	mostOutside = 0.1 // of 99 in 100 pixels that are not selected
)

// checkMask checks that an entry with a mask changes what is inside, and nothing
// outside, away from the feather. The mask must select a part of the scene.
func (b *batch) checkMask(ctx context.Context, e *vocab.Entry) ([]Finding, error) {
	within, err := ownMask(e)
	if within == nil || err != nil {
		return nil, err
	}
	scene := firstScene(e)
	selected, err := b.selection(ctx, scene, within)
	if err != nil {
		return nil, err
	}
	base, err := b.start(ctx, scene, e)
	if err != nil {
		return nil, err
	}
	state, err := b.apply(ctx, scene, e, nil, sampleValues(e), 1)
	if err != nil {
		return nil, err
	}
	before, err := b.picture(scene, base)
	if err != nil {
		return nil, err
	}
	after, err := b.picture(scene, state)
	if err != nil {
		return nil, err
	}
	inside, outside := selected.split()
	f := Finding{Check: "mask", Claim: "changes what is selected and nothing else"}
	if f.Before, err = measure.DeltaEQuantile(before, after, outside, 0.99); err != nil {
		return nil, err
	}
	if f.After, err = measure.MeanDeltaE(before, after, inside); err != nil {
		return nil, err
	}
	switch {
	case !slices.Contains(inside, true):
		f.Message = fmt.Sprintf("the mask selects nothing of the %s scene", scene)
	case !slices.Contains(outside, true):
		f.Message = fmt.Sprintf("the mask leaves nothing of the %s scene out", scene)
	case !(f.After >= leastInside):
		f.Message = fmt.Sprintf("inside the mask ΔE is only %.3g", f.After)
	case !(f.Before < mostOutside):
		f.Message = fmt.Sprintf("outside the mask it reaches ΔE %.3g; a range may select other pixels at the place of %s in the pipeline",
			f.Before, strings.Join(e.Touches(), ", "))
	default:
		f.OK = true
	}
	return []Finding{f}, nil
}

// firstScene is the scene of the entry's first claim.
func firstScene(e *vocab.Entry) vocab.Scene {
	if len(e.Claims) == 0 {
		return vocab.Natural
	}
	return e.Claims[0].Scene
}

// checkNamedMask compares what a named mask selects with what it claims, and
// checks that it selects a part of the scenes.
func (b *batch) checkNamedMask(ctx context.Context, m *vocab.NamedMask) ([]Finding, error) {
	within, err := onScene(m.Mask, m.Name)
	if err != nil {
		return nil, err
	}
	part := Finding{Check: "selects", Claim: "a part of the picture"}
	part.Message = "it selects all or nothing of each scene"
	speckle := Finding{Check: "harm", Claim: string(vocab.Speckle), Before: HarmLimit(vocab.Speckle), OK: true}
	claims := make([]Finding, len(m.Claims)) // in their order, whichever scene they are of
	for _, scene := range claimedScenes(m) {
		s, err := b.selection(ctx, scene, within)
		if err != nil {
			return nil, err
		}
		if area := s.area(); area > 0 && area < 1 {
			part.OK, part.After, part.Message = true, area, ""
		}
		if size := s.speckle(); size > speckle.After {
			speckle.After, speckle.OK = size, size <= speckle.Before
			speckle.Message = fmt.Sprintf("%.3g %% of the %s scene's pixels stand out, at most %g", size, scene, speckle.Before)
		}
		places := b.Renderer.Places(scene)
		for i, c := range m.Claims {
			if c.Scene == scene {
				claims[i] = checkMaskClaim(c, s, places)
			}
		}
	}
	found := slices.Concat(claims, []Finding{part})
	if !b.NoHarm {
		found = append(found, speckle)
	}
	return found, nil
}

// claimedScenes are the scenes that a mask's claims name.
func claimedScenes(m *vocab.NamedMask) []vocab.Scene {
	var all []vocab.Scene
	for _, c := range m.Claims {
		if !slices.Contains(all, c.Scene) {
			all = append(all, c.Scene)
		}
	}
	return all
}

func checkMaskClaim(c vocab.MaskClaim, s selection, places map[string]Place) Finding {
	f := Finding{Check: "claim", Claim: c.String()}
	place, known := places[c.Place]
	if !known {
		f.Message = fmt.Sprintf("the %s scene has no place %q", c.Scene, c.Place)
		return f
	}
	f.After = s.meanOpacity(place)
	f.OK = (c.AtLeast == nil || f.After >= *c.AtLeast) && (c.AtMost == nil || f.After <= *c.AtMost)
	if !f.OK {
		f.Message = fmt.Sprintf("it selects %.2f of it", f.After)
	}
	return f
}
