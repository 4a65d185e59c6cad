package enginetest

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/colour"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/render"
)

// numbers are the numbers of the pictures that are matched: CHEMIGRAM_MATCH of them (one
// without it) from CHEMIGRAM_MATCH_FROM on.
func numbers(t *testing.T) (first, end int) {
	t.Helper()
	number := func(name string, otherwise int) int {
		if os.Getenv(name) == "" {
			return otherwise
		}
		n, err := strconv.Atoi(os.Getenv(name))
		if err != nil || n < 0 {
			t.Fatalf("%s=%s: give a number", name, os.Getenv(name))
		}
		return n
	}
	first = number("CHEMIGRAM_MATCH_FROM", 0)
	return first, first + max(1, number("CHEMIGRAM_MATCH", 1))
}

// hidden are the moves that are hidden in pictures.
var hidden = []string{
	"exposure", "warmth", "tint", "contrast", "shadows", "highlights", "midtones", "black_point", "saturation", "vibrance",
	"exposure", "warmth", "contrast", "shadows", "highlights", "saturation", // as people use them more
	"grade_shadows", "grade_highlights", "hue_shift", "curve_contrast", "chroma", "gamma", "brilliance",
	"greens_saturation", "blues_saturation", "blues_lightness", "oranges_hue", "yellows_saturation",
}

// hide applies 1 to 5 moves with amounts that people use, and gives them in words.
func (s *series) hide(r *rand.Rand, id chemigram.ImageID) string {
	s.t.Helper()
	listed, err := s.engine.ListVocabulary(s.t.Context(), chemigram.ListVocabularyParams{Limit: 500})
	if err != nil {
		s.t.Fatal(err)
	}
	var said []string
	used := map[string]bool{}
	for n := 1 + r.IntN(5); len(used) < n; {
		name := hidden[r.IntN(len(hidden))]
		if used[name] {
			continue
		}
		used[name] = true
		at := slices.IndexFunc(listed.Entries, func(m chemigram.Move) bool { return m.Name == name })
		values := map[string]float64{}
		for _, p := range listed.Entries[at].Parameters {
			v := p.Default * (0.4 + 1.1*r.Float64())
			switch {
			case p.Unit == "°" && p.Max == 360:
				v = 360 * r.Float64()
			case p.Min < 0 && r.IntN(2) == 0:
				v = -v
			}
			values[p.Name] = math.Round(1e4*min(max(v, p.Min), p.Max)) / 1e4
		}
		if _, err := s.engine.ApplyPrimitive(s.t.Context(), chemigram.ApplyPrimitiveParams{ImageID: id, PrimitiveName: name, Values: values}); err != nil {
			s.t.Fatal(err)
		}
		said = append(said, fmt.Sprint(name, values))
	}
	return strings.Join(said, " ")
}

// words are moves with their values.
func words(moves []chemigram.AppliedMove) string {
	var said []string
	for _, m := range moves {
		said = append(said, m.Move)
		for _, v := range m.Values {
			said[len(said)-1] += fmt.Sprintf(" %g", v.Value)
		}
	}
	return strings.Join(said, ", ")
}

// Hidden combinations of 1 to 5 moves are found from their pictures: 8 of 10 to a mean
// ΔE2000 of 1.0, 19 of 20 to 2.0, with 24 drafts.
func TestHiddenEditsAreFound(t *testing.T) {
	s := newSeries(t)
	first, end := numbers(t)
	n := end - first
	var left []float64
	for i := first; i < end; i++ {
		r := rand.New(rand.NewPCG(uint64(i), 20))
		photo := s.photo(3 * (i % 6))
		id, truth := s.take(fmt.Sprintf("found%d", i), retaken{print: photo}, dng.Options{}), s.take(fmt.Sprintf("hidden%d", i), retaken{print: photo}, dng.Options{Seed: 9})
		said := s.hide(r, truth)
		before := s.apart(id, truth)
		res, err := s.engine.MatchReference(t.Context(), chemigram.MatchReferenceParams{ImageID: id, Reference: string(truth)})
		if err != nil {
			t.Fatal(err)
		}
		after := s.apart(id, truth)
		left = append(left, after)
		t.Logf("%d: %s: ΔE2000 %.2f before, %.2f after; by its own measure %.2f, %.2f by light alone, %.2f; %d drafts; %s %s", i, said, before, after,
			res.Before, res.LightAlone, res.After, res.Renders, words(res.Applied), res.LeftAlone)
		if res.Renders > 24 {
			t.Errorf("%d drafts", res.Renders)
		}
	}
	within := func(most float64) (n int) {
		for _, d := range left {
			if d <= most {
				n++
			}
		}
		return n
	}
	slices.Sort(left)
	t.Logf("of %d, %d are found to ΔE2000 1.0 and %d to 2.0; %.2f in the median, %.2f at most", n, within(1), within(2), left[n/2], left[n-1])
	if within(1)*10 < n*8 || within(2)*20 < n*19 {
		t.Errorf("of %d, %d are found to ΔE2000 1.0 and %d to 2.0", n, within(1), within(2))
	}
}

