package enginetest

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/internal/testutil/rawtest"
	"github.com/chemigram/chemigram/xmp"
)

// A darktable for another processor, which an emulator runs, gives the look of the one of
// its version for this processor, and its picture. `make arm64` runs it;
// CHEMIGRAM_TEST_EMULATED_DARKTABLE names its darktable-cli.
func TestAnEmulatedDarktableDevelopsAlike(t *testing.T) {
	cli := os.Getenv("CHEMIGRAM_TEST_EMULATED_DARKTABLE")
	if cli == "" {
		t.Skip("make arm64 runs it")
	}
	raw := rawtest.Chart(t, "chart.dng", dng.Options{})
	develop := func(dt testutil.Darktable) ([]xmp.Entry, *pixel.Image) {
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
		written, err := e.ExportSidecar(t.Context(), chemigram.ExportSidecarParams{ImageID: "chart"})
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(written.OutputPath)
		if err != nil {
			t.Fatal(err)
		}
		sidecar, err := xmp.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		return sidecar.History(), shown
	}
	here, there := testutil.AnyDarktable(t), testutil.Darktable{CLI: cli}
	look, want := develop(here)
	emulated, got := develop(there)
	if len(emulated) != len(look) {
		t.Fatalf("the look has %d entries, and here %d", len(emulated), len(look))
	}
	for i, e := range emulated {
		if w := look[i]; e.Operation != w.Operation || e.Enabled != w.Enabled || e.Modversion != w.Modversion || !nearly(e.Params, w.Params) || !bytes.Equal(e.Blend, w.Blend) {
			t.Errorf("entry %d is %s\n%x\n%x\nand here %s\n%x\n%x", i, e.Operation, e.Params, e.Blend, w.Operation, w.Params, w.Blend)
		}
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

// nearly reports whether parameters are the same but for the last bits of numbers, which
// processors round in their own ways.
func nearly(a, b []byte) bool {
	if len(a) != len(b) || len(a)%4 != 0 {
		return bytes.Equal(a, b)
	}
	for i := 0; i < len(a); i += 4 {
		p, q := binary.LittleEndian.Uint32(a[i:]), binary.LittleEndian.Uint32(b[i:])
		f, g := float64(math.Float32frombits(p)), float64(math.Float32frombits(q))
		if p != q && (math.IsNaN(f-g) || math.Abs(f-g) > 1e-5*math.Abs(g)) {
			return false
		}
	}
	return true
}
