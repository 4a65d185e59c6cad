package compose

import (
	"context"
	"fmt"

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
				"%s is bound to %s, but no loaded pack has it any more: load its pack, or reset with layers drop", name, layer)
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

// Bound lists the technical templates (L1) and starting looks (L2) of a version.
// nil has none.
func Bound(version *xmp.Sidecar) []string {
	if version == nil {
		return nil
	}
	return append(stack.MovesOf(version, string(vocab.L1)), stack.MovesOf(version, string(vocab.L2))...)
}

// Reset gives the baseline with the technical templates and starting looks of the
// current version as they are. One that shares a module instance with other edits is
// bound anew there, as bind_layers does it: what was its own cannot be told any more.
func (s Start) Reset(ctx context.Context) (look *xmp.Sidecar, err error) {
	look, shared, err := s.Keep(string(vocab.L1), string(vocab.L2))
	if err != nil {
		return nil, err
	}
	s.Current = look
	for _, name := range shared {
		entry, err := s.Vocabulary.Entry(name)
		if err != nil {
			return nil, fault.New(fault.Synthesizer, "%s is bound, but no loaded pack has it any more: load its pack, or reset with layers drop", name)
		}
		if s.Current, _, err = s.Apply(ctx, entry, vocab.Application{}, nil); err != nil {
			return nil, fmt.Errorf("%s cannot be bound to the baseline, reset with layers drop takes it away: %w", name, err)
		}
	}
	return s.Current, nil
}
