package files

import (
	"bytes"
	_ "embed" // the animation
	"encoding/binary"
	"image"
	"image/png"
	"io"

	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/scene"
)

// animated are two frames of 120 × 80 pixels, as libwebp 1.2's webpmux puts them together.
//
//go:embed testdata/animated.webp
var animated []byte

// A Refusal is a file that darktable does not open.
type Refusal struct {
	File
	// Reason is why, as the engine's errors have it.
	Reason string
	// Says is what the message has to say, of what the file is.
	Says string
	// OpenedBy begins the version of a darktable that opens it all the same; empty for none.
	OpenedBy string
}

// Refused are files that are whole, and nothing that darktable opens under their names.
func Refused() []Refusal {
	of := func(name, reason, says string, data []byte) Refusal {
		f := picture("Refused", says, name, func(w io.Writer) error {
			_, err := w.Write(data)
			return err
		})
		return Refusal{File: f, Reason: reason, Says: says}
	}
	const unsupported, none, damaged = "unsupported_file", "not_a_picture", "damaged"
	var p bytes.Buffer
	_ = png.Encode(&p, shades(image.NewNRGBA(frame))) // a buffer takes all
	misnamed := of("a-png.jpg", none, "a PNG by its content", p.Bytes())
	misnamed.OpenedBy = "5."
	note := bytes.Repeat([]byte("A note about the picture.\n"), 40)
	pdf := []byte("%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n")
	zip := append([]byte("PK\x03\x04\x14\x00"), note...)
	film := joined("\x00\x00\x00\x18ftypisom\x00\x00\x02\x00isomiso2\x00\x00\x01\x08mdat", string(make([]byte, 256)))
	all := []Refusal{
		of("cmyk.jpg", unsupported, "a JPEG in CMYK", oddJPEG(0xc0, 8, 4, -1)),
		of("cmyk-adobe.jpg", unsupported, "a JPEG in CMYK", oddJPEG(0xc0, 8, 4, 0)),
		of("ycck.jpg", unsupported, "a JPEG in YCCK", oddJPEG(0xc0, 8, 4, 2)),
		of("two.jpg", unsupported, "a JPEG of 2 components", oddJPEG(0xc0, 8, 2, -1)),
		of("deep.jpg", unsupported, "a JPEG of 12 bits", oddJPEG(0xc1, 12, 3, -1)),
		of("lossless.jpg", unsupported, "a lossless JPEG", oddJPEG(0xc3, 8, 3, -1)),
		of("lossless-arithmetic.jpg", unsupported, "a lossless JPEG", oddJPEG(0xcb, 8, 3, -1)),
		of("hierarchical.jpg", unsupported, "a hierarchical JPEG", oddJPEG(0xc5, 8, 3, -1)),
		of("ls.jpg", unsupported, "a JPEG-LS", oddJPEG(0xf7, 8, 3, -1)),
		of("animated.webp", unsupported, "an animated WebP", animated),
		of("pdf.jpg", none, "a PDF document", pdf),
		of("pdf.tif", none, "a PDF document", pdf),
		of("pdf.nef", none, "a PDF document", pdf),
		of("zip.png", none, "a ZIP archive", zip),
		of("zip.dng", none, "a ZIP archive", zip),
		of("page.jpg", none, "a web page", joined("<!DOCTYPE html>\n<html>", string(note))),
		of("film.jpg", none, "a film (MP4)", film),
		of("film.heic", none, "a film (MP4)", film),
		of("text.cr2", none, "a text", note),
		of("zeros.jpg", damaged, "zeros alone", make([]byte, 20_000)),
		of("zeros.arw", damaged, "zeros alone", make([]byte, 20_000)),
		misnamed,
	}
	for _, c := range dng.Cameras() {
		f := of("unknown-"+fileName(c.Model)+"."+c.Extension, "unknown_camera", "Acme Z-1", nil)
		f.write = func(w io.Writer) error {
			c.Make, c.Model = "Acme", "Z-1"
			return c.Write(w, scene.Chart{}.Image(width, height), dng.Options{})
		}
		all = append(all, f)
	}
	return all
}

func joined(parts ...string) (out []byte) {
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

// oddJPEG is a JPEG of one grey, with a frame of a marker, so many bits and components, and
// Adobe's mark of a transform, unless that is below 0. What only the head of an odd frame
// says is read first, so that all have the pixels of a sequential one.
func oddJPEG(frame, bits, components byte, transform int) []byte {
	out := []byte{0xff, 0xd8}
	segment := func(marker byte, data ...byte) {
		out = append(out, 0xff, marker)
		out = binary.BigEndian.AppendUint16(out, uint16(2+len(data)))
		out = append(out, data...)
	}
	if transform >= 0 {
		segment(0xee, append([]byte("Adobe\x00\x64\x00\x00\x00\x00"), byte(transform))...)
	}
	segment(0xdb, append([]byte{0}, bytes.Repeat([]byte{1}, 64)...)...)
	head := []byte{bits, 0, height, 0, width, components}
	scan := []byte{components}
	for i := range components {
		head = append(head, i+1, 0x11, 0)
		scan = append(scan, i+1, 0)
	}
	segment(frame, head...)
	// One code of one bit for no difference, and one for the end of a block.
	for _, class := range []byte{0, 0x10} {
		segment(0xc4, append(append([]byte{class, 1}, make([]byte, 15)...), 0)...)
	}
	segment(0xda, append(scan, 0, 63, 0)...)
	out = append(out, make([]byte, (width/8)*(height/8)*int(components)*2/8)...)
	return append(out, 0xff, 0xd9)
}
