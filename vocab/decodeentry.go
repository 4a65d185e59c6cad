package vocab

import (
	"slices"
	"strconv"
	"strings"

	"github.com/chemigram/chemigram/vocab/measure"
	"github.com/chemigram/chemigram/xmp/iop"
	"github.com/chemigram/chemigram/xmp/mask"
)

// decodeEntries reads one file of a pack: an array of entries. Those with an
// error are included, so that their names count as taken.
func (d *decoder) decodeEntries(data []byte) []*Entry {
	root := d.parseList(data, "entries")
	if root == nil {
		return nil
	}
	var entries []*Entry
	for i, n := range root.items {
		before := len(d.errs)
		e := d.decodeEntry(n, i)
		if len(d.errs) == before {
			checkEntry(d, n, e)
		}
		entries = append(entries, e)
	}
	d.entry = ""
	return entries
}

// entryName is what errors call the entry at index i, whose name may be missing or
// wrong.
func entryName(n *node, i int) string {
	if k := slices.Index(n.keys, "name"); n.kind == objectNode && k >= 0 {
		if s, ok := n.items[k].value.(string); ok && isName(s) {
			return s
		}
	}
	return "entry " + strconv.Itoa(i+1)
}

func (d *decoder) decodeEntry(n *node, i int) *Entry {
	d.entry = entryName(n, i)
	e := &Entry{}
	d.fields(n, "", []string{"name", "layer", "subject", "description", "claims"}, map[string]func(*node, string){
		"name":        func(n *node, k string) { e.Name = d.name(n, k) },
		"layer":       func(n *node, k string) { e.Layer = choice(d, n, k, []Layer{L1, L2, L3}) },
		"subject":     func(n *node, k string) { e.Subject = d.name(n, k) },
		"description": func(n *node, k string) { e.Description = strings.TrimSpace(d.text(n, k)) },
		"tags": func(n *node, k string) {
			d.list(n, k, func(n *node, k string) { e.Tags = append(e.Tags, d.text(n, k)) })
		},
		"parameters": func(n *node, k string) {
			d.list(n, k, func(n *node, k string) { d.parameter(n, k, e) })
		},
		"ops": func(n *node, k string) {
			d.list(n, k, func(n *node, k string) { e.Ops = append(e.Ops, d.op(n, k)) })
		},
		"claims": func(n *node, k string) {
			d.list(n, k, func(n *node, k string) { e.Claims = append(e.Claims, d.claim(n, k)) })
		},
		"intends": func(n *node, k string) {
			d.list(n, k, func(n *node, k string) {
				h := choice(d, n, k, Harms())
				if slices.Contains(e.Intends, h) {
					d.fail(n, k, "%s is there twice", h)
				}
				e.Intends = append(e.Intends, h)
			})
		},
		"requires":   func(n *node, k string) { e.Requires = d.requires(n, k) },
		"builds_on":  func(n *node, k string) { e.BuildsOn = d.name(n, k) },
		"overrides":  func(n *node, k string) { e.Overrides = d.text(n, k) },
		"applies_to": func(n *node, k string) { e.AppliesTo = d.appliesTo(n, k) },
		"style":      func(n *node, k string) { e.Style = d.text(n, k) },
		"mask":       func(n *node, k string) { e.Mask = d.maskSpec(n, k) },
		"region":     func(n *node, k string) { e.Region = choice(d, n, k, mask.Meanings()) },
		"alike":      func(n *node, k string) { e.Alike = d.alike(n, k) },
	})
	bindOthers(e.Claims)
	return e
}

func (d *decoder) parameter(n *node, key string, e *Entry) {
	var p Parameter
	amount := false
	d.fields(n, key, []string{"name", "min", "max", "default"}, map[string]func(*node, string){
		"name":    func(n *node, k string) { p.Name = d.name(n, k) },
		"unit":    func(n *node, k string) { p.Unit = d.text(n, k) },
		"min":     func(n *node, k string) { p.Min = d.number(n, k) },
		"max":     func(n *node, k string) { p.Max = d.number(n, k) },
		"default": func(n *node, k string) { p.Default = d.number(n, k) },
		"neutral": func(n *node, k string) { p.Neutral, amount = d.number(n, k), true },
	})
	if !amount {
		p.Neutral = p.Default
		e.withoutNeutral = append(e.withoutNeutral, p.Name)
	}
	e.Parameters = append(e.Parameters, p)
}

