package render

import (
	"path/filepath"

	"github.com/chemigram/chemigram/render/internal/imagefile"
	"github.com/chemigram/chemigram/xmp"
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

// finishPicture checks what darktable has written, gives it the metadata that the
// job asks for, and tells what it is.
func (f *format) finishPicture(path string, job *Job) (Picture, error) {
	if _, err := checkPicture(path, f, job.Size); err != nil {
		return Picture{}, err
	}
	if err := f.writeMetadata(path, job); err != nil {
		return Picture{}, err
	}
	return checkPicture(path, f, job.Size)
}

// writeMetadata makes the metadata of what darktable wrote those that the job asks
// for.
func (f *format) writeMetadata(path string, job *Job) error {
	if f.name == imagefile.TIFF {
		// darktable writes the path that it was given, and with it what this
		// machine's folders are called.
		if err := imagefile.NameDocument(path, filepath.Base(job.Output)); err != nil {
			return systemError("render", path, err)
		}
	}
	if f.name.HasPacket() && job.Metadata != StripAll {
		if err := f.writeHistory(path, job); err != nil {
			return newError("render", BadOutput, path, "cannot write the history into the "+string(f.name)+" that darktable wrote", err)
		}
	}
	if job.Metadata.keeps() {
		return nil
	}
	if err := imagefile.Strip(path, f.name, parts[job.Metadata]); err != nil {
		return newError("render", BadOutput, path, "cannot take the metadata out of the "+string(f.name)+" that darktable wrote", err)
	}
	return nil
}

// writeHistory writes the job's stamp into the packet of a picture. Where darktable
// could not write the history, because it could not add it to what the raw's own
// packet says, or the packet became too long for the format, the sidecar is the
// packet.
func (f *format) writeHistory(path string, job *Job) error {
	var stamp string
	if job.State != "" {
		stamp = Stamp{State: job.State, Raw: job.RawDigest, Darktable: job.Darktable}.attributes()
	}
	if err := imagefile.EnsurePacket(path, f.name, len(stamp), job.packet); err != nil || stamp == "" {
		return err
	}
	return imagefile.Stamp(path, stamp)
}

// packet makes an XMP packet of the job's sidecar, for a picture of its raw.
func (j *Job) packet() ([]byte, error) {
	s, err := xmp.Parse(j.Sidecar)
	if err != nil {
		return nil, err
	}
	if named, err := s.WithProperty("xmpMM:DerivedFrom", filepath.Base(j.Raw)); err == nil {
		s = named
	}
	return imagefile.NewPacket(s.WithoutOwnTags().Bytes()), nil
}
