package chemigram

import (
	"errors"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/photos"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/xmp/mask"
)

// cutOuts are a bright disc and a dark one, with hard edges, before leaves of light
// and shade; or the leaves alone.
type cutOuts struct{ alone bool }

// The discs, in lengths of the picture's shorter side.
const (
	cutOutRadius = 0.2
	brightX      = 0.4
	darkX        = 1.1
)

func (cutOuts) Name() string { return "discs" }

func (c cutOuts) Image(width, height int) dng.Image {
	return dng.Image{Width: width, Height: height, Row: func(y int, out []float32) {
		for x := range width {
			u, v := (float64(x)+0.5)/float64(height), (float64(y)+0.5)/float64(height)
			light := float32(0.15 * (1 + 0.5*math.Sin(70*u+9*math.Sin(11*v))*math.Cos(60*v+7*math.Sin(9*u))))
			rgb := [3]float32{0.5 * light, light, 0.4 * light}
			switch {
			case c.alone:
			case math.Hypot(u-brightX, v-0.5) < cutOutRadius:
				rgb = [3]float32{0.9, 0.14, 0.1}
			case math.Hypot(u-darkX, v-0.5) < cutOutRadius:
				rgb = [3]float32{0.004, 0.004, 0.006}
			}
			copy(out[3*x:], rgb[:])
		}
	}}
}

// smear is how much of a disc's light is found outside of its edge, as a share of the
// disc's own, at the distance where it is most: beside a picture of the leaves that
// were blurred alone. inside is by how much the disc itself changed, in ΔE2000.
func smear(sharp, blurred, alone *pixel.Image, discX float64) (worst, inside float64) {
	const edge, far, step = 2, 40, 2 // pixels
	rings, height := map[int][]int{}, float64(sharp.Height)
	for i := range sharp.Width * sharp.Height {
		x, y := float64(i%sharp.Width)+0.5, float64(i/sharp.Width)+0.5
		switch d := math.Hypot(x-discX*height, y-height/2) - cutOutRadius*height; {
		case d < -edge:
			rings[-1] = append(rings[-1], i)
		case d > edge && d < far:
			rings[int(d/step)] = append(rings[int(d/step)], i)
		}
	}
	mean := func(of *pixel.Image, places []int) (c pixel.Colour) {
		for _, i := range places {
			p := of.At(i%of.Width, i/of.Width)
			c.R, c.G, c.B = c.R+p.R/float64(len(places)), c.G+p.G/float64(len(places)), c.B+p.B/float64(len(places))
		}
		return c
	}
	disc := mean(sharp, rings[-1])
	for k, places := range rings {
		if k < 0 {
			continue
		}
		is, clean := mean(blurred, places), mean(alone, places)
		r, g, b := disc.R-clean.R, disc.G-clean.G, disc.B-clean.B
		share := ((is.R-clean.R)*r + (is.G-clean.G)*g + (is.B-clean.B)*b) / (r*r + g*g + b*b)
		worst = max(worst, math.Abs(share))
	}
	for _, i := range rings[-1] {
		x, y := i%sharp.Width, i/sharp.Width
		inside += pixel.DeltaE2000(sharp.At(x, y).Lab(), blurred.At(x, y).Lab()) / float64(len(rings[-1]))
	}
	return worst, inside
}

// Behind a subject that is cut out, the blurred background takes no colour from it:
// there is no glow around a bright one and no shade around a dark one, and the subject
// stays as sharp as it was.
func TestABlurredBackgroundTakesNoColourFromTheSubject(t *testing.T) {
	const radius = 8.0
	cutOut := func(x float64) MaskShape {
		x /= 1.5
		return MaskShape{Kind: mask.KindCircle, X: &x, Radius: cutOutRadius, Softness: new(mask.Share(0))}
	}
	background := &Mask{Shapes: []MaskShape{cutOut(brightX), cutOut(darkX)}, Invert: true}
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		e, _ := ready(t, dt, cutOuts{})
		sharp := sized(t, e, 640)
		applyMasked(t, e, ApplyPrimitiveParams{PrimitiveName: "blur", Value: new(radius), Mask: background})
		blurred := sized(t, e, 640)

		e, _ = ready(t, dt, cutOuts{alone: true})
		leaves := sized(t, e, 640)
		applyMasked(t, e, ApplyPrimitiveParams{PrimitiveName: "blur", Value: new(radius)})
		alone := sized(t, e, 640)

		for name, x := range map[string]float64{"bright": brightX, "dark": darkX} {
			share, inside := smear(sharp, blurred, alone, x)
			t.Logf("%.4f of the %s disc is found outside of it; it changed by ΔE2000 %.3f", share, name, inside)
			if share > 0.05 || inside > 0.2 {
				t.Errorf("%.4f of the %s disc is found outside of it, at most 0.05; it changed by ΔE2000 %.3f, at most 0.2", share, name, inside)
			}
		}
		// Two lengths away from both, it is as blurred as without a mask.
		away := func(u, v float64) bool {
			return math.Hypot(1.5*u-brightX, v-0.5) > 0.3 && math.Hypot(1.5*u-darkX, v-0.5) > 0.3
		}
		gone := differenceWhere(t, blurred, alone, away)
		if plain := differenceWhere(t, leaves, alone, away); gone > 0.1*plain || plain < 1 {
			t.Errorf("away from the discs the background is ΔE2000 %.2f from one blurred whole; unblurred leaves are %.2f", gone, plain)
		}
	})
}

