package vocab

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/chemigram/chemigram/internal/suggest"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
	"github.com/chemigram/chemigram/xmp/mask"
)

// Framing is what an op does to the frame where that depends on the frame's
// proportions: a crop to an aspect, or a turn whose empty corners are cut off.
type Framing struct {
	// Width by Height is the aspect that a crop has, for an op on crop.
	Width, Height float64
	// Position names the parameter that says which part stays of the side that is
	// cut: -1 the left or the top, 1 the right or the bottom. It counts in
	// thousandths.
	Position string
	// Turn names the parameter that says by how many degrees the picture is turned
	// clockwise, for an op on ashift. What is left has the frame's proportions.
	Turn string
	// Upright and Level name the parameter that says how far lines that converge
	// towards the top, or towards the left, are set parallel, for an op on ashift: its
	// value times Scale is the lens shift. What the bent frame leaves empty is cut off.
	Upright, Level string
	Scale          float64
}

// MarshalJSON writes the framing as a pack has it.
func (f Framing) MarshalJSON() ([]byte, error) {
	switch f.kind() {
	case turns:
		return json.Marshal(map[string]string{"turn": f.Turn})
	case uprights:
		return json.Marshal(map[string]any{"upright": f.Upright, "scale": f.Scale})
	case levels:
		return json.Marshal(map[string]any{"level": f.Level, "scale": f.Scale})
	}
	return json.Marshal(map[string]string{"aspect": fmt.Sprintf("%g:%g", f.Width, f.Height), "position": f.Position})
}

// framingKind is which of the things a framing does.
type framingKind int

const (
	crops framingKind = iota
	turns
	uprights
	levels
)

func (f Framing) kind() framingKind {
	switch {
	case f.Turn != "":
		return turns
	case f.Upright != "":
		return uprights
	case f.Level != "":
		return levels
	}
	return crops
}

// module is the one whose fields the framing sets.
func (f Framing) module() string {
	if f.kind() == crops {
		return "crop"
	}
	return "ashift"
}

// parameter is the one that the framing depends on.
func (f Framing) parameter() string { return f.Position + f.Turn + f.Upright + f.Level }

// fields are those that the framing sets.
func (f Framing) fields() []string {
	return [][]string{
		crops:    {"cx", "cy", "cw", "ch", "ratio_n", "ratio_d"},
		turns:    {"rotation", "cl", "cr", "ct", "cb"},
		uprights: {"lensshift_v", "cl", "cr", "ct", "cb"},
		levels:   {"lensshift_h", "cl", "cr", "ct", "cb"},
	}[f.kind()]
}

// at gives the values of the fields in a frame, for a value of the parameter. What the
// other moves of the module do to the frame is in p.
func (f Framing) at(frame mask.Size, value float64, p iop.Params) (map[string]float64, error) {
	if !(frame.Width >= 1 && frame.Height >= 1) {
		return nil, fmt.Errorf("a frame of %g by %g pixels", frame.Width, frame.Height)
	}
	if f.kind() == crops {
		return f.cropped(frame, value), nil
	}
	b := bend{number(p, "rotation"), number(p, "lensshift_v"), number(p, "lensshift_h")}
	switch f.kind() {
	case turns:
		b.rotation = -value // it counts against the clock
	case uprights:
		b.upright = value * f.Scale
	case levels:
		b.level = value * f.Scale
	}
	fields := b.cuts(frame)
	fields["rotation"], fields["lensshift_v"], fields["lensshift_h"] = b.rotation, b.upright, b.level
	return fields, nil
}

// number reads a numeric field; NaN when there is none.
func number(p iop.Params, field string) float64 {
	v, err := p.Get(field)
	if err != nil {
		return math.NaN()
	}
	n, _ := v.Float()
	return n
}

// cropped gives the sides of the largest crop with the aspect, in whole pixels.
// darktable cuts fractions of a pixel off; a quarter of a pixel more than needed
// makes up for what is lost in a number of 32 bits. The ratio 0 by 0 is freehand:
// otherwise some versions of darktable correct the sides once more.
func (f Framing) cropped(frame mask.Size, position float64) map[string]float64 {
	width, height := frame.Width, frame.Height
	if width*f.Height > height*f.Width {
		width = math.Round(height * f.Width / f.Height)
	} else {
		height = math.Round(width * f.Height / f.Width)
	}
	position = math.Round(position*1000) / 1000
	side := func(part, whole float64) (from, to float64) {
		share := min(1, (part+0.25)/whole)
		from = (1 - share) * (1 + position) / 2
		return from, from + share
	}
	fields := map[string]float64{"ratio_n": 0, "ratio_d": 0}
	fields["cx"], fields["cw"] = side(width, frame.Width)
	fields["cy"], fields["ch"] = side(height, frame.Height)
	return fields
}

