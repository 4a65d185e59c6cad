package chemigram

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/internal/testutil/scene"
	"github.com/chemigram/chemigram/render"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/mask"
)

// drawn is how much is selected at a place of a developed picture, in lengths of
// its shorter side: 1, 0, or NaN about an edge.
type drawn func(x, y float64) float64

const (
	softly = 0.02 // the softness of the test's shapes
	about  = 0.02 // two or three pixels of the test's pictures
)

// from is a shape of which a place lies so far outside; inside, it is negative.
func from(distance func(x, y float64) float64) drawn {
	return func(x, y float64) float64 {
		switch d := distance(x, y); {
		case d < -about:
			return 1
		case d > softly+about:
			return 0
		}
		return math.NaN()
	}
}

// toSegment is how far a place lies from a line's part.
func toSegment(x, y float64, a, b [2]float64) float64 {
	dx, dy := b[0]-a[0], b[1]-a[1]
	t := min(max(((x-a[0])*dx+(y-a[1])*dy)/(dx*dx+dy*dy), 0), 1)
	return math.Hypot(x-a[0]-t*dx, y-a[1]-t*dy)
}

// outside is how far a place lies outside of corners, by the even-odd rule.
func outside(x, y float64, corners [][2]float64) float64 {
	nearest, in := math.Inf(1), false
	for i, a := range corners {
		b := corners[(i+1)%len(corners)]
		nearest = min(nearest, toSegment(x, y, a, b))
		if (a[1] > y) != (b[1] > y) && x < a[0]+(y-a[1])/(b[1]-a[1])*(b[0]-a[0]) {
			in = !in
		}
	}
	if in {
		return -nearest
	}
	return nearest
}

// A kind of mask, and what it selects of the chart.
type maskKind struct {
	name string
	mask Mask
	// Of a mask with shapes, where; of one with ranges, which patches.
	where   drawn
	patches []string
}

// drawnKinds are every shape and every way of joining two, in a picture that is
// wide in lengths of its shorter side and 1 high.
func drawnKinds(wide float64) []maskKind {
	soft := new(mask.Share(softly))
	circle := MaskShape{Kind: mask.KindCircle, X: new(0.4), Radius: 0.2, Softness: soft}
	other := MaskShape{Kind: mask.KindCircle, X: new(0.6), Radius: 0.25, Softness: soft}
	disc := from(func(x, y float64) float64 { return math.Hypot(x-0.4*wide, y-0.5) - 0.2 })
	second := from(func(x, y float64) float64 { return math.Hypot(x-0.6*wide, y-0.5) - 0.25 })
	corners := [][2]float64{{0.2, 0.2}, {0.8, 0.3}, {0.6, 0.8}, {0.3, 0.7}}
	star := [][2]float64{} // crosses itself, and encloses its middle twice
	for i := range 5 {
		sin, cos := math.Sincos(4 * math.Pi / 5 * float64(i))
		star = append(star, [2]float64{0.5 + 0.4*sin/wide, 0.5 - 0.4*cos})
	}
	polygon := func(points [][2]float64) (shape MaskShape, in drawn) {
		shape = MaskShape{Kind: mask.KindPath, Softness: soft}
		scaled := slices.Clone(points)
		for i, p := range points {
			shape.Points = append(shape.Points, []float64{p[0], p[1]})
			scaled[i][0] *= wide
		}
		return shape, from(func(x, y float64) float64 { return outside(x, y, scaled) })
	}
	path, inPath := polygon(corners)
	crossed, inStar := polygon(star)
	a, b, c := [2]float64{0.2 * wide, 0.3}, [2]float64{0.5 * wide, 0.7}, [2]float64{0.8 * wide, 0.3}
	kinds := []maskKind{
		{name: "circle", mask: Mask{Shapes: []MaskShape{circle}}, where: disc},
		{
			name: "ellipse", mask: Mask{Shapes: []MaskShape{{Kind: mask.KindEllipse, Radius: 0.3, RadiusY: 0.15, Softness: soft}}},
			where: from(func(x, y float64) float64 { return (math.Hypot((x-0.5*wide)/0.3, (y-0.5)/0.15) - 1) * 0.15 }),
		},
		{
			name: "gradient", mask: Mask{Shapes: []MaskShape{{Kind: mask.KindGradient, Rotation: 90, Softness: soft}}},
			where: from(func(x, _ float64) float64 { return 0.5*wide - x + softly }),
		},
		{name: "path", mask: Mask{Shapes: []MaskShape{path}}, where: inPath},
		{name: "path that crosses itself", mask: Mask{Shapes: []MaskShape{crossed}}, where: inStar},
		{
			name: "brush", mask: Mask{Shapes: []MaskShape{{Kind: mask.KindBrush, Radius: 0.08, Softness: soft, Points: [][]float64{{0.2, 0.3}, {0.5, 0.7}, {0.8, 0.3}}}}},
			where: from(func(x, y float64) float64 { return min(toSegment(x, y, a, b), toSegment(x, y, b, c)) - 0.08 }),
		},
		{name: "inverted", mask: Mask{Invert: true, Shapes: []MaskShape{circle}}, where: func(x, y float64) float64 { return 1 - disc(x, y) }},
	}
	for op, join := range map[mask.Op]func(p, q float64) float64{
		mask.OpUnion: math.Max, mask.OpIntersection: math.Min,
		mask.OpDifference: func(p, q float64) float64 { return p * (1 - q) }, mask.OpExclusion: func(p, q float64) float64 { return math.Abs(p - q) },
	} {
		joined := other
		joined.Combine = op
		kinds = append(kinds, maskKind{
			name: string(op), mask: Mask{Shapes: []MaskShape{circle, joined}},
			where: func(x, y float64) float64 { return join(disc(x, y), second(x, y)) },
		})
	}
	return kinds
}