func (d *decoder) op(n *node, key string) Op {
	var o Op
	d.fields(n, key, []string{"module"}, map[string]func(*node, string){
		"module":   func(n *node, k string) { o.Module = d.text(n, k) },
		"instance": func(n *node, k string) { o.Instance = d.instance(n, k) },
		"enabled":  func(n *node, k string) { o.Enabled = new(d.flag(n, k)) },
		"set":      func(n *node, k string) { o.Set = d.exprs(n, k) },
		"add":      func(n *node, k string) { o.Add = d.exprs(n, k) },
		"multiply": func(n *node, k string) { o.Multiply = d.exprs(n, k) },
		"frame":    func(n *node, k string) { o.Frame = d.framing(n, k) },
		"inset":    func(n *node, k string) { o.Inset = d.inset(n, k) },
	})
	return o
}

// inset reads how far an op keeps away from a mask's edge: a number of pixels, or a
// parameter.
func (d *decoder) inset(n *node, key string) *Expr {
	if n.kind != numberNode && n.kind != stringNode && n.kind != objectNode {
		d.fail(n, key, "want a number of pixels, or a parameter")
		return nil
	}
	all := map[string]Expr{}
	d.expr(all, n, key, "")
	return new(all[""])
}

func (d *decoder) instance(n *node, key string) string {
	s := d.text(n, key)
	if len(s) > 48 || strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == ':' }) || s != strings.TrimSpace(s) {
		d.fail(n, key, "%q is not an instance name: want at most 48 bytes, without colons, control characters or blanks around it", s)
	}
	return s
}

// exprs reads the fields of a set, an add or a multiply. A list is short for the
// fields NAME[0], NAME[1] and so on.
func (d *decoder) exprs(n *node, key string) map[string]Expr {
	if n.kind != objectNode || len(n.keys) == 0 {
		d.fail(n, key, "want an object with at least one field")
		return nil
	}
	all := map[string]Expr{}
	for i, field := range n.keys {
		d.expr(all, n.items[i], key, field)
	}
	return all
}

// expr reads the value of a field into all.
func (d *decoder) expr(all map[string]Expr, n *node, key, field string) {
	at := joinKey(key, field)
	if _, twice := all[field]; twice {
		d.fail(n, at, "the field occurs twice, once in a list")
		return
	}
	switch n.kind {
	case boolNode:
		all[field] = Expr{Constant: iop.Bool(n.value.(bool))}
	case numberNode:
		all[field] = Expr{Constant: iop.Number(n.value.(float64))}
	case stringNode:
		// It may also be an enum constant: checkKind knows the field's type.
		all[field] = Expr{Parameter: n.value.(string), Scale: 1}
	case arrayNode:
		if len(n.items) == 0 {
			d.fail(n, at, "the list is empty")
		}
		for i, item := range n.items {
			d.expr(all, item, key, field+"["+strconv.Itoa(i)+"]")
		}
	case objectNode:
		x := Expr{Scale: 1}
		d.fields(n, at, []string{"parameter"}, map[string]func(*node, string){
			"parameter": func(n *node, k string) { x.Parameter = d.name(n, k) },
			"scale":     func(n *node, k string) { x.Scale = d.number(n, k) },
			"offset":    func(n *node, k string) { x.Offset = d.number(n, k) },
		})
		all[field] = x
	default:
		d.fail(n, at, "want a number, true or false, a name, a list, or an object with a parameter")
	}
}

