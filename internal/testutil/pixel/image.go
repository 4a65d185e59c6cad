package pixel

import (
	"fmt"
	"image"
	"image/color"
	_ "image/jpeg" // a format that Load reads
	_ "image/png"  // a format that Load reads
	"io"
	"os"

	_ "golang.org/x/image/tiff" // a format that Load reads
)

// Image is a picture in linear sRGB (Rec.709 primaries, D65).
type Image struct {
	// Width and Height are in pixels.
	Width, Height int
	// Pix holds red, green, blue of each pixel, line by line from the top left;
	// 1 is the largest value of the file format.
	Pix []float32
}

// Load reads a JPEG, PNG or TIFF of 8 or 16 bits that holds sRGB.
func Load(path string) (*Image, error) { return load(path, srgbToLinear) }

// LoadLinear reads a JPEG, PNG or TIFF of 8 or 16 bits that holds linear light
// with Rec.709 primaries.
func LoadLinear(path string) (*Image, error) { return load(path, linearToLinear) }

// Decode reads what [Load] reads.
func Decode(r io.Reader) (*Image, error) { return decode(r, srgbToLinear) }

// FromImage converts a decoded picture that holds sRGB. Transparency is ignored.
func FromImage(src image.Image) *Image { return convert(src, srgbToLinear) }

// FromLinear converts a picture whose values are linear light already.
func FromLinear(src image.Image) *Image { return convert(src, linearToLinear) }

func load(path string, table func() *[65536]float32) (*Image, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("pixel: %w", err)
	}
	defer func() { _ = f.Close() }()
	m, err := decode(f, table)
	if err != nil {
		return nil, fmt.Errorf("%w (%s)", err, path)
	}
	return m, nil
}

func decode(r io.Reader, table func() *[65536]float32) (*Image, error) {
	src, _, err := image.Decode(r)
	if err != nil {
		return nil, fmt.Errorf("pixel: decode: %w", err)
	}
	return convert(src, table), nil
}

func convert(src image.Image, table func() *[65536]float32) *Image {
	b := src.Bounds()
	m := &Image{Width: b.Dx(), Height: b.Dy(), Pix: make([]float32, 3*b.Dx()*b.Dy())}
	linear := table()
	bands(m.Height, func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			row := m.Pix[3*m.Width*y : 3*m.Width*(y+1)]
			for x := range m.Width {
				r, g, bl := at16(src, b.Min.X+x, b.Min.Y+y)
				row[3*x], row[3*x+1], row[3*x+2] = linear[r], linear[g], linear[bl]
			}
		}
	})
	return m
}

// at16 is a pixel in 16 bits. The types that decoders return have a case of their
// own, which is faster than image.Image's At.
func at16(src image.Image, x, y int) (r, g, b uint16) {
	switch s := src.(type) {
	case *image.YCbCr:
		yi, ci := s.YOffset(x, y), s.COffset(x, y)
		r8, g8, b8 := color.YCbCrToRGB(s.Y[yi], s.Cb[ci], s.Cr[ci])
		return uint16(r8) * 257, uint16(g8) * 257, uint16(b8) * 257
	case *image.RGBA:
		p := s.Pix[s.PixOffset(x, y):]
		return uint16(p[0]) * 257, uint16(p[1]) * 257, uint16(p[2]) * 257
	case *image.NRGBA:
		p := s.Pix[s.PixOffset(x, y):]
		return uint16(p[0]) * 257, uint16(p[1]) * 257, uint16(p[2]) * 257
	case *image.RGBA64:
		c := s.RGBA64At(x, y)
		return c.R, c.G, c.B
	case *image.NRGBA64:
		c := s.NRGBA64At(x, y)
		return c.R, c.G, c.B
	default:
		r32, g32, b32, _ := src.At(x, y).RGBA()
		return uint16(r32), uint16(g32), uint16(b32)
	}
}
