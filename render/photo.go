package render

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"slices"

	"github.com/chemigram/chemigram/internal/regularfile"
	"github.com/chemigram/chemigram/render/internal/imagefile"
)

const (
	// maxPhoto is how many pixels a photograph has at most that is read.
	maxPhoto = 100_000_000
	// maxPhotoFile is how many bytes its file has at most.
	maxPhotoFile = 1 << 30
	// maxSampled is about how many of its pixels are looked at.
	maxSampled = 8_000_000
)

// LoadPhoto reads a JPEG, PNG or TIFF of up to 100 megapixels as it is meant to be seen:
// in sRGB by the profile that it carries, with its EXIF orientation, and no side longer
// than size. It fails with an *Error of kind BadInput; profiles that convert by tables
// are refused.
func LoadPhoto(ctx context.Context, path string, f io.ReaderAt, length int64, size int) (image.Image, error) {
	return loadPhoto(ctx, path, io.NewSectionReader(f, 0, length), 0, size)
}

// LoadCameraPhoto reads the largest JPEG that the camera has put into a raw, as
// [LoadPhoto] does. A JPEG that does not say how it is turned is turned as the raw is.
func LoadCameraPhoto(ctx context.Context, path string, size int) (image.Image, error) {
	f, info, err := regularfile.Open(path)
	if err != nil {
		return nil, inputError("load", path, err)
	}
	defer func() { _ = f.Close() }()
	p, err := imagefile.FindPreview(regularfile.ReaderAt(ctx, f), info.Size())
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, newError("load", BadInput, path, err.Error(), err)
	}
	return loadPhoto(ctx, path, io.NewSectionReader(f, p.At, p.Length), p.Orientation, size)
}

// photoFormats are the formats of photographs, as package image names them.
var photoFormats = []string{"jpeg", "png", "tiff"}

func loadPhoto(ctx context.Context, path string, file *io.SectionReader, orientation, size int) (image.Image, error) {
	refuse := func(says string, err error) (image.Image, error) {
		return nil, newError("load", BadInput, path, says, err)
	}
	if file.Size() > maxPhotoFile {
		return refuse(fmt.Sprintf("a file of %d bytes; a photograph has %d at most", file.Size(), maxPhotoFile), nil)
	}
	data, err := io.ReadAll(regularfile.Reader(ctx, file))
	if err != nil {
		return nil, inputError("load", path, err)
	}
	head, format, err := image.DecodeConfig(bytes.NewReader(data))
	switch {
	case err != nil || !slices.Contains(photoFormats, format):
		return refuse("it is no picture that can be read: a JPEG, PNG or TIFF of whole numbers is needed", err)
	case head.Width < 1 || head.Height < 1 || head.Width > maxPhoto/head.Height:
		return refuse(fmt.Sprintf("a picture of %d by %d pixels; it must have 1 to %d million", head.Width, head.Height, maxPhoto/1_000_000), nil)
	case head.ColorModel == color.CMYKModel:
		return refuse("a picture in the four colours of print; export it as sRGB", nil)
	}
	said, err := imagefile.Describe(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return refuse("what it says of its colours cannot be read", err)
	}
	decode := SRGB.decoder()
	if said.AdobeRGB {
		decode = adobeRGB.decoder()
	}
	if said.Profile != nil {
		if decode, err = readICC(said.Profile); err != nil {
			return refuse(err.Error(), err)
		}
	}
	m, _, err := image.Decode(bytes.NewReader(data))
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return refuse("it is damaged", err)
	}
	if said.Orientation != 0 {
		orientation = said.Orientation
	}
	return upright(decode.reduce(m, size), orientation), nil
}

// reduce gives a picture in sRGB, with no side longer than size: light is averaged, of
// large pictures that of some of the pixels.
func (d decoder) reduce(m image.Image, size int) *image.RGBA64 {
	box := m.Bounds()
	scale := min(1, float64(size)/float64(max(box.Dx(), box.Dy())))
	w, h := max(1, int(math.Round(scale*float64(box.Dx())))), max(1, int(math.Round(scale*float64(box.Dy()))))
	every := max(1, int(math.Sqrt(float64(box.Dx())*float64(box.Dy())/maxSampled)))
	light := d.tables()
	out := image.NewRGBA64(image.Rect(0, 0, w, h))
	inBands(h, func(_, from, to int) {
		for y := from; y < to; y++ {
			for x := range w {
				cell := image.Rect(x*box.Dx()/w, y*box.Dy()/h, (x+1)*box.Dx()/w, (y+1)*box.Dy()/h).Add(box.Min)
				out.SetRGBA64(x, y, d.encode(light.mean(m, cell, every)))
			}
		}
	})
	return out
}

// lightTables give the light of encoded values.
type lightTables [3][]float32

func (d decoder) tables() (t lightTables) {
	for c := range t {
		t[c] = make([]float32, 1<<16)
		for v := range t[c] {
			if light := d.curves[c](float64(v) / 65535); light > 0 { // no number is none
				t[c][v] = float32(min(light, 1))
			}
		}
	}
	return t
}

// mean is the light of a part of a picture, of which every so many pixels count.
func (t lightTables) mean(m image.Image, cell image.Rectangle, every int) (mean [3]float64) {
	n := 0.0
	for y := cell.Min.Y; y < max(cell.Max.Y, cell.Min.Y+1); y += every {
		for x := cell.Min.X; x < max(cell.Max.X, cell.Min.X+1); x += every {
			r, g, b, _ := m.At(x, y).RGBA()
			mean[0] += float64(t[0][r])
			mean[1] += float64(t[1][g])
			mean[2] += float64(t[2][b])
			n++
		}
	}
	for c := range mean {
		mean[c] /= n
	}
	return mean
}

// encode gives light as sRGB. What lies outside of it is clipped.
func (d decoder) encode(light [3]float64) color.RGBA64 {
	linear := d.toLinear.Apply(light)
	var v [3]uint16
	for c, l := range linear {
		v[c] = uint16(math.Round(65535 * SRGB.Curve.Encoded(min(max(l, 0), 1))))
	}
	return color.RGBA64{R: v[0], G: v[1], B: v[2], A: 65535}
}

// upright turns a picture as its EXIF orientation says.
func upright(m *image.RGBA64, orientation int) *image.RGBA64 {
	if orientation < 2 || orientation > 8 {
		return m
	}
	w, h := m.Bounds().Dx(), m.Bounds().Dy()
	out := image.NewRGBA64(image.Rect(0, 0, w, h))
	if orientation >= 5 { // its rows become columns
		out = image.NewRGBA64(image.Rect(0, 0, h, w))
	}
	for y := range h {
		for x := range w {
			u, v := x, y
			switch orientation {
			case 2:
				u = w - 1 - x
			case 3:
				u, v = w-1-x, h-1-y
			case 4:
				v = h - 1 - y
			case 5:
				u, v = y, x
			case 6:
				u, v = h-1-y, x
			case 7:
				u, v = h-1-y, w-1-x
			case 8:
				u, v = y, w-1-x
			}
			out.SetRGBA64(u, v, m.RGBA64At(x, y))
		}
	}
	return out
}
