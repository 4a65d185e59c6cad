package chemigram

import (
	goimage "image"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/chemigram/chemigram/internal/advise"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/internal/testutil/scene"
	"github.com/chemigram/chemigram/render"
)

// turnedChart is the chart, turned clockwise by so many degrees.
type turnedChart float64

func (turnedChart) Name() string { return "turned chart" }

func (c turnedChart) Image(width, height int) dng.Image {
	chart := scene.Chart{}.Image(width, height)
	level := make([]float32, 3*width*height)
	for y := range height {
		chart.Row(y, level[3*width*y:3*width*(y+1)])
	}
	sin, cos := math.Sincos(float64(c) * math.Pi / 180)
	return dng.Image{Width: width, Height: height, Row: func(y int, out []float32) {
		for x := range width {
			dx, dy := float64(x)+0.5-float64(width)/2, float64(y)+0.5-float64(height)/2
			fromX, fromY := dx*cos+dy*sin+float64(width)/2-0.5, -dx*sin+dy*cos+float64(height)/2-0.5
			left, top := math.Floor(fromX), math.Floor(fromY)
			for ch := range 3 {
				out[3*x+ch] = 0
				for _, at := range [4][2]float64{{left, top}, {left + 1, top}, {left, top + 1}, {left + 1, top + 1}} {
					part := (1 - math.Abs(at[0]-fromX)) * (1 - math.Abs(at[1]-fromY))
					i, j := min(max(int(at[0]), 0), width-1), min(max(int(at[1]), 0), height-1)
					out[3*x+ch] += float32(part) * level[3*(j*width+i)+ch]
				}
			}
		}
	}}
}

// A chart that leans, in light that the camera took for another one, too dark, at a high
// sensitivity: the suggested moves set it upright, its greys grey, and calm its noise.
func TestWhatIsSuggestedSetsAPictureRight(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		t.Setenv("XDG_CONFIG_HOME", t.TempDir())
		e, err := Open(t.Context(), &Options{Workspace: filepath.Join(t.TempDir(), "workspace"), Darktable: dt.CLI})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = e.Close() })
		for _, c := range []struct {
			id     ImageID
			leans  turnedChart
			camera dng.Options
		}{
			{"warm", 3.2, dng.Options{Kelvin: 5200, AsShotKelvin: 6500, EV: -1.6, ISO: 3200}},
			{"cool", -2.4, dng.Options{Kelvin: 8000, AsShotKelvin: 6300}},
		} {
			if c.id == "cool" && os.Getenv("CHEMIGRAM_START") == "" {
				continue // the other way round, when there is time
			}
			raw := filepath.Join(t.TempDir(), string(c.id)+".dng")
			if err := scene.Write(raw, c.leans, scene.Options{Megapixels: 0.2, DNG: c.camera}); err != nil {
				t.Fatal(err)
			}
			if _, err := e.Ingest(t.Context(), IngestParams{RawPath: raw, ImageID: c.id}); err != nil {
				t.Fatal(err)
			}
			res, err := e.SuggestStart(t.Context(), SuggestStartParams{ImageID: c.id})
			if err != nil {
				t.Fatal(err)
			}
			said := map[string]string{}
			for _, advice := range res.Suggestions {
				t.Logf("%s: %+v", c.id, advice)
				said[advice.About] = advice.Verdict
				for _, move := range advice.Moves {
					if _, err := e.ApplyPrimitive(t.Context(), ApplyPrimitiveParams{ImageID: c.id, PrimitiveName: move.Name, Values: move.Values}); err != nil {
						t.Fatal(err)
					}
				}
			}
			if said["straighten"] != "change" || said["white_balance"] != "change" || c.id == "warm" && (said["noise"] != "change" || said["exposure"] != "change") {
				t.Errorf("%s: %v", c.id, said)
			}
			shown, err := e.RenderPreview(t.Context(), RenderPreviewParams{ImageID: c.id, Size: 1024, Quality: QualityExact})
			if err != nil {
				t.Fatal(err)
			}
			m, err := pixel.Load(shown.JPEGPath)
			if err != nil {
				t.Fatal(err)
			}
			if l := advise.LevelOf(pictureFile(t, shown.JPEGPath)); !l.Known() || math.Abs(l.Angle) > 0.4 {
				t.Errorf("%s still leans: %+v", c.id, l)
			}
			for _, patch := range []int{neutral8, neutral5} {
				r := scene.Chart{}.Patches()[patch].Rect
				const kept = 0.93 // of width and height, about
				x, y := (r.X+r.Width/2-0.5)/kept+0.5, (r.Y+r.Height/2-0.5)/kept+0.5
				grey := m.Mean(pixel.Rect{X: x - 0.02, Y: y - 0.02, Width: 0.04, Height: 0.04}).Lab()
				off := pixel.DeltaE2000(grey, pixel.Lab{L: grey.L})
				t.Logf("%s: patch %d is %.1f ΔE2000 from grey: %+v", c.id, patch, off, grey)
				if off > 3 {
					t.Errorf("%s: patch %d is %.1f ΔE2000 from grey", c.id, patch, off)
				}
			}
		}
	})
}

func pictureFile(t *testing.T, path string) goimage.Image {
	t.Helper()
	m, err := render.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
