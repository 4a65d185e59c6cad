package chemigram

import (
	"context"

	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/mask"
)

// Mask limits a move to a part of the picture: a named mask, shapes, ranges of
// light or colour, or several of these. docs/masks.md tells more.
type Mask = mask.Spec

// MaskShape is a shape of a [Mask].
type MaskShape = mask.SpecShape

// MaskRange is a range of light or colour of a [Mask].
type MaskRange = mask.SpecRange

// applyWithin is apply, limited to a mask. nil is the entry's own, if it has
// one, else the whole picture.
func (s session) applyWithin(
	ctx context.Context, entry *vocab.Entry, a vocab.Application, where *Mask,
) (*xmp.Sidecar, map[string]float64, error) {
	if ok, reason := entry.Available(s.release); !ok {
		return nil, nil, unavailable(entry, reason)
	}
	var err error
	if a.Within, err = s.within(ctx, entry, where); err != nil {
		return nil, nil, err
	}
	a.Baseline, a.Current, a.Target = s.baseline.Sidecar, s.head.Sidecar, s.release
	edits, values, err := entry.Compile(a)
	if err != nil {
		return nil, nil, err
	}
	next, err := s.head.Sidecar.With(s.release, edits...)
	return next, values, err
}

// within places a mask in the session's picture.
func (s session) within(ctx context.Context, entry *vocab.Entry, where *Mask) (*vocab.Within, error) {
	spec, key, limited := entry.Where()
	if where != nil {
		var err error
		if spec, err = s.vocabulary.Expand(*where); err != nil {
			return nil, err
		}
		key, limited = where.Key(), true
	}
	if !limited {
		return nil, nil
	}
	m, err := s.place(ctx, spec)
	if err != nil {
		return nil, err
	}
	return &vocab.Within{Mask: m, Key: key}, nil
}

// place takes a mask without a name into darktable's frame.
func (s session) place(ctx context.Context, spec Mask) (mask.Mask, error) {
	rings, err := s.maskRings(spec.File)
	if err != nil {
		return mask.Mask{}, err
	}
	if !spec.NeedsFrame() {
		return spec.Mask(mask.Frame{})
	}
	// What is wrong with it is told before darktable is asked.
	if _, err := drawRings(spec, rings, mask.Size{}).Mask(mask.Whole(mask.Size{Width: 3, Height: 2})); err != nil {
		return mask.Mask{}, err
	}
	f, err := s.frame(ctx, s.head.Sidecar)
	if err != nil {
		return mask.Mask{}, err
	}
	return drawRings(spec, rings, f.FullSize(s.raw)).Mask(f)
}
