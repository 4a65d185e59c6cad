package dng

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"io"
	"math"
)

// The least width and height of a picture.
const leastSize = 16

// Write records the picture and writes it as a DNG. It needs two bytes of
// memory for each sample, and as much again for other than plain layouts.
func Write(w io.Writer, img Image, o Options) error {
	o = o.withDefaults()
	if err := o.validate(); err != nil {
		return err
	}
	if img.Width < leastSize || img.Height < leastSize {
		return fmt.Errorf("dng: a sensor of %d×%d pixels: both must be at least %d", img.Width, img.Height, leastSize)
	}
	s := newSensor(o, img.Width, img.Height)
	samples := s.expose(img)

	f := newFile(o.Layout.BigEndian)
	main := f.dir()
	raw := main
	if o.Layout.Previews {
		raw = f.dir()
	}
	o.describe(main, f.dir())
	o.describeSamples(raw, img.Width, img.Height)
	if o.Layout.Previews {
		if err := addPreviews(f, main, raw); err != nil {
			return err
		}
	}
	p := plane{
		file: f, samples: samples, width: img.Width + 2*s.border, height: img.Height + 2*s.border, count: s.samples,
		black: float32(o.BlackLevel), white: float32(o.WhiteLevel),
	}
	p.store(raw, o.Layout)
	if err := f.write(w, ""); err != nil {
		return fmt.Errorf("dng: write: %w", err)
	}
	return nil
}

// Metadata is a TIFF file without a picture, as JPEG and PNG keep one: what the options
// say of the camera, its settings and the orientation.
func Metadata(o Options) ([]byte, error) {
	o = o.withDefaults()
	if err := o.validate(); err != nil {
		return nil, err
	}
	f := newFile(o.Layout.BigEndian)
	main := f.dir()
	o.describeExposure(main, f.dir())
	var b bytes.Buffer
	err := f.write(&b, "")
	return b.Bytes(), err
}

// describeExposure fills the fields that every camera's file has: the main directory's
// and those of the EXIF directory. Tag names are those of TIFF/EP, EXIF 2.3 and DNG 1.4.
func (o Options) describeExposure(main, exif *ifd) {
	taken := o.Taken.Format("2006:01:02 15:04:05")
	exif.rational(0x829a, kindRational, 1_000_000, exposureSeconds(o)) // ExposureTime
	exif.rational(0x829d, kindRational, 10, o.FNumber)                 // FNumber
	exif.short(0x8827, uint16(o.ISO))                                  // PhotographicSensitivity
	exif.bytes(0x9000, kindUndefined, []byte("0230")...)               // ExifVersion
	exif.text(0x9003, taken)                                           // DateTimeOriginal
	exif.rational(0x920a, kindRational, 10, o.FocalLength)             // FocalLength
	exif.text(0xa433, o.Make)                                          // LensMake
	exif.text(0xa434, o.LensModel)                                     // LensModel

	main.text(0x010f, o.Make)                    // Make
	main.text(0x0110, o.Model)                   // Model
	main.short(0x0112, uint16(o.Orientation))    // Orientation
	main.text(0x0131, "Chemigram synthetic raw") // Software
	main.text(0x0132, taken)                     // DateTime
	main.offsets(0x8769, exif)                   // ExifIFD
	dirs := map[Directory]*ifd{Main: main, EXIF: exif}
	for _, tag := range o.Tags {
		d := dirs[tag.Directory]
		if d == nil {
			d = main.file.dir()
			dirs[GPS] = d
			main.offsets(0x8825, d) // GPSInfo
		}
		d.put(field{tag: tag.ID, kind: tag.Kind, count: tag.Count, data: tag.Data})
	}
}

// describe fills the fields of a DNG's main directory that are not about its samples.
func (o Options) describe(main, exif *ifd) {
	o.describeExposure(main, exif)
	main.bytes(0xc612, kindByte, 1, 4, 0, 0) // DNGVersion
	main.bytes(0xc613, kindByte, 1, 1, 0, 0) // DNGBackwardVersion
	main.text(0xc614, o.Make+" "+o.Model)    // UniqueCameraModel
	o.describeColours(main)
	if o.NoiseProfile {
		main.double(0xc761, 1e-5, 1e-7) // NoiseProfile, for all colours
	}
	if o.XMP != nil {
		main.bytes(0x02bc, kindByte, o.XMP...) // XMP
	}
}