// renderings are invented cameras: a matrix of linear sRGB, the steepness of a tone curve
// about middle grey, and how much stronger colours become by their hue. None of them is
// a move.
var renderings = []struct {
	name   string
	matrix colour.Matrix
	curve  float64
	chroma func(hue float64) float64
}{
	{"vivid", colour.Matrix{{1.12, -0.10, -0.02}, {-0.05, 1.10, -0.05}, {0.00, -0.12, 1.12}}, 1.25, func(h float64) float64 { return 1.15 + 0.15*math.Cos(h-2) }},
	{"warm and soft", colour.Matrix{{1.06, 0.02, 0}, {0.01, 0.99, 0}, {0, 0.04, 0.84}}, 0.88, func(h float64) float64 { return 0.9 + 0.1*math.Cos(h) }},
	{"cool negative", colour.Matrix{{0.92, 0.03, 0.02}, {0, 0.98, 0.03}, {0.02, 0.05, 1.04}}, 1.1, func(h float64) float64 { return 0.95 + 0.2*math.Sin(2*h) }},
}

// rendered is a photograph as an invented camera renders it.
type rendered struct {
	image.Image
	matrix colour.Matrix
	curve  float64
	chroma func(hue float64) float64
}

func (rendered) ColorModel() color.Model { return color.RGBA64Model }

func (m rendered) At(x, y int) color.Color {
	r, g, b, _ := m.Image.At(x, y).RGBA()
	srgb := colour.FromSRGB()
	light := m.matrix.Apply([3]float64{srgb.Linear(uint16(r)), srgb.Linear(uint16(g)), srgb.Linear(uint16(b))})
	luminance := max(0.2126*light[0]+0.7152*light[1]+0.0722*light[2], 1e-5)
	lab := srgb.LabOfLight(min(max(light[0], 0), 1), min(max(light[1], 0), 1), min(max(light[2], 0), 1))
	more := m.chroma(math.Atan2(lab.B, lab.A))
	gain := math.Pow(luminance/0.18, m.curve-1)
	var out [3]uint16
	for c, v := range light {
		v = min(max((luminance+(v-luminance)*more)*gain, 0), 1)
		if v = 1.055*math.Pow(v, 1/2.4) - 0.055; v < 0.04045 {
			v = max(v, 0)
		}
		out[c] = uint16(65535 * v)
	}
	return color.RGBA64{out[0], out[1], out[2], 65535}
}

// encode gives a picture as a JPEG of the camera.
func encode(t *testing.T, m image.Image) []byte {
	t.Helper()
	var data bytes.Buffer
	if err := render.EncodeJPEG(&data, m, 95); err != nil {
		t.Fatal(err)
	}
	return data.Bytes()
}

