package match

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/chemigram/chemigram/internal/colour"
)

// texture is a picture of soft blots, the part of a larger one that begins at x, y, in
// so much light.
func texture(seed uint64, x, y, width, height int, light [3]float64) *image.RGBA {
	r := rand.New(rand.NewPCG(seed, 1))
	type blot struct{ x, y, size, depth, hue float64 }
	var blots []blot
	for range 120 {
		blots = append(blots, blot{r.Float64() * 600, r.Float64() * 450, 8 + 30*r.Float64(), r.Float64() - 0.4, r.Float64()})
	}
	drawn := make([][3]float64, width*height)
	for i := range drawn {
		drawn[i] = [3]float64{0.2, 0.2, 0.2}
	}
	for _, b := range blots {
		reach := image.Rect(int(b.x-2*b.size), int(b.y-2*b.size), int(b.x+2*b.size)+2, int(b.y+2*b.size)+2)
		reach = reach.Sub(image.Pt(x, y)).Intersect(image.Rect(0, 0, width, height))
		for j := reach.Min.Y; j < reach.Max.Y; j++ {
			for i := reach.Min.X; i < reach.Max.X; i++ {
				d := math.Hypot(float64(i+x)-b.x, float64(j+y)-b.y) / b.size
				more := 0.3 * b.depth * math.Exp(-d*d)
				v := &drawn[j*width+i]
				v[0], v[1], v[2] = v[0]+more, v[1]+more*(0.7+0.3*b.hue), v[2]+more*(0.5+0.5*b.hue)
			}
		}
	}
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	for i, v := range drawn {
		for c := range v {
			l := min(max(v[c]*light[c], 0), 1)
			if v[c] = 12.92 * l; l > 0.0031308 {
				v[c] = 1.055*math.Pow(l, 1/2.4) - 0.055
			}
		}
		m.SetRGBA(i%width, i/width, color.RGBA{uint8(255*v[0] + 0.5), uint8(255*v[1] + 0.5), uint8(255*v[2] + 0.5), 255})
	}
	return m
}

var even = [3]float64{1, 1, 1}

// A part of a picture is found in it whatever its light, and another picture is not.
func TestAFramingIsFoundInAnotherLight(t *testing.T) {
	t.Parallel()
	whole := NewView(texture(1, 0, 0, 480, 320, even))
	for _, part := range []struct{ x, y, width, height int }{{0, 0, 480, 320}, {60, 30, 360, 240}, {110, 70, 340, 250}, {-60, 20, 480, 320}} {
		m := texture(1, part.x, part.y, part.width, part.height, [3]float64{0.55, 0.5, 0.3})
		found, ok := find(whole, NewView(m))
		const cells = viewSize / 480.0
		x, y := found.dx/cells, found.dy/cells
		if !ok || math.Abs(x-float64(part.x)) > 3 || math.Abs(y-float64(part.y)) > 3 {
			t.Errorf("%+v was found at %.1f, %.1f, likeness %.2f", part, x, y, found.likeness)
		}
	}
	for seed := uint64(2); seed < 5; seed++ {
		if found, ok := find(whole, NewView(texture(seed, 0, 0, 480, 320, even))); ok {
			t.Errorf("picture %d was found in another: %+v", seed, found)
		}
	}
}

// A version in a large part of which nothing is left of the picture's relief is found by its
// frame; another picture of the same sides is not.
func TestAVersionIsFoundByItsFrame(t *testing.T) {
	t.Parallel()
	plain := texture(1, 0, 0, 480, 320, even)
	for share, want := range map[float64]bool{0: true, 0.3: true, 0.6: true, 0.9: false} {
		m := image.NewNRGBA(plain.Bounds())
		draw.Draw(m, m.Bounds(), plain, image.Point{}, draw.Src)
		draw.Draw(m, image.Rect(0, 0, int(480*share), 320), texture(9, 0, 0, 480, 320, even), image.Point{}, draw.Src)
		if p, ok := findVersion(NewView(plain), NewView(m)); ok != want || ok && (math.Abs(p.dx) > 3 || math.Abs(p.dy) > 3) {
			t.Errorf("%.0f %% of another: found %t at %+v, want %t", 100*share, ok, p, want)
		}
	}
	for seed := uint64(2); seed < 5; seed++ {
		if p, ok := findVersion(NewView(plain), NewView(texture(seed, 0, 0, 480, 320, even))); ok {
			t.Errorf("picture %d was taken for a version of another: %+v", seed, p)
		}
	}
}

// The amounts of moves that work together are found, in a few steps, though the moves do
// more the more there is of them.
func TestAmountsAreFoundTogether(t *testing.T) {
	t.Parallel()
	want := amounts{0.6, -20, 0.2, 0}
	develop := func(a amounts) View {
		gain := math.Exp2(a[exposure])
		return NewView(texture(7, 0, 0, 300, 200, [3]float64{
			gain * (1 + 0.004*a[warmth]) * (1 + 0.1*a[tint]), gain * (1 - 0.1*a[tint]), gain * (1 - 0.006*a[warmth]) * (1 + 0.1*a[tint]),
		}))
	}
	first := develop(amounts{})
	c := compare(develop(want), first)
	if !c.overlaps {
		t.Fatal("the picture is not found in itself")
	}
	f := newFit(c, first)
	for i, step := range []float64{0.4, -12, 0.25} {
		var a amounts
		a[i] = step
		f.learn(develop(a), step, moves[i].strength)
	}
	var at amounts
	for range 3 {
		step := f.step()
		for i := range step {
			at[i] += step[i]
		}
		f.update(develop(at), step)
	}
	if math.Abs(at[exposure]-want[exposure]) > 0.03 || math.Abs(at[warmth]-want[warmth]) > 1 || math.Abs(at[tint]-want[tint]) > 0.03 {
		t.Errorf("found %v, want %v", at, want)
	}
	if apart := c.apart(develop(at)); apart > 0.3 {
		t.Errorf("the pictures are still %.2f apart", apart)
	}
}

func TestTheMedianIsNearestToAllOthers(t *testing.T) {
	t.Parallel()
	view := func(light float64) View { return NewView(texture(3, 0, 0, 120, 80, [3]float64{light, light, light})) }
	if got := Median([]View{view(0.3), {}, view(0.8), view(0.9), view(1.6)}); got != 2 {
		t.Errorf("picture %d is the median", got)
	}
	if got := Median([]View{{}, {}}); got != -1 {
		t.Errorf("of nothing, picture %d", got)
	}
}

// Pictures of a single colour, black or white, or of few pixels have no place in another,
// and are compared all the same.
func TestPicturesOfNothing(t *testing.T) {
	t.Parallel()
	whole := NewView(texture(1, 0, 0, 480, 320, even))
	for _, c := range []color.Gray{{0}, {128}, {255}} {
		for _, size := range []image.Point{{1, 1}, {3, 400}, {300, 200}} {
			m := image.NewGray(image.Rectangle{Max: size})
			for i := range m.Pix {
				m.Pix[i] = c.Y
			}
			compared := compare(whole, NewView(m))
			if apart := compared.apart(NewView(m)); compared.overlaps || math.IsNaN(apart) || math.IsInf(apart, 0) {
				t.Errorf("%v of %v: %t, %g", c, size, compared.overlaps, apart)
			}
		}
	}
	if c := (View{}).bands(); len(c) != bandCount || c[0] != (colour.Lab{}) {
		t.Errorf("bands of nothing: %v", c)
	}
}
