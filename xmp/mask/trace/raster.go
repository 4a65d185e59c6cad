package trace

import (
	"image"
	"image/color"
)

// raster is how much each pixel is selected, 0 to 1, with a border of zeros.
type raster struct {
	width, height int // without the border
	values        []float32
}

func (r *raster) value(x, y int) float32 { return r.values[(y+1)*(r.width+2)+x+1] }

// newRaster averages a picture down to a size that is traced.
func newRaster(m image.RGBA64Image) *raster {
	box := m.Bounds()
	by := max(1, (max(box.Dx(), box.Dy())+maxSide-1)/maxSide)
	r := &raster{width: (box.Dx() + by - 1) / by, height: (box.Dy() + by - 1) / by}
	r.values = make([]float32, (r.width+2)*(r.height+2))
	counts := make([]float32, len(r.values))
	value := light
	if o, ok := m.(interface{ Opaque() bool }); ok && !o.Opaque() {
		value = alpha
	}
	for y := range box.Dy() {
		for x := range box.Dx() {
			i := (y/by+1)*(r.width+2) + x/by + 1
			r.values[i] += value(m.RGBA64At(box.Min.X+x, box.Min.Y+y))
			counts[i]++
		}
	}
	for i, n := range counts {
		if n > 0 {
			r.values[i] /= n
		}
	}
	return r
}

// light is what color.Gray16Model makes of a colour, without making one.
func light(c color.RGBA64) float32 {
	return float32(19595*uint32(c.R)+38470*uint32(c.G)+7471*uint32(c.B)) / (0x10000 * 0xffff)
}

// alpha is the opacity of a colour.
func alpha(c color.RGBA64) float32 { return float32(c.A) / 0xffff }