// describeColours fills the fields that say what the camera's colours are.
func (o Options) describeColours(main *ifd) {
	if o.Layout.Samples == Monochrome {
		return
	}
	matrix := func(tag uint16, m mat3) {
		values := append(append(m[0][:], m[1][:]...), m[2][:]...)
		if o.Layout.Samples == FourColours {
			cyan := m[1].mean(m[2])
			values = append(values, cyan[:]...)
		}
		main.rational(tag, kindSRational, 10000, values...)
	}
	const standardA, daylight = 17, 21
	if o.Calibrations == 1 {
		matrix(0xc621, cameraMatrix) // ColorMatrix1
		main.short(0xc65a, daylight) // CalibrationIlluminant1
	} else {
		matrix(0xc621, diagonal(vec3{1.04, 1, 0.94}).mul(cameraMatrix))
		main.short(0xc65a, standardA)
		matrix(0xc622, cameraMatrix) // ColorMatrix2
		main.short(0xc65b, daylight) // CalibrationIlluminant2
		forward := forwardMatrix()
		main.rational(0xc714, kindSRational, 10000, forward...) // ForwardMatrix1
		main.rational(0xc715, kindSRational, 10000, forward...) // ForwardMatrix2
	}
	asShot := neutral(o.matrix, o.AsShotKelvin)
	switch {
	case o.WhiteXY:
		white := light(o.AsShotKelvin)
		if o.AsShotKelvin == defaultKelvin {
			white = d65
		}
		sum := white[0] + white[1] + white[2]
		main.rational(0xc629, kindRational, 1_000_000, white[0]/sum, white[1]/sum) // AsShotWhiteXY
	case o.Layout.Samples == FourColours:
		main.rational(0xc628, kindRational, 1_000_000, append(asShot[:], (asShot[1]+asShot[2])/2)...)
	default:
		main.rational(0xc628, kindRational, 1_000_000, asShot[:]...) // AsShotNeutral
	}
}

// forwardMatrix converts the camera's colours, white being 1, 1, 1, to XYZ under D50.
func forwardMatrix() []float64 {
	d50 := vec3{0.9642, 1, 0.8249}
	from, to := bradford.apply(d65), bradford.apply(d50)
	adapt := bradford.inverse().mul(diagonal(vec3{to[0] / from[0], to[1] / from[1], to[2] / from[2]})).mul(bradford)
	m := adapt.mul(cameraMatrix.inverse()).mul(diagonal(cameraMatrix.apply(d65)))
	return append(append(m[0][:], m[1][:]...), m[2][:]...)
}

// describeSamples fills the fields of the directory that has the raw's samples.
func (o Options) describeSamples(raw *ifd, width, height int) {
	l := o.Layout
	border := uint32(l.border())
	fullWidth, fullHeight := uint32(width)+2*border, uint32(height)+2*border
	raw.long(0x00fe, 0)                      // NewSubfileType: the main picture
	raw.long(0x0100, fullWidth)              // ImageWidth
	raw.long(0x0101, fullHeight)             // ImageLength
	raw.short(0x0103, uint16(l.Compression)) // Compression
	raw.short(0x0115, uint16(l.samples()))   // SamplesPerPixel
	raw.short(0x011c, 1)                     // PlanarConfiguration
	o.describeNumbers(raw)
	o.describePattern(raw)
	raw.rational(0xc61e, kindRational, 1, 1, 1)                                                                   // DefaultScale
	raw.rational(0xc61f, kindRational, 1, float64(l.Margin), float64(l.Margin))                                   // DefaultCropOrigin
	raw.rational(0xc620, kindRational, 1, float64(width), float64(height))                                        // DefaultCropSize
	raw.long(0xc68d, uint32(l.Masked), uint32(l.Masked), fullHeight-uint32(l.Masked), fullWidth-uint32(l.Masked)) // ActiveArea
	if l.Masked > 0 {
		raw.long(0xc68e, 0, 0, fullHeight, uint32(l.Masked)) // MaskedAreas: the left one
	}
	opcodes := o.Opcodes
	if o.CornerLight > 0 {
		opcodes = append(opcodes[:len(opcodes):len(opcodes)], FixVignette(o.CornerLight))
	}
	for list, tag := range []uint16{0xc740, 0xc741, 0xc74e} { // OpcodeList1 to 3
		if b := opcodeList(list+1, opcodes); b != nil {
			raw.bytes(tag, kindUndefined, b...)
		}
	}
}

