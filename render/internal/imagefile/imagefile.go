// Package imagefile knows what an image file says and hides: it checks that a
// file is whole and of its format, takes metadata out of it, writes properties
// into its XMP packet and reads that packet. It knows nothing of darktable.
package imagefile

// Format is a kind of image file.
type Format string

// The formats.
const (
	JPEG Format = "jpeg"
	PNG  Format = "png"
	TIFF Format = "tiff"
	WebP Format = "webp"
	AVIF Format = "avif"
	JXL  Format = "jxl"
	EXR  Format = "exr"

	Portable Format = "pnm" // PBM, PGM, PPM and PFM
	HDR      Format = "hdr" // of Radiance
	QOI      Format = "qoi"
)

// HasPacket reports whether darktable gives a file of the format an XMP packet,
// which [Stamp] knows.
func (f Format) HasPacket() bool { return f == JPEG || f == PNG || f == TIFF || f == WebP }
