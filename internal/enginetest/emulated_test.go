package enginetest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/internal/testutil/rawtest"
)

// A darktable for another processor, which an emulator runs, gives the same look as the
// one of its version for this processor, and the same picture. `make arm64` runs it;
// CHEMIGRAM_TEST_EMULATED_DARKTABLE names its darktable-cli.
func TestAnEmulatedDarktableDevelopsAlike(t *testing.T) {
	cli := os.Getenv("CHEMIGRAM_TEST_EMULATED_DARKTABLE")
	if cli == "" {
		t.Skip("make arm64 runs it")
	}
	raw := rawtest.Chart(t, "chart.dng", dng.Options{})
	develop := func(dt testutil.Darktable) (chemigram.RenderPreviewResult, *pixel.Image) {
		e, err := chemigram.Open(t.Context(), &chemigram.Options{
			Workspace: filepath.Join(t.TempDir(), "workspace"), Darktable: dt.CLI, Processes: 1, Workers: -1, Tastes: filepath.Join(t.TempDir(), "tastes"),
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = e.Close() })
		if _, err := e.Ingest(t.Context(), chemigram.IngestParams{RawPath: raw, ImageID: "chart", TimeoutSeconds: seconds}); err != nil {
			t.Fatal(err)
		}
		for _, move := range []string{"exposure", "contrast", "graduated_soft"} {
			if _, err := e.ApplyPrimitive(t.Context(), chemigram.ApplyPrimitiveParams{ImageID: "chart", PrimitiveName: move, TimeoutSeconds: seconds}); err != nil {
				t.Fatal(err)
			}
		}
		res, err := e.RenderPreview(t.Context(), chemigram.RenderPreviewParams{ImageID: "chart", Size: 256, TimeoutSeconds: seconds})
		if err != nil {
			t.Fatal(err)
		}
		shown, err := pixel.Load(res.JPEGPath)
		if err != nil {
			t.Fatal(err)
		}
		return res, shown
	}
	here, there := testutil.AnyDarktable(t), testutil.Darktable{CLI: cli}
	look, want := develop(here)
	emulated, got := develop(there)
	if emulated.StateHash != look.StateHash {
		t.Errorf("the look is %s, and here %s", emulated.StateHash, look.StateHash)
	}
	d, err := pixel.Compare(got, want)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: ΔE2000 %.3f in the mean, %.2f at most", cli, d.Mean, d.Max)
	if d.Mean > 0.1 || d.Changed > 0.01 {
		t.Errorf("the pictures differ by ΔE2000 %.2f in the mean, and by more than 1 in %.1f %%", d.Mean, 100*d.Changed)
	}
}
