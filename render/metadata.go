package render

import (
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/chemigram/chemigram/render/internal/imagefile"
)

// Metadata is what a finished picture has beside its pixels. The ICC
// profile always stays.
type Metadata string

// The policies, which all formats know.
const (
	// KeepMetadata leaves everything as darktable wrote it; "" is the same.
	KeepMetadata Metadata = "keep"
	// StripLocation takes out where the picture was taken. Of EXIF, XMP and IPTC
	// stays what is known to say nothing of it: darktable's history and the state,
	// how the picture was taken, its author, rights, title, caption and keywords,
	// but no text that holds a position.
	StripLocation Metadata = "strip_location"
	// StripAll takes out EXIF, XMP with darktable's history and the state, IPTC
	// and comments.
	StripAll Metadata = "strip_all"
)

// parts are what the policies take out.
var parts = map[Metadata]imagefile.Part{StripLocation: imagefile.Location, StripAll: imagefile.Everything}

// ErrNoPacket is the error of a JPEG without an XMP packet.
var ErrNoPacket = imagefile.ErrNoPacket

// ReadPacket gives the XMP packet of the JPEG file at path: for a picture that
// darktable wrote, its history among other things. It fails with ErrNoPacket
// when the file is a JPEG without one.
func ReadPacket(path string) ([]byte, error) { return imagefile.ReadPacket(path) }

// keeps reports whether nothing is to be taken out.
func (m Metadata) keeps() bool { return m == "" || m == KeepMetadata }

// writeMetadata makes the metadata of what darktable wrote those that the job asks
// for. A file that is missing is not an error here, but in the check that follows.
func (f *format) writeMetadata(path string, job *Job) error {
	var err error
	if f.name == imagefile.TIFF {
		// darktable writes the path that it was given, and with it what this
		// machine's folders are called.
		err = imagefile.NameDocument(path, filepath.Base(job.Output))
	}
	if err == nil && job.State != "" && job.Metadata != StripAll && f.name.HasPacket() {
		err = imagefile.Stamp(path, Stamp{State: job.State, Raw: job.RawDigest, Darktable: job.Darktable}.attributes())
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return systemError("render", path, err)
	}
	if job.Metadata.keeps() {
		return nil
	}
	err = imagefile.Strip(path, f.name, parts[job.Metadata])
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return newError("render", BadOutput, path, "cannot take the metadata out of the "+string(f.name)+" that darktable wrote", err)
}
