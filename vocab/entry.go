package vocab

import (
	"slices"

	"github.com/chemigram/chemigram/xmp/mask"
)

// Layer is where an entry belongs: L1 technical, L2 a starting look, L3 taste.
type Layer string

// The layers.
const (
	L1 Layer = "L1"
	L2 Layer = "L2"
	L3 Layer = "L3"
)

// Entry is one named move. Entries are shared: do not change one.
type Entry struct {
	// Name is how callers ask for the move: lower-case letters, digits and
	// underscores.
	Name  string `json:"name"`
	Layer Layer  `json:"layer"`
	// Subject groups moves for people: "tone", "colour", "presence", "look".
	Subject string `json:"subject"`
	// Description says in a photographer's words what a person will see, when
	// to use the move and when not.
	Description string `json:"description"`
	// Tags are further words that the move is found by.
	Tags       []string    `json:"tags"`
	Parameters []Parameter `json:"parameters"`
	Ops        []Op        `json:"ops"`
	Claims     []Claim     `json:"claims"`
	// Intends names what would be harm, and is what this move is for, or what the
	// ends of its range cannot be without: grain has noise, and three stops more
	// light clip.
	Intends []Harm `json:"intends,omitempty"`
	// Alike says why other moves may make the same picture at their defaults: moves
	// that the claims cannot tell from this one, by name.
	Alike map[string]string `json:"alike,omitempty"`
	// Requires limits the entry to darktables that can develop it.
	Requires Requires `json:"requires,omitzero"`
	// BuildsOn names the move that has to be applied first, such as the one that
	// chooses the tone mapper which this one adjusts.
	BuildsOn string `json:"builds_on,omitempty"`
	// Overrides names the pack whose entry of the same name this one replaces.
	Overrides string `json:"overrides,omitempty"`
	// AppliesTo binds an L1 entry to cameras and lenses; nil fits every one.
	AppliesTo *AppliesTo `json:"applies_to,omitempty"`
	// Style is the path, inside the pack, of the .dtstyle that the entry
	// carries instead of Ops.
	Style string `json:"style,omitempty"`
	// Mask limits the move to a part of the picture; nil is all of it.
	Mask *mask.Spec `json:"mask,omitempty"`
	// Region is what the move works on in a picture, such as its sky: it is found
	// there. Mask is then what stands for it on the scenes of proofs, where it is
	// known which colours the region has.
	Region mask.Meaning `json:"region,omitempty"`
	Pack   PackInfo     `json:"-"`

	withoutNeutral []string // parameters without a neutral value
	style          []styleOp
	selection      mask.Spec // Mask with its name replaced
	prerequisite   *Entry    // the entry that BuildsOn names
	responses      map[string]Response
	vocabulary     *Vocabulary
}

// Parameter is one number that a caller may give.
type Parameter struct {
	Name string `json:"name"`
	// Unit is what the number counts, such as "EV" or "°"; empty for a plain
	// share.
	Unit string `json:"unit"`
	// Min and Max are the allowed values, both included.
	Min float64 `json:"min"`
	Max float64 `json:"max"`
	// Default is used when the caller gives nothing.
	Default float64 `json:"default"`
	// Neutral is the value at which the move does nothing. A parameter that
	// says how or where and not how much, such as a radius, has none in its
	// pack; here it is then the default.
	Neutral float64 `json:"neutral"`
}

// PackInfo names the pack that an entry came from.
type PackInfo struct {
	Name, Version, Description string
	Licence, Author            string
}

// Touches lists the modules that the entry changes, sorted.
func (e *Entry) Touches() []string {
	var modules []string
	for _, op := range e.Ops {
		modules = append(modules, op.Module)
	}
	for _, s := range e.style {
		modules = append(modules, s.entry.Operation)
	}
	slices.Sort(modules)
	return slices.Compact(modules)
}

// Amounts lists the parameters that say how much, and not how or where: those
// with a neutral value in their pack.
func (e *Entry) Amounts() []Parameter {
	return slices.DeleteFunc(slices.Clone(e.Parameters), func(p Parameter) bool { return !e.isAmount(p.Name) })
}

func (e *Entry) isAmount(name string) bool { return !slices.Contains(e.withoutNeutral, name) }

// Parameter finds a parameter by name.
func (e *Entry) Parameter(name string) (Parameter, bool) {
	i := slices.IndexFunc(e.Parameters, func(p Parameter) bool { return p.Name == name })
	if i < 0 {
		return Parameter{}, false
	}
	return e.Parameters[i], true
}
