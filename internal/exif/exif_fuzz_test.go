package exif

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/bep/imagemeta"

	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/scene"
)

// The library bounds tags and their sizes by itself; what it makes of any bytes is a
// summary or an error.
func FuzzDecode(f *testing.F) {
	path := filepath.Join(f.TempDir(), "a.dng")
	if err := scene.Write(path, scene.Chart{}, scene.Options{Megapixels: 0.05, DNG: dng.Options{Make: "CHEMIGRAM"}}); err != nil {
		f.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(raw[:4096], true) // the tags come before the mosaic
	f.Add([]byte("\xff\xd8\xff\xe1\x00\x10Exif\x00\x00II*\x00\x08\x00\x00\x00"), false)
	f.Fuzz(func(_ *testing.T, data []byte, tiff bool) {
		format := imagemeta.JPEG
		if tiff {
			format = imagemeta.DNG
		}
		s, _ := decode(bytes.NewReader(data), format)
		_, _ = EVBetween(s, s)
		_ = s.Camera()
	})
}
