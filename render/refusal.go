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
	{UnsupportedFile, regexp.MustCompile(`[Nn]ot supported|[Uu]nsupported|not implemented`)},
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
	if e.Reason != UnknownCamera {
		if c := contentOf(ctx, raw); ctx.Err() == nil && d.explainContent(e, &c, raw) {
			return e
		}
	}
	switch e.Reason {
	case NotAPicture:
		e.Message = fmt.Sprintf("%s is no picture that darktable %v opens: %s", name, d.version, giveAPicture)
	case Damaged:
		e.Message = fmt.Sprintf("%s is damaged or not whole, and darktable %v cannot read it: copy it again from where it was first", name, d.version)
	case UnsupportedFile:
		e.Message = fmt.Sprintf("darktable %v cannot read a raw of the kind of %s: convert it to DNG, or use a newer darktable", d.version, name)
	case UnknownCamera:
		e.Camera, e.KnownTo = unknownCamera(e.Stderr, d.version)
		e.Message = fmt.Sprintf("darktable %v does not know %s, which wrote %s; %s", d.version, cmp.Or(e.Camera, "the camera"), name, e.remedy())
	}
	return e
}

const giveAPicture = "give a raw of a camera, or a JPEG, TIFF or PNG, with the extension of its kind"

// remedy is what to do about a raw of a camera that darktable does not know.
func (e *Error) remedy() string {
	if e.KnownTo != "" {
		return "darktable " + e.KnownTo + " does: install that, or convert the raw to DNG"
	}
	return "a newer darktable may; otherwise convert the raw to DNG"
}

// explainContent says why darktable could not develop a file by what the file is, when
// that tells more than darktable's messages; otherwise it may set the reason.
func (d *Darktable) explainContent(e *Error, c *content, raw string) (explained bool) {
	name := filepath.Base(raw)
	say := func(reason Reason, format string, args ...any) bool {
		e.Reason, e.Message = reason, name+" "+fmt.Sprintf(format, args...)
		return true
	}
	isRaw := signatures[strings.ToLower(filepath.Ext(raw))] == nil
	isUnknown := e.Reason == NotAPicture || e.Reason == ""
	switch {
	case c.IsZeros():
		return say(Damaged, "begins with zeros alone, and nothing of its picture is there: copy it again from where it was first")
	case c.isOther():
		return say(NotAPicture, "is %s, and no picture that darktable %v opens: %s", c.Name, d.version, giveAPicture)
	case c.unusual != "":
		return say(UnsupportedFile, "is %s, which darktable %v does not open: save it as a TIFF or PNG, or as a JPEG of 8 bits in sRGB, and ingest that", c.unusual, d.version)
	case e.Reason == NotAPicture && c.isMisnamed(raw):
		return say(NotAPicture, "is %s by its content, which darktable %v does not open under this name: rename it to end in .%s", c.Name, d.version, c.Extensions[0])
	case isUnknown && c.cut:
		e.Reason = Damaged
	case e.Reason == NotAPicture && isRaw && c.maker+c.model != "":
		e.Camera, e.KnownTo = cameraOf(c.maker, c.model, d.version)
		return say(UnknownCamera, "was written by %s, and darktable %v finds no decoder for its raws; %s", e.Camera, d.version, e.remedy())
	case (isUnknown && c.isPortable() || e.Reason == UnsupportedFile && c.IsPicture()) && c.fits(raw):
		return say(UnsupportedFile, "is %s of a kind that darktable %v does not open: save it as a TIFF or PNG of 8 or 16 bits, and ingest that", c.Name, d.version)
	case isUnknown && beginsAsNamed(raw):
		e.Reason = Damaged
	}
	return false
}

// signatures are what pictures that are no raws begin with, by their extensions; those of
// HEIF have theirs behind a length of four bytes.
var signatures = map[string][]string{
	".jpg": {"\xff\xd8\xff"}, ".jpeg": {"\xff\xd8\xff"}, ".png": {"\x89PNG\r\n"}, ".tif": {"II*\x00", "MM\x00*"}, ".tiff": {"II*\x00", "MM\x00*"},
	".ppm": {"P6"}, ".heic": {heif}, ".heif": {heif}, ".hif": {heif}, ".avif": {heif}, ".webp": {"RIFF"}, ".exr": {"v/1\x01"},
}

const heif = "ftyp"

// beginsAsNamed reports whether a file is at its beginning the picture that its extension
// says: when darktable takes it for none, the rest is missing or wrong.
func beginsAsNamed(path string) bool {
	kinds := signatures[strings.ToLower(filepath.Ext(path))]
	if kinds == nil {
		return false
	}
	file, _, err := regularfile.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = file.Close() }()
	var head [8]byte
	n, _ := io.ReadFull(file, head[:])
	begins := string(head[:n])
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

// unknownCamera finds the camera that darktable does not know in what it printed, and
// a release that knows it; "" for what is not said.
func unknownCamera(printed string, v version.Version) (camera, knownTo string) {
	named := cameraNamed.FindStringSubmatch(printed)
	if named == nil {
		return "", ""
	}
	return cameraOf(strings.TrimSpace(named[1]), strings.TrimSpace(named[2]), v)
}

// cameraOf names a camera that a darktable does not know, and a release that knows it.
func cameraOf(maker, model string, v version.Version) (camera, knownTo string) {
	if v.Compare(newerRelease) < 0 && newerCameras()[strings.ToLower(maker+"\t"+model)] {
		knownTo = newerRelease.String()
	}
	return strings.TrimSpace(maker + " " + strings.TrimPrefix(model, maker+" ")), knownTo
}
