package compose

import (
	"context"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/xmp/mask"
	"github.com/chemigram/chemigram/xmp/mask/trace"
)

// limit places the mask that limits a move: the one given, or else the entry's
// own. A move without either has none.
func (s Start) limit(ctx context.Context, entry *vocab.Entry, given *mask.Spec) (*vocab.Within, error) {
	spec, key, limited := entry.Where()
	if given != nil {
		var err error
		if spec, err = s.Vocabulary.Expand(*given); err != nil {
			return nil, err
		}
		key, limited = given.Key(), true
	}
	if !limited {
		return nil, nil
	}
	placed, err := s.Place(ctx, spec)
	if err != nil {
		return nil, err
	}
	return &vocab.Within{Mask: placed, Key: key}, nil
}

// Place takes a mask, in which names have been expanded, from the developed
// picture into the raw's frame, and reads its file.
func (s Start) Place(ctx context.Context, spec mask.Spec) (mask.Mask, error) {
	rings, err := s.readRings(ctx, spec.File)
	if err != nil {
		return mask.Mask{}, err
	}
	if !spec.NeedsFrame() {
		return spec.Mask(mask.Frame{})
	}
	// A mask that is wrong is refused before darktable runs.
	if _, err := withRings(spec, rings, mask.Size{}).Mask(mask.Whole(mask.Size{Width: 3, Height: 2})); err != nil {
		return mask.Mask{}, err
	}
	frame, err := s.Frame(ctx, s.Current)
	if err != nil {
		return mask.Mask{}, err
	}
	return withRings(spec, rings, frame.FullSize(s.Raw)).Mask(frame)
}

// readRings reads the outlines in a mask's file. A mask without a file has none.
func (s Start) readRings(ctx context.Context, name string) ([]trace.Ring, error) {
	if name == "" {
		return nil, nil
	}
	file, err := s.OpenMask(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	rings, err := trace.Decode(ctx, file)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fault.New(fault.Masking, "%v", err).With("file", file.Name())
	}
	return rings, nil
}

// dilation is by how much darktable draws a path larger than it is, on every
// side, in pixels of what it develops (measured on 4.2.1 and 5.4.1: 0.9 to 1.4,
// by the side's direction).
const dilation = 1.2

// withRings puts outlines before a mask's shapes, for a picture of the given size;
// of size 0 they stay as they are. What an even number of outlines encloses is not
// selected, so that holes stay open.
func withRings(spec mask.Spec, rings []trace.Ring, full mask.Size) mask.Spec {
	if full.Width > 0 {
		rings = trace.Inset(rings, full.Width, full.Height, dilation)
	}
	hard := mask.Share(0)
	shapes := make([]mask.SpecShape, len(rings), len(rings)+len(spec.Shapes))
	for i, ring := range rings {
		shapes[i] = mask.SpecShape{Kind: mask.KindPath, Softness: &hard, Points: make([][]float64, len(ring)), Combine: mask.OpExclusion}
		for j := range ring {
			shapes[i].Points[j] = ring[j][:]
		}
	}
	spec.File, spec.Shapes = "", append(shapes, spec.Shapes...)
	return spec
}
