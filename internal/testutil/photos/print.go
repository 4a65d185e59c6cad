package photos

import (
	"image"

	"github.com/chemigram/chemigram/internal/colour"
	"github.com/chemigram/chemigram/internal/testutil/dng"
)

// Print is a photograph in sRGB as a scene: as if its print had been photographed.
type Print struct{ Picture image.Image }

// Name is photograph.
func (Print) Name() string { return "photograph" }

// Image is the photograph at a size, of each pixel the nearest.
func (p Print) Image(width, height int) dng.Image {
	box := p.Picture.Bounds()
	return dng.Image{Width: width, Height: height, Row: func(y int, out []float32) {
		for x := range width {
			light := p.Light(box.Min.X+x*box.Dx()/width, box.Min.Y+y*box.Dy()/height)
			for c, v := range light {
				out[3*x+c] = float32(v)
			}
		}
	}}
}

// Light is what a pixel reflects, in linear Rec.2020 as ITU-R BT.2087 has it.
func (p Print) Light(x, y int) [3]float64 {
	srgb := colour.FromSRGB()
	r, g, b, _ := p.Picture.At(x, y).RGBA()
	return SRGBToRec2020.Apply([3]float64{srgb.Linear(uint16(r)), srgb.Linear(uint16(g)), srgb.Linear(uint16(b))})
}

// SRGBToRec2020 converts linear sRGB to linear Rec.2020, by ITU-R BT.2087.
var SRGBToRec2020 = colour.Matrix{{0.6274, 0.3293, 0.0433}, {0.0691, 0.9195, 0.0114}, {0.0164, 0.0880, 0.8956}}
