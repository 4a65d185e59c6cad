package dng

import (
	"errors"
	"fmt"
)

// A Layout is how a file holds what the sensor recorded. The zero value is an
// uncompressed Bayer mosaic of 16 bits in one strip, little-endian, in the file's main
// directory.
type Layout struct {
	// Samples are what is recorded of a pixel.
	Samples Samples
	// Number is how a sample is written.
	Number Number
	// Compression is how the samples are packed.
	Compression Compression
	// Tile is the width and height of the tiles that the picture is cut into, a
	// multiple of 16. Default 0: one strip.
	Tile int
	// BigEndian writes the most significant byte of every number first.
	BigEndian bool
	// Masked is how many pixels on each side lie under the sensor's mask: they record
	// black, and are outside the ActiveArea.
	Masked int
	// Margin is how many pixels on each side the DefaultCrop leaves out. They show what
	// is at the edge of the picture.
	Margin int
	// Previews makes the raw the second picture of the file, behind a thumbnail and
	// before a JPEG.
	Previews bool
}

// Samples are what a file holds of a pixel.
type Samples int

// The kinds of samples.
const (
	Bayer       Samples = iota // one of three colours, 2×2 photosites repeated
	XTrans                     // one of three colours, 6×6 photosites repeated
	FourColours                // one of four colours, 2×2 photosites repeated: red, green, blue, cyan
	RGB                        // all three colours: PhotometricInterpretation LinearRaw
	Monochrome                 // the luminance: LinearRaw of one sample
)

// Number is how a sample is written.
type Number int

// The numbers. In floating point the levels of the options are 0 and 1.
const (
	Uint16 Number = iota
	Float16
	Float32
)

// Compression is TIFF's number of a compression; 0 is 1.
type Compression uint16

// The compressions.
const (
	Uncompressed Compression = 1
	LosslessJPEG Compression = 7 // ITU-T T.81, process 14
	Deflate      Compression = 8 // with the differences between samples as TIFF's technical note 3 has them
	// LossyJPEG is that of 8 bits, which a table makes 14 of.
	LossyJPEG Compression = 34892
)

// samples is the number of samples of a pixel.
func (l Layout) samples() int {
	if l.Samples == RGB {
		return 3
	}
	return 1
}

// border is how many pixels on each side are recorded beyond the picture.
func (l Layout) border() int { return l.Masked + l.Margin }

func (l Layout) validate() error {
	switch {
	case l.Samples < Bayer || l.Samples > Monochrome:
		return fmt.Errorf("dng: samples %d are none that there are", l.Samples)
	case l.Number < Uint16 || l.Number > Float32:
		return fmt.Errorf("dng: number %d is none that there is", l.Number)
	case l.Compression == LosslessJPEG && l.Number != Uint16:
		return errors.New("dng: lossless JPEG holds whole numbers only")
	case l.Compression == LossyJPEG && (l.Samples != RGB || l.Number != Uint16):
		return errors.New("dng: lossy JPEG holds whole numbers of three colours only")
	case l.Number == Float16 && l.Compression != Deflate:
		return errors.New("dng: floating point of 16 bits is held by deflate only")
	case l.Compression == Deflate && l.Number == Uint16:
		return errors.New("dng: deflate holds floating point only")
	case l.Tile < 0 || l.Tile%16 != 0:
		return fmt.Errorf("dng: tiles of %d pixels: a multiple of 16 is needed", l.Tile)
	case l.Masked < 0 || l.Margin < 0 || l.border()%6 != 0:
		return fmt.Errorf("dng: %d masked pixels and a margin of %d: together a multiple of 6 is needed, so that the mosaic begins with its first colour", l.Masked, l.Margin)
	}
	return nil
}