// What invented cameras make of photographs, in JPEGs inside the raws, is matched: at
// most 35 % of the distance is left in the mean.
func TestCameraRenderingsAreMatched(t *testing.T) {
	s := newSeries(t)
	if os.Getenv("CHEMIGRAM_MATCH") == "" {
		t.Skip("make match measures it")
	}
	first, end := numbers(t)
	left, n := 0.0, end-first
	for i := first; i < end; i++ {
		how := renderings[i%len(renderings)]
		photo := s.photo(3*(i/len(renderings)) + 2)
		path := retaken{print: photo, gamma: 1, green: 1, part: image.Rect(0, 0, photo.Bounds().Dx()&^1, photo.Bounds().Dy()&^1)}.write(t, dng.Options{AsShotKelvin: daylight, Noise: 0.5})
		if err := dng.AddPreview(path, encode(t, rendered{photo, how.matrix, how.curve, how.chroma})); err != nil {
			t.Fatal(err)
		}
		id := chemigram.ImageID(fmt.Sprintf("camera%d", i))
		if _, err := s.engine.Ingest(t.Context(), chemigram.IngestParams{RawPath: path, ImageID: id}); err != nil {
			t.Fatal(err)
		}
		res, err := s.engine.MatchReference(t.Context(), chemigram.MatchReferenceParams{ImageID: id, Reference: "camera"})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d: %s: ΔE2000 %.2f before, %.2f by light alone, %.2f after, %.0f %% are left; %d drafts; %s %s", i, how.name,
			res.Before, res.LightAlone, res.After, 100*res.After/res.Before, res.Renders, words(res.Applied), res.LeftAlone)
		if res.Understood != "aligned" {
			t.Errorf("%s: %s", how.name, res.Understood)
		}
		left += res.After / res.Before
	}
	t.Logf("of %d renderings, %.0f %% of the distance are left in the mean", n, 100*left/float64(n))
	if left > 0.35*float64(n) {
		t.Errorf("%.0f %% are left", 100*left/float64(n))
	}
}

// The palette of another picture comes nearer: for 8 of 10 pairs to half of the sliced
// Wasserstein distance in CIELAB; none gets worse.
func TestPalettesAreMatched(t *testing.T) {
	s := newSeries(t)
	if os.Getenv("CHEMIGRAM_MATCH") == "" {
		t.Skip("make match measures it")
	}
	first, end := numbers(t)
	n, half, alone := end-first, 0, 0
	for i := first; i < end; i++ {
		id := s.take(fmt.Sprintf("palette%d", i), retaken{print: s.photo(3 * i)}, dng.Options{})
		path := filepath.Join(t.TempDir(), "reference.jpg")
		if err := os.WriteFile(path, encode(t, s.photo(5*i+7)), 0o600); err != nil {
			t.Fatal(err)
		}
		before := s.sharp(id)
		res, err := s.engine.MatchReference(t.Context(), chemigram.MatchReferenceParams{ImageID: id, Reference: path})
		if err != nil {
			t.Fatal(err)
		}
		reference, err := pixel.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		from, to := slicedDistance(before, reference), slicedDistance(s.sharp(id), reference)
		switch {
		case res.LeftAlone != "":
			alone++
		case to <= from/2:
			half++
		}
		t.Logf("%d: %s: distance %.2f before, %.2f after; by its own measure %.2f, %.2f by light alone, %.2f; clipped %+.4f; %d drafts; %s %s", i, res.Understood,
			from, to, res.Before, res.LightAlone, res.After, res.Clipped, res.Renders, words(res.Applied), res.LeftAlone)
		if to > from || res.Clipped > 0.005 && res.Changed {
			t.Errorf("%d became worse", i)
		}
	}
	t.Logf("of %d pairs, %d came to half of the distance, %d were left alone", n, half, alone)
}

// slicedDistance is the sliced Wasserstein distance of the colours of two pictures in
// CIELAB, along 64 directions that are drawn.
func slicedDistance(a, b *pixel.Image) float64 {
	r := rand.New(rand.NewPCG(1, 64))
	sum := 0.0
	for range 64 {
		d := [3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		length := math.Sqrt(d[0]*d[0] + d[1]*d[1] + d[2]*d[2])
		places := func(m *pixel.Image) []float64 {
			out := make([]float64, 0, m.Width*m.Height)
			for y := range m.Height {
				for x := range m.Width {
					c := m.At(x, y).Lab()
					out = append(out, (c.L*d[0]+c.A*d[1]+c.B*d[2])/length)
				}
			}
			slices.Sort(out)
			return out
		}
		p, q := places(a), places(b)
		const shares = 400
		for i := range shares {
			sum += math.Abs(p[(2*i+1)*len(p)/(2*shares)]-q[(2*i+1)*len(q)/(2*shares)]) / shares
		}
	}
	return sum / 64
}