// value reads the parameter's value, times a strength, back from the fields. An
// aspect that leaves nothing to cut has no position; 0 stands for it.
func (f Framing) value(p iop.Params) (float64, error) {
	var value float64
	switch f.kind() {
	case turns:
		value = -number(p, "rotation")
	case uprights:
		value = number(p, "lensshift_v") / f.Scale
	case levels:
		value = number(p, "lensshift_h") / f.Scale
	default:
		const least = 1e-3 // of the frame
		from, free := number(p, "cx"), 1-number(p, "cw")+number(p, "cx")
		if y := 1 - number(p, "ch") + number(p, "cy"); y > free {
			from, free = number(p, "cy"), y
		}
		if !(free <= least) {
			value = math.Round(1000*(2*from/free-1)) / 1000
		}
	}
	if math.IsNaN(value) {
		return 0, fmt.Errorf("version %d of %s lacks a field that the frame needs", p.Modversion(), p.Operation())
	}
	return value, nil
}

// before measures the picture as an instance of a look gets it, in pixels: with what
// changes the frame there and behind it switched off.
func (a Application) before(look *xmp.Sidecar, instance xmp.Put) (mask.Size, error) {
	fail := func(err error) (mask.Size, error) { return mask.Size{}, err }
	if a.Frame == nil {
		return fail(errors.New("the frame's proportions are not known"))
	}
	look, err := look.With(a.Target, instance)
	if err != nil {
		return fail(err)
	}
	order, _, err := look.PipelineOrder(a.Target)
	if err != nil {
		return fail(err)
	}
	own, _ := look.Find(instance.Entry.Operation, instance.Entry.MultiName)
	place := order.Index(own.Operation, own.MultiPriority)
	var off []xmp.Edit
	for _, e := range look.History() {
		if isFraming(e) && order.Index(e.Operation, e.MultiPriority) >= place {
			e.Enabled = false
			off = append(off, sameInstance(e))
		}
	}
	if look, err = look.With(a.Target, off...); err != nil {
		return fail(err)
	}
	return a.Frame(look)
}

// isFraming reports whether an entry changes the frame.
func isFraming(e xmp.Entry) bool {
	return e.Enabled && e.Fault == nil && iop.ChangesGeometry(e.Operation)
}

// sameInstance puts an entry of a sidecar in its own place.
func sameInstance(e xmp.Entry) xmp.Put {
	if e.MultiPriority == 0 {
		e.MultiName = "" // a base instance may be called after a preset
	}
	return xmp.Put{Entry: e, Numbered: e.MultiPriority != 0}
}

// frame gives the fields of an op's framing, with the strength.
func (c *compiler) frame(p iop.Params) (map[string]float64, error) {
	f := c.op.Frame
	size, err := c.app.before(c.app.Current, c.put(c.start))
	if err != nil {
		return nil, c.uncomposable("", err, "the frame cannot be measured")
	}
	value := c.values[f.parameter()]
	if f.kind() != crops {
		value *= c.strength
	}
	fields, err := f.at(size, value, p)
	if err != nil {
		return nil, c.uncomposable("", err, "nothing is left of the frame")
	}
	return fields, nil
}

// Reframe gives a look in which the moves that depend on the frame fit the frame that
// the look has: a crop to an aspect keeps the aspect when the picture was turned
// after it. before is the look with another frame that they fitted; what somebody has
// changed since by hand stays as it is. a needs no more than Target and Frame.
func (v *Vocabulary) Reframe(before, look *xmp.Sidecar, a Application) (*xmp.Sidecar, error) {
	if sameFraming(before, look) {
		return look, nil
	}
	for _, e := range look.History() { // in the order of the pipeline
		f := v.framing(e)
		if f == nil || !e.Enabled {
			continue
		}
		if e.MultiPriority == 0 {
			e.MultiName = ""
		}
		p, err := a.Target.Decode(e.Operation, e.Modversion, e.Params)
		if err != nil {
			continue // a later darktable's
		}
		fitting, err := a.reframed(before, e, *f, p)
		if err != nil {
			return nil, err
		}
		if !bytes.Equal(fitting.Params, e.Params) {
			continue // it did not fit before
		}
		if fitting, err = a.reframed(look, e, *f, p); err != nil {
			return nil, err
		}
		if look, err = look.With(a.Target, xmp.Put{Entry: fitting}); err != nil {
			return nil, err
		}
	}
	return look, nil
}

// Reframe is that of the vocabulary that the entry belongs to: see
// [Vocabulary.Reframe]. An entry without one leaves the look as it is.
func (e *Entry) Reframe(before, look *xmp.Sidecar, a Application) (*xmp.Sidecar, error) {
	if e.vocabulary == nil {
		return look, nil
	}
	return e.vocabulary.Reframe(before, look, a)
}

