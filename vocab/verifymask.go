package vocab

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/vocab/measure"
)

// The bounds of a masked move, as CIEDE2000.
const (
	leastInside = 0.3 // the mean of what is selected: it can be seen
	mostOutside = 0.1 // of 99 in 100 pixels that are not selected
)

// shownOn is the scene that shows what the entry does: that of its first claim.
func (e *Entry) shownOn() Scene {
	if len(e.Claims) == 0 {
		return Natural
	}
	return e.Claims[0].Scene
}

// masked looks whether an entry with a mask changes what is inside, and nothing
// outside, away from the feather. The mask must select a part of the scene.
func (v *wave) masked(ctx context.Context, e *Entry) ([]Finding, error) {
	where, err := e.inScene()
	if where == nil || err != nil {
		return nil, err
	}
	scene := e.shownOn()
	selected, err := v.selection(ctx, scene, where)
	if err != nil {
		return nil, err
	}
	base, err := v.start(ctx, scene, e)
	if err != nil {
		return nil, err
	}
	state, err := v.apply(ctx, scene, e, nil, e.sample(), 1)
	if err != nil {
		return nil, err
	}
	before, err := v.picture(scene, base)
	if err != nil {
		return nil, err
	}
	after, err := v.picture(scene, state)
	if err != nil {
		return nil, err
	}
	inside, outside := selected.marks()
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
		f.Message = fmt.Sprintf("outside the mask it reaches ΔE %.3g; a range may select other pixels where %s stands in the pipeline", f.Before, strings.Join(e.Touches(), ", "))
	default:
		f.OK = true
	}
	return []Finding{f}, nil
}

// marks tells the pixels that are surely selected from those that are not at
// all. The feather is in neither.
func (s selection) marks() (inside, outside []bool) {
	inside, outside = make([]bool, len(s.within)), make([]bool, len(s.within))
	for i := range s.within {
		at := s.at(i)
		inside[i], outside[i] = at > 0.5, at < 0.001
	}
	return inside, outside
}

// maskClaims holds a named mask against what it claims to select, and looks
// whether it selects a part of the scenes at all.
func (v *wave) maskClaims(ctx context.Context, m *NamedMask) ([]Finding, error) {
	where, err := inScene(m.Mask, m.Name)
	if err != nil {
		return nil, err
	}
	part := Finding{Check: "selects", Claim: "a part of the picture"}
	part.Message = "it selects all or nothing of each scene"
	found := []Finding{}
	for _, scene := range m.scenes() {
		s, err := v.selection(ctx, scene, where)
		if err != nil {
			return nil, err
		}
		if share := s.share(); share > 0 && share < 1 {
			part.OK, part.After, part.Message = true, share, ""
		}
		places := v.Renderer.Places(scene)
		for _, c := range m.Claims {
			if c.Scene == scene {
				found = append(found, c.finding(s, places))
			}
		}
	}
	return append(found, part), nil
}

// scenes are those that the claims name.
func (m *NamedMask) scenes() []Scene {
	var all []Scene
	for _, c := range m.Claims {
		if !slices.Contains(all, c.Scene) {
			all = append(all, c.Scene)
		}
	}
	return all
}

func (c MaskClaim) finding(s selection, places map[string]Place) Finding {
	f := Finding{Check: "claim", Claim: c.String()}
	place, known := places[c.Place]
	if !known {
		f.Message = fmt.Sprintf("the %s scene has no place %q", c.Scene, c.Place)
		return f
	}
	f.After = s.of(place)
	f.OK = (c.AtLeast == nil || f.After >= *c.AtLeast) && (c.AtMost == nil || f.After <= *c.AtMost)
	if !f.OK {
		f.Message = fmt.Sprintf("it selects %.2f of it", f.After)
	}
	return f
}

// String is the claim as a line, such as "selects at least 0.8 of sky".
func (c MaskClaim) String() string {
	s := "selects "
	if c.AtLeast != nil {
		s += fmt.Sprintf("at least %g", *c.AtLeast)
	}
	if c.AtMost != nil {
		s += fmt.Sprintf("at most %g", *c.AtMost)
	}
	s += " of " + c.Place
	if c.Scene != Natural {
		s += " on the " + string(c.Scene)
	}
	return s
}
