package chemigram

import (
	"errors"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/xmp/mask"
)

func TestWhatCannotBeMaskedIsRefusedAndNothingChanges(t *testing.T) {
	shape := func(s MaskShape) Mask { return Mask{Shapes: []MaskShape{s}} }
	ranged := func(r MaskRange) Mask { return Mask{Ranges: []MaskRange{r}} }
	tests := []struct {
		name string
		move string
		mask Mask
		code Code
		says string
	}{
		{"nothing", "exposure", Mask{}, ErrMasking, "selects everything"},
		{"outside", "exposure", shape(MaskShape{Kind: "circle", X: new(2.0), Radius: 0.1}), ErrMasking, "outside of the picture"},
		{"no area", "exposure", shape(MaskShape{Kind: "circle"}), ErrMasking, "no area"},
		{"negative radius", "exposure", shape(MaskShape{Kind: "ellipse", Radius: 0.2, RadiusY: -0.1}), ErrMasking, "no area"},
		{"two corners", "exposure", shape(MaskShape{Kind: "path", Points: [][]float64{{0, 0}, {1, 1}}}), ErrMasking, "needs 3"},
		{"corners on a line", "exposure", shape(MaskShape{Kind: "path", Points: [][]float64{{0, 0}, {0.5, 0.5}, {1, 1}}}), ErrMasking, "without area"},
		{"three numbers", "exposure", shape(MaskShape{Kind: "path", Points: [][]float64{{0, 0, 1}, {1, 0}, {1, 1}}}), ErrMasking, "[x, y]"},
		{"path elsewhere", "exposure", shape(MaskShape{Kind: "path", Points: [][]float64{{2, 2}, {3, 2}, {3, 3}}}), ErrMasking, "no part"},
		{"brush without width", "exposure", shape(MaskShape{Kind: "brush", Points: [][]float64{{0, 0}, {1, 1}}}), ErrMasking, "no area"},
		{"points of a circle", "exposure", shape(MaskShape{Kind: "circle", Radius: 0.1, Points: [][]float64{{0, 0}}}), ErrMasking, "no points"},
		{"unknown kind", "exposure", shape(MaskShape{Kind: "star"}), ErrInvalidInput, "one of circle"},
		{"unknown combination", "exposure", shape(MaskShape{Kind: "circle", Radius: 0.1, Combine: "xor"}), ErrInvalidInput, "one of union"},
		{"unknown channel", "exposure", ranged(MaskRange{Channel: "warmth", From: new(0.5)}), ErrInvalidInput, "one of lightness"},
		{"open range", "exposure", ranged(MaskRange{Channel: "lightness"}), ErrMasking, "neither from nor to"},
		{"falling range", "exposure", ranged(MaskRange{Channel: "chroma", From: new(0.5), To: new(0.2)}), ErrMasking, "above"},
		{"hue beyond the circle", "exposure", ranged(MaskRange{Channel: "hue", From: new(400.0)}), ErrMasking, "0 to 360"},
		{"channel twice", "exposure", Mask{Ranges: []MaskRange{{Channel: "hue", To: new(50.0)}, {Channel: "hue", From: new(90.0)}}}, ErrMasking, "two ranges"},
		{"opacity", "exposure", Mask{Name: "skin", Opacity: new(mask.Share(2))}, ErrInvalidInput, "0 to 1"},
		{"feather", "exposure", Mask{Name: "skin", Feather: 1000}, ErrMasking, "0 to 250"},
		{"label", "exposure", Mask{Name: "skin", Label: "a:b"}, ErrInvalidInput, "letters"},
		{"unknown name", "exposure", Mask{Name: "sky_blu"}, ErrNotFound, "sky_blu"},
		{"module that cannot blend", "crop", Mask{Name: "sky_blue"}, ErrMasking, "crop"},
		{"unknown move", "exposre", Mask{Name: "skin"}, ErrNotFound, "exposre"},
	}
	for _, version := range []string{"4.2.1", "5.4.1"} {
		t.Run("baseline-"+version, func(t *testing.T) {
			e := openWithout(t, Options{})
			add(t, e, "a", version)
			head := headHash(t, e)
			for _, tt := range tests {
				_, err := e.ApplyPrimitive(t.Context(), ApplyPrimitiveParams{ImageID: "a", PrimitiveName: tt.move, Mask: &tt.mask})
				checkRefusal(t, tt.name, err, tt.code, tt.says)
				_, err = e.ApplyPerRegion(t.Context(), ApplyPerRegionParams{
					ImageID: "a", PrimitiveName: tt.move, Regions: []RegionMove{{Mask: Mask{Name: "sky_blue"}, PrimitiveName: "exposure"}, {Mask: tt.mask}},
				})
				checkRefusal(t, tt.name+", in a region", err, tt.code, tt.says)
				if headHash(t, e) != head {
					t.Fatalf("%s: the edit has changed", tt.name)
				}
			}
		})
	}
}

