package prove

import (
	"context"
	"errors"
	"fmt"
	"image"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/vocab/measure"
	"github.com/chemigram/chemigram/xmp/iop"
)

// harmLimits say from where on what a move does beside its claims is harm. Lightness
// is CIELAB's, 0..100.
var harmLimits = map[vocab.Harm]float64{
	vocab.Noise:    0.3, // L*, the standard deviation that is added in even parts
	vocab.Banding:  0.4, // L*, a step from one column to the next in a gradient
	vocab.Halos:    6,   // L*, beyond the plates on both sides of an edge
	vocab.Clipping: 1,   // percent of the pixels, in the worst channel
	vocab.Speckle:  1,   // percent of the pixels
	vocab.Cast:     2,   // the distance that a grey moves in a* and b*
	vocab.Skin:     6,   // degrees of CIELAB hue
}

// HarmLimit is the most of a harm that a move may do unless it says that it intends
// to: of noise the added standard deviation of lightness (L*), of banding and halos
// lightness, of clipping and speckle percent of the pixels, of a cast the distance in
// a* and b*, of skin degrees of hue.
func HarmLimit(h vocab.Harm) float64 { return harmLimits[h] }

// checkHarm looks for harm at the defaults of a move and, when the proof is whole, at
// both ends of each of its parameters. A harm is reported where it is worst.
func (b *batch) checkHarm(ctx context.Context, e *vocab.Entry) ([]Finding, error) {
	worst := map[vocab.Harm]harmed{}
	note := func(h vocab.Harm, size float64, where string) {
		if was, ok := worst[h]; !math.IsNaN(size) && (!ok || size > was.size) {
			worst[h] = harmed{size, where}
		}
	}
	for _, point := range b.harmPoints(e) {
		if err := b.harmAt(ctx, e, point, func(h vocab.Harm, size float64, where string) {
			note(h, size, where+" at "+point.name)
		}); err != nil {
			return nil, err
		}
	}
	if err := b.maskHarm(ctx, e, note); err != nil {
		return nil, err
	}
	var found []Finding
	for _, h := range vocab.Harms() {
		w, ok := worst[h]
		if !ok {
			continue
		}
		f := Finding{Check: "harm", Claim: string(h), Before: HarmLimit(h), After: w.size}
		f.Intended = w.size > HarmLimit(h) && slices.Contains(e.Intends, h)
		f.OK = w.size <= HarmLimit(h) || f.Intended
		if !f.OK {
			f.Message = fmt.Sprintf("%.3g %s, at most %g", w.size, w.where, HarmLimit(h))
		}
		found = append(found, f)
	}
	return found, nil
}

// harmed is how much harm was done, and where.
type harmed struct {
	size  float64
	where string
}

// noteHarm is told of each harm that was measured.
type noteHarm func(h vocab.Harm, size float64, where string)

// harmPoint is a setting of a move at which it may do no harm.
type harmPoint struct {
	name   string
	values map[string]float64
}

// harmPoints are the settings to look at.
func (b *batch) harmPoints(e *vocab.Entry) []harmPoint {
	points := []harmPoint{{"its defaults", nil}}
	if !b.Whole {
		return points
	}
	for _, p := range e.Parameters {
		for _, x := range [...]float64{p.Min, p.Max} {
			values := maps.Clone(sampleValues(e))
			if values == nil {
				values = map[string]float64{}
			}
			values[p.Name] = x
			points = append(points, harmPoint{fmt.Sprintf("%s %g", p.Name, x), values})
		}
	}
	return points
}

// harmAt measures the harm of a move at a setting.
func (b *batch) harmAt(ctx context.Context, e *vocab.Entry, at harmPoint, note noteHarm) error {
	touched, moved := e.Touches(), movesPicture(e)
	if moved && !slices.Contains(touched, "lens") && !slices.ContainsFunc(touched, func(m string) bool { return !iop.ChangesGeometry(m) }) {
		return nil // a part of the picture has another share of light ends than the whole, and nothing is lost
	}
	for _, scene := range append([]vocab.Scene{vocab.Smooth, vocab.Natural}, b.Photographs...) {
		before, after, err := b.pair(ctx, scene, e, at.values)
		if err != nil {
			return err
		}
		on := fmt.Sprintf("on the %s scene", scene)
		note(vocab.Clipping, measure.NewlyClipped(before, after, !moved), on)
		if moved {
			continue // the parts are elsewhere
		}
		if scene == vocab.Smooth {
			err = b.smoothHarm(before, after, note)
		} else {
			var noise float64
			noise, err = measure.AddedNoise(before, after, whole(after))
			note(vocab.Noise, noise, on)
		}
		if err != nil && !errors.Is(err, measure.ErrSize) {
			return err
		}
	}
	return nil
}

