package compose

import (
	"context"
	"errors"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/xmp/mask"
	"github.com/chemigram/chemigram/xmp/mask/trace"
)

// limit places the mask that limits a move: the one given, or else the entry's
// own, the region that it works on before anything else. A move without either has none.
func (s Start) limit(ctx context.Context, entry *vocab.Entry, given *mask.Spec) (*vocab.Within, error) {
	if given == nil && entry.Region != "" {
		return s.ownRegion(ctx, entry)
	}
	spec, key, limited := entry.Where()
	if given != nil {
		var err error
		if spec, err = s.Expand(*given); err != nil {
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

// ownRegion places the region that a move works on. Where it is not found, the move goes
// by its mask, with a warning: a sky that nobody would overlook is blue more often than not.
func (s Start) ownRegion(ctx context.Context, entry *vocab.Entry) (*vocab.Within, error) {
	region := mask.Spec{Name: string(entry.Region)}
	placed, err := s.Place(ctx, region)
	if failure, ok := errors.AsType[*fault.Error](err); ok && failure.Details["nothing_found"] == true {
		s.Sure.warn("the picture shows no %s that could be found, so %s went by colour: look at the picture, and undo it or give it a mask if that is wrong", entry.Region, entry.Name)
		selection, _, _ := entry.Where()
		placed, err = s.Place(ctx, selection)
	}
	if err != nil {
		return nil, err
	}
	return &vocab.Within{Mask: placed, Key: region.Key()}, nil
}

// Expand replaces a mask's name by what the named mask selects. The name of a meaning
// stays: what it selects is found in the picture.
func (s Start) Expand(spec mask.Spec) (mask.Spec, error) {
	spec, err := spec.Region()
	if err != nil {
		return spec, err
	}
	if _, found := spec.Meaning(); found {
		return spec, nil
	}
	return s.Vocabulary.Expand(spec)
}

// Place takes a mask, in which names have been expanded, from the developed
// picture into the raw's frame, reads its file and finds its region.
func (s Start) Place(ctx context.Context, spec mask.Spec) (mask.Mask, error) {
	rings, err := s.rings(ctx, spec)
	if err != nil {
		return mask.Mask{}, err
	}
	spec = withoutRegion(s.soften(spec))
	if len(rings)+len(spec.Shapes) == 0 {
		return spec.Mask(mask.Frame{})
	}
	// A mask that is wrong is refused before darktable runs.
	if _, err := withRings(spec, rings, mask.Size{}).Mask(anyFrame); err != nil {
		return mask.Mask{}, err
	}
	frame, err := s.Frame(ctx, s.Current)
	if err != nil {
		return mask.Mask{}, err
	}
	return withRings(spec, rings, frame.FullSize(s.Raw)).Mask(frame)
}

// Drawn gives a mask, in which names have been expanded, in the developed picture's
// own coordinates: its shapes, those of its file, and those of the region that is
// found, with its ranges. A region's edge, which darktable then leads along the picture's
// edges within a few pixels, is as it was found.
func (s Start) Drawn(ctx context.Context, spec mask.Spec) (func(picture mask.Size) (mask.Mask, error), error) {
	if len(spec.Ranges) > 0 || spec.Feather != 0 || spec.Blur != 0 || spec.Contrast != 0 || spec.Details != 0 {
		if err := s.check(spec); err != nil {
			return nil, err
		}
	}
	rings, err := s.rings(ctx, spec)
	if err != nil {
		return nil, err
	}
	spec = withRings(withoutRegion(spec), rings, mask.Size{})
	if _, err := spec.Mask(anyFrame); err != nil { // what is wrong is said before darktable runs
		return nil, err
	}
	return func(picture mask.Size) (mask.Mask, error) { return spec.Mask(mask.Whole(picture)) }, nil
}

// check refuses what is wrong in a mask, as far as that can be seen without its file,
// its region and the picture.
func (s Start) check(spec mask.Spec) error {
	if spec.Finds() || spec.File != "" {
		return s.checkBeside(withoutRegion(spec))
	}
	return s.compiles(spec)
}

// anyFrame stands for the frame of a picture that is not there yet.
var anyFrame = mask.Whole(mask.Size{Width: 3, Height: 2})

// compiles refuses what is wrong in a mask whose outlines are known.
func (s Start) compiles(spec mask.Spec) error {
	m, err := spec.Mask(anyFrame)
	if err == nil {
		_, err = m.Compile(s.Release.BlendVersion(), mask.ColorSpaceRGBScene)
	}
	return err
}

// rings are the outlines of a mask's region or file.
func (s Start) rings(ctx context.Context, spec mask.Spec) ([]trace.Ring, error) {
	if !spec.Finds() {
		return s.readRings(ctx, spec.File)
	}
	if err := spec.CheckFound(); err != nil {
		return nil, err
	}
	if err := s.checkBeside(withoutRegion(spec)); err != nil {
		return nil, err
	}
	outlines, err := s.readRings(ctx, spec.File)
	if err != nil {
		return nil, err
	}
	var rough [][][2]float64 // nil where the mask has no file
	for _, ring := range outlines {
		rough = append(rough, ring)
	}
	region, err := s.Region(ctx, spec.Request(rough))
	if err != nil {
		return nil, err
	}
	s.Sure.add(region.Confidence)
	rings, err := trace.Values(ctx, region.Values, region.Width, region.Height)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if errors.Is(err, trace.Empty) {
		return nil, fault.New(fault.Masking, "nothing was found: the region is empty, or smaller than a hundredth of the picture's sides").With("nothing_found", true)
	}
	if err != nil {
		return nil, fault.New(fault.Masking, "the region that was found cannot be drawn: %v", err)
	}
	return rings, nil
}

// The softness of a region that was found, as parts of the raw's longer side: how far
// its edge follows the picture's edges, and over how much it fades.
const (
	foundFeather = 0.003
	foundBlur    = 0.001
)

// soften gives a region that is found soft edges, unless the mask says how soft.
func (s Start) soften(spec mask.Spec) mask.Spec {
	if side := max(s.Raw.Width, s.Raw.Height); spec.Finds() && spec.Feather == 0 && spec.Blur == 0 {
		spec.Feather, spec.Blur = min(side*foundFeather, 250), min(side*foundBlur, 100)
	}
	return spec
}

// checkBeside refuses what is wrong in a mask beside its region, before darktable runs.
func (s Start) checkBeside(spec mask.Spec) error {
	everywhere := trace.Ring{{0, 0}, {1, 0}, {1, 1}, {0, 1}}
	return s.compiles(withRings(spec, []trace.Ring{everywhere}, mask.Size{}))
}

// withoutRegion is a mask without what gives its outlines.
func withoutRegion(spec mask.Spec) mask.Spec {
	if spec.Finds() {
		spec.Name, spec.Points, spec.Box, spec.Polygon, spec.Refine = "", nil, nil, nil, false
	}
	spec.File = ""
	return spec
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

// beyond is how far outlines go beyond the picture's sides that they reach, as a
// fraction of the picture.
const beyond = 0.03

// withRings puts outlines before a mask's shapes, for a picture of the given size;
// of size 0 they stay as they are. What an even number of outlines encloses is not
// selected, so that holes stay open.
func withRings(spec mask.Spec, rings []trace.Ring, full mask.Size) mask.Spec {
	if full.Width > 0 {
		rings = trace.Inset(rings, full.Width, full.Height, dilation)
	}
	rings = trace.Beyond(rings, beyond)
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
