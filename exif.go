package chemigram

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/bep/imagemeta"
)

// EXIFSummary is what the file says of how it was taken. A field that the file
// does not tell is empty or 0.
type EXIFSummary struct {
	// Make of the camera.
	Make string `json:"make"`
	// Model of the camera.
	Model string `json:"model"`
	// LensModel of the lens.
	LensModel string `json:"lens_model"`
	// FocalLengthMM is the focal length in millimetres.
	FocalLengthMM float64 `json:"focal_length_mm"`
	// ISO sensitivity.
	ISO int `json:"iso"`
	// Aperture as an f-number.
	Aperture float64 `json:"aperture"`
	// ExposureSeconds is the exposure time in seconds.
	ExposureSeconds float64 `json:"exposure_seconds"`
	// TakenAt is when, by the camera's clock, as ISO 8601 without a zone.
	TakenAt string `json:"taken_at"`
	// Width of the file's picture in pixels.
	Width int `json:"width"`
	// Height of the file's picture in pixels.
	Height int `json:"height"`
}

// exifFormats are the formats that the metadata library reads, by extension.
var exifFormats = map[string]imagemeta.ImageFormat{
	".jpg": imagemeta.JPEG, ".jpeg": imagemeta.JPEG, ".tif": imagemeta.TIFF, ".tiff": imagemeta.TIFF,
	".png": imagemeta.PNG, ".webp": imagemeta.WebP, ".heic": imagemeta.HEIF, ".heif": imagemeta.HEIF,
	".dng": imagemeta.DNG, ".cr2": imagemeta.CR2, ".nef": imagemeta.NEF, ".arw": imagemeta.ARW, ".pef": imagemeta.PEF,
}

// summarise reads a file's metadata. Where the library cannot read them, or
// finds no camera, darktable is believed: it copies what it knows of a raw into
// jpeg, the small picture of the baseline. The raw's size is not in there.
func (e *Engine) summarise(path string, jpeg []byte) EXIFSummary {
	summary, err := readEXIF(path)
	if err == nil && (summary.Make != "" || summary.Model != "") {
		return summary
	}
	copied, copyErr := decodeEXIF(bytes.NewReader(jpeg), imagemeta.JPEG)
	if copyErr != nil {
		e.log.Info("the file's metadata cannot be read", "raw", path, "error", errors.Join(err, copyErr))
		return summary
	}
	copied.Width, copied.Height = summary.Width, summary.Height
	return copied
}

// readEXIF reads the summary. A file whose metadata cannot be read has an
// empty one: it can be edited all the same.
func readEXIF(path string) (summary EXIFSummary, err error) {
	format, known := exifFormats[strings.ToLower(filepath.Ext(path))]
	if !known {
		return EXIFSummary{}, fmt.Errorf("no metadata reader for %s files", filepath.Ext(path))
	}
	file, err := os.Open(path)
	if err != nil {
		return EXIFSummary{}, err
	}
	defer func() { _ = file.Close() }()
	return decodeEXIF(file, format)
}

func decodeEXIF(r io.ReadSeeker, format imagemeta.ImageFormat) (EXIFSummary, error) {
	var s EXIFSummary
	_, err := imagemeta.Decode(imagemeta.Options{
		R: r, ImageFormat: format,
		Sources:         imagemeta.EXIF,
		ShouldHandleTag: func(tag imagemeta.TagInfo) bool { return exifFields[tag.Tag] != nil },
		HandleTag: func(tag imagemeta.TagInfo) error {
			exifFields[tag.Tag](&s, tag.Value)
			return nil
		},
		Timeout: 10 * time.Second,
	})
	return s, err
}

// exifFields says where a tag goes.
var exifFields = map[string]func(*EXIFSummary, any){
	"Make":             func(s *EXIFSummary, v any) { s.Make = text(v) },
	"Model":            func(s *EXIFSummary, v any) { s.Model = text(v) },
	"LensModel":        func(s *EXIFSummary, v any) { s.LensModel = text(v) },
	"FocalLength":      func(s *EXIFSummary, v any) { s.FocalLengthMM = number(v) },
	"ISO":              func(s *EXIFSummary, v any) { s.ISO = int(number(v)) },
	"FNumber":          func(s *EXIFSummary, v any) { s.Aperture = number(v) },
	"ExposureTime":     func(s *EXIFSummary, v any) { s.ExposureSeconds = number(v) },
	"DateTimeOriginal": func(s *EXIFSummary, v any) { s.TakenAt = cameraTime(text(v)) },
	"ImageWidth":       func(s *EXIFSummary, v any) { s.Width = max(s.Width, int(number(v))) },
	"ImageLength":      func(s *EXIFSummary, v any) { s.Height = max(s.Height, int(number(v))) },
	"ImageHeight":      func(s *EXIFSummary, v any) { s.Height = max(s.Height, int(number(v))) },
	"ExifImageWidth":   func(s *EXIFSummary, v any) { s.Width = max(s.Width, int(number(v))) },
	"ExifImageHeight":  func(s *EXIFSummary, v any) { s.Height = max(s.Height, int(number(v))) },
	"PixelXDimension":  func(s *EXIFSummary, v any) { s.Width = max(s.Width, int(number(v))) },
	"PixelYDimension":  func(s *EXIFSummary, v any) { s.Height = max(s.Height, int(number(v))) },
}

func text(v any) string {
	s, _ := v.(string)
	return strings.TrimSpace(strings.Trim(s, "\x00"))
}

// number reads what the library gives for a number: an integer, a float, a
// rational, or a list of one.
func number(v any) float64 {
	f := 0.0
	switch n := v.(type) {
	case interface{ Float64() float64 }:
		f = n.Float64()
	case []any:
		if len(n) > 0 {
			return number(n[0])
		}
	default:
		f, _ = strconv.ParseFloat(fmt.Sprint(v), 64)
	}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return 0
	}
	return f
}

// cameraTime turns EXIF's "2026:10:01 18:30:00" into ISO 8601.
func cameraTime(s string) string {
	t, err := time.Parse("2006:01:02 15:04:05", s)
	if err != nil {
		return ""
	}
	return t.Format("2006-01-02T15:04:05")
}
