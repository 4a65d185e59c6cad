package chemigram

import (
	"encoding/json"
	"image"
	"image/color"
	"image/draw"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/render"
)

// Where next to nothing is grey there is no cast of greys, rather than one of 0.
func TestNoCastWhereNothingIsNeutral(t *testing.T) {
	measured := func(grey image.Rectangle) *NeutralCast {
		picture := image.NewRGBA(image.Rect(0, 0, 100, 100))
		draw.Draw(picture, picture.Bounds(), image.NewUniform(color.RGBA{R: 200, G: 30, B: 40, A: 255}), image.Point{}, draw.Src)
		draw.Draw(picture, grey, image.NewUniform(color.RGBA{R: 128, G: 128, B: 128, A: 255}), image.Point{}, draw.Src)
		stats, err := render.Measure(picture, render.Region{})
		if err != nil {
			t.Fatal(err)
		}
		return neutralCast(stats.Cast)
	}
	for name, grey := range map[string]image.Rectangle{"nothing": {}, "a few pixels": image.Rect(0, 0, 3, 3)} {
		said, err := json.Marshal(ImageStatsResult{NeutralCast: measured(grey)})
		if err != nil || !strings.Contains(string(said), `"neutral_cast":null`) {
			t.Errorf("%s: %s, %v", name, said, err)
		}
	}
	if cast := measured(image.Rect(0, 0, 10, 10)); cast == nil || cast.Fraction != 0.01 {
		t.Errorf("a grey corner: %+v", cast)
	}
}
