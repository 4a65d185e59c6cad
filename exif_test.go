package chemigram

import (
	"bytes"
	"encoding/binary"
	goimage "image"
	"image/jpeg"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/scene"
)

func TestDarktableTellsTheEXIFThatTheLibraryCannotRead(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		e, _ := openWith(t, dt, scene.Chart{})
		raw := filepath.Join(t.TempDir(), "P1010001.ORF") // no format of the library's
		if err := scene.Write(raw, scene.Chart{}, scene.Options{Megapixels: 0.05, DNG: dng.Options{Make: " Acme ", ISO: 400}}); err != nil {
			t.Fatal(err)
		}
		want := EXIFSummary{
			Make: "Acme", Model: "Synthetic 1", LensModel: "Synthetic 24-70mm f/2.8", FocalLengthMM: 35,
			ISO: 400, Aperture: 8, ExposureSeconds: 1.0 / 1600, TakenAt: "2026-06-21T19:42:00",
		}
		if d := cmp.Diff(want, ingest(t, e, raw).EXIFSummary); d != "" {
			t.Error(d)
		}
	})
}

// The camera and the lens of each format that the library reads, and of others
// from the small picture that darktable made, suggest what to bind.
func TestEachFormatSuggestsItsBindings(t *testing.T) {
	e := openWithout(t, Options{Packs: []string{lookPack(t)}})
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
		_, err := readEXIF(path)
		if byDarktable := slices.Contains([]string{"raf", "orf", "rw2", "cr3"}, ext); (err != nil) != byDarktable {
			t.Errorf("%s: the library says %v", ext, err)
		}
		summary := e.summarise(path, picture)
		if summary.Make != "CHEMIGRAM" || summary.Model != "SYNTHETIC 1" || summary.LensModel == "" {
			t.Errorf("%s: %+v", ext, summary)
		}
		if got := e.suggestBindings(summary); !slices.Equal(got, []string{"body"}) {
			t.Errorf("%s suggests %q, want body", ext, got)
		}
	}
}

// jpegWith is a small JPEG with EXIF tags.
func jpegWith(t *testing.T, tags []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, goimage.NewGray(goimage.Rect(0, 0, 8, 8)), nil); err != nil {
		t.Fatal(err)
	}
	tags = append([]byte("Exif\x00\x00"), tags...)
	segment := binary.BigEndian.AppendUint16([]byte{0xff, 0xe1}, uint16(len(tags)+2))
	return slices.Concat(b.Bytes()[:2], segment, tags, b.Bytes()[2:])
}
