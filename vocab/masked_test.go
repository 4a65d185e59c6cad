package vocab

import (
	"math"
	"testing"

	"github.com/chemigram/chemigram/xmp/mask"
)

// Within a mask, blur's steps each keep away from the edge by what they reach, beyond the
// mask's own softness; without a mask there is nothing to keep away from.
func TestABlurKeepsAwayFromTheEdgeOfItsMask(t *testing.T) {
	b := newFixture(t, "5.4.1")
	b.words = shipped(t)
	circle := mask.Mask{Shapes: []mask.Member{{Shape: mask.Circle{X: 0.5, Y: 0.5, Radius: 0.2}}}, Refine: mask.Refine{BlurRadius: 3}}
	look, err := b.try(b.baseline, "blur", Application{Value: new(32.0), Within: &Within{Mask: circle, Key: "a"}})
	if err != nil {
		t.Fatal(err)
	}
	found := map[float32]bool{}
	for _, e := range look.History() {
		if e.Operation != "lowpass" {
			continue
		}
		blend, err := mask.DecodeBlend(e.BlendVersion, e.Blend)
		if err != nil {
			t.Fatal(err)
		}
		if blend.Brightness != -0.9 {
			t.Errorf("the mask of %s is lowered by %g", e.MultiName, blend.Brightness)
		}
		found[blend.BlurRadius] = true
	}
	for _, want := range []float64{5, 10, 20, 40} {
		if !found[float32(math.Hypot(want, 3))] {
			t.Errorf("no step keeps away by %g pixels: %v", want, found)
		}
	}
	if look, err = b.try(b.baseline, "blur", Application{Value: new(32.0)}); err != nil {
		t.Fatal(err)
	}
	for _, e := range look.History() {
		if e.Operation != "lowpass" {
			continue
		}
		if blend, err := mask.DecodeBlend(e.BlendVersion, e.Blend); err != nil || blend.BlurRadius != 0 || blend.Brightness != 0 {
			t.Errorf("without a mask: %+v %v", blend, err)
		}
	}
}