// rangeKinds are ranges of every channel, and ways of joining them.
func rangeKinds() []maskKind {
	above := func(c mask.Channel, from, soft float64) MaskRange {
		return MaskRange{Channel: c, From: &from, Softness: &soft}
	}
	between := func(c mask.Channel, from, to, soft float64) MaskRange {
		return MaskRange{Channel: c, From: &from, To: &to, Softness: &soft}
	}
	neutrals := []string{"white", "neutral 8", "neutral 6.5", "neutral 5", "neutral 3.5", "black"}
	bright := []string{"white", "neutral 8", "yellow", "bluish green", "yellow green", "orange yellow"}
	redLight := []string{"light skin", "orange", "orange yellow", "yellow", "white", "neutral 8"}
	blueLight := []string{"purplish blue", "blue flower", "bluish green", "cyan", "white", "neutral 8", "neutral 6.5"}
	greenLight := []string{"bluish green", "yellow green", "yellow", "white", "neutral 8", "neutral 6.5"}
	colourful, red, blue := above(mask.Chroma, 0.15, 0.05), above(mask.Red, 0.43, 0.02), above(mask.Blue, 0.315, 0.01)
	but := func(without []string) (rest []string) {
		for _, p := range (scene.Chart{}).Patches() {
			if !slices.Contains(without, p.Name) {
				rest = append(rest, p.Name)
			}
		}
		return rest
	}
	of := func(ranges ...MaskRange) Mask { return Mask{Ranges: ranges} }
	return []maskKind{
		{name: "lightness", mask: of(between(mask.Lightness, 0.59, 0.77, 0.02)), patches: []string{"light skin", "bluish green", "orange", "yellow green", "orange yellow", "neutral 6.5"}},
		{name: "chroma", mask: of(colourful), patches: but(neutrals)},
		{name: "hue", mask: of(between(mask.Hue, 245, 270, 3), colourful), patches: []string{"blue sky", "purplish blue", "blue"}},
		{name: "hue around the circle's end", mask: of(between(mask.Hue, 340, 35, 3), colourful), patches: []string{"magenta", "moderate red", "red"}},
		{name: "gray", mask: of(above(mask.Gray, 0.395, 0.015)), patches: bright},
		{name: "red", mask: of(red), patches: redLight},
		{name: "green", mask: of(above(mask.Green, 0.36, 0.01)), patches: greenLight},
		{name: "blue", mask: of(blue), patches: blueLight},
		{name: "all of two", mask: of(red, blue), patches: []string{"white", "neutral 8"}},
		{name: "any of two", mask: Mask{Ranges: []MaskRange{red, blue}, Match: mask.Any}, patches: slices.Concat(redLight, blueLight)},
		{name: "inverted range", mask: Mask{Ranges: []MaskRange{red}, Invert: true}, patches: but(redLight)},
	}
}

