package enginetest

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/colour"
	"github.com/chemigram/chemigram/internal/match"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/photos"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

// effectsEnv says that the effects of moves are measured, and where the tables go.
const effectsEnv = "CHEMIGRAM_EFFECTS"

// measuredModules are those whose moves treat equal colours alike, or nearly.
var measuredModules = []string{
	"exposure", "toneequal", "channelmixerrgb", "colorbalancergb", "sigmoid", "agx", "filmicrgb", "tonecurve", "levels", "colorcontrast", "velvia", "colorzones",
}

// notMeasured are moves for one kind of subject or light, and those that are several at
// once: match_reference uses simpler ones.
var notMeasured = []string{
	"sky_cooler", "sky_darker", "skin_warmer", "foliage_greener", "water_deeper", "subject_brighten", "edges_burn", "bright_sky", "black_and_white",
	"candlelight", "moonlight", "golden_hour", "cool_tungsten", "clear_fluorescent", "warm_open_shade",
	"split_blue_gold", "split_cold_steel", "split_gold_blue", "split_green_rose", "split_selenium", "split_sepia", "split_teal_orange", "split_violet_amber",
	"zone_1_black", "zone_2_deep_shadows", "zone_3_dark_shadows", "zone_4_shadows", "zone_5_light_shadows", "zone_6_middle", "zone_7_light", "zone_8_bright", "zone_9_white",
}

// patch is the side of a chart's patch in pixels, and rim what is not looked at.
const patch, rim = 16, 4

// colourChart is a chart of colours, sorted by their brightness, so that what looks at the
// surroundings of a pixel sees its like.
type colourChart struct {
	light  [][3]float64 // in linear sRGB, 1 is white; some are brighter
	across int
}

func newColourChart() colourChart {
	var c colourChart
	add := func(lab colour.Lab, gain float64) {
		light := colour.FromSRGB().Light(lab)
		if min(light[0], light[1], light[2]) < -1e-4 || max(light[0], light[1], light[2]) > 1.0001 {
			return
		}
		for i := range light {
			light[i] *= gain
		}
		c.light = append(c.light, light)
	}
	ring := func(l, gain float64, chromas ...float64) {
		add(colour.Lab{L: l}, gain)
		for _, chroma := range chromas {
			for hue := range 12 {
				sin, cos := math.Sincos(float64(hue) * math.Pi / 6)
				add(colour.Lab{L: l, A: chroma * cos, B: chroma * sin}, gain)
			}
		}
	}
	for _, l := range [...]float64{1, 4, 8, 14, 21, 29, 37, 45, 53, 61, 69, 77, 84, 90, 96} {
		ring(l, 1, 5, 14, 27, 45, 70)
	}
	for _, gain := range [...]float64{1.4, 2, 3.5, 8} {
		ring(90, gain, 5, 14, 27)
	}
	c.across = int(math.Ceil(math.Sqrt(float64(len(c.light)))))
	c.across += c.across & 1
	return c
}

// write makes a raw of the chart.
func (c colourChart) write(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "chart.dng")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	size := c.across * patch
	img := dng.Image{Width: size, Height: size, Row: func(y int, out []float32) {
		for x := range size {
			light := [3]float64{1, 1, 1}
			if i := y/patch*c.across + x/patch; i < len(c.light) {
				light = photos.SRGBToRec2020.Apply(c.light[i])
			}
			for k, v := range light {
				out[3*x+k] = float32(v)
			}
		}
	}}
	if err := dng.Write(f, img, dng.Options{AsShotKelvin: daylight, Noise: 0.5}); err != nil {
		t.Fatal(err)
	}
	return path
}

// read gives the colours of the patches as they were developed.
func (c colourChart) read(t *testing.T, m *pixel.Image) []colour.Lab {
	t.Helper()
	if m.Width != c.across*patch || m.Height != m.Width {
		t.Fatalf("the chart has %d by %d pixels", m.Width, m.Height)
	}
	out := make([]colour.Lab, len(c.light))
	size := float64(m.Width)
	for i := range out {
		x, y := i%c.across*patch+rim, i/c.across*patch+rim
		inner := float64(patch - 2*rim)
		c := m.Mean(pixel.Rect{X: float64(x) / size, Y: float64(y) / size, Width: inner / size, Height: inner / size})
		out[i] = colour.FromSRGB().LabOfLight(c.R, c.G, c.B)
	}
	return out
}

