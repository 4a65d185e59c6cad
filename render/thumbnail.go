package render

import (
	"errors"
	"fmt"
	"image"
	"math"

	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

// mips are the boxes of darktable's thumbnails.
var mips = []image.Point{{180, 110}, {360, 225}, {720, 450}, {1440, 900}, {1920, 1200}, {2560, 1600}, {4096, 2560}, {5120, 3200}}

// A frame is the developed picture as it would be at full size, in pixels of
// the raw.
type frame struct {
	width, height float64
	whole         bool // it is the raw's own, neither turned nor cropped
}

// moved are the modules that change a picture's frame in ways that are not
// followed here.
var moved = map[string]bool{
	"clipping": true, "ashift": true, "borders": true, "enlargecanvas": true, "scalepixels": true, "rotatepixels": true,
}

// frameOf is the frame that a sidecar makes of a raw, which is turned by a
// quarter or not. It is not ok when a module changes the frame in a way that is
// not followed.
func frameOf(sidecar *xmp.Sidecar, width, height int, turned bool) (f frame, ok bool) {
	if turned {
		width, height = height, width
	}
	f = frame{float64(width), float64(height), !turned}
	history := sidecar.History()
	for _, entry := range history[:min(len(history), sidecar.HistoryEnd())] {
		switch {
		case !entry.Enabled:
		case moved[entry.Operation]:
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

// A draftPlan says how to make a preview from a thumbnail.
type draftPlan struct {
	mip   int
	size  image.Point // of the preview
	scale float64     // pixels of the preview for one of the thumbnail
}

// enough is which part of a preview's pixels in a row its thumbnail must have.
// The next larger thumbnail would cost almost twice the time.
const enough = 0.9

// planDraft finds the thumbnail for a preview of a frame. There is none when it
// would have more than half of the raw's pixels in a row: darktable's half-size
// demosaic does not serve that, and small pictures are quick enough.
func planDraft(f frame, size int, rounding float64) (p draftPlan, ok bool) {
	longest := max(f.width, f.height)
	for i, box := range mips {
		scale := min(float64(box.X)/f.width, float64(box.Y)/f.height)
		if longest*scale < enough*float64(size) {
			continue
		}
		if scale > 0.5 {
			return draftPlan{}, false
		}
		k := float64(size) / longest
		p = draftPlan{mip: i, size: image.Pt(max(1, int(f.width*k+rounding)), max(1, int(f.height*k+rounding)))}
		p.scale = k * f.swelling(p.size, k) / scale
		return p, true
	}
	return draftPlan{}, false
}

// swelling is how much larger than asked for an export is: where a size that was
// rounded up would show more than the raw has, darktable 4.2 develops it as if the
// raw had one pixel less. Measured at 1,500 and 6,000 pixels.
func (f frame) swelling(size image.Point, k float64) float64 {
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

// thumbnailShift is how far the half-size demosaic moves a thumbnail to the left
// and up, in its own pixels: 0.43 to 0.68, depending on how many pixels of the raw
// one of them has (2.2 to 4.4 were measured), and the same on 4.2.1 and 5.4.1.
// Beside that, darktable's pictures of all sizes have their first pixel's centre,
// not its corner, in common.
const thumbnailShift = 0.55

// errFrame says that a thumbnail is not the one that was planned for.
var errFrame = errors.New("the thumbnail has another shape than was planned for")

// draw makes the preview, an interpolation of the thumbnail, plane by plane: what
// the JPEG has and what a JPEG will be made of.
func (p draftPlan) draw(thumbnail image.Image) (*image.YCbCr, error) {
	from, ok := thumbnail.(*image.YCbCr)
	if !ok || from.Rect.Min != (image.Point{}) {
		return nil, fmt.Errorf("the thumbnail is a %T, not a JPEG of colours", thumbnail)
	}
	size := from.Rect.Size()
	if math.Abs(float64(size.X)*p.scale-float64(p.size.X)) > 2 || math.Abs(float64(size.Y)*p.scale-float64(p.size.Y)) > 2 {
		return nil, fmt.Errorf("%w: %d × %d for a preview of %d × %d", errFrame, size.X, size.Y, p.size.X, p.size.Y)
	}
	to := image.NewYCbCr(image.Rectangle{Max: p.size}, from.SubsampleRatio)
	thick := image.Pt(each(p.size.X, to.CStride), each(p.size.Y, len(to.Cb)/to.CStride))
	p.plane(to.Y, to.YStride, from.Y, from.YStride, size, image.Pt(1, 1))
	p.plane(to.Cb, to.CStride, from.Cb, from.CStride, size, thick)
	p.plane(to.Cr, to.CStride, from.Cr, from.CStride, size, thick)
	return to, nil
}

// each is how many pixels there are for one of n values, and as well how many
// values there are when one is for n pixels.
func each(pixels, n int) int { return (pixels + n - 1) / n }

// plane interpolates a plane of a thumbnail of some size. Its values are those of
// thick pixels.
func (p draftPlan) plane(to []byte, width int, from []byte, stride int, size, thick image.Point) {
	height, columns := len(to)/width, p.taps(width, each(size.X, thick.X), thick.X)
	rows := p.taps(height, each(size.Y, thick.Y), thick.Y)
	bands(height, func(_, y0, y1 int) {
		mixed := make([]int, each(size.X, thick.X))
		for y := y0; y < y1; y++ {
			mix(mixed, from[rows[y].at*stride:], from[rows[y].next*stride:], rows[y].weight)
			spread(to[y*width:], mixed, columns)
		}
	})
}

// one is the sum of a pixel's weights.
const one = 1 << 8

// mix makes a line between two others, in units of 1/one.
func mix(out []int, above, below []byte, weight int) {
	above, below = above[:len(out)], below[:len(out)]
	for i := range out {
		out[i] = (one-weight)*int(above[i]) + weight*int(below[i])
	}
}

// spread makes a line of the preview from one of the thumbnail in units of 1/one.
func spread(out []byte, line []int, columns []tap) {
	for x, c := range columns {
		out[x] = byte(((one-c.weight)*line[c.at] + c.weight*line[c.next] + one*one/2) / (one * one))
	}
}

// A tap is where a line of the preview lies between two of the thumbnail.
type tap struct{ at, next, weight int }

// taps are those of n lines of the preview, from m of the thumbnail. Lines are so
// many pixels thick, whose middle they lie in.
func (p draftPlan) taps(n, m, thick int) []tap {
	all := make([]tap, n)
	middle := float64(thick-1) / 2
	for i := range all {
		at := (float64(i*thick)+middle)/p.scale - thumbnailShift
		at = min(max((at-middle)/float64(thick), 0), float64(m-1))
		all[i] = tap{int(at), min(int(at)+1, m-1), int(math.Round((at - math.Floor(at)) * one))}
	}
	return all
}
