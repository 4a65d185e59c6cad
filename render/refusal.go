package render

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/chemigram/chemigram/internal/regularfile"
	"github.com/chemigram/chemigram/internal/version"
	"github.com/chemigram/chemigram/render/internal/imagefile"
)

// Reason is why darktable cannot develop a file, and never will as they both are. An
// [Error] of kind Failed has one when darktable's messages tell.
type Reason string

// The reasons.
const (
	// NotAPicture: the file is no picture, or none of a kind that darktable opens.
	NotAPicture Reason = "not_a_picture"
	// UnknownCamera: this darktable does not know the camera that wrote the raw.
	UnknownCamera Reason = "unknown_camera"
	// UnsupportedFile: this darktable lacks what the file needs: its compression, its
	// kind of sensor.
	UnsupportedFile Reason = "unsupported_file"
	// Damaged: a part of the file is missing or wrong.
	Damaged Reason = "damaged"
)

// knownRefusals are what darktable, and the libraries by which it reads, print about
// a file that they refuse, the surest first.
var knownRefusals = []struct {
	reason Reason
	says   *regexp.Regexp
}{
	{UnknownCamera, regexp.MustCompile(`Unsupported camera model|camera in database|Camera '[^']*' '[^']*'.* not supported|[Cc]amera not supported`)},
	{NotAPicture, regexp.MustCompile(`No decoder found|can't open file|unknown image type|Not a JPEG file|Not a TIFF|not a PNG`)},
	{Damaged, regexp.MustCompile(`[Tt]runcated|[Bb]uffer overflow|File too small|offset/count invalid|No image data found|Out of bounds access|[Cc]orrupt|[Pp]remature end|[Uu]nexpected end`)},
	{UnsupportedFile, regexp.MustCompile(`[Nn]ot supported|[Uu]nsupported`)},
}

var cameraNamed = regexp.MustCompile(`(?:in database: |Camera )'([^']*)' '([^']*)'`)

// explainRefusal says why darktable could not develop a file, as far as its messages
// tell. The error of another kind is given as it is.
func (d *Darktable) explainRefusal(ctx context.Context, err error, raw string) error {
	name := filepath.Base(raw)
	err = explainFailure(err, fmt.Sprintf("darktable %v cannot develop %s; is it a whole raw of a camera that it knows, or a JPEG, TIFF or PNG?", d.version, name))
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Kind != Failed {
		return err
	}
	for _, known := range knownRefusals {
		if known.says.MatchString(e.Stderr) {
			e.Reason = known.reason
			break
		}
	}
	found := contentOf(ctx, raw)
	e.Reason = found.reason(e.Reason)
	if e.Reason == UnknownCamera {
		if named := cameraNamed.FindStringSubmatch(e.Stderr); named != nil {
			found.camera = [2]string(named[1:])
		}
		e.Camera, e.KnownTo = unknownCamera(found.camera[0], found.camera[1], d.version)
	}
	e.Message = cmp.Or(found.refusal(e, name, d.version), e.Message)
	return e
}

// content is what a file that darktable refuses is, as far as its bytes say.
type content struct {
	// foreign is what a file is that is no picture, and rare what a JPEG is that is not of
	// the usual kind; empty for others.
	foreign, rare string
	// camera is the maker and the model that it says that it is of.
	camera [2]string
	// isRaw is whether its extension is that of no other picture; begins is whether it
	// begins as its extension says.
	isRaw, begins, isCutShort bool
}

func contentOf(ctx context.Context, path string) content {
	c := content{
		foreign: foreignKind(path), isRaw: signatures[strings.ToLower(filepath.Ext(path))] == nil,
		begins: beginsAsNamed(path), isCutShort: CutShort(ctx, path) != nil,
	}
	file, info, err := regularfile.Open(path)
	if err != nil {
		return c
	}
	defer func() { _ = file.Close() }()
	r := regularfile.ReaderAt(ctx, file)
	c.rare = imagefile.OddJPEG(r, info.Size())
	c.camera[0], c.camera[1] = imagefile.Camera(r, info.Size())
	return c
}

// reason is why darktable refuses the file, of which its messages give a reason or none.
func (c content) reason(given Reason) Reason {
	unclear := given == NotAPicture || given == ""
	switch {
	case c.foreign != "":
		return NotAPicture
	case given != UnknownCamera && c.rare != "" && !c.isCutShort:
		return UnsupportedFile
	case unclear && (c.begins || c.isCutShort):
		return Damaged
	case given == NotAPicture && c.camera[0] != "" && c.isRaw:
		return UnknownCamera
	}
	return given
}

// refusal says why a darktable refuses the file called name, and what to do; "" when nobody
// knows.
func (c content) refusal(e *Error, name string, v version.Version) string {
	switch {
	case c.foreign != "":
		return fmt.Sprintf("%s is %s, by its beginning, and no picture that darktable %v opens: give a raw of a camera, or a JPEG, TIFF or PNG", name, c.foreign, v)
	case e.Reason == NotAPicture:
		return fmt.Sprintf("%s is no picture that darktable %v opens: give a raw of a camera, or a JPEG, TIFF or PNG, with the extension of its kind", name, v)
	case e.Reason == Damaged:
		return fmt.Sprintf("%s is damaged or not whole, and darktable %v cannot read it: copy it again from where it was first", name, v)
	case e.Reason == UnsupportedFile && (c.rare != "" || !c.isRaw):
		return fmt.Sprintf("%s is %s, which darktable %v does not open: save it as a JPEG of 8 bits in RGB, or as a TIFF", name, cmp.Or(c.rare, "a picture of a rare kind"), v)
	case e.Reason == UnsupportedFile:
		return fmt.Sprintf("darktable %v cannot read a raw of the kind of %s: convert it to DNG, or use a newer darktable", v, name)
	case e.Reason == UnknownCamera:
		remedy := "a newer darktable may; otherwise convert the raw to DNG"
		if e.KnownTo != "" {
			remedy = "darktable " + e.KnownTo + " does: install that, or convert the raw to DNG"
		}
		return fmt.Sprintf("darktable %v does not know %s, which wrote %s; %s", v, cmp.Or(e.Camera, "the camera"), name, remedy)
	}
	return ""
}

