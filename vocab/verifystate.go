package vocab

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/chemigram/chemigram/vocab/measure"
	"github.com/chemigram/chemigram/xmp"
)

// sample gives values at which the entry does something: its defaults, or the
// first claim's when the defaults are neutral.
func (e *Entry) sample() map[string]float64 {
	for _, c := range e.Claims {
		if c.At != nil {
			return c.At
		}
	}
	return nil
}

func (e *Entry) neutralValues() map[string]float64 {
	values := map[string]float64{}
	for _, p := range e.amounts() {
		values[p.Name] = p.Neutral
	}
	return values
}

// neutral looks for the baseline's own state where the move does nothing: put
// on the baseline, and put over itself.
func (v *verifier) neutral(ctx context.Context, e *Entry) ([]Finding, error) {
	base, err := v.start(ctx, Natural, e)
	if err != nil {
		return nil, err
	}
	applied, err := v.apply(ctx, Natural, e, nil, e.sample(), 1)
	if err != nil {
		return nil, err
	}
	f := Finding{Check: "neutral", OK: true}
	for _, on := range []*xmp.Sidecar{base, applied} {
		states := []*xmp.Sidecar{}
		zero, err := v.apply(ctx, Natural, e, on, e.sample(), 0)
		if err != nil {
			return nil, err
		}
		states = append(states, zero)
		if len(e.amounts()) > 0 {
			neutral, err := v.apply(ctx, Natural, e, on, e.neutralValues(), 1)
			if err != nil {
				return nil, err
			}
			states = append(states, neutral)
		}
		for _, s := range states {
			if s.Hash() != base.Hash() {
				f.OK, f.Message = false, "the state is not the baseline's"
			}
		}
	}
	return []Finding{f}, nil
}

