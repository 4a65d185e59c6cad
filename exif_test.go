package chemigram

import (
	"path/filepath"
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
			ISO: 400, Aperture: 8, ExposureSeconds: 1.0 / 1600, TakenAt: "2026-06-21T19:42:00", Width: 272, Height: 184,
		}
		if d := cmp.Diff(want, ingest(t, e, raw).EXIFSummary); d != "" {
			t.Error(d)
		}
	})
}
