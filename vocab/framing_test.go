package vocab

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
	"github.com/chemigram/chemigram/xmp/mask"
)

// sensors are shapes of sensors, in pixels.
var sensors = []mask.Size{
	{Width: 6000, Height: 4000},
	{Width: 6016, Height: 4016},
	{Width: 5184, Height: 3888},
	{Width: 4032, Height: 2268},
	{Width: 4000, Height: 6000},
	{Width: 2976, Height: 3968},
	{Width: 8256, Height: 5504},
	{Width: 3000, Height: 3000},
	{Width: 601, Height: 397},
}

// aspects are the moves that crop to one, with width by height.
var aspects = map[string]float64{
	"crop_square": 1, "crop_4_5": 4.0 / 5, "crop_5_4": 5.0 / 4, "crop_4_3": 4.0 / 3, "crop_16_9": 16.0 / 9, "crop_panorama_2_1": 2, "crop_cinema": 2.39,
}

// hasAspect checks that a look's frame has an aspect within a pixel, and that no
// larger one would.
func (b *fixture) hasAspect(what string, look *xmp.Sidecar, aspect float64) {
	b.t.Helper()
	size, err := b.frame(look)
	if err != nil {
		b.t.Fatal(err)
	}
	if math.Abs(size.Width-size.Height*aspect) > max(1, aspect) {
		b.t.Errorf("%s: %g by %g, not %g:1", what, size.Width, size.Height, aspect)
	}
}

func framed(t *testing.T) *fixture {
	b := newFixture(t, "5.4.1")
	b.words = shipped(t, "starter", "expressive")
	return b
}

func TestAnAspectIsExactInEveryFrame(t *testing.T) {
	t.Parallel()
	b := framed(t)
	for _, sensor := range sensors {
		b.sensor = sensor
		for name, aspect := range aspects {
			for _, position := range []float64{-1, -0.5, 0, 0.333, 1} {
				what := fmt.Sprintf("%s at %g of %v", name, position, sensor)
				look := b.apply(b.baseline, name, value(position))
				b.hasAspect(what, look, aspect)
				size, _ := b.frame(look)
				if size.Width < sensor.Width-1 && size.Height < sensor.Height-1 {
					t.Errorf("%s: %g by %g is not the largest", what, size.Width, size.Height)
				}
			}
		}
	}
}

// A crop takes the place of the one before it, with nothing left of that.
func TestOneCropReplacesAnother(t *testing.T) {
	t.Parallel()
	b := framed(t)
	all := []string{"crop", "crop_in"}
	for name := range aspects {
		all = append(all, name)
	}
	for _, first := range all {
		for _, second := range all {
			alone := b.apply(b.baseline, second, Application{Values: b.crop(second)})
			after := b.apply(b.apply(b.baseline, first, Application{Values: b.crop(first)}), second, Application{Values: b.crop(second)})
			x, _ := alone.Find("crop", "")
			y, _ := after.Find("crop", "")
			if !bytes.Equal(x.Params, y.Params) {
				t.Errorf("%s after %s is not %s alone", second, first, second)
			}
		}
	}
}

func (b *fixture) crop(name string) map[string]float64 {
	if name == "crop" {
		return map[string]float64{"left": 0.1, "bottom": 0.2}
	}
	return nil
}

// The aspect and the position hold when the picture is turned or straightened after
// the crop, as when it was turned before.
func TestAnAspectOutlivesATurn(t *testing.T) {
	t.Parallel()
	b := framed(t)
	for _, turn := range []string{"rotate_left", "rotate_right", "rotate_half", "mirror", "straighten"} {
		for name, aspect := range aspects {
			for _, position := range []float64{-1, 0, 0.7} {
				what := fmt.Sprintf("%s at %g and %s", name, position, turn)
				after := b.apply(b.apply(b.baseline, name, value(position)), turn, Application{})
				before := b.apply(b.apply(b.baseline, turn, Application{}), name, value(position))
				b.hasAspect(what, after, aspect)
				if after.Hash() != before.Hash() {
					t.Errorf("%s: the order matters", what)
				}
				back := b.apply(after, turn, Application{Strength: new(0.0)})
				if alone := b.apply(b.baseline, name, value(position)); back.Hash() != alone.Hash() {
					t.Errorf("%s, taken back: the crop is another one", what)
				}
			}
		}
	}
}

// What somebody has changed by hand is no aspect any more, and stays.
func TestACropThatWasChangedByHandStays(t *testing.T) {
	t.Parallel()
	b := framed(t)
	look := b.apply(b.baseline, "crop_square", Application{})
	e, _ := look.Find("crop", "")
	p, err := b.release.Decode("crop", e.Modversion, e.Params)
	if err == nil {
		p, err = p.With("cy", iop.Number(0.2))
	}
	if err != nil {
		t.Fatal(err)
	}
	e.Params, e.MultiName = p.Encode(), ""
	if look, err = look.With(b.release, xmp.Put{Entry: e}); err != nil {
		t.Fatal(err)
	}
	look = b.apply(look, "rotate_left", Application{})
	near(t, "cy", b.field(look, "crop", "", "cy"), float64(float32(0.2)))
	near(t, "ch", b.field(look, "crop", "", "ch"), 1)
}

