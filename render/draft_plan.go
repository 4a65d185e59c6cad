package render

import (
	"errors"
	"fmt"
	"image"
	"math"
)

// thumbnailSizes are what darktable's thumbnails fit into.
var thumbnailSizes = []image.Point{{180, 110}, {360, 225}, {720, 450}, {1440, 900}, {1920, 1200}, {2560, 1600}, {4096, 2560}, {5120, 3200}}

// A draftPlan says how to make a preview from a thumbnail.
type draftPlan struct {
	index int         // of the thumbnail in thumbnailSizes
	size  image.Point // of the preview
	scale float64     // pixels of the preview for one of the thumbnail
}

// minThumbnail is which part of a preview's pixels in a row its thumbnail must
// have. The next larger thumbnail would cost almost twice the time.
const minThumbnail = 0.9

// planDraft finds the thumbnail for a preview of a frame. There is none when it
// would have more than half of the raw's pixels in a row: darktable's half-size
// demosaic does not serve that, and small pictures are quick enough.
func planDraft(f frame, size int, rounding float64) (p draftPlan, ok bool) {
	longest := max(f.width, f.height)
	for i, bounds := range thumbnailSizes {
		scale := min(float64(bounds.X)/f.width, float64(bounds.Y)/f.height)
		if longest*scale < minThumbnail*float64(size) {
			continue
		}
		if scale > 0.5 {
			return draftPlan{}, false
		}
		k := float64(size) / longest
		p = draftPlan{index: i, size: image.Pt(max(1, int(f.width*k+rounding)), max(1, int(f.height*k+rounding)))}
		p.scale = k * f.exportScale(p.size, k) / scale
		return p, true
	}
	return draftPlan{}, false
}

// thumbnailShift is how far the half-size demosaic moves a thumbnail to the left
// and up, in its own pixels: 0.43 to 0.68, depending on how many pixels of the raw
// one of them has (2.2 to 4.4 were measured), and the same on 4.2.1 and 5.4.1.
// Beside that, darktable's pictures of all sizes have their first pixel's centre,
// not its corner, in common.
const thumbnailShift = 0.55

// errNoDraftPlan is the reason when a draft cannot be planned, or its thumbnail has
// another shape than was planned for.
var errNoDraftPlan = errors.New("darktable's thumbnails do not serve for this picture")

// scaleThumbnail makes the preview, an interpolation of the thumbnail, plane by
// plane: what the JPEG has and what a JPEG will be made of.
func (p draftPlan) scaleThumbnail(thumbnail image.Image) (*image.YCbCr, error) {
	from, ok := thumbnail.(*image.YCbCr)
	if !ok || from.Rect.Min != (image.Point{}) {
		return nil, fmt.Errorf("the thumbnail is a %T, not a JPEG of colours", thumbnail)
	}
	size := from.Rect.Size()
	if math.Abs(float64(size.X)*p.scale-float64(p.size.X)) > 2 || math.Abs(float64(size.Y)*p.scale-float64(p.size.Y)) > 2 {
		return nil, fmt.Errorf("%w: %d × %d for a preview of %d × %d", errNoDraftPlan, size.X, size.Y, p.size.X, p.size.Y)
	}
	to := image.NewYCbCr(image.Rectangle{Max: p.size}, from.SubsampleRatio)
	sample := image.Pt(ceilDiv(p.size.X, to.CStride), ceilDiv(p.size.Y, len(to.Cb)/to.CStride))
	p.scalePlane(to.Y, to.YStride, from.Y, from.YStride, size, image.Pt(1, 1))
	p.scalePlane(to.Cb, to.CStride, from.Cb, from.CStride, size, sample)
	p.scalePlane(to.Cr, to.CStride, from.Cr, from.CStride, size, sample)
	return to, nil
}

// ceilDiv is a/b rounded up.
func ceilDiv(a, b int) int { return (a + b - 1) / b }

// scalePlane interpolates a plane of a thumbnail of so many pixels, of which one
// sample of the plane has sample: 1 × 1 for lightness, more for chroma.
func (p draftPlan) scalePlane(to []byte, width int, from []byte, stride int, size, sample image.Point) {
	height, columns := len(to)/width, p.taps(width, ceilDiv(size.X, sample.X), sample.X)
	rows := p.taps(height, ceilDiv(size.Y, sample.Y), sample.Y)
	inBands(height, func(_, y0, y1 int) {
		mixed := make([]int, ceilDiv(size.X, sample.X))
		for y := y0; y < y1; y++ {
			mixRows(mixed, from[rows[y].at*stride:], from[rows[y].next*stride:], rows[y].weight)
			scaleRow(to[y*width:], mixed, columns)
		}
	})
}

// weightSum is the sum of a pixel's weights.
const weightSum = 1 << 8

// mixRows makes a line between two others, in units of 1/weightSum.
func mixRows(out []int, above, below []byte, weight int) {
	above, below = above[:len(out)], below[:len(out)]
	for i := range out {
		out[i] = (weightSum-weight)*int(above[i]) + weight*int(below[i])
	}
}

// scaleRow makes a line of the preview from one of the thumbnail in units of
// 1/weightSum.
func scaleRow(out []byte, line []int, columns []tap) {
	for x, c := range columns {
		out[x] = byte(((weightSum-c.weight)*line[c.at] + c.weight*line[c.next] + weightSum*weightSum/2) / (weightSum * weightSum))
	}
}

// A tap is where a line of the preview lies between two of the thumbnail.
type tap struct{ at, next, weight int }

// taps are those of n lines of the preview, from m of the thumbnail. A line is the
// middle of so many pixels.
func (p draftPlan) taps(n, m, pixels int) []tap {
	all := make([]tap, n)
	middle := float64(pixels-1) / 2
	for i := range all {
		at := (float64(i*pixels)+middle)/p.scale - thumbnailShift
		at = min(max((at-middle)/float64(pixels), 0), float64(m-1))
		all[i] = tap{int(at), min(int(at)+1, m-1), int(math.Round((at - math.Floor(at)) * weightSum))}
	}
	return all
}