// sized is a preview of the present look.
func sized(t *testing.T, e *Engine, size Size) *pixel.Image {
	t.Helper()
	return previewed(t, e, RenderPreviewParams{ImageID: "a", Size: size})
}

func differenceWhere(t *testing.T, a, b *pixel.Image, where pixel.Mask) float64 {
	t.Helper()
	d, err := pixel.CompareWhere(a, b, where)
	if err != nil {
		t.Fatal(err)
	}
	return d.Mean
}

// In a photograph whose subject, which a person drew, is painted over in one colour and
// then in another, the blurred background is the same.
func TestABlurredPhotographTakesNoColourFromItsSubject(t *testing.T) {
	const radius, small = 4.0, 3 // pixels; of the photographs some
	drawn, err := filepath.Glob(filepath.Join(testutil.SharedData(t, "photos"), "*__subject.png"))
	if err != nil || len(drawn) < small {
		t.Fatalf("%d photographs with a drawn subject: %v", len(drawn), err)
	}
	dt := testutil.AnyDarktable(t)
	for i := range small {
		region := drawn[i*len(drawn)/small]
		subject := photos.Load(t, region)
		photograph := photos.Load(t, strings.TrimSuffix(region, "__subject.png")+".jpg")
		var blurred, sharp [2]*pixel.Image
		for k, ink := range []color.RGBA{{220, 30, 30, 255}, {20, 20, 90, 255}} {
			e, err := Open(t.Context(), &Options{Workspace: filepath.Join(t.TempDir(), "workspace"), Darktable: dt.CLI, Workers: -1})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = e.Close() })
			ingest(t, e, paintedOver(t, photograph, subject, ink))
			sharp[k] = sized(t, e, 480)
			applyMasked(t, e, ApplyPrimitiveParams{PrimitiveName: "blur", Value: new(radius), Mask: &Mask{File: region, Invert: true}})
			blurred[k] = sized(t, e, 480)
		}
		var smeared, changed, n float64
		for y := range sharp[0].Height {
			for x := range sharp[0].Width {
				if apart(sharp[0], sharp[1], x, y) > 0.02 {
					continue // the subject, or its edge
				}
				n++
				smeared += apart(blurred[0], blurred[1], x, y)
				changed += apart(sharp[0], blurred[0], x, y)
			}
		}
		t.Logf("%s: blurred by %.4f, of which the subject's colour is %.4f", filepath.Base(region), changed/n, smeared/n)
		if smeared > 0.2*changed {
			t.Errorf("%s: the background is blurred by %.4f and differs by %.4f with the subject's colour", filepath.Base(region), changed/n, smeared/n)
		}
	}
}

// apart is how far two pictures are in linear light at a place.
func apart(a, b *pixel.Image, x, y int) float64 {
	p, q := a.At(x, y), b.At(x, y)
	return (math.Abs(p.R-q.R) + math.Abs(p.G-q.G) + math.Abs(p.B-q.B)) / 3
}

// paintedOver writes a photograph whose subject has one colour, as a PNG.
func paintedOver(t *testing.T, photograph, subject image.Image, ink color.Color) (path string) {
	t.Helper()
	box := photograph.Bounds()
	out := image.NewRGBA(box)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			out.Set(x, y, photograph.At(x, y))
			if selected, _, _, _ := subject.At(x, y).RGBA(); selected > 0x7fff {
				out.Set(x, y, ink)
			}
		}
	}
	path = filepath.Join(t.TempDir(), "painted.png")
	f, err := os.Create(path)
	if err == nil {
		err = errors.Join(png.Encode(f, out), f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}
