package prove

import (
	"bytes"
	"context"
	"slices"

	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/xmp"
)

// checkNeutral checks that nothing is left of a move at neutral and at strength
// 0, on the baseline and over the move itself.
func (v *verifier) checkNeutral(ctx context.Context, e *vocab.Entry) ([]Finding, error) {
	base, err := v.start(ctx, vocab.Natural, e)
	if err != nil {
		return nil, err
	}
	applied, err := v.apply(ctx, vocab.Natural, e, nil, sampleValues(e), 1)
	if err != nil {
		return nil, err
	}
	f := Finding{Check: "neutral", OK: true}
	for _, on := range []*xmp.Sidecar{base, applied} {
		states := []*xmp.Sidecar{}
		zero, err := v.apply(ctx, vocab.Natural, e, on, sampleValues(e), 0)
		if err != nil {
			return nil, err
		}
		states = append(states, zero)
		if len(e.Amounts()) > 0 {
			neutral, err := v.apply(ctx, vocab.Natural, e, on, neutralValues(e), 1)
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

// checkIdempotence checks that applying again changes nothing, and that only the
// modules change that the entry names.
func (v *verifier) checkIdempotence(ctx context.Context, e *vocab.Entry) ([]Finding, error) {
	once, err := v.apply(ctx, vocab.Natural, e, nil, sampleValues(e), 1)
	if err != nil {
		return nil, err
	}
	twice, err := v.apply(ctx, vocab.Natural, e, once, sampleValues(e), 1)
	if err != nil {
		return nil, err
	}
	base, err := v.start(ctx, vocab.Natural, e)
	if err != nil {
		return nil, err
	}
	f := Finding{Check: "set", OK: once.Hash() == twice.Hash()}
	if !f.OK {
		f.Message = "applying twice gives another state"
	}
	if module := changedModule(base, once, e.Touches()); module != "" {
		f.OK, f.Message = false, "the module "+module+" changed, which the entry does not name"
	}
	return []Finding{f}, nil
}

// changedModule gives a module that differs and is not among the named; empty
// when there is none.
func changedModule(a, b *xmp.Sidecar, named []string) string {
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
