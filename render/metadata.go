package render

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Metadata says what a finished picture may tell beside its pixels. The ICC
// profile always stays.
type Metadata string

// The policies. Only the formats of [MetadataFormats] know others than
// KeepMetadata.
const (
	// KeepMetadata leaves everything as darktable wrote it; "" is the same.
	KeepMetadata Metadata = "keep"
	// StripLocation takes out where the picture was taken: the GPS directory
	// and the maker's note of EXIF, and the positions and names of places in
	// XMP and IPTC.
	StripLocation Metadata = "strip_location"
	// StripAll takes out EXIF, XMP with darktable's history and the state, IPTC
	// and comments.
	StripAll Metadata = "strip_all"
)

// MetadataFormats are the formats whose metadata can be taken out. They are
// also those that carry a state.
func MetadataFormats() []string { return []string{"jpeg", "png", "tiff", "webp"} }

// keeps tells whether nothing is to be taken out.
func (m Metadata) keeps() bool { return m == "" || m == KeepMetadata }

// finish makes what darktable wrote say what the job asks for, and no more.
func (f *format) finish(path string, job *Job) error {
	if f.name == "tiff" {
		if err := nameDocument(path, filepath.Base(job.Output)); err != nil {
			return systemError("render", path, err)
		}
	}
	if job.Metadata != StripAll {
		if err := f.stamp(path, job.State); err != nil {
			return systemError("render", path, err)
		}
	}
	if job.Metadata.keeps() {
		return nil
	}
	err := f.strip(path, job.Metadata)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil // a file that is missing is for the check to tell
	}
	return &Error{
		Op: "render", Kind: BadOutput, Path: path, ExitCode: -1,
		Message: "cannot take the metadata out of the " + f.name + " that darktable wrote", Err: err,
	}
}

// strippers write a copy of a picture without what a policy forbids.
var strippers = map[string]func(io.Writer, *os.File, Metadata) error{
	"jpeg": stripJPEG, "png": stripPNG, "webp": stripWebP,
}

// strip takes metadata out of the file at path, which nobody else sees yet.
func (f *format) strip(path string, m Metadata) (err error) {
	if !slices.Contains(MetadataFormats(), f.name) {
		return errors.ErrUnsupported
	}
	if f.name == "tiff" {
		return stripTIFF(path, m)
	}
	from, err := os.Open(path)
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.Create(path + ".stripped")
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(to, 1<<18)
	err = strippers[f.name](w, from, m)
	if err = errors.Join(err, w.Flush(), to.Close()); err != nil {
		return errors.Join(err, os.Remove(to.Name()))
	}
	return os.Rename(to.Name(), path)
}
