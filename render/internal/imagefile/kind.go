package imagefile

import (
	"bytes"
	"io"
	"strings"
	"unicode/utf8"
)

// A Kind is what a file is by its first bytes.
type Kind struct {
	// Name is what it is in words, such as "a PDF document"; empty when that is not known,
	// and of raws.
	Name string
	// Extensions are those by which pictures of this kind are known, the usual first; none
	// when it is no picture.
	Extensions []string
}

// IsPicture reports whether it is a picture of a known kind.
func (k Kind) IsPicture() bool { return len(k.Extensions) > 0 }

// zeros is the kind of a file of which nothing is left.
var zeros = Kind{Name: "nothing but zeros"}

// IsZeros reports whether the file begins with so many zeros that nothing can be in it.
func (k Kind) IsZeros() bool { return k.Name == zeros.Name }

// sniffed is how many first bytes are looked at.
const sniffed = 4096

// magics are the beginnings of kinds of files; a place is where in the file it is.
var magics = []struct {
	place int
	begin string
	kind  Kind
}{
	{0, "\xff\xd8\xff", Kind{"a JPEG", []string{"jpg", "jpeg", "jfif"}}},
	{0, "\x89PNG\r\n", Kind{"a PNG", []string{"png"}}},
	{0, "GIF8", Kind{"a GIF", []string{"gif"}}},
	{0, "qoif", Kind{"a QOI picture", []string{"qoi"}}},
	{0, "v/1\x01", Kind{"an OpenEXR picture", []string{"exr"}}},
	{0, "#?RADIANCE", Kind{"a Radiance HDR picture", []string{"hdr"}}},
	{0, "#?RGBE", Kind{"a Radiance HDR picture", []string{"hdr"}}},
	{0, "\xff\x0a", Kind{"a JPEG XL picture", []string{"jxl"}}},
	{0, "\x00\x00\x00\x0cJXL \r\n", Kind{"a JPEG XL picture", []string{"jxl"}}},
	{0, "\x00\x00\x00\x0cjP  \r\n", Kind{"a JPEG 2000 picture", []string{"jp2", "jpf", "jpx"}}},
	{0, "\xff\x4f\xff\x51", Kind{"a JPEG 2000 picture", []string{"j2k", "j2c", "jpc"}}},
	{8, "WEBP", Kind{"a WebP picture", []string{"webp"}}},
	{0, "SIMPLE  =", Kind{"a FITS picture", []string{"fits"}}},
	{0, "id=ImageMagick", Kind{"a MIFF picture", []string{"miff"}}},
	{128, "DICM", Kind{"a DICOM picture", []string{"dcm"}}},
	{0, "8BPS", Kind{Name: "a document of Photoshop"}},
	{0, "gimp xcf", Kind{Name: "a document of GIMP"}},
	{0, "%PDF-", Kind{Name: "a PDF document"}},
	{0, "%!PS", Kind{Name: "a PostScript document"}},
	{0, "{\\rtf", Kind{Name: "an RTF document"}},
	{0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", Kind{Name: "a document of Office"}},
	{0, "PK\x03\x04", Kind{Name: "a ZIP archive"}},
	{0, "PK\x05\x06", Kind{Name: "a ZIP archive"}},
	{0, "\x1f\x8b\x08", Kind{Name: "a gzip archive"}},
	{0, "BZh", Kind{Name: "a bzip2 archive"}},
	{0, "\xfd7zXZ\x00", Kind{Name: "an xz archive"}},
	{0, "\x28\xb5\x2f\xfd", Kind{Name: "a zstd archive"}},
	{0, "7z\xbc\xaf\x27\x1c", Kind{Name: "a 7z archive"}},
	{0, "Rar!\x1a\x07", Kind{Name: "a RAR archive"}},
	{257, "ustar", Kind{Name: "a tar archive"}},
	{8, "AVI ", Kind{Name: "a film (AVI)"}},
	{8, "WAVE", Kind{Name: "a sound (WAV)"}},
	{0, "\x1aE\xdf\xa3", Kind{Name: "a film (Matroska)"}},
	{0, "\x00\x00\x01\xba", Kind{Name: "a film (MPEG)"}},
	{0, "ID3", Kind{Name: "a sound (MP3)"}},
	{0, "fLaC", Kind{Name: "a sound (FLAC)"}},
	{0, "OggS", Kind{Name: "a sound or film (Ogg)"}},
	{0, "SQLite format 3\x00", Kind{Name: "a database (SQLite)"}},
	{0, "\x7fELF", Kind{Name: "a program"}},
	{0, "MZ", Kind{Name: "a program"}},
	{0, "\x00\x05\x16\x07", Kind{Name: "what macOS keeps beside a file (AppleDouble)"}},
	{0, "L\x00\x00\x00\x01\x14\x02\x00", Kind{Name: "a shortcut of Windows"}},
}

// brands are the first brands of files of boxes (ISO/IEC 14496-12), in which a picture or
// a film may be.
var brands = map[string]Kind{
	"heic": {"a HEIC picture", []string{"heic", "heif", "hif"}}, "heix": {"a HEIC picture", []string{"heic", "heif", "hif"}},
	"mif1": {"a HEIF picture", []string{"heif", "heic", "hif", "avif"}}, "msf1": {"a HEIF picture", []string{"heif", "heic", "hif", "avif"}},
	"avif": {"an AVIF picture", []string{"avif"}}, "avis": {"an AVIF picture", []string{"avif"}},
	"qt  ": {Name: "a film (QuickTime)"},
	"isom": {Name: "a film (MP4)"}, "iso2": {Name: "a film (MP4)"}, "iso4": {Name: "a film (MP4)"}, "iso5": {Name: "a film (MP4)"}, "iso6": {Name: "a film (MP4)"},
	"mp41": {Name: "a film (MP4)"}, "mp42": {Name: "a film (MP4)"}, "avc1": {Name: "a film (MP4)"}, "dash": {Name: "a film (MP4)"},
	"M4V ": {Name: "a film (MP4)"}, "MSNV": {Name: "a film (MP4)"}, "XAVC": {Name: "a film (MP4)"},
	"3gp4": {Name: "a film (3GP)"}, "3gp5": {Name: "a film (3GP)"}, "3gp6": {Name: "a film (3GP)"}, "M4A ": {Name: "a sound (MP4)"},
}

// texts are the beginnings of texts that have a name, in lower case.
var texts = []struct {
	begin string
	kind  Kind
}{
	{"<!doctype html", Kind{Name: "a web page"}},
	{"<html", Kind{Name: "a web page"}},
	{"<svg", Kind{Name: "a drawing (SVG)"}},
	{"<?xpacket", Kind{Name: "a sidecar (XMP)"}},
	{"<x:xmpmeta", Kind{Name: "a sidecar (XMP)"}},
	{"<?xml", Kind{Name: "an XML document"}},
}

// KindOf tells what a file of so many bytes is.
func KindOf(r io.ReaderAt, size int64) Kind {
	head, err := file{r, size}.bytesAt(0, int(min(size, sniffed)))
	if err != nil || len(head) == 0 {
		return Kind{}
	}
	for _, m := range magics {
		if len(head) > m.place && bytes.HasPrefix(head[m.place:], []byte(m.begin)) {
			return m.kind
		}
	}
	switch {
	case len(head) >= 12 && string(head[4:8]) == "ftyp":
		return brands[string(head[8:12])]
	case len(head) >= 4 && (string(head[:4]) == "II*\x00" || string(head[:4]) == "MM\x00*"):
		return Kind{Name: "a TIFF", Extensions: []string{"tif", "tiff"}}
	case len(head) > 2 && head[0] == 'P' && strings.IndexByte("123456Ff", head[1]) >= 0 && (isBlank(head[2]) || head[2] == '#'):
		return Kind{Name: "a portable map", Extensions: []string{"ppm", "pgm", "pbm", "pnm", "pfm"}}
	case len(bytes.Trim(head, "\x00")) == 0:
		return zeros
	}
	return textKind(head)
}

// textKind tells which text a head is, if it is one.
func textKind(head []byte) Kind {
	if bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) {
		return Kind{Name: "a text (UTF-16)"}
	}
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	for i, r := range string(head) {
		if r == utf8.RuneError && i < len(head)-utf8.UTFMax || r < ' ' && !isBlank(byte(r)) || r == 0x7f {
			return Kind{}
		}
	}
	begin := strings.ToLower(string(bytes.TrimSpace(head)))
	for _, t := range texts {
		if strings.HasPrefix(begin, t.begin) {
			return t.kind
		}
	}
	return Kind{Name: "a text"}
}
