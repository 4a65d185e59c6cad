package chemigram

import (
	"errors"
	"flag"
	"image"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chemigram/chemigram/internal/segment"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/photos"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/internal/testutil/scene"
	"github.com/chemigram/chemigram/xmp/mask"
)

var regionsOf = flag.Int("regions", 1, "look for regions in so `many` of the photographs, drawn by the seed; 0 is all")

// The engine's own masker finds by name, and by pointing, what its segmentation finds
// in the same picture, and darktable changes that and nothing else.
func TestRegionsAreFoundThroughTheEngine(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		t.Run("painted", func(t *testing.T) {
			e, _ := ready(t, dt, scene.Landscape{})
			places := scene.Landscape{}.Regions()
			checkRegion(t, e, Mask{Name: "sky"}, segment.Request{Category: segment.Sky}, places.Sky, places.Grass)
			checkSkyDarker(t, e, places.Sky, places.Grass)
			boat := middle(places.YellowPaint)
			checkRegion(t, e, Mask{Points: []MaskPoint{boat}},
				segment.Request{Hints: segment.Hints{Points: []segment.Point{{X: boat.X, Y: boat.Y, Keep: true}}}}, places.YellowPaint, places.Sky)
			rough := [][]float64{{0, 0.55}, {1, 0.55}, {1, 0.85}, {0, 0.85}}
			checkRegion(t, e, Mask{Polygon: rough},
				segment.Request{Hints: segment.Hints{Outlines: [][][2]float64{{{0, 0.55}, {1, 0.55}, {1, 0.85}, {0, 0.85}}}}}, places.Water, places.Sky)
		})
		t.Run("photographs", func(t *testing.T) {
			all := photos.Read(t)
			if *regionsOf > 0 {
				testutil.Random(t).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
				all = all[:min(*regionsOf, len(all))]
			}
			shares := map[string][]float64{}
			for _, photo := range all {
				for category, share := range lookForRegions(t, dt, photo) {
					shares[category] = append(shares[category], share)
				}
			}
			for category, of := range shares {
				sum := 0.0
				for _, share := range of {
					sum += share
				}
				t.Logf("%s: %.2f of %d", category, sum/float64(len(of)), len(of))
			}
		})
	})
}

// checkSkyDarker holds the move that works on the sky to a place in it and one without.
func checkSkyDarker(t *testing.T, e *Engine, sky, land pixel.Rect) {
	t.Helper()
	plain := previewed(t, e, RenderPreviewParams{ImageID: "a", Size: 512, Quality: QualityExact})
	res, err := e.ApplyPrimitive(t.Context(), ApplyPrimitiveParams{ImageID: "a", PrimitiveName: "sky_darker"})
	if err != nil {
		t.Fatal(err)
	}
	if found := res.MaskConfidence != nil; found != (res.Warning == "") {
		t.Errorf("the sky was found: %v, and the answer warns of %q", found, res.Warning)
	}
	darker := previewed(t, e, RenderPreviewParams{ImageID: "a", Size: 512, Quality: QualityExact})
	if was, is := plain.Mean(sky).Luminance(), darker.Mean(sky).Luminance(); is > 0.85*was {
		t.Errorf("the sky has %.3f of its light, and had %.3f", is, was)
	}
	if was, is := plain.Mean(land).Luminance(), darker.Mean(land).Luminance(); is < 0.99*was || is > 1.01*was {
		t.Errorf("the land has %.3f of its light, and had %.3f", is, was)
	}
	if _, err := e.Undo(t.Context(), UndoParams{ImageID: "a"}); err != nil {
		t.Fatal(err)
	}
}

func middle(r pixel.Rect) MaskPoint { return MaskPoint{X: r.X + r.Width/2, Y: r.Y + r.Height/2} }