// Straightening keeps the frame's proportions, and neither a turn nor a shift of the
// lens nor all of them leave anything empty: the corners of what is left lie within
// what became of the frame.
func TestABentFrameLeavesNoCorner(t *testing.T) {
	t.Parallel()
	for _, sensor := range sensors {
		for _, b := range []bend{{rotation: -15}, {rotation: 0.2}, {rotation: 45}, {upright: 0.4}, {upright: -0.1}, {level: 0.3}, {7, -0.4, 0.4}, {-3, 0.2, 0.1}} {
			f, quad := b.cuts(sensor), b.quad(sensor)
			low, high := quad[0], quad[0]
			for _, p := range quad {
				low, high = point{min(low.x, p.x), min(low.y, p.y)}, point{max(high.x, p.x), max(high.y, p.y)}
			}
			x := func(share float64) float64 { return low.x + share*(high.x-low.x) }
			y := func(share float64) float64 { return low.y + share*(high.y-low.y) }
			half := point{(x(f["cr"]) - x(f["cl"])) / 2, (y(f["cb"]) - y(f["ct"])) / 2}
			if k := fit(quad, point{x(f["cl"]) + half.x, y(f["ct"]) + half.y}, half); k < 1 || k > 1.05 {
				t.Errorf("%v by %+v: the rectangle fits %.3f times", sensor, b, k)
			}
			if aspect := half.x / half.y; b.upright == 0 && b.level == 0 && math.Abs(aspect*sensor.Height/sensor.Width-1) > 0.01 {
				t.Errorf("%v by %+v: %.4f by 1", sensor, b, aspect)
			}
		}
	}
}

// The moves of one module fit each other, in any order, and taken back they leave
// what the others need.
func TestMovesThatBendTheFrameFitEachOther(t *testing.T) {
	t.Parallel()
	b := framed(t)
	moves := []string{"straighten", "perspective_up", "perspective_left"}
	forth, back := b.baseline, b.baseline
	for i := range moves {
		forth = b.apply(forth, moves[i], Application{})
		back = b.apply(back, moves[len(moves)-1-i], Application{})
	}
	x, _ := forth.Find("ashift", "")
	y, _ := back.Find("ashift", "")
	if !bytes.Equal(x.Params, y.Params) {
		t.Error("the order matters")
	}
	without := b.apply(forth, "perspective_left", value(0))
	two := b.apply(b.apply(b.baseline, "straighten", Application{}), "perspective_up", Application{})
	x, _ = without.Find("ashift", "")
	y, _ = two.Find("ashift", "")
	if !bytes.Equal(x.Params, y.Params) {
		t.Error("a move that was taken back has left something")
	}
	if none := b.apply(b.apply(without, "straighten", value(0)), "perspective_up", value(0)); none.Hash() != b.baseline.Hash() {
		t.Error("all taken back, it is not the baseline")
	}
}

// An instance that an earlier version of a move made goes when the move is applied
// again, and so it does not count twice.
func TestAnEarlierVersionsInstanceGoes(t *testing.T) {
	t.Parallel()
	b := framed(t)
	p, err := reference("clipping", 5)
	if err == nil {
		p, err = p.With("angle", iop.Number(3))
	}
	if err != nil {
		t.Fatal(err)
	}
	old, err := b.baseline.With(b.release, xmp.Put{Entry: xmp.Entry{
		Operation: "clipping", Enabled: true, Modversion: 5, Params: p.Encode(), Origins: []xmp.Origin{{Entry: "straighten", Pack: "expressive", Version: "1.0.0", Layer: "L3"}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, degrees := range []float64{0, 4} {
		look := b.apply(old, "straighten", value(degrees))
		if fresh := b.apply(b.baseline, "straighten", value(degrees)); look.Hash() != fresh.Hash() {
			t.Errorf("straightened by %g°, the old instance still counts", degrees)
		}
	}
	if other := b.apply(old, "crop_square", Application{}); other.Hash() == b.apply(b.baseline, "crop_square", Application{}).Hash() {
		t.Error("another move took the old instance away")
	}
}

// A frame that cannot be measured is an error, and not a wrong crop.
func TestAFrameThatCannotBeMeasuredIsAnError(t *testing.T) {
	t.Parallel()
	b := framed(t)
	e, _ := b.words.Entry("crop_square")
	for _, frame := range []func(*xmp.Sidecar) (mask.Size, error){
		nil,
		func(*xmp.Sidecar) (mask.Size, error) { return mask.Size{}, nil },
		func(*xmp.Sidecar) (mask.Size, error) { return mask.Size{}, errors.New("no darktable") },
	} {
		_, _, err := e.Compile(Application{Baseline: b.baseline, Current: b.baseline, Target: b.release, Frame: frame})
		if !errors.Is(err, Uncomposable) {
			t.Errorf("%v", err)
		}
	}
}