func (d *decoder) claim(n *node, key string) Claim {
	c := Claim{Scene: Natural}
	d.fields(n, key, []string{"measure", "moves"}, map[string]func(*node, string){
		"measure":    func(n *node, k string) { c.Measure = choice(d, n, k, measure.Measures()) },
		"moves":      func(n *node, k string) { c.Moves = choice(d, n, k, []Moves{Up, Down, Hold, To}) },
		"at_least":   func(n *node, k string) { c.AtLeast = d.number(n, k) },
		"at_most":    func(n *node, k string) { c.AtMost = d.number(n, k) },
		"within":     func(n *node, k string) { c.Within = d.number(n, k) },
		"target":     func(n *node, k string) { c.Target = d.number(n, k) },
		"in":         func(n *node, k string) { c.In = choice(d, n, k, measure.Regions()) },
		"scene":      func(n *node, k string) { c.Scene = choice(d, n, k, scenes) },
		"parameter":  func(n *node, k string) { c.Parameter = d.name(n, k) },
		"at":         func(n *node, k string) { c.At = d.numbers(n, k) },
		"scene_only": func(n *node, k string) { c.SceneOnly = d.text(n, k) },
	})
	return c
}

// alike reads an object of moves with reasons.
func (d *decoder) alike(n *node, key string) map[string]string {
	if n.kind != objectNode {
		d.fail(n, key, "want an object from the names of moves to reasons, have %s", n.kind)
		return nil
	}
	all := map[string]string{}
	for i, name := range n.keys {
		all[name] = d.text(n.items[i], joinKey(key, name))
	}
	return all
}

// numbers reads an object of numbers.
func (d *decoder) numbers(n *node, key string) map[string]float64 {
	if n.kind != objectNode {
		d.fail(n, key, "want an object of numbers, have %s", n.kind)
		return nil
	}
	all := map[string]float64{}
	for i, name := range n.keys {
		all[name] = d.number(n.items[i], joinKey(key, name))
	}
	return all
}

func (d *decoder) appliesTo(n *node, key string) *AppliesTo {
	a := &AppliesTo{}
	d.fields(n, key, nil, map[string]func(*node, string){
		"make":       func(n *node, k string) { a.Make = d.text(n, k) },
		"model":      func(n *node, k string) { a.Model = d.text(n, k) },
		"lens_model": func(n *node, k string) { a.LensModel = d.text(n, k) },
		"min_iso":    func(n *node, k string) { a.MinISO = d.sensitivity(n, k) },
		"max_iso":    func(n *node, k string) { a.MaxISO = d.sensitivity(n, k) },
		"known_lens": func(n *node, k string) { a.KnownLens = d.flag(n, k) },
	})
	if a.MaxISO > 0 && a.MinISO > a.MaxISO {
		d.fail(n, joinKey(key, "min_iso"), "min_iso %d is above max_iso %d", a.MinISO, a.MaxISO)
	}
	for k, s := range map[string]string{"make": a.Make, "model": a.Model, "lens_model": a.LensModel} {
		if strings.Contains(strings.TrimSuffix(s, "*"), "*") {
			d.fail(n, joinKey(key, k), "%q: a * is allowed at the end only", s)
		}
	}
	if *a == (AppliesTo{}) {
		d.fail(n, key, "names no make, model, lens_model, ISO or known_lens; leave the key out to fit every camera")
	}
	return a
}

// sensitivity reads an ISO number.
func (d *decoder) sensitivity(n *node, key string) int {
	f := d.number(n, key)
	if f < 1 || f > 1e7 || f != float64(int(f)) {
		d.fail(n, key, "%g is not an ISO number; want a whole number from 1", f)
	}
	return int(f)
}

func (d *decoder) requires(n *node, key string) Requires {
	var r Requires
	d.fields(n, key, nil, map[string]func(*node, string){
		"darktable": func(n *node, k string) {
			var err error
			if r.Darktable, err = parseRange(d.text(n, k)); err != nil {
				d.fail(n, k, "%s", err)
			}
		},
		"modules": func(n *node, k string) {
			d.list(n, k, func(n *node, k string) { r.Modules = append(r.Modules, d.text(n, k)) })
		},
	})
	return r
}