// Every shape, every range and every way of joining them, as callers give them,
// in a picture that is turned and cropped: outside nothing changes, and inside as
// much as the move does without a mask.
func TestEveryKindOfMaskHoldsInTheDevelopedPicture(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		e, raw := openWith(t, dt, scene.Chart{})
		ingest(t, e, raw)
		if _, err := set(t, e, "ashift", "", "rotation", "5"); err != nil {
			t.Fatal(err)
		}
		if _, err := set(t, e, "crop", "", "cx", "0.06", "cy", "0.06", "cw", "0.94", "ch", "0.9"); err != nil {
			t.Fatal(err)
		}
		ctx := t.Context()
		img, err := e.image("a")
		if err != nil {
			t.Fatal(err)
		}
		now, err := e.start(ctx, img, "")
		if err != nil {
			t.Fatal(err)
		}
		frame, err := now.Frame(ctx, now.Current)
		if err != nil {
			t.Fatal(err)
		}
		move, err := e.vocabulary.Entry("exposure")
		if err != nil {
			t.Fatal(err)
		}
		kinds := append(drawnKinds(frame.Developed.Width/frame.Developed.Height), rangeKinds()...)
		looks := []*xmp.Sidecar{now.Current}
		for i := range len(kinds) + 1 {
			var where *Mask // without one first
			if i > 0 {
				where = &kinds[i-1].mask
			}
			look, _, err := now.Apply(ctx, move, vocab.Application{Value: new(-1.5)}, where)
			if err != nil {
				t.Fatal(err)
			}
			looks = append(looks, look)
		}
		pictures := developLinear(t, e, img.Raw.Path, 288, looks)
		for i, kind := range kinds {
			in, out := kind.measure(frame, pictures[0], pictures[1], pictures[i+2])
			if !(out < 0.1) || !(in < 0.1) {
				t.Errorf("%s: outside ΔE2000 is %.3f; inside, to the move without a mask, %.3f", kind.name, out, in)
			}
		}
	})
}

// developLinear develops looks into linear light.
func developLinear(t *testing.T, e *Engine, raw string, size int, looks []*xmp.Sidecar) []*pixel.Image {
	t.Helper()
	dir := t.TempDir()
	jobs := make([]render.Job, len(looks))
	for i, look := range looks {
		jobs[i] = render.Job{
			Raw: raw, Sidecar: look.Bytes(), Output: filepath.Join(dir, fmt.Sprintf("%d.png", i)), Size: size,
			BitDepth: 16, ColorSpace: "linear-rec2020",
		}
	}
	pictures := make([]*pixel.Image, len(looks))
	for i, outcome := range e.darktable.RenderAll(t.Context(), jobs, nil) {
		if outcome.Err != nil {
			t.Fatal(outcome.Err)
		}
		m, err := render.Load(outcome.Picture.Path)
		if err != nil {
			t.Fatal(err)
		}
		pictures[i] = pixel.FromLinear(m)
	}
	return pictures
}

// measure gives the mean ΔE2000 between the masked picture and the move without
// a mask where it is selected, and between it and the plain picture elsewhere.
func (k maskKind) measure(f mask.Frame, plain, everywhere, masked *pixel.Image) (inside, outside float64) {
	var in, out float64
	add := func(x, y int, selected float64) {
		switch got := masked.At(x, y).Lab(); selected {
		case 1:
			inside, in = inside+pixel.DeltaE2000(everywhere.At(x, y).Lab(), got), in+1
		case 0:
			outside, out = outside+pixel.DeltaE2000(plain.At(x, y).Lab(), got), out+1
		}
	}
	short := float64(min(masked.Width, masked.Height))
	if k.where != nil {
		for y := 0; y < masked.Height; y += 2 { // every second pixel is enough
			for x := 0; x < masked.Width; x += 2 {
				add(x, y, k.where((float64(x)+0.5)/short, (float64(y)+0.5)/short))
			}
		}
	}
	for _, p := range (scene.Chart{}).Patches() {
		selected := math.NaN()
		if k.where == nil {
			selected = 0
			if slices.Contains(k.patches, p.Name) {
				selected = 1
			}
		}
		u, v := f.Seen(p.Rect.X+p.Rect.Width/2, p.Rect.Y+p.Rect.Height/2)
		x, y := int(u*float64(masked.Width)), int(v*float64(masked.Height))
		for i := range 9 {
			add(x-2+2*(i%3), y-2+2*(i/3), selected)
		}
	}
	return inside / in, outside / out
}
