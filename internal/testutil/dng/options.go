package dng

import (
	"errors"
	"fmt"
	"time"
)

// Options are the camera that records the picture, and its settings. The zero value is a
// noiseless daylight exposure at ISO 100.
type Options struct {
	// Pattern is the Bayer pattern of the sensor's top left corner. Default RGGB.
	Pattern Pattern
	// BlackLevel and WhiteLevel bound the recorded values, 0 to 16383.
	// Default 512 and 15872.
	BlackLevel, WhiteLevel uint16
	// BlackLevels are added to BlackLevel for the four photosites of each 2×2, from the
	// top left, line by line.
	BlackLevels [4]uint16
	// Saturation is where the sensor clips, as a share of the range up to
	// WhiteLevel, above 0 to 1. Below 1 the sensor clips before the file's
	// WhiteLevel, as in files of some cameras. Default 1.
	Saturation float64
	// Orientation is the EXIF orientation, 1 to 8: how a viewer has to turn
	// the recorded picture. The mosaic itself is not turned. Default 1.
	Orientation int

	// EV is the exposure compensation in stops, against the metered exposure, at which [MiddleGrey] falls [Headroom] stops below
	// saturation. The exposure time in EXIF follows.
	EV float64
	// ISO is the sensitivity. It does not change the brightness, but the noise
	// and, with EV, the exposure time. Default 100.
	ISO int
	// Noise scales the sensor's noise: 0 for none, 1 for that of a good
	// full-frame sensor at this ISO.
	Noise float64
	// HotPixels is the share of photosites that record half of saturation
	// independently of the light, 0 to 0.01.
	HotPixels float64
	// Seed picks the noise and the hot pixels: two exposures with different
	// seeds have different ones.
	Seed uint64

	// Kelvin is the colour temperature of the light that falls on the scene,
	// 2300 to 25000: daylight, and below 4000 tungsten. Default 6504, which is
	// D65.
	Kelvin float64
	// AsShotKelvin is the colour temperature that the camera took the light to
	// be, in the same range. Default Kelvin: a correct white balance.
	AsShotKelvin float64

	// Make, Model and LensModel default to "Chemigram", "Synthetic 1" and
	// "Synthetic 24-70mm f/2.8".
	Make, Model, LensModel string
	// FNumber and FocalLength (in millimetres) default to 8 and 35.
	FNumber, FocalLength float64
	// CornerLight, when it is not 0, is the share of light that reaches the corners
	// by the file's metadata, which correct it with DNG's FixVignetteRadial. The
	// picture itself is not darkened.
	CornerLight float64
	// Opcodes are further corrections that the file asks for. The picture itself is not
	// distorted.
	Opcodes []Opcode
	// Calibrations is how many lights the file has colour matrices for: 1, D65, or 2,
	// tungsten before it, with forward matrices for both. Default 1.
	Calibrations int
	// WhiteXY writes the white balance as the chromaticity of the light, and not as
	// what the camera records of a neutral surface.
	WhiteXY bool
	// NoiseProfile writes one.
	NoiseProfile bool
	// Layout is how the file holds the picture.
	Layout Layout
	// Tags are further fields, or replace others: those of the EXIF directory, of the
	// GPS directory, and of the main one.
	Tags []Tag
	// XMP is the packet that the file has of its own; default none.
	XMP []byte
	// Taken is the date and time of the exposure; its zone is not recorded.
	// Default 2026-06-21 19:42:00.
	Taken time.Time

	matrix mat3 // from XYZ to the camera's colours; default cameraMatrix
}

// A Tag is a field of a directory.
type Tag struct {
	// Directory has the field.
	Directory Directory
	// ID, Kind and Count are written as they are, and Data as the bytes of the value, in
	// the byte order of the file: these may contradict each other.
	ID    uint16
	Kind  Kind
	Count int
	Data  []byte
}

// Directory is one of those that tell of a picture.
type Directory int

// The directories.
const (
	Main Directory = iota
	EXIF
	GPS
)

// Pattern is one of the four Bayer patterns, named by the colours of its two lines.
type Pattern int

// The four Bayer patterns.
const (
	RGGB Pattern = iota
	BGGR
	GRBG
	GBRG
)

// Headroom is the distance in stops from [MiddleGrey] to the saturation of the
// sensor's green channel at the metered exposure. It fits the
// +0.7 EV with which darktable's scene-referred workflow starts.
const Headroom = 3.14

func (o Options) withDefaults() Options {
	def(&o.BlackLevel, 512)
	def(&o.WhiteLevel, 15872)
	def(&o.Saturation, 1)
	def(&o.Orientation, 1)
	def(&o.Calibrations, 1)
	def(&o.matrix, cameraMatrix)
	def(&o.Layout.Compression, Uncompressed)
	def(&o.ISO, 100)
	def(&o.Kelvin, 6504)
	def(&o.AsShotKelvin, o.Kelvin)
	def(&o.Make, "Chemigram")
	def(&o.Model, "Synthetic 1")
	def(&o.LensModel, "Synthetic 24-70mm f/2.8")
	def(&o.FNumber, 8)
	def(&o.FocalLength, 35)
	if o.Taken.IsZero() {
		o.Taken = time.Date(2026, time.June, 21, 19, 42, 0, 0, time.UTC)
	}
	return o
}

// def sets a field that is zero to its default.
func def[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

func (o Options) validate() error {
	switch {
	case o.Pattern < RGGB || o.Pattern > GBRG:
		return fmt.Errorf("dng: pattern %d is none of the four Bayer patterns", o.Pattern)
	case o.WhiteLevel > 16383 || o.BlackLevel >= o.WhiteLevel:
		return fmt.Errorf("dng: levels %d to %d do not rise within 0 to 16383", o.BlackLevel, o.WhiteLevel)
	case o.Orientation < 1 || o.Orientation > 8:
		return fmt.Errorf("dng: orientation %d is outside 1 to 8", o.Orientation)
	case o.ISO < 1 || o.ISO > 65535:
		return fmt.Errorf("dng: ISO %d is outside 1 to 65535", o.ISO)
	case o.Calibrations < 1 || o.Calibrations > 2:
		return fmt.Errorf("dng: matrices for %d lights: 1 or 2 can be written", o.Calibrations)
	case o.BlackLevels != [4]uint16{} && (o.Layout.Number != Uint16 || o.Layout.Samples != Bayer):
		return errors.New("dng: black levels of photosites are those of whole numbers of a Bayer pattern")
	case o.Noise < 0:
		return fmt.Errorf("dng: noise %g is negative", o.Noise)
	case o.FNumber <= 0 || o.FocalLength <= 0:
		return fmt.Errorf("dng: f/%g at %g mm is no lens: both must be positive", o.FNumber, o.FocalLength)
	}
	return errors.Join(o.validateShares(), o.Layout.validate())
}

// validateShares looks at what is a share of something, and at colour temperatures.
func (o Options) validateShares() error {
	for _, share := range []struct {
		what        string
		value, most float64
	}{{"hot pixels", o.HotPixels, 0.01}, {"saturation", o.Saturation, 1}, {"light in the corners", o.CornerLight, 1}} {
		if share.value < 0 || share.value > share.most {
			return fmt.Errorf("dng: %s: a share of %g is outside 0 to %g", share.what, share.value, share.most)
		}
	}
	for _, k := range []float64{o.Kelvin, o.AsShotKelvin} {
		if k < 2300 || k > 25000 {
			return fmt.Errorf("dng: %g K is outside 2300 to 25000", k)
		}
	}
	return nil
}
