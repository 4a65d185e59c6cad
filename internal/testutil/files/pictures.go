package files

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"math"

	"golang.org/x/image/tiff"

	"github.com/chemigram/chemigram/internal/testutil/dng"
)

// shades are a picture that is no raw.
func shades[M interface {
	image.Image
	Set(x, y int, c color.Color)
}](m M,
) M {
	for y := range height {
		for x := range width {
			m.Set(x, y, color.NRGBA64{uint16(x * 600), uint16(y * 900), 0x8000, 0xffff})
		}
	}
	return m
}

var frame = image.Rect(0, 0, width, height)

func asJPEG(w io.Writer, m image.Image) error { return jpeg.Encode(w, m, nil) }

func asTIFF(w io.Writer, m image.Image) error { return tiff.Encode(w, m, nil) }

func plainJPEG() []byte {
	var b bytes.Buffer
	_ = asJPEG(&b, shades(image.NewNRGBA(frame))) // a buffer takes all
	return b.Bytes()
}

// picture is a file that is no raw.
func picture(kind, what, name string, write func(io.Writer) error) File {
	return File{Kind: kind, What: what, Name: name, Width: width, Height: height, write: write}
}

// encoded is a picture as an encoder writes it.
func encoded(kind, what, name string, m image.Image, f func(io.Writer, image.Image) error) File {
	return picture(kind, what, name, func(w io.Writer) error { return f(w, m) })
}

// pictures are files that are no raws.
func pictures() []File {
	rgb, deep, grey := shades(image.NewNRGBA(frame)), shades(image.NewNRGBA64(frame)), shades(image.NewGray(frame))
	seen := shades(image.NewNRGBA(frame))
	for i := 3; i < len(seen.Pix); i += 4 {
		seen.Pix[i] = byte(i)
	}
	few := shades(image.NewPaletted(frame, color.Palette{color.Black, color.White, color.NRGBA{200, 100, 50, 255}}))
	deflated := func(w io.Writer, m image.Image) error {
		return tiff.Encode(w, m, &tiff.Options{Compression: tiff.Deflate, Predictor: true})
	}
	all := []File{
		encoded("JPEG", "without EXIF", "plain.jpg", rgb, asJPEG),
		encoded("JPEG", "grey", "grey.jpeg", grey, asJPEG),
		encoded("PNG", "8 bits", "plain.png", rgb, png.Encode),
		encoded("PNG", "16 bits", "deep.png", deep, png.Encode),
		encoded("PNG", "grey", "grey.png", grey, png.Encode),
		encoded("PNG", "grey of 16 bits", "deepgrey.png", shades(image.NewGray16(frame)), png.Encode),
		encoded("PNG", "see-through", "alpha.png", seen, png.Encode),
		encoded("PNG", "with a palette", "palette.png", few, png.Encode),
		encoded("TIFF", "8 bits", "plain.tif", rgb, asTIFF),
		encoded("TIFF", "16 bits, deflated", "deep.tiff", deep, deflated),
		encoded("TIFF", "grey", "grey.tif", grey, asTIFF),
		encoded("TIFF", "grey of 16 bits", "deepgrey.tif", shades(image.NewGray16(frame)), asTIFF),
		picture("TIFF", "floating point of 32 bits", "float.tif", floatTIFF(1)),
		picture("PFM", "colour", "plain.pfm", asPFM),
		picture("PPM", "8 bits", "plain.ppm", asPPM),
	}
	all = append(all, simple()...)
	for _, orientation := range []uint32{3, 6, 8} {
		f := picture("TIFF, orientation", fmt.Sprint(orientation), fmt.Sprintf("turned%d.tif", orientation), floatTIFF(orientation))
		f.Turned = orientation >= 5
		g := encoded("PNG, orientation", fmt.Sprint(orientation), fmt.Sprintf("turned%d.png", orientation), rgb, turnedPNG(int(orientation)))
		g.Turned = f.Turned
		all = append(all, f, g)
	}
	for orientation := 2; orientation <= 8; orientation++ {
		number := fmt.Sprint(orientation)
		f := jpegWith("JPEG, orientation", number, "turned"+number+".jpg", dng.Options{Orientation: orientation})
		f.Turned = orientation >= 5
		all = append(all, f)
	}
	all = append(all,
		jpegWith("JPEG, EXIF", "of a phone", "phone.jpg", dng.Options{
			Make: "Apple", Model: "iPhone 13", LensModel: "iPhone 13 back dual wide camera 5.1mm f/1.6", FNumber: 1.6, FocalLength: 5.1,
			Tags: append([]dng.Tag{{Directory: dng.EXIF, ID: 0x927c, Kind: 7, Count: 20, Data: []byte("Apple iOS\x00\x00\x01MM\x00\x00\x00\x00\x00\x00")}}, position...),
		}),
		jpegWith("JPEG, EXIF", "of a scanner", "scanner.jpg", dng.Options{Make: "EPSON", Model: "Perfection V600", LensModel: " ", Tags: []dng.Tag{text(dng.EXIF, 0x9003, "0000:00:00 00:00:00")}}),
		jpegWith("JPEG, EXIF", "big-endian", "bigendian.jpg", dng.Options{Layout: dng.Layout{BigEndian: true}}),
		jpegWith("JPEG, EXIF", "of year 1", "year1.jpg", dng.Options{Tags: []dng.Tag{text(dng.EXIF, 0x9003, "0001:01:01 00:00:00")}}),
	)
	for _, odd := range oddTags {
		all = append(all, jpegWith("JPEG, EXIF", odd.what, fileName("exif "+odd.what)+".jpg", dng.Options{Tags: odd.tags}))
	}
	broken := picture("JPEG, EXIF", "of no sense", "nonsense.jpg", func(w io.Writer) error {
		_, err := w.Write(withEXIF(plainJPEG(), bytes.Repeat([]byte("not EXIF"), 40)))
		return err
	})
	return append(all, broken)
}

