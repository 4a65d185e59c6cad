package enginetest

import (
	"cmp"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/xmp/mask"
)

// A move is an entry of the walks' own vocabulary, as docs/authoring.md says.
type move struct {
	Name       string              `json:"name"`
	Layer      string              `json:"layer"`
	Subject    string              `json:"subject"`
	About      string              `json:"description"`
	Parameters []parameter         `json:"parameters,omitempty"`
	Ops        []op                `json:"ops"`
	Mask       *chemigram.Mask     `json:"mask,omitempty"`
	Claims     []map[string]string `json:"claims"`
}

// A parameter without neutral says how and not how much.
type parameter struct {
	Name    string   `json:"name"`
	Min     float64  `json:"min"`
	Max     float64  `json:"max"`
	Default float64  `json:"default"`
	Neutral *float64 `json:"neutral,omitempty"`
}

// An op changes one module instance.
type op struct {
	Module   string         `json:"module"`
	Instance string         `json:"instance,omitempty"`
	Enabled  *bool          `json:"enabled,omitempty"`
	Set      map[string]any `json:"set,omitempty"` // of a text, a number, or an expr
	Add      map[string]any `json:"add,omitempty"`
	Multiply map[string]any `json:"multiply,omitempty"`
}

// An expr is a parameter, scaled and moved.
type expr struct {
	Parameter string  `json:"parameter"`
	Scale     float64 `json:"scale"`
	Offset    float64 `json:"offset,omitempty"`
}

var moves = []move{
	{
		Name: "light", Layer: "L3", Parameters: []parameter{{"ev", -2, 2, 0.5, new(0.0)}},
		Ops: []op{{Module: "exposure", Add: map[string]any{"exposure": expr{"ev", 1, 0}}}},
	},
	{
		Name: "deepen", Layer: "L3", Parameters: []parameter{{"amount", -1, 1, 0.5, new(0.0)}},
		Ops: []op{{Module: "exposure", Add: map[string]any{"black": expr{"amount", -0.01, 0}}}},
	},
	{
		Name: "punch", Layer: "L3", Parameters: []parameter{{"amount", -0.5, 0.5, 0.2, new(0.0)}},
		Ops: []op{{Module: "colorbalancergb", Add: map[string]any{"contrast": expr{"amount", 1, 0}}}},
	},
	{
		Name: "colour", Layer: "L3", Parameters: []parameter{{"all", -0.5, 0.5, 0.2, new(0.0)}, {"pale", -0.4, 0.4, 0.1, new(0.0)}},
		Ops: []op{{Module: "colorbalancergb", Add: map[string]any{"saturation_global": expr{"all", 1, 0}, "vibrance": expr{"pale", 2, 0}}}},
	},
	{
		Name: "bands", Layer: "L3", Parameters: []parameter{{"ev", -1.5, 1.5, 0.7, new(0.0)}, {"bright", -1, 1, 0, new(0.0)}},
		Ops: []op{
			{Module: "toneequal", Add: map[string]any{"shadows": expr{"ev", 1, 0}, "midtones": expr{"ev", 0.5, 0}}},
			{Module: "exposure", Instance: "bands", Add: map[string]any{"exposure": expr{"bright", 1, 0}}},
		},
	},
	{
		Name: "grey", Layer: "L3", Parameters: []parameter{{"filter", -1, 1, 0.3, nil}},
		Ops: []op{{Module: "channelmixerrgb", Instance: "monochrome", Set: map[string]any{
			"illuminant": "DT_ILLUMINANT_PIPE", "adaptation": "DT_ADAPTATION_RGB",
			"grey[0]": expr{"filter", 0.4, 0.27}, "grey[1]": expr{"filter", -0.2, 0.67}, "grey[2]": 0.0625,
		}}},
	},
	{
		Name: "fade", Layer: "L2", Parameters: []parameter{{"amount", 0, 1, 0.5, new(0.0)}},
		Ops: []op{{Module: "sigmoid", Multiply: map[string]any{"middle_grey_contrast": expr{"amount", -0.5, 1}}}},
	},
	{
		Name: "film", Layer: "L2",
		Ops: []op{
			{Module: "colorbalancergb", Instance: "look film", Set: map[string]any{"contrast": 0.2, "vibrance": -0.1}},
			{Module: "sigmoid", Set: map[string]any{"contrast_skewness": 0.25}},
		},
	},
	{
		Name: "linear", Layer: "L3",
		Ops: []op{{Module: "sigmoid", Enabled: new(false)}},
	},
	{
		Name: "steady", Layer: "L1",
		Ops: []op{{Module: "toneequal", Instance: "steady", Set: map[string]any{"whites": -0.2}}},
	},
	{
		Name: "calm", Layer: "L1", Parameters: []parameter{{"amount", 0, 1, 1, new(0.0)}},
		Ops: []op{{Module: "colorbalancergb", Instance: "calm", Add: map[string]any{"chroma_shadows": expr{"amount", -0.3, 0}}}},
	},
	{
		Name: "dusk", Layer: "L3", Parameters: []parameter{{"ev", -2, 2, -0.5, new(0.0)}}, Mask: &chemigram.Mask{Name: "highlights"},
		Ops: []op{{Module: "exposure", Add: map[string]any{"exposure": expr{"ev", 1, 0}}}},
	},
}

