package chemigram

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/internal/testutil/scene"
	"github.com/chemigram/chemigram/render"
)

// acutance is the mean step of luma from a pixel to its neighbours.
func acutance(m *pixel.Image) float64 {
	luma := func(x, y int) float64 { return m.At(x, y).Luma() }
	sum := 0.0
	for y := 1; y < m.Height; y++ {
		for x := 1; x < m.Width; x++ {
			sum += math.Hypot(luma(x, y)-luma(x-1, y), luma(x, y)-luma(x, y-1))
		}
	}
	return sum / float64((m.Width-1)*(m.Height-1))
}

// Output sharpening makes edges steeper in an export that is smaller than the
// raw, leaves tone and colour alone, and is no part of the edit.
func TestOutputSharpening(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		e, raw := openWith(t, dt, scene.Landscape{})
		ingest(t, e, raw)
		export := func(strength Strength) (*pixel.Image, ExportFinalResult) {
			res, err := e.ExportFinal(t.Context(), ExportFinalParams{ImageID: "a", Size: 150, Quality: 98, Sharpen: strength})
			if err != nil {
				t.Fatal(err)
			}
			m, err := pixel.Load(res.OutputPath)
			if err != nil {
				t.Fatal(err)
			}
			return m, res
		}
		plain, before := export(0)
		sharp, after := export(1)
		if ratio := acutance(sharp) / acutance(plain); ratio < 1.2 || ratio > 1.6 {
			t.Errorf("the acutance is %.2f times that without, want 1.2 to 1.6", ratio)
		}
		if d := distance(t, sharp.Blur(8), plain.Blur(8)); d.Mean > 1 {
			t.Errorf("tone or colour are another: mean ΔE2000 %.2f", d.Mean)
		}
		if after.StateHash != before.StateHash {
			t.Errorf("the export says that it shows %s, want the edit, %s", after.StateHash, before.StateHash)
		}
		data, err := os.ReadFile(after.OutputPath)
		if err != nil {
			t.Fatal(err)
		}
		if _, state, err := render.Inspect(after.OutputPath); err != nil || state != before.StateHash {
			t.Errorf("the file carries the state %q, %v", state, err)
		}
		if !strings.Contains(string(data), `darktable:operation="sharpen"`) {
			t.Error("the history in the file does not show that it was sharpened")
		}
	})
}
