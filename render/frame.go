package render

import (
	"image"

	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

// A frame is the developed picture as it would be at full size, in pixels of
// the raw.
type frame struct {
	width, height float64
	whole         bool // it is the raw's own, neither turned nor cropped
}

// reshapingModules change a picture's frame in ways that are not computed here.
var reshapingModules = map[string]bool{
	"clipping": true, "ashift": true, "borders": true, "enlargecanvas": true, "scalepixels": true, "rotatepixels": true,
}

// frameOf is the frame that a sidecar makes of a raw, which is turned by a
// quarter or not. It is not ok when one of reshapingModules is enabled.
func frameOf(sidecar *xmp.Sidecar, width, height int, turned bool) (f frame, ok bool) {
	if turned {
		width, height = height, width
	}
	f = frame{float64(width), float64(height), !turned}
	history := sidecar.History()
	for _, entry := range history[:min(len(history), sidecar.HistoryEnd())] {
		switch {
		case !entry.Enabled:
		case reshapingModules[entry.Operation]:
			return frame{}, false
		case entry.Operation == "crop":
			if ok := f.crop(entry); !ok {
				return frame{}, false
			}
		}
	}
	return f, f.width >= 1 && f.height >= 1
}

// crop applies a crop, whose edges are fractions of the picture.
func (f *frame) crop(entry xmp.Entry) bool {
	params, err := iop.Decode(entry.Operation, entry.Modversion, entry.Params)
	var edge [4]float64
	for i, name := range []string{"cx", "cy", "cw", "ch"} {
		if err != nil {
			return false
		}
		var v iop.Value
		v, err = params.Get(name)
		edge[i], _ = v.Float()
	}
	f.width, f.height, f.whole = f.width*(edge[2]-edge[0]), f.height*(edge[3]-edge[1]), false
	return err == nil
}

// exportScale is how much larger than asked for the content of an export is: where
// a size that was rounded up would show more than the raw has, darktable 4.2
// develops it as if the raw had one pixel less. Measured at 1,500 and 6,000 pixels.
func (f frame) exportScale(size image.Point, k float64) float64 {
	const slack = 1e-6
	switch {
	case !f.whole:
	case float64(size.X)/k > f.width+slack:
		return 1 + 1/f.width
	case float64(size.Y)/k > f.height+slack:
		return 1 + 1/f.height
	}
	return 1
}