// writePack writes the moves into a folder as a pack.
func writePack(dir string) error {
	all := slices.Clone(moves)
	for i := range all {
		all[i].Subject, all[i].About = "tone", "A move of the walks."
		all[i].Claims = []map[string]string{{"measure": "luma_mean", "moves": "up"}}
	}
	data, err := json.Marshal(all)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "tone.json"), data, 0o644); err != nil {
		return err
	}
	about := `{"name": "walks", "version": "1.0.0", "description": "The moves of the walks."}`
	return os.WriteFile(filepath.Join(dir, "pack.json"), []byte(about), 0o644)
}

func findMove(name string) move {
	i := slices.IndexFunc(moves, func(m move) bool { return m.Name == name })
	return moves[i]
}

// rules are what the model knows of darktable's modules.
type rules struct {
	baseline look
	// defaults are the fields of a module that is not set up, with their values.
	defaults map[string]map[string]string
}

// apply gives a look with a move applied. limit is nil for the move's own mask, or
// the whole picture.
func (r rules) apply(l look, m move, values map[string]float64, strength float64, limit *chemigram.Mask) look {
	if limit == nil {
		limit = m.Mask
	}
	all := map[string]float64{}
	for _, p := range m.Parameters {
		all[p.Name] = p.Default
	}
	maps.Copy(all, values)
	if m.Layer == "L2" && strength > 0 && limit == nil {
		l = r.withoutLayer(l, "L2", m.Name)
	}
	for _, o := range m.Ops {
		how := strength
		if m.neutral(o, all) {
			how = 0
		}
		l = r.applyOp(l, m, o, all, how, strength == 0, limit)
	}
	return l
}

// neutral reports whether an op does nothing at these values.
func (m move) neutral(o op, values map[string]float64) bool {
	used := map[string]bool{}
	for _, fields := range []map[string]any{o.Set, o.Add, o.Multiply} {
		for _, v := range fields {
			if e, ok := v.(expr); ok {
				used[e.Parameter] = true
			}
		}
	}
	amounts := 0
	for _, p := range m.Parameters {
		if p.Neutral == nil || len(used) > 0 && !used[p.Name] {
			continue
		}
		if values[p.Name] != *p.Neutral {
			return false
		}
		amounts++
	}
	return amounts > 0
}

