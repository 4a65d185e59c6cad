package measure

import (
	"image"
	"image/draw"
	"math"

	"github.com/chemigram/chemigram/internal/colour"
)

// Picture is an image in CIELAB, ready to be measured.
type Picture struct {
	Width, Height int
	// L is 0..100; A and B are around -128..127. Row by row.
	L, A, B []float32
	// Clipped marks pixels of which a channel is at its top.
	Clipped []bool
	// Crushed marks pixels of which every channel is at its bottom.
	Crushed []bool
	tops    []uint8 // the channels that are at their top: 1 red, 2 green, 4 blue
}

// New reads an sRGB image.
func New(img image.Image) *Picture {
	b := img.Bounds()
	rgba, ok := img.(*image.RGBA64)
	if !ok || b.Min != (image.Point{}) {
		rgba = image.NewRGBA64(image.Rect(0, 0, b.Dx(), b.Dy()))
		draw.Draw(rgba, rgba.Bounds(), img, b.Min, draw.Src)
	}
	n := b.Dx() * b.Dy()
	p := &Picture{
		Width: b.Dx(), Height: b.Dy(),
		L: make([]float32, n), A: make([]float32, n), B: make([]float32, n),
		Clipped: make([]bool, n), Crushed: make([]bool, n), tops: make([]uint8, n),
	}
	srgb := colour.FromSRGB()
	for y := range p.Height {
		row := rgba.Pix[y*rgba.Stride:]
		for x := range p.Width {
			r, g, b := be16(row[x*8:]), be16(row[x*8+2:]), be16(row[x*8+4:])
			i := y*p.Width + x
			lab := srgb.Lab(r, g, b)
			p.L[i], p.A[i], p.B[i] = float32(lab.L), float32(lab.A), float32(lab.B)
			for c, v := range [...]uint16{r, g, b} {
				if v >= 254<<8 {
					p.tops[i] |= 1 << c
				}
			}
			p.Clipped[i] = p.tops[i] != 0
			p.Crushed[i] = max(r, g, b) <= 1<<8
		}
	}
	return p
}

func be16(b []byte) uint16 { return uint16(b[0])<<8 | uint16(b[1]) }

// chroma is the distance of each pixel from grey.
func (p *Picture) chroma() []float32 {
	c := make([]float32, len(p.A))
	for i := range c {
		c[i] = float32(p.lab(i).Chroma())
	}
	return c
}

// Luminance gives a pixel's relative luminance, 0..1, from its lightness.
func Luminance(l float64) float64 {
	if l > 8 {
		return math.Pow((l+16)/116, 3)
	}
	return l * 27 / 24389
}
