package exif

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/jpeg"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/bep/imagemeta"

	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/scene"
)

// Camera and lens come from the file where the library reads its format, and
// otherwise from the small picture that darktable made.
func TestEachFormatIsReadByTheLibraryOrByDarktable(t *testing.T) {
	t.Parallel()
	raw := filepath.Join(t.TempDir(), "a.dng")
	o := scene.Options{Megapixels: 0.05, DNG: dng.Options{Make: " CHEMIGRAM ", Model: "SYNTHETIC 1 "}}
	if err := scene.Write(raw, scene.Chart{}, o); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(raw)
	if err != nil {
		t.Fatal(err)
	}
	picture := jpegWith(t, data[:4096]) // the tags come before the mosaic
	for _, ext := range []string{"jpg", "tif", "dng", "cr2", "nef", "arw", "pef", "raf", "orf", "rw2", "cr3"} {
		path := filepath.Join(t.TempDir(), "IMG_1."+ext)
		content := data
		if ext == "jpg" {
			content = picture
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := readFile(path)
		if byDarktable := slices.Contains([]string{"raf", "orf", "rw2", "cr3"}, ext); (err != nil) != byDarktable {
			t.Errorf("%s: the library says %v", ext, err)
		}
		summary, err := Read(path, picture)
		if err != nil || summary.Make != "CHEMIGRAM" || summary.Model != "SYNTHETIC 1" || summary.LensModel == "" {
			t.Errorf("%s: %+v, %v", ext, summary, err)
		}
	}
}

// Of a picture without a camera darktable writes when its file was last written, as if
// it had been taken then.
func TestWhenAFileWasWrittenIsNotWhenItWasTaken(t *testing.T) {
	t.Parallel()
	raw := filepath.Join(t.TempDir(), "a.dng")
	if err := scene.Write(raw, scene.Chart{}, scene.Options{Megapixels: 0.05, DNG: dng.Options{Make: " ", Model: " "}}); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(raw)
	if err != nil {
		t.Fatal(err)
	}
	picture := jpegWith(t, data[:4096])
	if copied, err := decode(bytes.NewReader(picture), imagemeta.JPEG); err != nil || copied.TakenAt == "" || copied.Make != "" {
		t.Fatalf("the test's picture says %+v, %v", copied, err)
	}
	path := filepath.Join(t.TempDir(), "a.png")
	var plain bytes.Buffer
	if err := png.Encode(&plain, image.NewGray(image.Rect(0, 0, 40, 30))); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, plain.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := Read(path, picture); err != nil || got.TakenAt != "" {
		t.Errorf("%+v, %v: want no time", got, err)
	}
}

func TestAFileThatSaysNothingHasAnEmptySummary(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.raf")
	if err := os.WriteFile(path, []byte("no picture"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, _ := Read(path, []byte("no JPEG")); got != (Summary{}) {
		t.Errorf("%+v", got)
	}
}

func TestEVBetween(t *testing.T) {
	t.Parallel()
	day := Summary{ExposureSeconds: 1.0 / 400, ISO: 100, Aperture: 8}
	for name, tt := range map[string]struct {
		other Summary
		ev    float64
		ok    bool
	}{
		"longer":              {Summary{ExposureSeconds: 1.0 / 100, ISO: 100, Aperture: 8}, 2, true},
		"more sensitive":      {Summary{ExposureSeconds: 1.0 / 400, ISO: 800, Aperture: 8}, 3, true},
		"wider":               {Summary{ExposureSeconds: 1.0 / 400, ISO: 100, Aperture: 4}, 2, true},
		"without an aperture": {Summary{ExposureSeconds: 1.0 / 200, ISO: 100}, 1, true},
		"without a time":      {Summary{ISO: 100, Aperture: 8}, 0, false},
	} {
		ev, ok := EVBetween(day, tt.other)
		if ok != tt.ok || math.Abs(ev-tt.ev) > 1e-9 {
			t.Errorf("%s: %g, %t, want %g, %t", name, ev, ok, tt.ev, tt.ok)
		}
	}
}

func TestAModelThatRepeatsTheMakeIsNamedOnce(t *testing.T) {
	t.Parallel()
	for want, s := range map[string]Summary{
		"Canon EOS 6D": {Make: "Canon", Model: "Canon EOS 6D"},
		"Acme One":     {Make: "Acme", Model: "One"},
		"":             {},
	} {
		if got := s.Camera(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// jpegWith is a small JPEG with EXIF tags.
func jpegWith(t *testing.T, tags []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, 8, 8)), nil); err != nil {
		t.Fatal(err)
	}
	tags = append([]byte("Exif\x00\x00"), tags...)
	segment := binary.BigEndian.AppendUint16([]byte{0xff, 0xe1}, uint16(len(tags)+2))
	return slices.Concat(b.Bytes()[:2], segment, tags, b.Bytes()[2:])
}
