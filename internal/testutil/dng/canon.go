package dng

import (
	"bytes"
	"image"
	"image/jpeg"
)

// canonSlices are how Canon's cameras cut a line: into so many slices of a width, and a
// last one of what is left.
type canonSlices struct{ count, width, last int }

// sliced are the samples slice by slice, each from top to bottom.
func (r recording) sliced(s canonSlices) []uint16 {
	out := make([]uint16, 0, len(r.samples))
	for i := range s.count + 1 {
		left, width := i*s.width, s.width
		if i == s.count {
			width = s.last
		}
		for y := range r.height {
			at := y*r.width + left
			out = append(out, r.samples[at:at+width]...)
		}
	}
	return out
}

// writeCR2 writes 14 bits as a lossless JPEG of slices, in the fourth of four
// directories, and Canon's notes.
func writeCR2(f *file, main, exif *ifd, r recording) {
	thumbnail, small, raw, notes := f.dir(), f.dir(), f.dir(), f.dir()
	main.next, thumbnail.next, small.next, f.canon = thumbnail, small, raw, raw
	var preview bytes.Buffer
	_ = jpeg.Encode(&preview, image.NewRGBA(image.Rect(0, 0, 16, 16)), nil) // a buffer takes all
	shown := f.data(preview.Bytes())
	main.short(0x0100, 16)
	main.short(0x0101, 16)
	main.short(0x0102, 8, 8, 8)
	main.short(0x0103, 6) // Compression: JPEG
	main.offsets(0x0111, shown)
	main.long(0x0117, uint32(shown.size()))
	thumbnail.offsets(0x0201, shown) // JPEGInterchangeFormat
	thumbnail.long(0x0202, uint32(shown.size()))
	rgb := f.data(make([]byte, 6*16*16))
	small.short(0x0100, 16)
	small.short(0x0101, 16)
	small.short(0x0102, 16, 16, 16)
	small.short(0x0103, 6) // as Canon has it, though they are not compressed
	small.short(0x0106, 2)
	small.offsets(0x0111, rgb)
	small.short(0x0115, 3)
	small.short(0x0116, 16)
	small.long(0x0117, uint32(rgb.size()))
	small.short(0x011c, 1)

	cut := canonSlices{count: 2, width: r.width / 3 &^ 7}
	cut.last = r.width - 2*cut.width
	packed := f.data(losslessJPEG(r.sliced(cut), r.width, 2, 14))
	raw.short(0x0103, 6)
	raw.offsets(0x0111, packed)
	raw.long(0x0117, uint32(packed.size()))
	raw.long(0xc5d8, 1)
	raw.short(0xc640, uint16(cut.count), uint16(cut.width), uint16(cut.last)) // CR2Slice
	raw.long(0xc6c5, 1)

	const left, top = 64, 20                                                                                                                   // of the photosites that see light
	notes.short(0x0001, make([]uint16, 48)...)                                                                                                 // CameraSettings, which say that every photosite is there
	notes.short(0x00e0, 34, uint16(r.width), uint16(r.height), 1, 1, left, top, uint16(r.width-1), uint16(r.height-1), 0, 0, 0, 0, 0, 0, 0, 0) // SensorInfo
	notes.short(0x4001, r.canonColours()...)
	exif.long(0xa002, uint32(r.width-left)) // PixelXDimension, which no directory of a CR2 has
	exif.long(0xa003, uint32(r.height-top))
	exif.contains(0x927c, notes)
}

// canonColours are the camera's white balance and levels, in version 9 of Canon's table.
func (r recording) canonColours() []uint16 {
	table := make([]uint16, 1338)
	table[0] = 9
	const green = 1024
	for i, v := range []float64{green / r.white[0], green, green, green / r.white[2]} {
		table[63+i] = uint16(v + 0.5) // as shot
		table[719+i] = 2036           // the black levels
	}
	table[723], table[724] = 15500, 15500 // where the picture and highlights end
	return table
}
