package prove

import (
	"context"
	"iter"
	"slices"

	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/xmp"
)

// checkOrder checks that this move and each other one give the same state in
// either order, unless they set the same field, where the later one counts.
func (v *verifier) checkOrder(ctx context.Context, e *vocab.Entry) ([]Finding, error) {
	f := Finding{Check: "others", OK: true}
	for _, other := range v.Others {
		if ok, _ := other.Available(v.Target); !ok || other.Name == e.Name || conflict(e, other) {
			continue
		}
		if slices.Contains(v.Entries, other) && other.Name < e.Name {
			continue // checked with the other one
		}
		first := e
		if e.Prerequisite() == nil {
			first = other // with its prerequisite, when it has one
		}
		start, err := v.start(ctx, vocab.Natural, first)
		if err != nil {
			return nil, err
		}
		var hashes [2][32]byte
		for i, order := range [2][2]*vocab.Entry{{e, other}, {other, e}} {
			s, err := v.sampleState(ctx, order[0], start)
			if err == nil {
				s, err = v.apply(ctx, vocab.Natural, order[1], s, sampleValues(order[1]), 1)
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

// sampleState applies an entry to a state of the natural scene. The state that it
// gives on the baseline is needed with every other entry, and kept.
func (v *verifier) sampleState(ctx context.Context, e *vocab.Entry, on *xmp.Sidecar) (*xmp.Sidecar, error) {
	apply := func() (*xmp.Sidecar, error) { return v.apply(ctx, vocab.Natural, e, on, sampleValues(e), 1) }
	base, err := v.baseline(ctx, vocab.Natural)
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

// conflict reports whether two moves set a field of the same instance, or one of
// them switches a module that the other one needs.
func conflict(e, other *vocab.Entry) bool {
	p, q := e.Prerequisite(), other.Prerequisite()
	if switchesModule(e, other) || switchesModule(other, e) || p != nil && q != nil && p != q {
		return true
	}
	if e.Style != "" || other.Style != "" {
		return slices.ContainsFunc(e.Touches(), func(m string) bool { return slices.Contains(other.Touches(), m) })
	}
	set := map[string]bool{}
	for _, o := range e.Ops {
		for _, field := range o.Fields() {
			set[o.String()+"."+field] = true
		}
	}
	for _, o := range other.Ops {
		for _, field := range o.Fields() {
			if set[o.String()+"."+field] {
				return true
			}
		}
	}
	return false
}

// switchesModule reports whether a move switches a module that another one
// changes.
func switchesModule(e, other *vocab.Entry) bool {
	return slices.ContainsFunc(e.Ops, func(o vocab.Op) bool {
		return o.Enabled != nil && slices.Contains(other.Touches(), o.Module)
	})
}

// fields iterates over the fields that an op changes, in no order.
func fields(o vocab.Op) iter.Seq2[string, vocab.Expr] {
	return func(yield func(string, vocab.Expr) bool) {
		for _, changed := range []map[string]vocab.Expr{o.Set, o.Add, o.Multiply} {
			for name, x := range changed {
				if !yield(name, x) {
					return
				}
			}
		}
	}
}
