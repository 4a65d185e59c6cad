package dng

import (
	"bytes"
	"fmt"
	"io"
	"slices"
)

// A Camera is one that was built, whose own files can be written: darktable knows it by
// make and model, and has its colour matrix, levels and presets. The numbers are those
// that raw developers have for it.
type Camera struct {
	// Make and Model are as its files say them, and Extension is that of their names.
	Make, Model, Extension string
	// Packing is how the samples are packed, where the camera has several ways.
	Packing string

	black, white uint16
	matrix       mat3
	frame        frame
	write        func(f *file, main, exif *ifd, r recording)
}

// recording is what a camera's sensor has recorded.
type recording struct {
	samples       []uint16
	width, height int
	white         vec3 // what the camera records of a neutral surface, green being 1
}

// frame is how many lines of photosites lie around the picture, which no light reaches.
type frame struct{ left, top, right, bottom int }

// framed is the recording with a frame of a level around it.
func (r recording) framed(f frame, level uint16) recording {
	width, height := f.left+r.width+f.right, f.top+r.height+f.bottom
	out := slices.Repeat([]uint16{level}, width*height)
	for y := range r.height {
		copy(out[(f.top+y)*width+f.left:], r.samples[y*r.width:(y+1)*r.width])
	}
	return recording{out, width, height, r.white}
}

// BalancedCameras are those whose files have a white balance.
func BalancedCameras() []Camera {
	return slices.DeleteFunc(Cameras(), func(c Camera) bool { return c.Extension == "arw" })
}

// Cameras are all that there are.
func Cameras() []Camera {
	return []Camera{
		{
			Make: "NIKON CORPORATION", Model: "NIKON D800", Extension: "nef", black: 1, white: 15520, write: writeNEF, // its black level is 0
			matrix: mat3{{0.7866, -0.2108, -0.0555}, {-0.4869, 1.2483, 0.2681}, {-0.1176, 0.2069, 0.7501}},
		},
		{
			Make: "PENTAX Corporation", Model: "PENTAX K100D Super", Extension: "pef", black: 127, white: 4095, write: writePEF,
			matrix: mat3{{1.1095, -0.3157, -0.1324}, {-0.8377, 1.5834, 0.2720}, {-0.1108, 0.0947, 1.1688}},
		},
		{
			Make: "OLYMPUS IMAGING CORP.", Model: "E-M1", Extension: "orf", black: 255, white: 4095, write: writeORF,
			matrix: mat3{{0.7687, -0.1984, -0.0606}, {-0.4327, 1.1928, 0.2721}, {-0.1381, 0.2339, 0.6452}},
		},
		{
			Make: "SONY", Model: "ILCE-7M3", Extension: "arw", black: 512, white: 16300, write: writeARW,
			matrix: sonyMatrix,
		},
		{
			Make: "SONY", Model: "ILCE-7M3", Extension: "arw", Packing: "compressed", black: 512, white: 16300, write: writeCompressedARW,
			matrix: sonyMatrix,
		},
		{
			Make: "Canon", Model: "Canon EOS 1100D", Extension: "cr2", black: 2036, white: 15500, write: writeCR2,
			matrix: mat3{{0.6444, -0.0904, -0.0893}, {-0.4563, 1.2308, 0.2535}, {-0.0903, 0.2016, 0.6728}},
			frame:  frame{left: 64, top: 20},
		},
	}
}

var sonyMatrix = mat3{{0.7374, -0.2389, -0.0551}, {-0.5435, 1.3162, 0.2519}, {-0.1006, 0.1795, 0.6552}}

