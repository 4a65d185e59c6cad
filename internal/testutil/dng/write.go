package dng

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// Write records the picture and writes it as a DNG. It needs two bytes of
// memory for each pixel.
func Write(w io.Writer, img Image, o Options) error {
	o = o.withDefaults()
	if err := o.validate(); err != nil {
		return err
	}
	if img.Width < 64 || img.Height < 64 || img.Width%2 != 0 || img.Height%2 != 0 {
		return fmt.Errorf("dng: a sensor of %d×%d pixels: both must be even and at least 64", img.Width, img.Height)
	}
	s := newSensor(o)
	mosaic := s.expose(img)
	if _, err := w.Write(header(img.Width, img.Height, o)); err != nil {
		return fmt.Errorf("dng: write header: %w", err)
	}
	if _, err := w.Write(mosaic); err != nil {
		return fmt.Errorf("dng: write mosaic: %w", err)
	}
	return nil
}

// header is everything before the mosaic: the TIFF header, the main directory
// and the EXIF directory. Tag names are those of TIFF/EP, EXIF 2.3 and DNG 1.4.
func header(width, height int, o Options) []byte {
	taken := o.Taken.Format("2006:01:02 15:04:05")
	var exif ifd
	exif.rational(0x829a, kindRational, 1_000_000, exposureSeconds(o)) // ExposureTime
	exif.rational(0x829d, kindRational, 10, o.FNumber)                 // FNumber
	exif.short(0x8827, uint16(o.ISO))                                  // PhotographicSensitivity
	exif.bytes(0x9000, kindUndefined, []byte("0230")...)               // ExifVersion
	exif.text(0x9003, taken)                                           // DateTimeOriginal
	exif.rational(0x920a, kindRational, 10, o.FocalLength)             // FocalLength
	exif.text(0xa433, o.Make)                                          // LensMake
	exif.text(0xa434, o.LensModel)                                     // LensModel

	asShot := neutral(o.AsShotKelvin)
	pattern := cfa[o.Pattern]
	var main ifd
	main.long(0x00fe, 0)                                                                                                             // NewSubfileType: the main picture
	main.long(0x0100, uint32(width))                                                                                                 // ImageWidth
	main.long(0x0101, uint32(height))                                                                                                // ImageLength
	main.short(0x0102, 16)                                                                                                           // BitsPerSample
	main.short(0x0103, 1)                                                                                                            // Compression: none
	main.short(0x0106, 32803)                                                                                                        // PhotometricInterpretation: colour filter array
	main.text(0x010f, o.Make)                                                                                                        // Make
	main.text(0x0110, o.Model)                                                                                                       // Model
	main.short(0x0112, uint16(o.Orientation))                                                                                        // Orientation
	main.short(0x0115, 1)                                                                                                            // SamplesPerPixel
	main.long(0x0116, uint32(height))                                                                                                // RowsPerStrip
	main.long(0x0117, uint32(2*width*height))                                                                                        // StripByteCounts
	main.short(0x011c, 1)                                                                                                            // PlanarConfiguration
	main.text(0x0131, "Chemigram synthetic raw")                                                                                     // Software
	main.text(0x0132, taken)                                                                                                         // DateTime
	main.short(0x828d, 2, 2)                                                                                                         // CFARepeatPatternDim
	main.bytes(0x828e, kindByte, pattern[0][0], pattern[0][1], pattern[1][0], pattern[1][1])                                         // CFAPattern
	main.bytes(0xc612, kindByte, 1, 4, 0, 0)                                                                                         // DNGVersion
	main.bytes(0xc613, kindByte, 1, 1, 0, 0)                                                                                         // DNGBackwardVersion
	main.text(0xc614, o.Make+" "+o.Model)                                                                                            // UniqueCameraModel
	main.bytes(0xc616, kindByte, 0, 1, 2)                                                                                            // CFAPlaneColor
	main.short(0xc617, 1)                                                                                                            // CFALayout: rectangular
	main.short(0xc619, 1, 1)                                                                                                         // BlackLevelRepeatDim
	main.rational(0xc61a, kindRational, 1, float64(o.BlackLevel))                                                                    // BlackLevel
	main.long(0xc61d, uint32(o.WhiteLevel))                                                                                          // WhiteLevel
	main.rational(0xc61e, kindRational, 1, 1, 1)                                                                                     // DefaultScale
	main.rational(0xc61f, kindRational, 1, 0, 0)                                                                                     // DefaultCropOrigin
	main.rational(0xc620, kindRational, 1, float64(width), float64(height))                                                          // DefaultCropSize
	main.rational(0xc621, kindSRational, 10000, append(append(cameraMatrix[0][:], cameraMatrix[1][:]...), cameraMatrix[2][:]...)...) // ColorMatrix1
	main.rational(0xc628, kindRational, 1_000_000, asShot[:]...)                                                                     // AsShotNeutral
	main.short(0xc65a, 21)                                                                                                           // CalibrationIlluminant1: D65
	main.long(0xc68d, 0, 0, uint32(height), uint32(width))                                                                           // ActiveArea
	if o.CornerLight > 0 {
		main.bytes(0xc74e, kindUndefined, fixVignette(o.CornerLight)...) // OpcodeList3
	}
	if o.XMP != nil {
		main.bytes(0x02bc, kindByte, o.XMP...) // XMP
	}
	main.long(0x8769, 0) // ExifIFD, set below
	main.long(0x0111, 0) // StripOffsets, set below

	const start = 8
	exifAt := start + main.size()
	mosaicAt := exifAt + exif.size()
	main.set(0x8769, uint32(exifAt))
	main.set(0x0111, uint32(mosaicAt))

	out := append([]byte("II*\x00"), start, 0, 0, 0)
	out = main.appendTo(out, start)
	return exif.appendTo(out, exifAt)
}

// fixVignette is a list of one opcode, FixVignetteRadial (DNG 1.4, chapter 7),
// which brightens by 1 + k·r², r being 1 in the corners.
func fixVignette(cornerLight float64) []byte {
	const opcode, version = 3, 0x01030000
	var b []byte
	for _, v := range []uint32{1, opcode, version, 0, 7 * 8} {
		b = binary.BigEndian.AppendUint32(b, v)
	}
	for _, v := range []float64{1/cornerLight - 1, 0, 0, 0, 0, 0.5, 0.5} {
		b = binary.BigEndian.AppendUint64(b, math.Float64bits(v))
	}
	return b
}

// exposureSeconds follows the sunny-16 rule, so that the exposure in EXIF fits
// the brightness: 1/100 s at f/16 and ISO 100 for EV 0.
func exposureSeconds(o Options) float64 {
	return math.Exp2(o.EV) * o.FNumber * o.FNumber / 256 / float64(o.ISO)
}