func checkRefusal(t *testing.T, name string, err error, code Code, says string) {
	t.Helper()
	if !errors.Is(err, code) || !strings.Contains(err.Error(), says) {
		t.Errorf("%s: %v, want %s with %q", name, err, code, says)
	}
}

func TestTwoRegionsNeedTwoMasks(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	same := RegionMove{Mask: Mask{Name: "skin"}}
	_, err := e.ApplyPerRegion(t.Context(), ApplyPerRegionParams{ImageID: "a", PrimitiveName: "exposure", Regions: []RegionMove{same, same}})
	checkRefusal(t, "the same mask twice", err, ErrInvalidInput, "label")
	_, err = e.ApplyPerRegion(t.Context(), ApplyPerRegionParams{ImageID: "a", Regions: []RegionMove{same}})
	checkRefusal(t, "no move", err, ErrInvalidInput, "primitive_name")
	_, err = e.ApplyPerRegion(t.Context(), ApplyPerRegionParams{ImageID: "a", PrimitiveName: "exposure", Regions: []RegionMove{}})
	checkRefusal(t, "no regions", err, ErrInvalidInput, "1 to 20")
}

// Masked moves live side by side, whatever the order in which they came; undo
// and the neutral value take one away and leave the others.
func TestMaskedMovesAreIndependentOfOrder(t *testing.T) {
	for _, version := range []string{"4.2.1", "5.4.1"} {
		t.Run("baseline-"+version, func(t *testing.T) {
			names := []string{"shadows", "foliage", "sky_blue", "reds", "highlights"}
			e := openWithout(t, Options{})
			put := func(id ImageID, name string, ev float64) EditResult {
				t.Helper()
				res, err := e.ApplyPrimitive(t.Context(), ApplyPrimitiveParams{
					ImageID: id, PrimitiveName: "exposure", Value: &ev, Mask: &Mask{Name: name},
				})
				if err != nil {
					t.Fatal(err)
				}
				return res
			}
			var heads []string
			for i, order := range [][]int{{0, 1, 2, 3, 4}, {4, 2, 0, 1, 3}} {
				id := ImageID("image" + string(rune('0'+i)))
				add(t, e, id, version)
				var last EditResult
				for _, k := range order {
					last = put(id, names[k], 0.1*float64(k+1))
				}
				heads = append(heads, *last.StateAfter.HeadHash)
			}
			if heads[0] != heads[1] {
				t.Error("the order of masked moves shows in the edit")
			}
			four := put("image0", names[2], 0)
			add(t, e, "without", version)
			var never EditResult
			for _, k := range []int{0, 1, 3, 4} {
				never = put("without", names[k], 0.1*float64(k+1))
			}
			if *four.StateAfter.HeadHash != *never.StateAfter.HeadHash {
				t.Error("taking the third away is not as if it had never been")
			}
		})
	}
}

func TestOneSelectionSaidInTwoWaysIsOneInstance(t *testing.T) {
	eachBaseline(t, func(t *testing.T, e *Engine) {
		half, one, soft := 0.5, 1.0, 0.1
		first := applyWithin(t, e, Mask{Ranges: []MaskRange{{Channel: "lightness", From: &half}, {Channel: "chroma", To: &half}}})
		again := applyWithin(t, e, Mask{Match: "all", Ranges: []MaskRange{
			{Channel: "chroma", To: &half}, {Channel: "lightness", From: &half, To: &one, Softness: &soft},
		}})
		if again.Changed || *first.StateAfter.HeadHash != *again.StateAfter.HeadHash {
			t.Error("the same selection, with its defaults given, is another instance")
		}
	})
}

func applyWithin(t *testing.T, e *Engine, m Mask) EditResult {
	t.Helper()
	res, err := e.ApplyPrimitive(t.Context(), ApplyPrimitiveParams{ImageID: "a", PrimitiveName: "exposure", Value: new(1.0), Mask: &m})
	if err != nil {
		t.Fatal(err)
	}
	return res
}
