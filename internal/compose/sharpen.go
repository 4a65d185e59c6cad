package compose

import (
	"context"

	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
	"github.com/chemigram/chemigram/xmp/mask"
)

// Output sharpening of strength 1 is darktable's default for its sharpen module;
// the radius is in pixels of the export. More makes the picture lighter and
// darker in places, too (docs/BENCHMARKS.md).
const (
	sharpenRadius = 2
	sharpenAmount = 0.5
)

// Sharpened gives the current version with output sharpening for an export whose
// longest edge is size, or 0 for the full size. darktable has none as such: its way
// is to append a style to the export. So is this one: an instance of the sharpen
// module that is in the exported file only. An export is scaled after all modules,
// therefore the radius is as many times larger as the picture becomes smaller, up
// to the 99 pixels that the module has.
func (s Start) Sharpened(ctx context.Context, size int, strength float64) (*xmp.Sidecar, error) {
	reduction := 1.0
	if size > 0 {
		frame, err := s.Frame(ctx, s.Current)
		if err != nil {
			return nil, err
		}
		full := frame.FullSize(s.Raw)
		if full == (mask.Size{}) {
			full = s.Raw // too small to be read off a preview
		}
		reduction = max(1, max(full.Width, full.Height)/float64(size))
	}
	entry, err := s.Entry("sharpen", "export")
	if err != nil {
		return nil, err
	}
	params, err := iop.Decode(entry.Operation, entry.Modversion, entry.Params)
	if err != nil {
		return nil, err
	}
	for name, value := range map[string]float64{"radius": min(sharpenRadius*reduction, 99), "amount": sharpenAmount * strength} {
		if params, err = params.With(name, iop.Number(value)); err != nil {
			return nil, err
		}
	}
	entry.Params, entry.Enabled = params.Encode(), true
	return s.Current.With(s.Release, xmp.Put{Entry: entry})
}