// onset looks whether a fiftieth of the move is a fiftieth of its effect, or
// near it: a module that changes the picture by being there at all would jump.
// A move that only switches has no fiftieth.
func (v *wave) onset(ctx context.Context, e *Entry) ([]Finding, error) {
	if e.switches() {
		return nil, nil
	}
	base, err := v.start(ctx, Natural, e)
	if err != nil {
		return nil, err
	}
	before, err := v.picture(Natural, base)
	if err != nil {
		return nil, err
	}
	f := Finding{Check: "onset"}
	distance := func(strength float64) (float64, error) {
		s, err := v.apply(ctx, Natural, e, nil, e.sample(), strength)
		if err != nil {
			return 0, err
		}
		p, err := v.picture(Natural, s)
		if err != nil {
			return 0, err
		}
		return measure.MeanDeltaE(before, p, nil)
	}
	if f.After, err = distance(1); err == nil {
		f.Before, err = distance(0.02)
	}
	if errors.Is(err, measure.ErrSize) { // a move of the frame has no distance
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	f.OK = f.Before <= 0.1+f.After/20
	if !f.OK {
		f.Message = fmt.Sprintf("a strength of 0.02 is ΔE %.3g already, the whole %.3g", f.Before, f.After)
	}
	return []Finding{f}, nil
}

// set looks whether applying again changes nothing, and whether only the
// modules change that the entry names.
func (v *verifier) set(ctx context.Context, e *Entry) ([]Finding, error) {
	once, err := v.apply(ctx, Natural, e, nil, e.sample(), 1)
	if err != nil {
		return nil, err
	}
	twice, err := v.apply(ctx, Natural, e, once, e.sample(), 1)
	if err != nil {
		return nil, err
	}
	base, err := v.start(ctx, Natural, e)
	if err != nil {
		return nil, err
	}
	f := Finding{Check: "set", OK: once.Hash() == twice.Hash()}
	if !f.OK {
		f.Message = "applying twice gives another state"
	}
	if module := changedBeside(base, once, e.Touches()); module != "" {
		f.OK, f.Message = false, "the module "+module+" changed, which the entry does not name"
	}
	return []Finding{f}, nil
}

// changedBeside gives a module that differs and is not among the named.
func changedBeside(a, b *xmp.Sidecar, named []string) string {
	type key struct {
		operation, name string
		priority        int
	}
	entries := func(s *xmp.Sidecar) map[key]xmp.Entry {
		m := map[key]xmp.Entry{}
		for _, e := range s.History() {
			if !slices.Contains(named, e.Operation) {
				m[key{e.Operation, e.MultiName, e.MultiPriority}] = e
			}
		}
		return m
	}
	was, is := entries(a), entries(b)
	for k, x := range was {
		y, ok := is[k]
		if !ok || x.Enabled != y.Enabled || x.Modversion != y.Modversion || !bytes.Equal(x.Params, y.Params) || !bytes.Equal(x.Blend, y.Blend) {
			return k.operation
		}
	}
	for k := range is {
		if _, ok := was[k]; !ok {
			return k.operation
		}
	}
	return ""
}

// sampled puts an entry on a state of the natural scene. On the baseline each is
// asked for with every other entry, and kept.
func (v *verifier) sampled(ctx context.Context, e *Entry, on *xmp.Sidecar) (*xmp.Sidecar, error) {
	apply := func() (*xmp.Sidecar, error) { return v.apply(ctx, Natural, e, on, e.sample(), 1) }
	base, err := v.baseline(ctx, Natural)
	if err != nil || on != base {
		return apply()
	}
	v.mu.Lock()
	if v.samples[e] == nil {
		v.samples[e] = &lazy[*xmp.Sidecar]{}
	}
	l := v.samples[e]
	v.mu.Unlock()
	return l.get(apply)
}

// others looks whether this move and each other one give the same state in
// either order, unless they set the same field, where the later one counts.
func (v *verifier) others(ctx context.Context, e *Entry) ([]Finding, error) {
	f := Finding{Check: "others", OK: true}
	for _, other := range v.Others {
		if ok, _ := other.Available(v.Target); !ok || other.Name == e.Name || e.rivals(other) {
			continue
		}
		if slices.Contains(v.Entries, other) && other.Name < e.Name {
			continue // it has looked at the pair
		}
		first := e
		if e.ground == nil {
			first = other // whose ground the pair then begins from
		}
		start, err := v.start(ctx, Natural, first)
		if err != nil {
			return nil, err
		}
		var hashes [2][32]byte
		for i, order := range [2][2]*Entry{{e, other}, {other, e}} {
			s, err := v.sampled(ctx, order[0], start)
			if err == nil {
				s, err = v.apply(ctx, Natural, order[1], s, order[1].sample(), 1)
			}
			if err != nil {
				return nil, err
			}
			hashes[i] = s.Hash()
		}
		if hashes[0] != hashes[1] {
			f.OK, f.Message = false, "with "+other.Name+" the order matters"
		}
	}
	return []Finding{f}, nil
}

// rivals tells whether two moves set a field of the same instance, or one of
// them switches a module that the other one needs.
func (e *Entry) rivals(other *Entry) bool {
	if e.toggles(other) || other.toggles(e) || e.ground != nil && other.ground != nil && e.ground != other.ground {
		return true
	}
	if e.Style != "" || other.Style != "" {
		return slices.ContainsFunc(e.Touches(), func(m string) bool { return slices.Contains(other.Touches(), m) })
	}
	fields := map[string]bool{}
	for _, o := range e.Ops {
		for _, c := range o.changes() {
			fields[o.String()+"."+c.field] = true
		}
	}
	for _, o := range other.Ops {
		for _, c := range o.changes() {
			if fields[o.String()+"."+c.field] {
				return true
			}
		}
	}
	return false
}

// look holds a starting look to two more things: greys stay in order, and at
// most one percent more of the natural scene clips.
func (v *wave) look(ctx context.Context, e *Entry) ([]Finding, error) {
	if e.Layer != L2 {
		return nil, nil
	}
	ramp, err := v.apply(ctx, Ramp, e, nil, e.sample(), 1)
	if err != nil {
		return nil, err
	}
	p, err := v.picture(Ramp, ramp)
	if err != nil {
		return nil, err
	}
	found := []Finding{{Check: "ramp", OK: true}}
	if at, drop := largestDrop(p); drop > 0.5 {
		found[0].OK, found[0].Message = false, fmt.Sprintf("the grey ramp falls by %.2g in lightness near %.2f of its width", drop, at)
	}
	if slices.ContainsFunc(e.Claims, func(c Claim) bool { return c.Measure == measure.ClippedFraction }) {
		return found, nil
	}
	clip := Claim{Measure: measure.ClippedFraction, Moves: Hold, Within: 1, Scene: Natural}
	before, after, err := v.measure(ctx, clip, e, e.sample())
	if err != nil {
		return nil, err
	}
	f := Finding{Check: "clip", Claim: clip.String(), Before: before, After: after, OK: after <= before+clip.Within}
	if !f.OK {
		f.Message = fmt.Sprintf("%.2f percent clipped became %.2f", before, after)
	}
	return append(found, f), nil
}

// largestDrop follows the columns' mean lightness from the dark end to the
// light one, without the last hundredth, where darktable's reconstruction of
// clipped highlights has nothing to go by.
func largestDrop(p *measure.Picture) (at, drop float64) {
	highest := math.Inf(-1)
	for x := range p.Width - p.Width/100 {
		sum := 0.0
		for y := p.Height / 4; y < 3*p.Height/4; y++ {
			sum += float64(p.L[y*p.Width+x])
		}
		l := sum / float64(3*p.Height/4-p.Height/4)
		highest = max(highest, l)
		if highest-l > drop {
			at, drop = float64(x)/float64(p.Width), highest-l
		}
	}
	return at, drop
}
