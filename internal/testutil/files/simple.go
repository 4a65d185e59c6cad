package files

import (
	"encoding/binary"
	"fmt"
	"io"
)

// simple are pictures in formats of a head and samples.
func simple() []File {
	of := func(kind, what, name, head string, sample func(out []byte, x, y int) []byte, tail string) File {
		return picture(kind, what, name, func(w io.Writer) error {
			out := []byte(head)
			for y := range height {
				for x := range width {
					out = sample(out, x, y)
				}
			}
			_, err := w.Write(append(out, tail...))
			return err
		})
	}
	grey := func(out []byte, x, y int) []byte { return append(out, byte(x+2*y)) }
	deep := func(out []byte, x, y int) []byte { return binary.BigEndian.AppendUint16(out, uint16(300*x+400*y)) }
	text := func(out []byte, x, y int) []byte { return fmt.Appendf(out, "%d %d 128\n", 2*x, 3*y) }
	colour := func(out []byte, x, y int) []byte { return append(out, byte(2*y), byte(3*x), 64) }
	bits := func(out []byte, x, y int) []byte {
		if x%8 == 0 {
			out = append(out, byte(x+y))
		}
		return out
	}
	// Radiance's samples share an exponent: 128 is that of a half.
	shared := func(out []byte, x, y int) []byte { return append(out, byte(2*x), byte(3*y), 128, 128) }
	return []File{
		of("PGM", "8 bits", "plain.pgm", "P5\n96 64\n255\n", grey, ""),
		of("PGM", "16 bits", "deep.pgm", "P5\n96 64\n65535\n", deep, ""),
		of("PBM", "1 bit", "plain.pbm", "P4\n96 64\n", bits, ""),
		of("PPM", "as a text", "text.ppm", "P3\n96 64\n255\n", text, ""),
		of("PNM", "a PPM of 8 bits", "plain.pnm", "P6\n96 64\n255\n", colour, ""),
		of("Radiance HDR", "without runs", "plain.hdr", "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 64 +X 96\n", shared, ""),
		of("QOI", "8 bits", "plain.qoi", "qoif\x00\x00\x00\x60\x00\x00\x00\x40\x03\x00", func(out []byte, x, y int) []byte {
			return append(out, 0xfe, byte(2*x), byte(3*y), 128)
		}, "\x00\x00\x00\x00\x00\x00\x00\x01"),
	}
}
