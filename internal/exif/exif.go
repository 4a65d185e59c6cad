// Package exif reads how a picture was taken.
package exif

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/bep/imagemeta"

	"github.com/chemigram/chemigram/internal/regularfile"
)

// Summary is what a file says of how it was taken. What it does not say is empty
// or 0.
type Summary struct {
	Make            string  `json:"make"`
	Model           string  `json:"model"`
	LensModel       string  `json:"lens_model"`
	FocalLengthMM   float64 `json:"focal_length_mm"`
	ISO             int     `json:"iso"`
	Aperture        float64 `json:"aperture"` // an f-number
	ExposureSeconds float64 `json:"exposure_seconds"`
	TakenAt         string  `json:"taken_at"` // by the camera's clock, as ISO 8601 without a zone
	Width           int     `json:"width"`    // of the file's picture, in pixels
	Height          int     `json:"height"`
}

// Camera is make and model, once where the model repeats the make.
func (s Summary) Camera() string {
	return strings.TrimSpace(s.Make + " " + strings.TrimPrefix(s.Model, s.Make+" "))
}

// WithSize is the summary with another size, unless a side is 0.
func (s Summary) WithSize(width, height int) Summary {
	if width > 0 && height > 0 {
		s.Width, s.Height = width, height
	}
	return s
}

// light is how much light fell on the sensor, weighted by its sensitivity: aperture
// counts when both summaries have it. It is 0 when the file does not say enough.
func (s Summary) light(aperture bool) float64 {
	light := s.ExposureSeconds * float64(s.ISO)
	if aperture {
		light /= s.Aperture * s.Aperture
	}
	return light
}

// EVBetween is by how many stops b was exposed more than a, by exposure time, ISO
// and, where both say it, aperture. It is not ok when a file does not say enough.
func EVBetween(a, b Summary) (ev float64, ok bool) {
	aperture := a.Aperture > 0 && b.Aperture > 0
	from, to := a.light(aperture), b.light(aperture)
	if from <= 0 || to <= 0 {
		return 0, false
	}
	return math.Log2(to / from), true
}

// formats are the formats that the metadata library reads, by extension.
var formats = map[string]imagemeta.ImageFormat{
	".jpg": imagemeta.JPEG, ".jpeg": imagemeta.JPEG, ".tif": imagemeta.TIFF, ".tiff": imagemeta.TIFF,
	".png": imagemeta.PNG, ".webp": imagemeta.WebP, ".heic": imagemeta.HEIF, ".heif": imagemeta.HEIF,
	".dng": imagemeta.DNG, ".cr2": imagemeta.CR2, ".nef": imagemeta.NEF, ".arw": imagemeta.ARW, ".pef": imagemeta.PEF,
}

// Read reads the summary of a file. Where the metadata library cannot read it, or
// finds no camera, darktable is believed: it copies what it knows of a raw into
// jpeg, a small picture that it developed; the raw's size is not in there. err says
// why neither could be read; the summary then has what there is.
func Read(path string, jpeg []byte) (Summary, error) {
	summary, err := readFile(path)
	if err == nil && (summary.Make != "" || summary.Model != "") {
		return summary, nil
	}
	copied, copyErr := decode(bytes.NewReader(jpeg), imagemeta.JPEG)
	if copyErr != nil {
		return summary, errors.Join(err, copyErr)
	}
	copied.Width, copied.Height = summary.Width, summary.Height
	if copied.Make == "" && copied.Model == "" {
		copied.TakenAt = summary.TakenAt // darktable says when the file was last written
	}
	return copied, nil
}

// readFile reads the summary with the metadata library.
func readFile(path string) (summary Summary, err error) {
	format, known := formats[strings.ToLower(filepath.Ext(path))]
	if !known {
		return Summary{}, fmt.Errorf("no metadata reader for %s files", filepath.Ext(path))
	}
	file, _, err := regularfile.Open(path)
	if err != nil {
		return Summary{}, err
	}
	defer func() { _ = file.Close() }()
	return decode(file, format)
}

func decode(r io.ReadSeeker, format imagemeta.ImageFormat) (Summary, error) {
	var s Summary
	_, err := imagemeta.Decode(imagemeta.Options{
		R: r, ImageFormat: format,
		Sources:         imagemeta.EXIF,
		ShouldHandleTag: func(tag imagemeta.TagInfo) bool { return fields[tag.Tag] != nil },
		HandleTag: func(tag imagemeta.TagInfo) error {
			fields[tag.Tag](&s, tag.Value)
			return nil
		},
		Timeout: 10 * time.Second,
	})
	return s, err
}

// fields says where a tag goes.
var fields = map[string]func(*Summary, any){
	"Make":             func(s *Summary, v any) { s.Make = text(v) },
	"Model":            func(s *Summary, v any) { s.Model = text(v) },
	"LensModel":        func(s *Summary, v any) { s.LensModel = text(v) },
	"FocalLength":      func(s *Summary, v any) { s.FocalLengthMM = number(v) },
	"ISO":              func(s *Summary, v any) { s.ISO = int(number(v)) },
	"FNumber":          func(s *Summary, v any) { s.Aperture = number(v) },
	"ExposureTime":     func(s *Summary, v any) { s.ExposureSeconds = number(v) },
	"DateTimeOriginal": func(s *Summary, v any) { s.TakenAt = cameraTime(text(v)) },
	"ImageWidth":       func(s *Summary, v any) { s.Width = max(s.Width, int(number(v))) },
	"ImageLength":      func(s *Summary, v any) { s.Height = max(s.Height, int(number(v))) },
	"ImageHeight":      func(s *Summary, v any) { s.Height = max(s.Height, int(number(v))) },
	"ExifImageWidth":   func(s *Summary, v any) { s.Width = max(s.Width, int(number(v))) },
	"ExifImageHeight":  func(s *Summary, v any) { s.Height = max(s.Height, int(number(v))) },
	"PixelXDimension":  func(s *Summary, v any) { s.Width = max(s.Width, int(number(v))) },
	"PixelYDimension":  func(s *Summary, v any) { s.Height = max(s.Height, int(number(v))) },
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
