package chemigram

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/scene"
)

// flower is a red flower before a meadow, or the meadow alone; size is the flower's
// radius in picture heights.
type flower struct{ size float64 }

func (flower) Name() string { return "flower" }

func (f flower) Image(width, height int) dng.Image {
	return dng.Image{Width: width, Height: height, Row: func(y int, rgb []float32) {
		for x := range width {
			u, v := (float64(x)/float64(width)-0.5)*1.5, float64(y)/float64(height)-0.5
			blade := 1 + 0.3*math.Sin(float64(x*x%97+13*y))
			r, g, b := 0.14*blade, 0.22*blade, 0.05*blade
			if d := math.Hypot(u, v); d < f.size {
				petal := 0.6 + 0.5*math.Cos(5*math.Atan2(v, u))*d/f.size
				r, g, b = petal, 0.06*petal, 0.05*petal
			}
			rgb[3*x], rgb[3*x+1], rgb[3*x+2] = float32(r), float32(g), float32(b)
		}
	}}
}

// lights is a dark room with the evening sun on a part of the wall.
type lights struct{}

func (lights) Name() string { return "lights" }

func (lights) Image(width, height int) dng.Image {
	return dng.Image{Width: width, Height: height, Row: func(y int, rgb []float32) {
		for x := range width {
			light := 0.05 + 0.05*float64(x)/float64(width)
			r, g, b := light, light, light
			if y > height/2 && x > width/2 { // the evening sun
				light = 0.5 + float64(y-height/2)/float64(height)
				r, g, b = light, 0.35*light, 0.03*light
			}
			rgb[3*x], rgb[3*x+1], rgb[3*x+2] = float32(r), float32(g), float32(b)
		}
	}}
}

// What would be harmed by a match is left alone and told, with numbers, and matched
// when the caller insists.
func TestAMatchDoesNoHarm(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		e, _ := openWith(t, dt, scene.Chart{})
		for id, taken := range map[ImageID]struct {
			scene scene.Scene
			ev    float64
		}{
			"meadow": {flower{}, 0}, "flower": {flower{0.6}, 0}, "dark": {flower{}, -2.2},
			"room": {lights{}, 1.2}, "dim": {lights{}, 0}, "meadow2": {flower{}, -0.7},
		} {
			raw := filepath.Join(t.TempDir(), string(id)+".dng")
			if err := scene.Write(raw, taken.scene, scene.Options{Megapixels: 0.1, DNG: dng.Options{EV: taken.ev}}); err != nil {
				t.Fatal(err)
			}
			if _, err := e.Ingest(t.Context(), IngestParams{RawPath: raw, ImageID: id}); err != nil {
				t.Fatal(err)
			}
		}
		match := func(p MatchExposureParams) SeriesResult {
			t.Helper()
			res, err := e.MatchExposure(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range res.Outcomes {
				t.Logf("%s: %+v %s", o.ImageID, o.Match, o.Error)
				if o.Match == nil {
					t.Fatalf("%s has no measures: %s", o.ImageID, o.Error)
				}
			}
			return res
		}

		res := match(MatchExposureParams{ImageID: "meadow", Targets: []ImageID{"flower", "dark", "meadow2"}})
		if res.Changed != 1 || res.LeftAlone != 2 || res.Failed != 0 {
			t.Errorf("%+v", res)
		}
		if o := res.Outcomes[0]; o.Changed || !o.Match.Unlike || o.Match.LeftAlone == "" || o.EV != 0 {
			t.Errorf("a flower and a meadow: %+v, %+v", o, o.Match)
		}
		if o := res.Outcomes[1]; o.Changed || o.Match.Unlike || o.Match.NeededEV <= 1.5 || o.Match.LeftAlone == "" || o.SnapshotHash == "" {
			t.Errorf("a meadow that is far too dark: %+v, %+v", o, o.Match)
		}
		if o := res.Outcomes[2]; !o.Changed || o.Match.LeftAlone != "" || math.Abs(o.EV-0.7) > 0.15 || o.EV != o.Match.NeededEV {
			t.Errorf("a meadow that is too dark: %+v, %+v", o, o.Match)
		}

		res = match(MatchExposureParams{ImageID: "room", Targets: []ImageID{"dim"}})
		if o := res.Outcomes[0]; o.Changed || o.Match.Unlike || o.Match.ClippedAfter < o.Match.ClippedBefore+0.01 || o.Match.LeftAlone == "" {
			t.Errorf("a room whose sun would clip: %+v, %+v", o, o.Match)
		}
		res = match(MatchExposureParams{ImageID: "room", Targets: []ImageID{"dim"}, Insist: true})
		if o := res.Outcomes[0]; !o.Changed || o.Match.LeftAlone != "" || o.EV == 0 || res.LeftAlone != 0 {
			t.Errorf("the same, insisted on: %+v, %+v", o, o.Match)
		}
	})
}
