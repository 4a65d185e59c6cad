package dng

import (
	"fmt"
	"io"
)

// A Head is the first part of a file that a camera wrote, up to its picture: all its
// directories and notes, which say where the picture lies and how it is held. Write puts
// a picture there; no byte before it is changed.
type Head struct {
	// Camera is what wrote it, and File is what the file that is cut off is called.
	Camera, File string
	// Extension is that of the camera's files.
	Extension string
	// Make and Model are what the head says.
	Make, Model string
	// Width and Height are those of the picture without the frame.
	Width, Height int

	pattern      Pattern
	black, white uint16
	ev           float64 // the exposure compensation
	balance      vec3    // what white is multiplied by, which the head says
	matrix       mat3
	frame        frame
	picture      int // where the picture begins, and
	length       int // how many bytes are there for it; 0 for as many as it takes
	pack         func(head []byte, r recording) []byte
}

// Heads are those in the test data of the metadata library.
func Heads() []Head {
	return []Head{
		{
			Camera: "Canon PowerShot S90", File: "sample.cr2", Extension: "cr2", Make: "Canon", Model: "Canon PowerShot S90",
			Width: 3680, Height: 2756, frame: frame{left: 10, top: 18, right: 54, bottom: 10},
			black: 128, white: 2893, ev: 1. / 3, balance: vec3{1515. / 882, 1, 1840. / 882},
			matrix:  mat3{{1.2374, -0.5016, -0.1049}, {-0.1677, 0.9902, 0.2078}, {-0.0083, 0.0852, 0.4683}},
			picture: 1826816, length: 11460721,
			pack: func(_ []byte, r recording) []byte {
				return losslessJPEG(r.sliced(canonSlices{1, 1848, 1896}), r.width, 2, 12)
			},
		},
		{
			Camera: "NIKON D1", File: "sample.nef", Extension: "nef", Make: "NIKON CORPORATION", Model: "NIKON D1",
			Width: 2000, Height: 1312, frame: frame{right: 12, bottom: 12}, pattern: BGGR,
			// The camera's own numbers, as raw developers set them right.
			black: 1, white: 4095, balance: vec3{506. / 527, 1, 330. / 317},
			matrix:  mat3{{1.6772, -0.4726, -0.2141}, {-0.7611, 1.5713, 0.1972}, {-0.2846, 0.3494, 0.9521}},
			picture: 59642,
			pack:    func(_ []byte, r recording) []byte { return r.packed(12) },
		},
		{
			Camera: "SONY DSLR-A330", File: "sample.arw", Extension: "arw", Make: "SONY", Model: "DSLR-A330",
			Width: 3878, Height: 2600, frame: frame{right: 2, bottom: 8}, // there are 8 lines more than it says
			// Its black level is 0; its notes have the white level in 14 bits, and the picture has 12.
			black: 1, white: 15360 / 4, balance: vec3{1800. / 1024, 1, 1584. / 1024},
			matrix:  mat3{{0.9847, -0.3091, -0.0929}, {-0.8485, 1.6346, 0.2225}, {-0.0714, 0.0595, 0.7103}},
			picture: 688128, length: 8883620,
			pack: func(_ []byte, r recording) []byte { return r.columns() },
		},
		{
			Camera: "PENTAX K-3 II", File: "bep/jølstravatnet.pef", Extension: "pef", Make: "RICOH IMAGING COMPANY, LTD.", Model: "PENTAX K-3 II",
			Width: 6040, Height: 4032, frame: frame{left: 4, right: 36},
			black: 1, white: 15865, balance: vec3{19200. / 8192, 1, 11584. / 8192},
			matrix:  mat3{{0.7415, -0.2052, -0.0721}, {-0.5186, 1.2788, 0.2682}, {-0.1446, 0.2157, 0.6773}},
			picture: 159648, length: 28357031,
			pack: func(head []byte, r recording) []byte { return r.differences(pentaxCodes(head[12210:])) },
		},
		{
			Camera: "Canon PowerShot SD450", File: "sample.dng", Extension: "dng", Make: "Canon", Model: "Canon PowerShot SD450",
			Width: 2592, Height: 1944, frame: frame{left: 24, top: 16, right: 56, bottom: 8},
			black: 31, white: 1023, balance: vec3{1.201, 0.988, 2.847},
			matrix:  mat3{{0.536034, -0.173429, -0.089823}, {-0.290416, 0.735807, 0.047894}, {-0.071455, 0.114314, 0.274533}},
			picture: 38400,
			pack:    func(_ []byte, r recording) []byte { return r.packed(10) },
		},
	}
}

// Write records a picture in the light that the head says, and writes it behind the head,
// of which it is given what there is of the file.
func (h Head) Write(w io.Writer, head []byte, img Image) error {
	if img.Width != h.Width || img.Height != h.Height {
		return fmt.Errorf("dng: a picture of %d×%d pixels: the head says %d×%d", img.Width, img.Height, h.Width, h.Height)
	}
	white := vec3{1 / h.balance[0], 1 / h.balance[1], 1 / h.balance[2]}
	before := neutral(h.matrix, defaultKelvin)
	o := Options{
		Pattern: h.pattern, BlackLevel: h.black, WhiteLevel: h.white, EV: h.ev,
		matrix: diagonal(vec3{white[0] / before[0], white[1] / before[1], white[2] / before[2]}).mul(h.matrix),
	}.withDefaults()
	s := newSensor(o, img.Width, img.Height)
	packed := h.pack(head, recording{s.expose(img), img.Width, img.Height, white}.framed(h.frame, h.black))
	if h.length > 0 && len(packed) > h.length {
		return fmt.Errorf("dng: the picture takes %d bytes, and the head says %d", len(packed), h.length)
	}
	out := make([]byte, h.picture+max(h.length, len(packed)))
	copy(out, head)
	copy(out[h.picture:], packed)
	_, err := w.Write(out)
	return err
}