// applyOp applies one op of a move. none is whether a strength of 0 was asked for, which
// takes the move away and nothing else; a neutral value is set like any other.
func (r rules) applyOp(l look, m move, o op, values map[string]float64, strength float64, none bool, limit *chemigram.Mask) look {
	id := instance{module: o.Module}
	switch {
	case limit != nil:
		id.label = strings.Join([]string{"@", o.Instance, m.Name, selection(*limit)}, "|")
	case o.Instance != "":
		id.label = "chemigram " + o.Instance
	}
	base, now := r.baseline[id], l[id]
	if now == nil {
		if now = base; now == nil {
			now = &settings{enabled: true, fields: r.defaults[id.module]}
		}
	}
	if nobodys := len(now.madeBy) == 0 && id.label != ""; none && !nobodys && !slices.Contains(now.madeBy, m.Name) {
		return l
	}
	from := r.defaults[id.module]
	if base != nil && base.enabled {
		from = base.fields
	}
	next := now.clone()
	next.by(m.Name, strength > 0)
	if o.Enabled != nil {
		next.enabled = *o.Enabled
		if strength == 0 {
			next.enabled = base != nil && base.enabled
		}
	} else {
		next.enabled = strength > 0 || now.enabled
		o.eachField(func(name, value string, to func(float64) float64) {
			switch {
			case strength == 0:
				next.fields[name] = from[name]
			case to == nil:
				next.fields[name] = value
			default:
				was := float(from[name])
				next.fields[name] = number(was + strength*(to(was)-was))
				if strength == 1 {
					next.fields[name] = number(to(was))
				}
			}
		}, values)
		if limit != nil {
			next.mask = maskOf(*limit)
		}
	}
	if strength == 0 && len(next.madeBy) == 0 {
		switch {
		case base != nil && maps.Equal(next.fields, base.fields) && next.mask == base.mask:
			next = base
		case base == nil && maps.Equal(next.fields, r.defaults[id.module]):
			next = nil
		}
	}
	if next == nil && l[id] == nil || next == base && l[id] == base {
		return l
	}
	return l.with(id, next)
}

// eachField calls f with what an op does to each field: it gets a text, or a number
// made of the one that it has without any move.
func (o op) eachField(f func(name, value string, to func(was float64) float64), values map[string]float64) {
	for _, action := range []struct {
		fields map[string]any
		join   func(was, v float64) float64
	}{
		{o.Set, func(_, v float64) float64 { return v }},
		{o.Add, func(was, v float64) float64 { return was + v }},
		{o.Multiply, func(was, v float64) float64 { return was * v }},
	} {
		for name, v := range action.fields {
			switch v := v.(type) {
			case string:
				f(name, v, nil)
			case float64:
				f(name, "", func(was float64) float64 { return action.join(was, v) })
			case expr:
				f(name, "", func(was float64) float64 { return action.join(was, v.Scale*values[v.Parameter]+v.Offset) })
			}
		}
	}
}

// bind gives a look with a move in place of the others of its layer.
func (r rules) bind(l look, m move) look {
	return r.apply(r.withoutLayer(l, m.Layer, m.Name), m, nil, 1, nil)
}

// withoutLayer gives a look without the moves of a layer but for one.
func (r rules) withoutLayer(l look, layer, keep string) look {
	for _, other := range moves {
		made := slices.ContainsFunc(slices.Collect(maps.Values(l)), func(s *settings) bool { return slices.Contains(s.madeBy, other.Name) })
		if other.Layer == layer && other.Name != keep && made {
			l = r.apply(l, other, nil, 0, nil)
		}
	}
	return l
}

// isBound reports whether a move is a technical template or a starting look.
func isBound(name string) bool {
	return slices.ContainsFunc(moves, func(m move) bool { return m.Name == name && m.Layer != "L3" })
}

// bound reports whether a look has technical templates or starting looks.
func (l look) bound() bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(l)), func(s *settings) bool { return slices.ContainsFunc(s.madeBy, isBound) })
}

// reset gives the baseline with the technical templates and starting looks of a look. One
// that shares an instance with other edits is bound anew.
func (r rules) reset(l look) look {
	next := maps.Clone(r.baseline)
	var shared []string
	for id, s := range l {
		n := len(slices.DeleteFunc(slices.Clone(s.madeBy), isBound))
		switch {
		case n == len(s.madeBy):
		case n == 0:
			next[id] = s
		default:
			shared = append(shared, slices.DeleteFunc(slices.Clone(s.madeBy), func(m string) bool { return !isBound(m) })...)
		}
	}
	slices.Sort(shared)
	for _, name := range slices.Compact(shared) {
		next = r.apply(next, findMove(name), nil, 1, nil)
	}
	return next
}