// movesPicture reports whether a move brings parts of the picture to other places.
func movesPicture(e *vocab.Entry) bool { return slices.ContainsFunc(e.Touches(), iop.ChangesGeometry) }

// pair gives a scene without and with a move.
func (b *batch) pair(
	ctx context.Context, scene vocab.Scene, e *vocab.Entry, values map[string]float64,
) (before, after *measure.Picture, err error) {
	base, err := b.start(ctx, scene, e)
	if err != nil {
		return nil, nil, err
	}
	state, err := b.apply(ctx, scene, e, nil, values, 1)
	if err != nil {
		return nil, nil, err
	}
	if before, err = b.picture(scene, base); err == nil {
		after, err = b.picture(scene, state)
	}
	return before, after, err
}

// smoothHarm measures what the smooth scene shows, by its places.
func (b *batch) smoothHarm(before, after *measure.Picture, note noteHarm) error {
	for name, place := range b.Renderer.Places(vocab.Smooth) {
		part, where := place.pixels(after), "in "+name
		switch {
		case name == "darks", name == "mid-tones", name == "lights":
			noise, err := measure.AddedNoise(before, after, part)
			if err != nil {
				return err
			}
			note(vocab.Noise, noise, where)
		case strings.HasSuffix(name, "gradient"):
			note(vocab.Banding, after.Banding(part)-before.Banding(part), where)
		case strings.HasPrefix(name, "edge "):
			note(vocab.Halos, after.Halo(part)-before.Halo(part), "along "+name)
		case strings.HasPrefix(name, "grey "):
			_, a, b := before.Colour(part)
			_, a1, b1 := after.Colour(part)
			note(vocab.Cast, math.Hypot(a1-a, b1-b), where)
		case strings.HasPrefix(name, "skin "):
			note(vocab.Skin, hueDrift(before, after, part), where)
		}
	}
	return nil
}

// hueDrift is by how many degrees the hue of a part turns; 0 where it is grey before
// or after.
func hueDrift(before, after *measure.Picture, part image.Rectangle) float64 {
	const leastChroma = 5
	_, a, b := before.Colour(part)
	_, a1, b1 := after.Colour(part)
	if math.Hypot(a, b) < leastChroma || math.Hypot(a1, b1) < leastChroma {
		return 0
	}
	return math.Abs(math.Remainder(math.Atan2(b1, a1)-math.Atan2(b, a), 2*math.Pi)) * 180 / math.Pi
}

// maskHarm measures the speckle of an entry's own mask.
func (b *batch) maskHarm(ctx context.Context, e *vocab.Entry, note noteHarm) error {
	within, err := ownMask(e)
	if within == nil || err != nil {
		return err
	}
	scene := firstScene(e)
	s, err := b.selection(ctx, scene, within)
	if err != nil {
		return err
	}
	note(vocab.Speckle, s.speckle(), fmt.Sprintf("in its mask on the %s scene", scene))
	return nil
}

func whole(p *measure.Picture) image.Rectangle { return image.Rect(0, 0, p.Width, p.Height) }

// pixels is the place in a picture.
func (p Place) pixels(of *measure.Picture) image.Rectangle {
	w, h := float64(of.Width), float64(of.Height)
	return image.Rect(int(p.X*w+0.5), int(p.Y*h+0.5), int((p.X+p.Width)*w+0.5), int((p.Y+p.Height)*h+0.5))
}

// speckle is the share of pixels, in percent, whose opacity differs by a half or more
// from the median of the 5 by 5 about them.
func (s selection) speckle() float64 {
	const far, step = 2, 0.5
	window := make([]float64, 0, (2*far+1)*(2*far+1))
	n := 0
	for y := far; y < s.height-far; y++ {
		for x := far; x < s.width-far; x++ {
			window = window[:0]
			for dy := -far; dy <= far; dy++ {
				for dx := -far; dx <= far; dx++ {
					window = append(window, s.opacity((y+dy)*s.width+x+dx))
				}
			}
			slices.Sort(window)
			if math.Abs(s.opacity(y*s.width+x)-window[len(window)/2]) >= step {
				n++
			}
		}
	}
	return 100 * float64(n) / float64(max(s.width*s.height, 1))
}