// framing is what the last move that made an instance does to the frame, or nil.
func (v *Vocabulary) framing(e xmp.Entry) *Framing {
	if len(e.Origins) == 0 {
		return nil
	}
	entry := v.entries[e.Origins[len(e.Origins)-1].Entry]
	if entry == nil {
		return nil
	}
	for _, o := range entry.Ops {
		if o.Frame != nil && o.Module == e.Operation && (o.multiName() == e.MultiName || o.Instance == "" && e.MultiPriority == 0) {
			return o.Frame
		}
	}
	return nil
}

// reframed gives an instance as it has to be in the frame of a look.
func (a Application) reframed(look *xmp.Sidecar, e xmp.Entry, f Framing, p iop.Params) (xmp.Entry, error) {
	value, err := f.value(p)
	if err != nil {
		return e, err
	}
	size, err := a.before(look, xmp.Put{Entry: e})
	if err != nil {
		return e, err
	}
	fields, err := f.at(size, value, p)
	if err != nil {
		return e, err
	}
	for _, name := range f.fields() {
		if p, err = p.With(name, iop.Number(fields[name])); err != nil {
			return e, err
		}
	}
	e.Params = p.Encode()
	return e, nil
}

// sameFraming reports whether two looks change the frame alike.
func sameFraming(a, b *xmp.Sidecar) bool {
	framing := func(s *xmp.Sidecar) []xmp.Entry {
		return slices.DeleteFunc(s.History(), func(e xmp.Entry) bool { return !isFraming(e) })
	}
	return slices.EqualFunc(framing(a), framing(b), func(x, y xmp.Entry) bool {
		return x.Operation == y.Operation && x.MultiName == y.MultiName && bytes.Equal(x.Params, y.Params)
	})
}

// framing reads an op's frame.
func (d *decoder) framing(n *node, key string) *Framing {
	f := &Framing{}
	d.fields(n, key, nil, map[string]func(*node, string){
		"aspect":   func(n *node, k string) { f.Width, f.Height = d.aspect(n, k) },
		"position": func(n *node, k string) { f.Position = d.name(n, k) },
		"turn":     func(n *node, k string) { f.Turn = d.name(n, k) },
		"upright":  func(n *node, k string) { f.Upright = d.name(n, k) },
		"level":    func(n *node, k string) { f.Level = d.name(n, k) },
		"scale":    func(n *node, k string) { f.Scale = d.number(n, k) },
	})
	kinds := 0
	for _, given := range []bool{f.Width != 0, f.Turn != "", f.Upright != "", f.Level != ""} {
		if given {
			kinds++
		}
	}
	bends := f.Upright != "" || f.Level != ""
	if kinds != 1 || (f.Width != 0) != (f.Position != "") || bends != (f.Scale != 0) {
		d.fail(n, key, "want one of an aspect with a position, a turn, and an upright or a level with a scale")
	}
	return f
}

// aspect reads a width by a height.
func (d *decoder) aspect(n *node, key string) (width, height float64) {
	text := d.text(n, key)
	before, after, _ := strings.Cut(text, ":")
	width, err := strconv.ParseFloat(before, 64)
	height, heightErr := strconv.ParseFloat(after, 64)
	if err != nil || heightErr != nil || !(width/height >= 0.05 && width/height <= 20) {
		d.fail(n, key, `%q is no aspect; want width and height such as "4:5" or "2.39:1", at most 20 to 1`, text)
		return 1, 1
	}
	return width, height
}

// checkFraming checks an op's frame: what it sets, and the parameter's range.
func checkFraming(d *decoder, n *node, e *Entry, o *Op, key string) {
	f := o.Frame
	p, known := e.Parameter(f.parameter())
	crop := f.kind() == crops
	most := 45.0 // degrees
	if f.kind() != turns {
		most = 1 / math.Abs(f.Scale)
	}
	switch {
	case o.Module != f.module():
		d.fail(n, key, "an op with this frame is on the module %s, not on %s", f.module(), o.Module)
	case !known:
		d.failNear(n, key, suggest.Nearest(f.parameter(), e.parameterNames()), "the entry has no parameter %q", f.parameter())
	case crop && (p.Min < -1 || p.Max > 1 || e.isAmount(p.Name)):
		d.fail(n, key, "the position %s wants a range within -1..1, and no neutral", p.Name)
	case !crop && (p.Min < -most || p.Max > most || !e.isAmount(p.Name) || p.Neutral != 0):
		d.fail(n, key, "%s wants a range within %g..%g, and 0 as its neutral", p.Name, -most, most)
	case o.Instance != "":
		d.fail(n, key, "an op on the frame has no instance of its own: darktable has one of %s", o.Module)
	}
}
