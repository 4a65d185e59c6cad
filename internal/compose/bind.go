package compose

import (
	"context"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/stack"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/xmp"
)

// Bind gives the current version with moves in place of the others that are bound
// to the same layers.
func (s Start) Bind(ctx context.Context, entries ...*vocab.Entry) (*xmp.Sidecar, error) {
	for _, entry := range entries {
		var err error
		if s.Current, err = s.withoutOthers(entry, nil); err != nil {
			return nil, err
		}
		if s.Current, _, err = s.Apply(ctx, entry, vocab.Application{}, nil); err != nil {
			return nil, err
		}
	}
	return s.Current, nil
}

// withoutOthers gives the current version without the other moves of an entry's layer,
// on the whole picture or within a mask.
func (s Start) withoutOthers(entry *vocab.Entry, within *vocab.Within) (*xmp.Sidecar, error) {
	return s.withoutLayer(entry.Layer, entry.Name, within)
}

// WithoutLook gives a version without the starting look that it has within a mask, or
// for "" on the whole picture.
func (s Start) WithoutLook(version *xmp.Sidecar, mask string) (*xmp.Sidecar, error) {
	s.Current = version
	if mask == "" {
		return s.withoutLayer(vocab.L2, "", nil)
	}
	return s.withoutLayer(vocab.L2, "", &vocab.Within{Key: mask})
}

// withoutLayer gives the current version without the moves of a layer but for one, on
// the whole picture or within a mask.
func (s Start) withoutLayer(layer vocab.Layer, keep string, within *vocab.Within) (*xmp.Sidecar, error) {
	none := 0.0
	look := s.Current
	for _, name := range stack.MovesOf(s.Current, string(layer)) {
		if name == keep {
			continue
		}
		other, err := s.Vocabulary.Entry(name)
		if err != nil {
			return nil, fault.New(fault.Synthesizer,
				"%s is bound to %s, but no loaded pack has it any more: reset the edit, or load its pack", name, layer)
		}
		if !other.IsApplied(look, within) {
			continue
		}
		edits, _, err := other.Compile(vocab.Application{
			Strength: &none, Baseline: s.Baseline, Current: look, Target: s.Release, Within: within,
		})
		if err != nil {
			return nil, err
		}
		if look, err = look.With(s.Release, edits...); err != nil {
			return nil, err
		}
	}
	return look, nil
}
