package render

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/draw"
	_ "image/jpeg" // a format that Load reads
	_ "image/png"  // a format that Load reads
	"runtime"
	"sync"

	_ "golang.org/x/image/tiff" // a format that Load reads
	_ "golang.org/x/image/webp" // a format that Load reads

	"github.com/chemigram/chemigram/internal/regularfile"
)

// maxLoaded is how many pixels a picture has at most that is read, more than those
// of any camera.
const maxLoaded = 1 << 28

// maxLoadedFile is how many bytes the file of a picture has at most that is read.
const maxLoadedFile = 1 << 31

// Load reads a JPEG, PNG, WebP or TIFF (of integers) of up to 268 megapixels. What
// this package measures is taken for sRGB, whatever profile the picture carries.
func Load(path string) (image.Image, error) {
	data, err := regularfile.Read(path, maxLoadedFile)
	if err != nil {
		return nil, inputError("load", path, err)
	}
	head, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, inputError("load", path, err)
	}
	if head.Width < 1 || head.Height < 1 || head.Width > maxLoaded/head.Height {
		return nil, newError("load", BadInput, path, fmt.Sprintf("a picture of %d by %d pixels; it must have 1 to %d million", head.Width, head.Height, maxLoaded/1000000), nil)
	}
	m, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, inputError("load", path, err)
	}
	return m, nil
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
