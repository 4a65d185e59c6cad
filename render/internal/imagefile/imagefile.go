// Package imagefile knows what an image file says and hides: it checks that a
// file is whole and of its format, takes metadata out of it, writes properties
// into its XMP packet and reads that packet. It knows nothing of darktable.
package imagefile

import "slices"

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
)

// WithMetadata are the formats whose metadata [Strip] and [Stamp] know.
var WithMetadata = []Format{JPEG, PNG, TIFF, WebP}

// HasMetadata reports whether the format is one of [WithMetadata].
func (f Format) HasMetadata() bool { return slices.Contains(WithMetadata, f) }