// What moves do to colours is measured, for match_reference to begin with: about 300
// pictures on each darktable.
func TestEffectsOfMovesAreMeasured(t *testing.T) {
	dir := os.Getenv(effectsEnv)
	if dir == "" {
		t.Skip("scripts/effects measures them")
	}
	sources, err := vocab.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	vocabulary, failures := vocab.Load(sources...)
	if len(failures) > 0 {
		t.Fatal(failures)
	}
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		release, err := iop.ReleaseFor(dt.Name)
		if err != nil {
			t.Fatal(err)
		}
		table := measureEffects(t, dt, release, vocabulary)
		f, err := os.Create(filepath.Join(dir, dt.Name+".json.gz"))
		if err != nil {
			t.Fatal(err)
		}
		if err := table.Write(f); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d effects of %d colours", dt.Name, len(table.Effects), len(table.From))
	})
}

func measureEffects(t *testing.T, dt testutil.Darktable, release iop.Release, vocabulary *vocab.Vocabulary) *match.Table {
	t.Helper()
	s := newSeriesOn(t, dt)
	chart := newColourChart()
	const id = chemigram.ImageID("chart")
	if _, err := s.engine.Ingest(t.Context(), chemigram.IngestParams{RawPath: chart.write(t), ImageID: id}); err != nil {
		t.Fatal(err)
	}
	see := func() []colour.Lab {
		res, err := s.engine.RenderPreview(t.Context(), chemigram.RenderPreviewParams{ImageID: id, Size: chemigram.Size(chart.across * patch), Quality: chemigram.QualityExact})
		if err != nil {
			t.Fatal(err)
		}
		m, err := pixel.Load(res.JPEGPath)
		if err != nil {
			t.Fatal(err)
		}
		return chart.read(t, m)
	}
	table := &match.Table{Darktable: release.Version(), Mapper: match.MappersOf(editOf(t, s.engine, id)), From: see()}
	listed, err := s.engine.ListVocabulary(t.Context(), chemigram.ListVocabularyParams{Limit: 500, Detail: true})
	if err != nil {
		t.Fatal(err)
	}
	order := pipeline(release)
	place := func(m chemigram.Move) int { return slices.Index(order, m.Touches[0]) }
	moves := slices.DeleteFunc(listed.Entries, func(m chemigram.Move) bool {
		return !m.Available || m.BuildsOn != "" && m.BuildsOn != "use_sigmoid" || len(m.Touches) != 1 || !slices.Contains(measuredModules, m.Touches[0]) || slices.Contains(notMeasured, m.Name)
	})
	slices.SortStableFunc(moves, func(a, b chemigram.Move) int { return place(a) - place(b) })
	for _, m := range moves {
		entry, err := vocabulary.Entry(m.Name)
		if err != nil {
			t.Fatal(err)
		}
		for _, try := range match.Measurable(entry) {
			if _, err := s.engine.ApplyPrimitive(t.Context(), chemigram.ApplyPrimitiveParams{ImageID: id, PrimitiveName: m.Name, Values: try.Values}); err != nil {
				t.Logf("%s: %v", m.Name, err)
				break
			}
			table.Effects = append(table.Effects, match.Effect{Move: m.Name, Digest: entry.DevelopmentDigest(), Amount: try.Amount, Hue: try.Hue, To: see()})
			if _, err := s.engine.Undo(t.Context(), chemigram.UndoParams{ImageID: id}); err != nil {
				t.Fatal(err)
			}
		}
	}
	return table
}

// pipeline is the newest built-in order of a darktable's modules.
func pipeline(release iop.Release) (order []string) {
	for version := 1; version < 20; version++ {
		if o, ok := release.Order(version); ok {
			order = o
		}
	}
	return order
}

// editOf is the edit of an image as a sidecar.
func editOf(t *testing.T, e *chemigram.Engine, id chemigram.ImageID) *xmp.Sidecar {
	t.Helper()
	res, err := e.ReadSidecar(t.Context(), chemigram.ReadSidecarParams{ImageID: id})
	if err != nil {
		t.Fatal(err)
	}
	edit, err := xmp.Parse([]byte(res.XMP))
	if err != nil {
		t.Fatal(err)
	}
	return edit
}
