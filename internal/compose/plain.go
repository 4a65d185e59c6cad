package compose

import (
	"context"

	"github.com/chemigram/chemigram/internal/stack"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/xmp"
)

// Plain gives the current version without what changes tone and colour of the whole
// picture: framing, lens corrections, spots, what a mask limits and technical templates
// stay.
func (s Start) Plain(ctx context.Context) (*xmp.Sidecar, error) {
	plain, _, err := stack.Carry(stack.Stack{Release: s.Release, Current: s.Baseline, Baseline: s.Baseline}, s.Stack, false)
	if err != nil {
		return nil, err
	}
	var technical []*vocab.Entry
	for _, name := range stack.MovesOf(s.Current, string(vocab.L1)) {
		// What no loaded pack has any more cannot be bound anew.
		if entry, err := s.Vocabulary.Entry(name); err == nil {
			technical = append(technical, entry)
		}
	}
	s.Current = plain
	return s.Bind(ctx, technical...)
}
