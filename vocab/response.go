package vocab

import (
	"math"
	"slices"

	"github.com/chemigram/chemigram/internal/suggest"
)

// Response says from which change on the effect of a parameter can be seen: how far its
// value has to be from neutral, in its own unit. 0 is a side that was not measured, or on
// which nothing was seen in the whole range.
type Response struct {
	Below float64 `json:"below,omitempty"`
	Above float64 `json:"above,omitempty"`
}

// StrengthName is how responses call the strength of an entry that has no parameter
// which says how much.
const StrengthName = "strength"

// responsesName is the file of a pack that holds responses and not entries.
const responsesName = "responses.json"

// Response gives the measured response to a parameter, or to [StrengthName].
func (e *Entry) Response(parameter string) (Response, bool) {
	r, ok := e.responses[parameter]
	return r, ok
}

// Responds reports whether a response of the entry was measured.
func (e *Entry) Responds() bool { return len(e.responses) > 0 }

// Unseen reports whether what was measured says that nobody sees the move at these
// values, of all its parameters, and this strength. What does nothing at all, to take the
// move back, is not unseen, and neither is what was not measured.
func (e *Entry) Unseen(values map[string]float64, strength float64) bool {
	seen, something := 0.0, false
	for _, p := range e.Amounts() {
		distance := strength * (values[p.Name] - p.Neutral)
		from := e.responses[p.Name].Above
		if distance < 0 {
			from = e.responses[p.Name].Below
		}
		switch {
		case distance == 0:
		case from == 0:
			return false
		default:
			something = true
			seen += math.Abs(distance) / from
		}
	}
	if from := e.responses[StrengthName].Above; from > 0 && len(e.Amounts()) == 0 {
		something, seen = strength > 0, strength/from
	}
	return something && seen < 1
}

// measured is a line of the file of responses.
type measured struct {
	node             *node
	entry, parameter string
	Response
}

// decodeResponses reads a pack's responses: a list.
func (d *decoder) decodeResponses(data []byte) []measured {
	root := d.parseList(data, "responses")
	if root == nil {
		return nil
	}
	var list []measured
	for _, n := range root.items {
		m := measured{node: n}
		d.fields(n, "", []string{"entry", "parameter"}, map[string]func(*node, string){
			"entry":     func(n *node, k string) { m.entry = d.name(n, k) },
			"parameter": func(n *node, k string) { m.parameter = d.name(n, k) },
			"below":     func(n *node, k string) { m.Below = d.distance(n, k) },
			"above":     func(n *node, k string) { m.Above = d.distance(n, k) },
		})
		list = append(list, m)
	}
	return list
}

// distance reads a number that is more than 0.
func (d *decoder) distance(n *node, key string) float64 {
	f := d.number(n, key)
	if n.kind == numberNode && !(f > 0) {
		d.fail(n, key, "%g: a distance from neutral is more than 0", f)
	}
	return f
}

// bindResponses gives the entries of a pack their responses.
func (d *decoder) bindResponses(list []measured, entries []*Entry) {
	byName := map[string]*Entry{}
	var names []string
	for _, e := range entries {
		byName[e.Name] = e
		names = append(names, e.Name)
	}
	d.file = responsesName
	for _, m := range list {
		d.entry = m.entry
		e := byName[m.entry]
		if e == nil {
			d.failNear(m.node, "entry", suggest.Nearest(m.entry, names), "the pack has no entry of this name")
			continue
		}
		if known := e.responseNames(); !slices.Contains(known, m.parameter) {
			d.failNear(m.node, "parameter", suggest.Nearest(m.parameter, known), "the entry has no such parameter that says how much")
			continue
		}
		if _, twice := e.responses[m.parameter]; twice {
			d.fail(m.node, "parameter", "%q has a response already: give one for each parameter", m.parameter)
			continue
		}
		if e.responses == nil {
			e.responses = map[string]Response{}
		}
		e.responses[m.parameter] = m.Response
	}
	d.file, d.entry = "", ""
}

// responseNames are the parameters that a response can be about.
func (e *Entry) responseNames() []string {
	var names []string
	for _, p := range e.Amounts() {
		names = append(names, p.Name)
	}
	if names == nil {
		names = []string{StrengthName}
	}
	return names
}
