package render

import (
	"image"
	"image/draw"

	xdraw "golang.org/x/image/draw"
)

// Region is a part of a picture, in fractions of its width and height from the
// top left corner. The zero value is the whole picture.
type Region struct{ X, Y, Width, Height float64 }

// rect is the region in pixels: every pixel that it touches, one at least.
func (r Region) rect(b image.Rectangle) (image.Rectangle, error) {
	if r == (Region{}) {
		return b, nil
	}
	const slack = 1e-9
	if !(r.X >= 0 && r.Y >= 0 && r.Width > 0 && r.Height > 0 && r.X+r.Width <= 1+slack && r.Y+r.Height <= 1+slack) {
		return image.Rectangle{}, newError("region", BadInput, "", "a region must lie in the picture: x, y, width and height are fractions from 0 to 1, with width and height above 0", nil)
	}
	span := func(from, length float64, n int) (int, int) {
		lo := min(int(from*float64(n)+slack), n-1)
		hi := int((from+length)*float64(n) + 1 - slack)
		return lo, min(max(hi, lo+1), n)
	}
	x0, x1 := span(r.X, r.Width, b.Dx())
	y0, y1 := span(r.Y, r.Height, b.Dy())
	return image.Rect(x0, y0, x1, y1).Add(b.Min), nil
}

// Crop copies a region of a picture.
func Crop(m image.Image, r Region) (image.Image, error) {
	rect, err := r.rect(m.Bounds())
	if err != nil {
		return nil, err
	}
	out := image.NewRGBA(image.Rect(0, 0, rect.Dx(), rect.Dy()))
	draw.Draw(out, out.Bounds(), m, rect.Min, draw.Src)
	return out, nil
}

// fit scales a picture down until its longest edge is at most size, 0 for no
// bound.
func fit(m image.Image, size int) image.Image {
	b := m.Bounds()
	longest := max(b.Dx(), b.Dy())
	if size == 0 || longest <= size {
		return m
	}
	scaled := func(n int) int { return max(1, (n*size+longest/2)/longest) }
	out := image.NewRGBA(image.Rect(0, 0, scaled(b.Dx()), scaled(b.Dy())))
	xdraw.CatmullRom.Scale(out, out.Bounds(), m, b, draw.Src, nil)
	return out
}
