package vocab

import (
	"slices"
	"strings"

	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
	"github.com/chemigram/chemigram/xmp/mask"
)

// Application is one use of an entry.
type Application struct {
	Value    *float64           // for an entry with one parameter
	Values   map[string]float64 // by parameter name; missing ones are default
	Strength *float64           // 0..1, default 1
	Baseline *xmp.Sidecar
	Current  *xmp.Sidecar
	Target   iop.Release
	// Frame gives the size in pixels of the picture that a look develops, without
	// any scaling. Moves that depend on the frame's proportions need it: see
	// [Framing].
	Frame func(look *xmp.Sidecar) (mask.Size, error)
	// Within limits the move to a part of the picture; nil is all of it. It
	// has to be given for an entry with a mask of its own, too: see [Entry.Where].
	Within *Within
}

// Compile turns an application into edits of the current sidecar. It also
// gives the values used, by parameter name.
//
// Only the fields that the entry names change; an instance that other moves
// share keeps what they set, its blending and its mask. A module that is not
// in the sidecar yet starts from darktable's defaults, in the layout that the
// target writes. At strength 0, and where all of an op's parameters are
// neutral, its fields go back to the baseline's, and an instance of which
// nothing is left is removed.
//
// Within a mask the move has instances of its own, beside those of the same move
// with other masks: each edits the result of those before it, not the baseline.
//
// Errors are of kind BadValue, Unavailable, NotInUse, Uncomposable and
// Unmaskable, or a *mask.Error.
func (e *Entry) Compile(a Application) (edits []xmp.Edit, values map[string]float64, err error) {
	values, err = e.resolve(a.Value, a.Values)
	if err != nil {
		return nil, nil, err
	}
	strength, err := e.resolveStrength(a.Strength)
	if err != nil {
		return nil, nil, err
	}
	if ok, reason := e.Available(a.Target); !ok {
		return nil, nil, &Error{Kind: Unavailable, Entry: e.Name, Message: reason}
	}
	if a.Within != nil {
		if err := e.checkMaskable(a); err != nil {
			return nil, nil, err
		}
	}
	if e.Style != "" {
		edits, err = e.compileStyle(a, strength)
		return edits, values, err
	}
	edits = e.leftovers(a)
	for _, o := range e.Ops {
		if _, known := a.Target.Modversion(o.Module); !known {
			continue // an op that switches it off; without the others the move is unavailable
		}
		c := compiler{entry: e, op: o, app: a, values: values, strength: strength, none: strength == 0}
		if e.isNeutral(o, values) {
			c.strength = 0
		}
		if a.Within != nil {
			c.op.Instance = e.maskedInstance(o, a.Within.Key)
		}
		if err := e.checkPrerequisite(a.Current, c.strength); err != nil {
			return nil, nil, err
		}
		edit, err := c.compile()
		if err != nil {
			return nil, nil, err
		}
		if edit != nil {
			edits = append(edits, edit)
		}
	}
	return edits, values, nil
}

// leftovers takes instances back that an earlier version of the entry made, and which
// its ops do not name any more.
func (e *Entry) leftovers(a Application) (edits []xmp.Edit) {
	for _, x := range a.Current.History() {
		if len(x.Origins) != 1 || x.Origins[0].Entry != e.Name || strings.Contains(x.MultiName, " @") {
			continue // other moves share it, or it is within a mask
		}
		name := x.MultiName
		if x.MultiPriority == 0 {
			name = ""
		}
		if slices.ContainsFunc(e.Ops, func(o Op) bool { return o.Module == x.Operation && o.multiName() == name }) {
			continue
		}
		if base, found := a.Baseline.Find(x.Operation, name); found {
			edits = append(edits, sameInstance(base))
		} else {
			edits = append(edits, xmp.Remove{Operation: x.Operation, MultiName: name})
		}
	}
	return edits
}

// isNeutral reports whether an op does nothing with these values. An op without
// parameters of its own follows those of the entry.
func (e *Entry) isNeutral(o Op, values map[string]float64) bool {
	names := o.parameters()
	if len(names) == 0 {
		names = e.parameterNames()
	}
	amounts := 0
	for _, name := range names {
		p, _ := e.Parameter(name)
		if !e.isAmount(name) {
			continue
		}
		if values[name] != p.Neutral {
			return false
		}
		amounts++
	}
	return amounts > 0
}