// Write records the picture and writes it as the camera does. Of the options, those of
// the layout and of DNG alone do not count, and make, model and levels are the camera's.
// Width and height are multiples of 8.
func (c Camera) Write(w io.Writer, img Image, o Options) error {
	o.Make, o.Model = c.Make, c.Model
	o.BlackLevel, o.WhiteLevel = c.black, c.white
	o.Layout, o.BlackLevels, o.matrix = Layout{}, [4]uint16{}, c.matrix
	o = o.withDefaults()
	if err := o.validate(); err != nil {
		return err
	}
	if img.Width < leastSize || img.Height < leastSize || img.Width%8 != 0 || img.Height%8 != 0 {
		return fmt.Errorf("dng: a sensor of %d×%d pixels: both must be multiples of 8, from %d", img.Width, img.Height, leastSize)
	}
	s := newSensor(o, img.Width, img.Height)
	f := newFile(c.Extension == "nef")
	main, exif := f.dir(), f.dir()
	o.describeExposure(main, exif)
	signature := ""
	if c.Extension == "orf" {
		signature = "IIRO"
	}
	r := recording{s.expose(img), img.Width, img.Height, neutral(o.matrix, o.AsShotKelvin)}
	c.write(f, main, exif, r.framed(c.frame, c.black))
	if err := f.write(w, signature); err != nil {
		return fmt.Errorf("dng: write: %w", err)
	}
	return nil
}

// describe fills the fields of an uncompressed picture of so many bits, in strips.
func (r recording) describe(d *ifd, bits uint16, strips ...block) {
	d.long(0x00fe, 0)
	d.long(0x0100, uint32(r.width))
	d.long(0x0101, uint32(r.height))
	d.short(0x0102, bits)
	d.short(0x0103, 1)     // Compression: none
	d.short(0x0106, 32803) // PhotometricInterpretation: colour filter array
	d.offsets(0x0111, strips...)
	d.short(0x0115, 1)
	d.long(0x0116, uint32(r.height/len(strips))) // RowsPerStrip
	var sizes []uint32
	for _, s := range strips {
		sizes = append(sizes, uint32(s.size()))
	}
	d.long(0x0117, sizes...)
	d.short(0x828d, 2, 2)                 // CFARepeatPatternDim
	d.bytes(0x828e, kindByte, 0, 1, 1, 2) // CFAPattern
}

// packed are the samples in so many bits each, the most significant ones first.
func (r recording) packed(bits int) []byte {
	var out []byte
	acc, have := uint32(0), 0
	for _, v := range r.samples {
		acc = acc<<bits | uint32(v)
		for have += bits; have >= 8; {
			have -= 8
			out = append(out, byte(acc>>have))
		}
	}
	return out
}

// writeNEF writes 14 bits in a sub-directory, and Nikon's notes.
func writeNEF(f *file, main, exif *ifd, r recording) {
	notes := newFile(true)
	d := notes.dir()
	d.bytes(0x0001, kindUndefined, []byte("0210")...)
	d.rational(0x000c, kindRational, 10000, 1/r.white[0], 1/r.white[2], 1, 1) // ColorBalance: red, blue, green twice
	exif.bytes(0x927c, kindUndefined, append([]byte("Nikon\x00\x02\x10\x00\x00"), notes.alone()...)...)
	raw := f.dir()
	r.describe(raw, 14, f.data(r.packed(14)))
	main.long(0x00fe, 1)
	main.offsets(0x014a, raw)
}

// writePEF writes 12 bits. What Pentax's notes say is in the EXIF directory, as the
// places in those notes are counted in a way of their own.
func writePEF(f *file, main, exif *ifd, r recording) {
	r.describe(main, 12, f.data(r.packed(12)))
	exif.short(0x0200, 127, 127, 127, 127) // black point
	const green = 8192
	exif.short(0x0201, uint16(green/r.white[0]+0.5), green, green, uint16(green/r.white[2]+0.5)) // white point
}

// writeORF writes 12 bits at the upper end of words of 16, in two strips. The balance is where cameras
// had it before they had notes.
func writeORF(f *file, main, exif *ifd, r recording) {
	for i := range r.samples {
		r.samples[i] <<= 4
	}
	half := len(r.samples) / 2
	first, second := &wordsBlock{r.samples[:half]}, &wordsBlock{r.samples[half:]}
	f.blocks = append(f.blocks, first, second)
	r.describe(main, 16, first, second)
	exif.bytes(0xa302, kindUndefined, 2, 0, 2, 0, 0, 1, 1, 2) // CFAPattern, as EXIF has it
	main.short(0x1017, uint16(256/r.white[0]+0.5), 64)        // RedBalance
	main.short(0x1018, uint16(256/r.white[2]+0.5), 64)        // BlueBalance
}

// alone is a file by itself.
func (f *file) alone() []byte {
	var b bytes.Buffer
	_ = f.write(&b, "") // a buffer takes all
	return slices.Clip(b.Bytes())
}
