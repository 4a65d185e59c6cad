package render

import (
	"errors"
	"fmt"
	"image"
	"image/draw"
	"math"

	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

// mips are the boxes of darktable's thumbnails.
var mips = []image.Point{{180, 110}, {360, 225}, {720, 450}, {1440, 900}, {1920, 1200}, {2560, 1600}, {4096, 2560}, {5120, 3200}}

// A frame is the developed picture as it would be at full size, in pixels of
// the raw.
type frame struct{ width, height float64 }

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
	f = frame{float64(width), float64(height)}
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
	f.width, f.height = f.width*(edge[2]-edge[0]), f.height*(edge[3]-edge[1])
	return err == nil
}

// A draftPlan says how to make a preview from a thumbnail.
type draftPlan struct {
	mip   int
	size  image.Point // of the preview
	scale float64     // pixels of the preview for one of the thumbnail
}

// planDraft finds the thumbnail for a preview of a frame. There is none when it
// would have more than half of the raw's pixels in a row: darktable's half-size
// demosaic does not serve that, and small pictures are quick enough.
func planDraft(f frame, size int, rounding float64) (p draftPlan, ok bool) {
	longest := max(f.width, f.height)
	for i, box := range mips {
		scale := min(float64(box.X)/f.width, float64(box.Y)/f.height)
		if longest*scale < float64(size) {
			continue
		}
		if scale > 0.5 {
			return draftPlan{}, false
		}
		k := float64(size) / longest
		p = draftPlan{mip: i, scale: k / scale}
		p.size = image.Pt(max(1, int(f.width*k+rounding)), max(1, int(f.height*k+rounding)))
		return p, true
	}
	return draftPlan{}, false
}

// thumbnailShift is how far the half-size demosaic moves a thumbnail to the left
// and up, in its own pixels: measured on 4.2.1 and 5.4.1 at 675, 1350 and 2400
// pixels. Beside that, darktable's pictures of all sizes have their first
// pixel's centre, not its corner, in common.
const thumbnailShift = 0.5

// errFrame says that a thumbnail is not the one that was planned for.
var errFrame = errors.New("the thumbnail has another shape than was planned for")

// draw makes the preview, an interpolation of the thumbnail.
func (p draftPlan) draw(thumbnail image.Image) (image.Image, error) {
	b := thumbnail.Bounds()
	if math.Abs(float64(b.Dx())*p.scale-float64(p.size.X)) > 2 || math.Abs(float64(b.Dy())*p.scale-float64(p.size.Y)) > 2 {
		return nil, fmt.Errorf("%w: %d × %d for a preview of %d × %d", errFrame, b.Dx(), b.Dy(), p.size.X, p.size.Y)
	}
	from := image.NewRGBA(image.Rectangle{Max: b.Size()})
	draw.Draw(from, from.Rect, thumbnail, b.Min, draw.Src)
	out := image.NewRGBA(image.Rectangle{Max: p.size})
	columns := p.taps(p.size.X, b.Dx())
	rows := p.taps(p.size.Y, b.Dy())
	bands(p.size.Y, func(_, y0, y1 int) {
		for y := y0; y < y1; y++ {
			row := rows[y]
			above, below := from.Pix[row.at*from.Stride:], from.Pix[row.next*from.Stride:]
			to := out.Pix[y*out.Stride:]
			for x, column := range columns {
				i, j := 4*column.at, 4*column.next
				for c := range 3 {
					upper := (one-column.weight)*int(above[i+c]) + column.weight*int(above[j+c])
					lower := (one-column.weight)*int(below[i+c]) + column.weight*int(below[j+c])
					to[4*x+c] = byte(((one-row.weight)*upper + row.weight*lower + one*one/2) / (one * one))
				}
				to[4*x+3] = 0xff
			}
		}
	})
	return out, nil
}

// one is the sum of a pixel's weights.
const one = 1 << 8

// A tap is where a line of the preview lies between two of the thumbnail.
type tap struct{ at, next, weight int }

// taps are those of n lines of the preview, from m of the thumbnail.
func (p draftPlan) taps(n, m int) []tap {
	all := make([]tap, n)
	for i := range all {
		at := min(max(float64(i)/p.scale-thumbnailShift, 0), float64(m-1))
		all[i] = tap{int(at), min(int(at)+1, m-1), int(math.Round((at - math.Floor(at)) * one))}
	}
	return all
}
