package segment

import (
	"image"

	"golang.org/x/image/draw"
)

// Gray is the mask as a picture of the given size, white within.
func (f Found) Gray(size image.Point) *image.Gray {
	m := image.NewGray(image.Rect(0, 0, f.Width, f.Height))
	for i, v := range f.Mask {
		m.Pix[i] = uint8(v*255 + 0.5)
	}
	if m.Bounds().Size() == size {
		return m
	}
	out := image.NewGray(image.Rectangle{Max: size})
	draw.BiLinear.Scale(out, out.Bounds(), m, m.Bounds(), draw.Src, nil)
	return out
}
