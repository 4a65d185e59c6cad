package render

import (
	"bytes"
	"errors"
	"image"
	"image/draw"
	_ "image/jpeg" // a format that Load reads
	_ "image/png"  // a format that Load reads
	"os"
	"runtime"
	"sync"

	_ "golang.org/x/image/tiff" // a format that Load reads
	_ "golang.org/x/image/webp" // a format that Load reads
)

// Load reads a JPEG, PNG, WebP or TIFF (of integers). What this package measures
// is taken for sRGB, whatever profile the picture carries.
func Load(path string) (image.Image, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, inputError("load", path, err)
	}
	m, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, inputError("load", path, err)
	}
	return m, nil
}

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

// pixels are the encoded values of a picture, red, green and blue of each
// pixel, in 16 bits.
type pixels struct {
	w, h int
	pix  []uint16
}

// readPixels reads the part of m within r. Transparency is ignored.
func readPixels(m image.Image, r image.Rectangle) (pixels, error) {
	if r.Empty() {
		return pixels{}, newError("measure", BadInput, "", "the picture is empty", errors.New("no pixels"))
	}
	p := pixels{w: r.Dx(), h: r.Dy(), pix: make([]uint16, 3*r.Dx()*r.Dy())}
	switch m.(type) {
	case *image.RGBA64, *image.NRGBA64, *image.Gray16:
		inBands(p.h, func(_, y0, y1 int) {
			for y := y0; y < y1; y++ {
				row := p.row(y)
				for x := range p.w {
					r, g, b, _ := m.At(r.Min.X+x, r.Min.Y+y).RGBA()
					row[3*x], row[3*x+1], row[3*x+2] = uint16(r), uint16(g), uint16(b)
				}
			}
		})
		return p, nil
	}
	inBands(p.h, func(_, y0, y1 int) {
		line := image.NewRGBA(image.Rect(0, 0, p.w, 1))
		for y := y0; y < y1; y++ {
			draw.Draw(line, line.Bounds(), m, image.Pt(r.Min.X, r.Min.Y+y), draw.Src)
			row := p.row(y)
			for x := range p.w {
				for c := range 3 {
					row[3*x+c] = uint16(line.Pix[4*x+c]) * 0x101
				}
			}
		}
	})
	return p, nil
}

func (p pixels) row(y int) []uint16 { return p.pix[3*p.w*y : 3*p.w*(y+1)] }

// inBands calls f at once for bands of lines, one for each CPU, numbered from 0.
func inBands(lines int, f func(band, from, to int)) {
	n := min(runtime.GOMAXPROCS(0), lines)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { f(i, lines*i/n, lines*(i+1)/n) })
	}
	all.Wait()
}