// lookForRegions looks for what people drew into a photograph: what darktable darkens
// is what the segmentation finds. It returns how much of it and of what was drawn is
// common to both, as intersection over union.
func lookForRegions(t *testing.T, dt testutil.Darktable, photo photos.Photo) map[string]float64 {
	t.Helper()
	e, _ := openWith(t, dt, dusty{})
	ingest(t, e, filepath.Join(testutil.SharedData(t, "photos"), photo.ID+".jpg"))
	shares := map[string]float64{}
	for category, drawn := range photo.Regions {
		if !slices.Contains(mask.Meanings(), mask.Meaning(category)) {
			continue
		}
		darkened, found := checkRegion(t, e, Mask{Name: category}, segment.Request{Category: segment.Category(category)})
		shares[category] = 0
		if found {
			white := func(x, y int) bool { r, _, _, _ := drawn.At(x, y).RGBA(); return r >= 0x8000 }
			shares[category] = overlap(drawn.Bounds().Size(), darkened, white)
		}
		t.Logf("%s %s: found %v, %.2f", photo.ID, category, found, shares[category])
	}
	return shares
}

// checkRegion darkens a region, and holds what darktable changes to what the
// segmentation finds in the same picture, and to a place within and one without, when
// they are given. found is false where both find nothing.
func checkRegion(t *testing.T, e *Engine, m Mask, want segment.Request, within ...pixel.Rect) (darkened func(x, y int) bool, found bool) {
	t.Helper()
	img, now := startOf(t, e, "a")
	picture, err := e.probe.Picture(t.Context(), rawOf(t.Context(), img), now.Stack)
	if err != nil {
		t.Fatal(err)
	}
	var finder segment.Finder
	region, wantErr := finder.Find(t.Context(), picture.Image, want)
	plain := previewed(t, e, RenderPreviewParams{ImageID: "a", Size: 512, Quality: QualityExact})
	ev := -3.0
	res, err := e.ApplyPrimitive(t.Context(), ApplyPrimitiveParams{ImageID: "a", PrimitiveName: "exposure", Value: &ev, Mask: &m})
	if errors.Is(wantErr, segment.ErrNothing) {
		if failure, _ := errors.AsType[*Error](err); failure == nil || failure.Details["nothing_found"] != true {
			t.Errorf("%+v: %v, want nothing found", m, err)
		}
		return nil, false
	}
	if err != nil || wantErr != nil {
		t.Fatalf("%+v: %v; the segmentation: %v", m, err, wantErr)
	}
	if res.MaskConfidence == nil || *res.MaskConfidence != region.Confidence {
		t.Errorf("%+v: confidence %v, want %v", m, res.MaskConfidence, region.Confidence)
	}
	masked := previewed(t, e, RenderPreviewParams{ImageID: "a", Size: 512, Quality: QualityExact})
	size := image.Pt(plain.Width, plain.Height)
	gray := region.Gray(size)
	darkened = func(x, y int) bool { return masked.At(x, y).Luminance() < 0.6*plain.At(x, y).Luminance() }
	share := overlap(size, darkened, func(x, y int) bool {
		return gray.GrayAt(x, y).Y >= 0x80 && plain.At(x, y).Luminance() > 0 // black stays black
	})
	if share < 0.8 { // the edge of a small region follows the picture's by a pixel or two
		t.Errorf("%+v: what darktable changes shares %.2f with what is found, want 0.8", m, share)
	}
	for i, place := range within {
		at := middle(place)
		if x, y := int(at.X*float64(size.X)), int(at.Y*float64(size.Y)); darkened(x, y) != (i == 0) {
			t.Errorf("%+v: at %.2f, %.2f it is darkened: %v", m, at.X, at.Y, darkened(x, y))
		}
	}
	if _, err := e.Undo(t.Context(), UndoParams{ImageID: "a"}); err != nil {
		t.Fatal(err)
	}
	return darkened, true
}

// overlap is the intersection of two selections over their union.
func overlap(size image.Point, a, b func(x, y int) bool) float64 {
	both, either := 0.0, 1e-9
	for i := range size.X * size.Y {
		in, on := a(i%size.X, i/size.X), b(i%size.X, i/size.X)
		if in && on {
			both++
		}
		if in || on {
			either++
		}
	}
	return both / either
}