// startingLooks lists the moves of layer L2 in a look.
func (l look) startingLooks() []string {
	var names []string
	for _, m := range moves {
		if m.Layer == "L2" && slices.ContainsFunc(slices.Collect(maps.Values(l)), func(s *settings) bool {
			return s.enabled && slices.Contains(s.madeBy, m.Name)
		}) {
			names = append(names, m.Name)
		}
	}
	return names
}

// set gives a look with fields of an instance set.
func (r rules) set(l look, id instance, fields map[string]string, enabled bool) look {
	next := &settings{fields: r.defaults[id.module]}
	if l[id] != nil {
		next = l[id]
	}
	next = next.clone()
	maps.Copy(next.fields, fields)
	next.enabled = enabled
	next.by("set_parameters", true)
	return l.with(id, next)
}

// remove gives a look without what edits did with a module, or, when one is named,
// with one instance.
func (r rules) remove(l look, module string, one *instance) look {
	next := l
	for id := range l {
		if id.module != module || one != nil && id != *one {
			continue
		}
		next = next.with(id, r.baseline[id])
	}
	return next
}

// masks may be applied. Those of one label, and those that select the same, replace
// each other.
var masks = []chemigram.Mask{
	{Name: "reds"},
	{Name: "reds", Opacity: new(mask.Share(0.5))},
	{Name: "foliage", Blur: 2},
	{Name: "foliage", Invert: true},
	{Ranges: []chemigram.MaskRange{{Channel: "lightness", From: new(0.2), To: new(0.6)}}},
	{Ranges: []chemigram.MaskRange{{Channel: "lightness", From: new(0.2), To: new(0.6)}}, Feather: 3},
	{Ranges: []chemigram.MaskRange{{Channel: "lightness", From: new(0.25)}}, Label: "here"},
	{Ranges: []chemigram.MaskRange{{Channel: "hue", From: new(300.0), To: new(30.0)}}, Label: "here"},
	{Shapes: []chemigram.MaskShape{{Kind: "circle", X: new(0.25), Y: new(0.5), Radius: 0.125}}},
	{Shapes: []chemigram.MaskShape{{Kind: "circle", X: new(0.25), Radius: 0.125, Softness: new(mask.Share(0.05)), Combine: "union"}}, Match: "all"},
	{Shapes: []chemigram.MaskShape{{Kind: "circle", X: new(0.25), Y: new(0.5), Radius: 0.25}}, Label: "here"},
	{Shapes: []chemigram.MaskShape{{Kind: "gradient", Y: new(0.4)}}, Ranges: []chemigram.MaskRange{{Channel: "chroma", To: new(0.1)}}},
	{Name: "highlights", Shapes: []chemigram.MaskShape{
		{Kind: "ellipse", Radius: 0.3, RadiusY: 0.2}, {Kind: "path", Points: [][]float64{{0.1, 0.1}, {0.4, 0.1}, {0.2, 0.5}}, Combine: "difference"},
	}},
}

// selection says what a mask selects: the same move with the same selection is
// replaced.
func selection(m chemigram.Mask) string {
	if m.Label != "" {
		return "label " + string(m.Label)
	}
	m.Opacity, m.Feather, m.Blur, m.Contrast, m.Details = nil, 0, 0, 0, 0
	return maskOf(m)
}

// maskOf writes a mask in one way, with its defaults.
func maskOf(m chemigram.Mask) string {
	m.Label = ""
	m.Match = cmp.Or(m.Match, "all")
	m.Shapes = slices.Clone(m.Shapes)
	for i := range m.Shapes {
		s := &m.Shapes[i]
		s.Combine = cmp.Or(s.Combine, "union")
		if s.Kind == "circle" {
			s.X, s.Y, s.Softness = cmp.Or(s.X, new(0.5)), cmp.Or(s.Y, new(0.5)), cmp.Or(s.Softness, new(mask.Share(0.05)))
		}
	}
	data, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	return string(data)
}
