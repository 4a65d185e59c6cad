package chemigram

import (
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/internal/testutil/scene"
)

// How much light highlights and bright_sky take off light skin at their defaults is what
// their descriptions say.
func TestHighlightsSaysWhatItTakesOffSkin(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		e, _ := ready(t, dt, scene.Smooth{})
		skin := scene.Smooth{}.Places()["skin 3"]
		lightness := func() float64 {
			m := sized(t, e, 400)
			l := m.Mean(pixel.Rect{X: skin.X + skin.Width/4, Y: skin.Y + skin.Height/4, Width: skin.Width / 2, Height: skin.Height / 2}).Lab()
			return l.L
		}
		before := lightness()
		applyMasked(t, e, ApplyPrimitiveParams{PrimitiveName: "highlights"})
		all := before - lightness()
		applyMasked(t, e, ApplyPrimitiveParams{PrimitiveName: "highlights", Value: new(0.0)})
		applyMasked(t, e, ApplyPrimitiveParams{PrimitiveName: "bright_sky"})
		narrow := before - lightness()
		t.Logf("skin of L* %.1f loses %.1f to highlights, %.1f to bright_sky", before, all, narrow)
		if all < 5 || all > 14 {
			t.Errorf("light skin loses %.1f L* to highlights; its description says up to 14", all)
		}
		if narrow > 7 || narrow > 0.6*all {
			t.Errorf("light skin loses %.1f L* to bright_sky; its description says half as much, up to 7", narrow)
		}
	})
}
