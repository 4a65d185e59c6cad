package chemigram

import (
	"os"
	"path/filepath"

	"github.com/chemigram/chemigram/xmp/mask"
	"github.com/chemigram/chemigram/xmp/mask/trace"
)

// readMaskFile puts the outlines of a mask's file before its shapes. What an
// even number of outlines encloses is not selected, so holes stay open.
func (s session) readMaskFile(spec Mask) (Mask, error) {
	if spec.File == "" {
		return spec, nil
	}
	path, err := filepath.Abs(spec.File)
	if err != nil {
		return spec, err
	}
	if err := within(path, s.roots, "a mask"); err != nil {
		return spec, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return spec, fail(ErrMasking, "the mask's file cannot be read: %v", err).with("file", path)
	}
	if !info.Mode().IsRegular() {
		return spec, fail(ErrMasking, "the mask's file %s is no regular file", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return spec, err
	}
	defer func() { _ = file.Close() }()
	rings, err := trace.Decode(file)
	if err != nil {
		return spec, fail(ErrMasking, "%v", err).with("file", path)
	}
	hard := mask.Share(0.001)
	shapes := make([]MaskShape, len(rings), len(rings)+len(spec.Shapes))
	for i, ring := range rings {
		shapes[i] = MaskShape{Kind: mask.KindPath, Softness: &hard, Points: make([][]float64, len(ring)), Combine: mask.OpExclusion}
		for j := range ring {
			shapes[i].Points[j] = ring[j][:]
		}
	}
	spec.File, spec.Shapes = "", append(shapes, spec.Shapes...)
	return spec, nil
}
