package render

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"time"
)

// Job is one picture to develop.
type Job struct {
	// Raw is the path of the raw, or of another picture that darktable opens.
	Raw string
	// RawDigest is the SHA-256 of the raw's content in hex, as the caller has
	// verified it; "" when it is not known. Recipes need it, and a file that
	// carries a State carries it, too.
	RawDigest string
	// Darktable is what [Darktable.Identity] was when the job was made; "" when it
	// does not matter. Recipes need it, and a file that carries a State carries it,
	// too. The job fails when another darktable has developed it.
	Darktable string
	// Sidecar is the XMP to develop it with; its history replaces darktable's
	// default one whole.
	Sidecar []byte
	// Output is a path that does not exist yet, in a folder that does. Its
	// extension is the format: jpg, jpeg, png, tif, tiff, webp, avif, jxl or
	// exr. Which of them are there depends on how darktable was built, and
	// darktable-cli 4.2 cannot write jxl.
	Output string
	// Durable makes the output survive a power cut: it is synced, and its folder is,
	// before the job is done.
	Durable bool
	// Size is the longest edge in pixels, 0 for the full size. A picture is
	// never enlarged.
	Size int
	// HighQuality processes at full resolution and scales at the end.
	// Otherwise darktable scales as early as it can, which is about twice as
	// fast and differs in fine texture.
	HighQuality bool
	// Quality is 1 to 100 for jpeg, webp, avif and jxl; 0 is 92.
	Quality int
	// BitDepth is bits per channel: 8 or 16 for png; 8, 16 or 32 (floating
	// point) for tiff; 8, 10 or 12 for avif; 8, 10, 12, 16 or 32 for jxl;
	// 16 or 32 for exr, both floating point. 0 is 8, and 32 for exr.
	BitDepth int
	// ColorSpace of the output, whose ICC profile is embedded: srgb (default),
	// display-p3, adobe-rgb, rec2020, prophoto, linear-rec709,
	// linear-rec2020.
	ColorSpace string
	// State is a hash that the file shall carry: jpeg, png, tiff and webp have
	// it in their XMP packet, as the property chemigram:state, with RawDigest as
	// chemigram:raw and Darktable as chemigram:darktable; "" for none of them. darktable gives the other formats no packet.
	State string
	// Metadata is which of its metadata the file keeps; "" is [KeepMetadata].
	Metadata Metadata
	// Timeout of the process, not counting the time that it waits for a
	// slot; 0 is the context's deadline or, without one, [DefaultTimeout].
	Timeout time.Duration
	// Uncompressed makes a png or tiff larger, and faster to write and to read:
	// for a picture that is read again at once.
	Uncompressed bool
	// Verify is called when the picture is developed and not yet published. Its
	// error ends the job: what it was developed from has changed meanwhile. Nil
	// verifies nothing.
	Verify func() error
}

// verify fails when what a picture was developed from or by has changed meanwhile.
func (j *Job) verify(d *Darktable) error {
	if j.Darktable != "" && d.Identity() != j.Darktable {
		return newError("render", Failed, j.Raw, "darktable was replaced by another build since the job was made; develop it again", nil)
	}
	if j.Verify == nil {
		return nil
	}
	return j.Verify()
}

// Picture is what came out.
type Picture struct {
	Path          string
	Width, Height int
	Bytes         int64
	// Format is jpeg, png, tiff, webp, avif, jxl or exr.
	Format string
	// Duration is the time from the call to the published file.
	Duration time.Duration
}

// plan checks a job and finds its format and colour space.
func (j *Job) plan() (*format, *colorSpace, error) {
	wrong := func(field, message string, args ...any) error {
		return &Error{Op: "render", Kind: BadInput, Field: field, Message: fmt.Sprintf(message, args...), Path: j.Output, ExitCode: -1}
	}
	f := formatOf(j.Output)
	c := colorSpaceNamed(j.ColorSpace)
	switch {
	case f == nil:
		return nil, nil, wrong("output", "%q names no picture format; the extension of the output must be one of %v", filepath.Base(j.Output), extensions())
	case c == nil:
		return nil, nil, wrong("color_space", "unknown colour space %q; it must be one of %v", j.ColorSpace, ColorSpaces())
	case len(j.Sidecar) == 0:
		return nil, nil, wrong("sidecar", "the sidecar is empty")
	case j.Size < 0 || j.Size > math.MaxUint16:
		return nil, nil, wrong("size", "size is %d; it must be 0 (full size) to %d pixels", j.Size, math.MaxUint16)
	case j.Quality < 0 || j.Quality > 100:
		return nil, nil, wrong("quality", "quality is %d; it must be 1 to 100, or 0 for %d", j.Quality, defaultQuality)
	case j.BitDepth != 0 && !slices.Contains(f.depths, j.BitDepth):
		return nil, nil, wrong("bit_depth", "%s has no bit depth %d; it must be one of %v", f.name, j.BitDepth, f.depths)
	case !j.Metadata.keeps() && j.Metadata != StripLocation && j.Metadata != StripAll:
		return nil, nil, wrong("metadata", "unknown metadata policy %q; it must be one of %v", j.Metadata, []Metadata{KeepMetadata, StripLocation, StripAll})
	case j.Timeout < 0:
		return nil, nil, wrong("timeout", "timeout is %v; it must be positive, or 0 for %v", j.Timeout, DefaultTimeout)
	}
	return f, c, nil
}