// signatures are what pictures that are no raws begin with, by their extensions; those of
// HEIF have theirs behind a length of four bytes.
var signatures = map[string][]string{
	".jpg": {"\xff\xd8\xff"}, ".jpeg": {"\xff\xd8\xff"}, ".png": {"\x89PNG\r\n"}, ".tif": {"II*\x00", "MM\x00*"}, ".tiff": {"II*\x00", "MM\x00*"},
	".ppm": {"P6"}, ".heic": {heif}, ".heif": {heif}, ".hif": {heif}, ".avif": {heif}, ".webp": {"RIFF"}, ".exr": {"v/1\x01"},
}

const heif = "ftyp"

// foreignKinds are what files begin with that are no pictures, or none that darktable opens,
// whatever their extension says, and where: in the order of how sure they are.
var foreignKinds = []struct {
	at     int
	begins string
	kind   string
}{
	{0, "%PDF-", "a PDF"},
	{0, "%!PS", "PostScript"},
	{0, "8BPS", "a file of Photoshop's"},
	{0, "gimp xcf", "a file of GIMP's"},
	{0, "PK\x03\x04", "a ZIP archive"},
	{0, "\x1f\x8b", "a gzip archive"},
	{0, "7z\xbc\xaf\x27\x1c", "a 7z archive"},
	{0, "Rar!\x1a\x07", "a RAR archive"},
	{0, "BZh", "a bzip2 archive"},
	{0, "\xfd7zXZ\x00", "an xz archive"},
	{0, "\x28\xb5\x2f\xfd", "a Zstandard archive"},
	{257, "ustar", "a tar archive"},
	{8, "AVI ", "a film (AVI)"},
	{8, "WAVE", "sound (WAV)"},
	{4, "ftypisom", "a film (MP4)"},
	{4, "ftypmp4", "a film (MP4)"},
	{4, "ftypavc1", "a film (MP4)"},
	{4, "ftypM4V", "a film (MP4)"},
	{4, "ftypM4A", "sound (MP4)"},
	{4, "ftypqt", "a film (QuickTime)"},
	{0, "\x1aE\xdf\xa3", "a film (Matroska or WebM)"},
	{0, "OggS", "sound or a film (Ogg)"},
	{0, "ID3", "sound (MP3)"},
	{0, "fLaC", "sound (FLAC)"},
	{0, "\x00\x05\x16\x07", "what a Mac keeps about another file (AppleDouble)"},
	{0, "\x7fELF", "a program"},
	{0, "MZ", "a program"},
	{0, "SQLite format 3\x00", "a database"},
	{0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a document of an office program"},
	{0, "{\\rtf", "a text (RTF)"},
	{0, "<!doctype html", "a web page"},
	{0, "<html", "a web page"},
	{0, "<svg", "an SVG drawing"},
	{0, "<?xml", "XML"},
}

// foreignKind says what a file is that is no picture, when its beginning tells; "" otherwise.
func foreignKind(path string) string {
	head := beginning(path, 512)
	markup := strings.ToLower(strings.TrimLeft(strings.TrimPrefix(head, "\xef\xbb\xbf"), " \t\r\n"))
	for _, known := range foreignKinds {
		in := head
		if known.begins[0] == '<' {
			in = markup
		}
		if len(in) > known.at && strings.HasPrefix(in[known.at:], known.begins) {
			return known.kind
		}
	}
	return ""
}

// beginning gives the first bytes of a file, at most so many.
func beginning(path string, most int) string {
	file, _, err := regularfile.Open(path)
	if err != nil {
		return ""
	}
	defer func() { _ = file.Close() }()
	head := make([]byte, most)
	n, _ := io.ReadFull(file, head)
	return string(head[:n])
}

// beginsAsNamed reports whether a file is at its beginning the picture that its extension
// says: when darktable takes it for none, the rest is missing or wrong.
func beginsAsNamed(path string) bool {
	kinds := signatures[strings.ToLower(filepath.Ext(path))]
	if kinds == nil {
		return false
	}
	begins := beginning(path, 8)
	return slices.ContainsFunc(kinds, func(kind string) bool {
		return strings.HasPrefix(begins, kind) || kind == heif && strings.HasSuffix(begins, heif)
	})
}

// newerRelease knows the cameras of the list, and older ones do not.
var newerRelease = version.Version{Major: 5, Minor: 4, Patch: 1}

//go:embed cameras.txt
var cameraList string

// newerCameras are make and model of the cameras that only newerRelease knows.
var newerCameras = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for line := range strings.Lines(cameraList) {
		if line = strings.TrimRight(line, "\n"); !strings.HasPrefix(line, "#") {
			all[strings.ToLower(line)] = true
		}
	}
	return all
})

// unknownCamera names a camera that darktable does not know, and a release that knows it;
// "" for what is not known.
func unknownCamera(maker, model string, v version.Version) (camera, knownTo string) {
	maker, model = strings.TrimSpace(maker), strings.TrimSpace(model)
	if v.Compare(newerRelease) < 0 && newerCameras()[strings.ToLower(maker+"\t"+model)] {
		knownTo = newerRelease.String()
	}
	return strings.TrimSpace(maker + " " + strings.TrimPrefix(model, maker+" ")), knownTo
}