// describeNumbers fills the fields that say how a sample is to be read.
func (o Options) describeNumbers(raw *ifd) {
	l := o.Layout
	depth, format := uint16(16), uint16(1)
	black, white := [4]float64{}, uint32(o.WhiteLevel)
	for i := range black {
		black[i] = float64(o.BlackLevel + o.BlackLevels[i])
	}
	if l.Number != Uint16 {
		format, black, white = 3, [4]float64{}, 1
	}
	switch {
	case l.Number == Float32:
		depth = 32
	case l.Compression == LossyJPEG:
		depth = 8
		raw.short(0xc618, lossyTable()...) // LinearizationTable
	}
	times := func(v uint16) (out []uint16) {
		for range l.samples() {
			out = append(out, v)
		}
		return out
	}
	raw.short(0x0102, times(depth)...)  // BitsPerSample
	raw.short(0x0153, times(format)...) // SampleFormat
	if l.Compression == Deflate {
		raw.short(0x013d, 3) // Predictor: floating point
	}
	if o.BlackLevels != [4]uint16{} {
		raw.short(0xc619, 2, 2) // BlackLevelRepeatDim
		raw.rational(0xc61a, kindRational, 1, black[:]...)
	} else {
		raw.short(0xc619, 1, 1)
		values := make([]float64, l.samples())
		for i := range values {
			values[i] = black[0]
		}
		raw.rational(0xc61a, kindRational, 1, values...) // BlackLevel
	}
	if l.samples() == 3 {
		raw.long(0xc61d, white, white, white)
	} else {
		raw.long(0xc61d, white) // WhiteLevel
	}
}

// describePattern fills the fields that say which colour a sample has.
func (o Options) describePattern(raw *ifd) {
	const colourFilterArray, linearRaw = 32803, 34892
	if s := o.Layout.Samples; s == RGB || s == Monochrome {
		raw.short(0x0106, linearRaw) // PhotometricInterpretation
		return
	}
	colours := o.colours()
	var all []byte
	for _, line := range colours {
		all = append(all, line...)
	}
	raw.short(0x0106, colourFilterArray)
	raw.short(0x828d, uint16(len(colours)), uint16(len(colours[0]))) // CFARepeatPatternDim
	raw.bytes(0x828e, kindByte, all...)                              // CFAPattern
	if o.Layout.Samples == FourColours {
		raw.bytes(0xc616, kindByte, 0, 1, 2, cyan)
	} else {
		raw.bytes(0xc616, kindByte, 0, 1, 2) // CFAPlaneColor
	}
	raw.short(0xc617, 1) // CFALayout: rectangular
}

// addPreviews makes raw a picture behind a thumbnail, which main has, and before a JPEG.
func addPreviews(f *file, main, raw *ifd) error {
	thumbnail := image.NewRGBA(image.Rect(0, 0, 16, 12))
	rgb := make([]byte, 3*16*12)
	for i := range rgb {
		rgb[i] = 0x60
	}
	main.long(0x00fe, 1) // NewSubfileType: a reduced one
	main.long(0x0100, 16)
	main.long(0x0101, 12)
	main.short(0x0102, 8, 8, 8)
	main.short(0x0103, 1)
	main.short(0x0106, 2) // PhotometricInterpretation: RGB
	main.offsets(0x0111, f.data(rgb))
	main.short(0x0115, 3)
	main.long(0x0116, 12)
	main.long(0x0117, uint32(len(rgb)))
	main.short(0x011c, 1)
	var b bytes.Buffer
	if err := jpeg.Encode(&b, thumbnail, nil); err != nil {
		return err
	}
	preview := f.dir()
	preview.long(0x00fe, 1)
	preview.long(0x0100, 16)
	preview.long(0x0101, 12)
	preview.short(0x0102, 8, 8, 8)
	preview.short(0x0103, 7)
	preview.short(0x0106, 6) // YCbCr
	preview.offsets(0x0111, f.data(b.Bytes()))
	preview.short(0x0115, 3)
	preview.long(0x0116, 12)
	preview.long(0x0117, uint32(b.Len()))
	main.offsets(0x014a, raw, preview) // SubIFDs
	return nil
}

// exposureSeconds follows the sunny-16 rule, so that the exposure in EXIF fits
// the brightness: 1/100 s at f/16 and ISO 100 for EV 0.
func exposureSeconds(o Options) float64 {
	return math.Exp2(o.EV) * o.FNumber * o.FNumber / 256 / float64(o.ISO)
}
