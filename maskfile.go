package chemigram

import (
	"os"
	"path/filepath"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/xmp/mask"
	"github.com/chemigram/chemigram/xmp/mask/trace"
)

// maskRings reads the outlines of a mask's file. No file has none.
func (s session) maskRings(name string) ([]trace.Ring, error) {
	if name == "" {
		return nil, nil
	}
	path, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	if err := workspace.Allowed(path, s.roots, "a mask"); err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, fault.New(fault.Masking, "the mask's file cannot be read: %v", err).With("file", path)
	}
	if !info.Mode().IsRegular() {
		return nil, fault.New(fault.Masking, "the mask's file %s is no regular file", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	rings, err := trace.Decode(file)
	if err != nil {
		return nil, fault.New(fault.Masking, "%v", err).With("file", path)
	}
	return rings, nil
}

// dilation is by how much darktable draws a path larger than it is, on every
// side, in pixels of what it develops (measured on 4.2.1 and 5.4.1: 0.9 to 1.4,
// by the side's direction).
const dilation = 1.2

// drawRings puts outlines before a mask's shapes, for a picture of this size;
// 0, 0 leaves them as they are. What an even number of outlines encloses is not
// selected, so holes stay open.
func drawRings(spec Mask, rings []trace.Ring, full mask.Size) Mask {
	if full.Width > 0 {
		rings = trace.Inset(rings, full.Width, full.Height, dilation)
	}
	hard := mask.Share(0)
	shapes := make([]MaskShape, len(rings), len(rings)+len(spec.Shapes))
	for i, ring := range rings {
		shapes[i] = MaskShape{Kind: mask.KindPath, Softness: &hard, Points: make([][]float64, len(ring)), Combine: mask.OpExclusion}
		for j := range ring {
			shapes[i].Points[j] = ring[j][:]
		}
	}
	spec.File, spec.Shapes = "", append(shapes, spec.Shapes...)
	return spec
}
