package compose

import (
	"context"
	"slices"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/xmp"
)

// Bind gives the current version with moves in place of the others that are bound
// to the same layers.
func (s Start) Bind(ctx context.Context, entries ...*vocab.Entry) (*xmp.Sidecar, error) {
	for _, entry := range entries {
		for _, name := range boundMoves(s.Current, entry.Layer) {
			bound, err := s.Vocabulary.Entry(name)
			if err != nil {
				return nil, fault.New(fault.Synthesizer, "%s is bound to %s, but no loaded pack has it any more: reset the edit, or load its pack", name, entry.Layer)
			}
			none := 0.0
			if s.Current, _, err = s.Apply(ctx, bound, vocab.Application{Strength: &none}, nil); err != nil {
				return nil, err
			}
		}
		var err error
		if s.Current, _, err = s.Apply(ctx, entry, vocab.Application{}, nil); err != nil {
			return nil, err
		}
	}
	return s.Current, nil
}

// boundMoves lists the moves of a layer that made entries of a look.
func boundMoves(look *xmp.Sidecar, layer vocab.Layer) []string {
	var names []string
	for _, entry := range look.History() {
		for _, origin := range entry.Origins {
			if origin.Layer == string(layer) && !slices.Contains(names, origin.Entry) {
				names = append(names, origin.Entry)
			}
		}
	}
	return names
}
