package vocab

import (
	"fmt"
	"slices"

	"github.com/chemigram/chemigram/vocab/measure"
)

// Claim is what a person would see when the move is applied. The package prove
// checks it on developed pictures.
type Claim struct {
	Measure measure.Measure `json:"measure"`
	Moves   Moves           `json:"moves"`
	// AtLeast is the smallest change that counts, for up and down, in the
	// measure's own unit. Default: more than nothing.
	AtLeast float64 `json:"at_least,omitempty"`
	// AtMost is the largest change, for up and down, in the measure's own unit: a
	// move that does the same and more is another one. 0 is no limit.
	AtMost float64 `json:"at_most,omitempty"`
	// Within is how far a measure may be from where it should be: from the
	// baseline's for hold, from Target for to.
	Within float64 `json:"within,omitempty"`
	// Target is where the measure arrives, for to.
	Target float64 `json:"target,omitempty"`
	// In limits the measure to tones or colours, as they are in the baseline's
	// picture. [measure.Others] is what is well away from all that the entry's other
	// claims say moves.
	In measure.Region `json:"in,omitempty"`
	// Scene is the picture that shows it; default natural.
	Scene Scene `json:"scene,omitempty"`
	// At are the values to apply the move with; default its defaults.
	At map[string]float64 `json:"at,omitempty"`
	// Parameter limits the sweep to one parameter. Default: every parameter
	// that has a neutral value.
	Parameter string `json:"parameter,omitempty"`
	// SceneOnly says why the claim is about its scene alone, such as the value that a
	// measure of one picture arrives at: photographs are not held to it. Empty is a claim
	// about any picture.
	SceneOnly string `json:"scene_only,omitempty"`

	besides []measure.Region // what Others is away from
}

// Mask marks the pixels of a scene's picture that the claim is about; nil is every
// one.
func (c Claim) Mask(p *measure.Picture) []bool { return c.In.Mask(p, c.besides...) }

// bindOthers tells the claims about others where the entry's claims say that it moves.
func bindOthers(claims []Claim) {
	var named []measure.Region
	for _, c := range claims {
		if c.Moves != Hold && c.In != measure.Everywhere && c.In != measure.Others && !slices.Contains(named, c.In) {
			named = append(named, c.In)
		}
	}
	for i := range claims {
		if claims[i].In == measure.Others {
			claims[i].besides = named
		}
	}
}

// Moves is the direction of a claim.
type Moves string

// The directions.
const (
	Up   Moves = "up"
	Down Moves = "down"
	// Hold is a measure that the move leaves as it was.
	Hold Moves = "hold"
	// To is a measure that the move brings to a value.
	To Moves = "to"
)

// Scene is a kind of test picture.
type Scene string

// The scenes.
const (
	Natural Scene = "natural" // a landscape with everything in it
	Chart   Scene = "chart"   // 24 patches of known colour
	Ramp    Scene = "ramp"    // grey from black into clipping
	Night   Scene = "night"   // the landscape, dark, at ISO 6400, with hot pixels
	Lamps   Scene = "lamps"   // coloured lights that clip in the raw
	Early   Scene = "early"   // the same, of a sensor that clips before its white level
	Optics  Scene = "optics"  // black and white through a lens with faults
	Smooth  Scene = "smooth"  // even tones, gradients, plates with hard edges, greys and skin; no noise
)

var scenes = []Scene{Natural, Chart, Ramp, Night, Lamps, Early, Optics, Smooth}

// String is the claim as a line, such as "warmth up by at least 2".
func (c Claim) String() string {
	s := string(c.Measure)
	if c.In != measure.Everywhere {
		s += " in " + string(c.In)
	}
	switch c.Moves {
	case Hold:
		s += fmt.Sprintf(" holds within %g", c.Within)
	case To:
		s += fmt.Sprintf(" goes to %g within %g", c.Target, c.Within)
	default:
		s += fmt.Sprintf(" %s by at least %g", c.Moves, c.AtLeast)
		if c.AtMost > 0 {
			s += fmt.Sprintf(" and at most %g", c.AtMost)
		}
	}
	if c.Scene != Natural && c.Scene != "" {
		s += " on the " + string(c.Scene)
	}
	return s
}