// jpegWith is a JPEG with the metadata of options.
func jpegWith(kind, what, name string, o dng.Options) File {
	return picture(kind, what, name, func(w io.Writer) error {
		metadata, err := dng.Metadata(o)
		if err != nil {
			return err
		}
		data := plainJPEG()
		if len(metadata) < 1<<16-8 {
			data = withEXIF(data, metadata)
		}
		_, err = w.Write(data)
		return err
	})
}

// turnedPNG writes a PNG with an orientation in its chunk of EXIF.
func turnedPNG(orientation int) func(io.Writer, image.Image) error {
	return func(w io.Writer, m image.Image) error {
		metadata, err := dng.Metadata(dng.Options{Orientation: orientation})
		if err != nil {
			return err
		}
		var b bytes.Buffer
		if err := png.Encode(&b, m); err != nil {
			return err
		}
		const header = 8 + 12 + 13 // signature and IHDR
		chunk := append([]byte("eXIf"), metadata...)
		out := append([]byte{}, b.Bytes()[:header]...)
		out = binary.BigEndian.AppendUint32(out, uint32(len(metadata)))
		out = binary.BigEndian.AppendUint32(append(out, chunk...), crc32.ChecksumIEEE(chunk))
		_, err = w.Write(append(out, b.Bytes()[header:]...))
		return err
	}
}

// withEXIF gives a JPEG its metadata.
func withEXIF(data, metadata []byte) []byte {
	out := append([]byte{}, data[:2]...)
	out = append(out, 0xff, 0xe1)
	out = binary.BigEndian.AppendUint16(out, uint16(len(metadata)+8))
	out = append(append(out, "Exif\x00\x00"...), metadata...)
	return append(out, data[2:]...)
}

// light is what a picture in floating point has at a place.
func light(x, y int) [3]float32 {
	return [3]float32{float32(x) / width, float32(y) / height, 1.5} // more than white
}

// asPFM writes a portable float map, the last line first.
func asPFM(w io.Writer) error {
	out := fmt.Appendf(nil, "PF\n%d %d\n-1.0\n", width, height)
	for y := height - 1; y >= 0; y-- {
		for x := range width {
			for _, v := range light(x, y) {
				out = binary.LittleEndian.AppendUint32(out, math.Float32bits(v))
			}
		}
	}
	_, err := w.Write(out)
	return err
}

func asPPM(w io.Writer) error {
	out := fmt.Appendf(nil, "P6\n%d %d\n255\n", width, height)
	for y := range height {
		for x := range width {
			out = append(out, byte(2*x), byte(3*y), 128)
		}
	}
	_, err := w.Write(out)
	return err
}

// floatTIFF writes a TIFF of three numbers in floating point for each pixel, with an
// orientation.
func floatTIFF(orientation uint32) func(io.Writer) error {
	return func(w io.Writer) error { return writeFloatTIFF(w, orientation) }
}

func writeFloatTIFF(w io.Writer, orientation uint32) error {
	le := binary.LittleEndian
	var samples []byte
	for y := range height {
		for x := range width {
			for _, v := range light(x, y) {
				samples = le.AppendUint32(samples, math.Float32bits(v))
			}
		}
	}
	entries := [][3]uint32{ // tag, kind and value
		{0x0100, 4, width},
		{0x0101, 4, height},
		{0x0102, 3, 32},
		{0x0103, 3, 1},
		{0x0106, 3, 2},
		{0x0111, 4, 0},
		{0x0112, 3, orientation},
		{0x0115, 3, 3},
		{0x0116, 4, height},
		{0x0117, 4, uint32(len(samples))},
		{0x011c, 3, 1},
		{0x0153, 3, 3},
	}
	at := uint32(8 + 2 + 12*len(entries) + 4)
	out := append([]byte("II*\x00\x08\x00\x00\x00"), byte(len(entries)), 0)
	for _, e := range entries {
		if e[0] == 0x0111 {
			e[2] = at
		}
		out = le.AppendUint16(out, uint16(e[0]))
		out = le.AppendUint16(out, uint16(e[1]))
		out = le.AppendUint32(out, 1)
		out = le.AppendUint32(out, e[2])
	}
	_, err := w.Write(append(append(out, 0, 0, 0, 0), samples...))
	return err
}

// converted are pictures in formats that darktable itself writes.
func converted() []File {
	var all []File
	for _, format := range []struct{ kind, what, extension, setting string }{
		{"JPEG XL", "as darktable writes it", "jxl", ""},
		{"AVIF", "as darktable writes it", "avif", ""},
		{"WebP", "as darktable writes it", "webp", ""},
		{"OpenEXR", "as darktable writes it", "exr", ""},
		{"JPEG 2000", "as darktable writes it", "jp2", ""},
		{"TIFF", "16 bits, as darktable writes it", "tif", "plugins/imageio/format/tiff/bpp=16"},
	} {
		f := encoded(format.kind, format.what, "of-"+format.extension+".png", shades(image.NewNRGBA(frame)), png.Encode)
		f.Through, f.Setting = format.extension, format.setting
		all = append(all, f)
	}
	return all
}
