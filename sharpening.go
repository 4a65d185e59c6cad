package chemigram

import (
	"context"

	"github.com/chemigram/chemigram/internal/workspace"
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

// sharpened is a look with output sharpening for an export of some size, 0 for
// the full one. darktable has none as such: its way is to append a style to the
// export. So is this one: an instance of the sharpen module, in the exported file
// only. An export is scaled after all modules, therefore the radius is as many
// times larger as the picture becomes smaller, up to the 99 pixels that the module
// has.
func (e *Engine) sharpened(ctx context.Context, img *workspace.Image, look *xmp.Sidecar, size Size, strength Strength) (*xmp.Sidecar, error) {
	if strength == 0 {
		return look, nil
	}
	now, err := e.begin(ctx, img, "")
	if err != nil {
		return nil, err
	}
	reduction := 1.0
	if size > 0 {
		frame, err := now.frame(ctx, look)
		if err != nil {
			return nil, err
		}
		full := frame.FullSize(now.raw)
		if full == (mask.Size{}) {
			full = now.raw // too small to have been told from a preview
		}
		reduction = max(1, max(full.Width, full.Height)/float64(size))
	}
	entry, err := moduleEntry(session{release: now.release, head: workspace.Version{Sidecar: look}}, "sharpen", "export")
	if err != nil {
		return nil, err
	}
	params, err := iop.Decode(entry.Operation, entry.Modversion, entry.Params)
	if err != nil {
		return nil, err
	}
	for name, value := range map[string]float64{"radius": min(sharpenRadius*reduction, 99), "amount": sharpenAmount * float64(strength)} {
		if params, err = params.With(name, iop.Number(value)); err != nil {
			return nil, err
		}
	}
	entry.Params, entry.Enabled = params.Encode(), true
	return look.With(now.release, xmp.Put{Entry: entry})
}
