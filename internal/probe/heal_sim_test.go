package probe

import (
	"cmp"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/chemigram/chemigram/internal/colour"
	"github.com/chemigram/chemigram/internal/compose"
	"github.com/chemigram/chemigram/xmp/mask"
)

// nearestRing is a plain choice to compare with: of 24 places around the spot the one
// whose mean colour and spread are most like those of the ring about the spot.
func nearestRing(m image.Image, spot compose.SpotPlace) (best [2]float64) {
	size := mask.Size{Width: float64(m.Bounds().Dx()), Height: float64(m.Bounds().Dy())}
	short := min(size.Width, size.Height)
	sx, sy := short/size.Width, short/size.Height
	outer := spot.Radius + spot.Feather
	want := ringOf(m, spot.X, spot.Y, outer, 1.5*outer)
	least := math.Inf(1)
	for _, distance := range []float64{1.1, 1.6} {
		for i := range 12 {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / 12)
			d := distance * (spot.Radius + outer)
			x, y := spot.X+d*cos*sx, spot.Y+d*sin*sy
			if spot.CheckSource(x, y, size) != nil {
				continue
			}
			at := ringOf(m, x, y, 0, outer)
			off := 3 * math.Abs(at[3]-want[3])
			for c := range 3 {
				off += math.Abs(at[c] - want[c])
			}
			if off < least {
				best, least = [2]float64{x, y}, off
			}
		}
	}
	return best
}

// ringOf is the mean of red, green and blue in a ring, and the deviation of green.
func ringOf(m image.Image, x, y, inner, outer float64) (s [4]float64) {
	box := m.Bounds()
	short := float64(min(box.Dx(), box.Dy()))
	cx, cy := x*float64(box.Dx()), y*float64(box.Dy())
	inner, outer = inner*short, max(outer*short, 1)
	n, squares := 0.0, 0.0
	for j := int(cy - outer); float64(j) <= cy+outer; j++ {
		for i := int(cx - outer); float64(i) <= cx+outer; i++ {
			d := math.Hypot(float64(i)+0.5-cx, float64(j)+0.5-cy)
			if d < inner || d > outer || !image.Pt(i, j).In(box) {
				continue
			}
			r, g, b, _ := m.At(i, j).RGBA()
			n++
			s[0], s[1], s[2] = s[0]+float64(r)/0xffff, s[1]+float64(g)/0xffff, s[2]+float64(b)/0xffff
			squares += float64(g) / 0xffff * float64(g) / 0xffff
		}
	}
	for c := range 3 {
		s[c] /= n
	}
	s[3] = math.Sqrt(max(squares/n-s[1]*s[1], 0))
	return s
}

// simulateHeal heals as darktable does, about: the source, plus what fits it evenly to
// the spot's rim.
func simulateHeal(m *image.RGBA, spot compose.SpotPlace, from [2]float64) *image.RGBA {
	w, h := float64(m.Bounds().Dx()), float64(m.Bounds().Dy())
	short := min(w, h)
	cx, cy := int(spot.X*w), int(spot.Y*h)
	dx, dy := int(math.Round(from[0]*w-spot.X*w)), int(math.Round(from[1]*h-spot.Y*h))
	radius := spot.Radius * short
	outer := radius + spot.Feather*short
	n := int(outer) + 2
	side := 2*n + 1
	out := image.NewRGBA(m.Bounds())
	copy(out.Pix, m.Pix)
	at := func(x, y, c int) float64 {
		x, y = max(0, min(x, m.Bounds().Dx()-1)), max(0, min(y, m.Bounds().Dy()-1))
		return float64(m.Pix[y*m.Stride+4*x+c])
	}
	for c := range 3 {
		diff := make([]float64, side*side)
		in := func(i, j int) bool { return math.Hypot(float64(i-n), float64(j-n)) <= outer }
		for j := range side {
			for i := range side {
				x, y := cx+i-n, cy+j-n
				if !in(i, j) {
					diff[j*side+i] = at(x, y, c) - at(x+dx, y+dy, c)
				}
			}
		}
		for range 120 {
			for j := 1; j < side-1; j++ {
				for i := 1; i < side-1; i++ {
					if in(i, j) {
						k := j*side + i
						v := (diff[k-1] + diff[k+1] + diff[k-side] + diff[k+side]) / 4
						diff[k] += 1.8 * (v - diff[k])
					}
				}
			}
		}
		for j := range side {
			for i := range side {
				x, y := cx+i-n, cy+j-n
				d := math.Hypot(float64(i-n), float64(j-n))
				if d > outer || !image.Pt(x, y).In(m.Bounds()) {
					continue
				}
				opacity := min(1, max(0, (outer-d)/max(outer-radius, 1)))
				v := at(x+dx, y+dy, c) + diff[j*side+i]
				v = opacity*v + (1-opacity)*at(x, y, c)
				out.Pix[y*out.Stride+4*x+c] = uint8(max(0, min(255, v+0.5)))
			}
		}
	}
	return out
}

func rgba(m image.Image) *image.RGBA {
	out := image.NewRGBA(m.Bounds())
	for y := range m.Bounds().Dy() {
		for x := range m.Bounds().Dx() {
			out.Set(x, y, m.At(x, y))
		}
	}
	return out
}

func plant(m *image.RGBA, spot compose.SpotPlace, kind int) *image.RGBA {
	out := image.NewRGBA(m.Bounds())
	copy(out.Pix, m.Pix)
	w, h := float64(m.Bounds().Dx()), float64(m.Bounds().Dy())
	radius := spot.Radius * min(w, h) * 0.9
	ink := []color.RGBA{{20, 20, 22, 255}, {250, 248, 240, 255}, {200, 40, 40, 255}}[kind]
	for y := range m.Bounds().Dy() {
		for x := range m.Bounds().Dx() {
			d := math.Hypot(float64(x)+0.5-spot.X*w, float64(y)+0.5-spot.Y*h)
			a := min(1, max(0, (radius-d)/2)) * 0.85
			if a > 0 {
				for c, v := range []uint8{ink.R, ink.G, ink.B} {
					p := &out.Pix[y*out.Stride+4*x+c]
					*p = uint8(a*float64(v) + (1-a)*float64(*p) + 0.5)
				}
			}
		}
	}
	return out
}

func off(a, b *image.RGBA, spot compose.SpotPlace) float64 {
	w, h := float64(a.Bounds().Dx()), float64(a.Bounds().Dy())
	radius := (spot.Radius + spot.Feather) * min(w, h)
	srgb := colour.FromSRGB()
	lab := func(m *image.RGBA, x, y int) colour.Lab {
		r, g, b, _ := m.At(x, y).RGBA()
		return srgb.Lab(uint16(r), uint16(g), uint16(b))
	}
	sum, n := 0.0, 0.0
	for y := max(0, int(spot.Y*h-radius-1)); y < min(a.Bounds().Dy(), int(spot.Y*h+radius+2)); y++ {
		for x := max(0, int(spot.X*w-radius-1)); x < min(a.Bounds().Dx(), int(spot.X*w+radius+2)); x++ {
			if math.Hypot(float64(x)+0.5-spot.X*w, float64(y)+0.5-spot.Y*h) <= radius {
				sum += colour.DeltaE2000(lab(a, x, y), lab(b, x, y))
				n++
			}
		}
	}
	return sum / n
}

// plantedSpots are spots in even places, in textures and beside edges of photographs,
// n of each.
func plantedSpots(t *testing.T, n int) (spots []plantedSpot) {
	t.Helper()
	all := photographs(t, 2*n)
	r := rand.New(rand.NewPCG(7, 1))
	count := map[string]int{}
	for i := 0; len(spots) < 3*n && i < 200*n; i++ {
		m := all[i%len(all)].(*image.RGBA)
		at := compose.SpotPlace{X: 0.12 + 0.76*r.Float64(), Y: 0.12 + 0.76*r.Float64(), Radius: 0.015 + 0.02*r.Float64()}
		at.Feather = at.Radius / 2
		s := newHealSearch(m, at)
		_, _, within := s.fit(s.inside, func(p image.Point) (colour.Lab, bool) { return s.at(p), true })
		kind := ""
		switch {
		case s.detail < 2.5 && within < 2.5:
			kind = "even"
		case within < 4 && s.detail > 2.5*within:
			kind = "beside an edge"
		case within < 8 && s.detail < 1.5*within:
			kind = "in a texture"
		}
		dirty := plant(m, at, i%3)
		nothing := off(m, dirty, at)
		if kind == "" || count[kind] >= n || nothing < 4 {
			continue
		}
		count[kind]++
		spots = append(spots, plantedSpot{kind, at, m, dirty, nothing})
	}
	return spots
}

// plantedSpot is a spot in a photograph, and how far it is from the original.
type plantedSpot struct {
	kind        string
	at          compose.SpotPlace
	clean, seen *image.RGBA
	nothing     float64
}

// Spots planted into photographs are healed nearer to the original than from the place
// of the most similar mean colour, and a low score says where they are not.
func TestHealsContinueWhatIsAroundTheSpot(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: measuring photographs is left out")
	}
	t.Parallel()
	sums, plain := map[string]float64{}, map[string]float64{}
	var rows [][3]float64
	for _, s := range plantedSpots(t, healSpots()) {
		size := mask.Size{Width: float64(s.clean.Bounds().Dx()), Height: float64(s.clean.Bounds().Dy())}
		sources, err := HealSources(s.seen, size, s.at)
		if err != nil {
			t.Fatal(err)
		}
		healed := off(s.clean, simulateHeal(s.seen, s.at, [2]float64{sources[0].X, sources[0].Y}), s.at)
		sums[s.kind] += healed
		plain[s.kind] += off(s.clean, simulateHeal(s.seen, s.at, nearestRing(s.seen, s.at)), s.at)
		rows = append(rows, [3]float64{sources[0].Score, healed, s.nothing})
	}
	var healed, was float64
	for kind := range sums {
		t.Logf("%s: mean ΔE2000 %.2f, of the most similar colour %.2f", kind, sums[kind]/float64(healSpots()), plain[kind]/float64(healSpots()))
		healed, was = healed+sums[kind], was+plain[kind]
	}
	slices.SortFunc(rows, func(a, b [3]float64) int { return cmp.Compare(a[0], b[0]) })
	low, high, worse := 0.0, 0.0, 0
	for i, r := range rows {
		if testing.Verbose() {
			t.Logf("score %.2f: %.2f, untouched %.2f", r[0], r[1], r[2])
		}
		if i < len(rows)/2 {
			low += r[1]
		} else {
			high += r[1]
		}
		if r[1] > r[2] && r[0] >= LowScore {
			worse++
		}
	}
	if healed > 0.8*was {
		t.Errorf("all in all %.2f of the ΔE of the most similar colour", healed/was)
	}
	if high > 0.7*low {
		t.Errorf("the half with the higher scores is off by %.2f, the other by %.2f", high, low)
	}
	if worse > 0 {
		t.Errorf("%d spots are worse than before, and their score does not say so", worse)
	}
}

// What the best of all places would leave, if it were known: no choice of a place leaves
// less.
func TestTheBestPlaceToHealFrom(t *testing.T) {
	if os.Getenv("CHEMIGRAM_TEST_SPOTS") == "" {
		t.Skip("make heal measures it")
	}
	var best, chosen, plain float64
	spots := plantedSpots(t, healSpots())
	for _, s := range spots {
		size := mask.Size{Width: float64(s.clean.Bounds().Dx()), Height: float64(s.clean.Bounds().Dy())}
		search := newHealSearch(s.seen, s.at)
		from := func(x, y float64) float64 { return off(s.clean, simulateHeal(s.seen, s.at, [2]float64{x, y}), s.at) }
		least := math.Inf(1)
		for _, c := range search.around(s.at, func(c healCandidate) bool {
			x, y := search.fractions(c)
			return s.at.CheckSource(x, y, size) == nil
		}) {
			least = min(least, from(search.fractions(c)))
		}
		sources, err := HealSources(s.seen, size, s.at)
		if err != nil {
			t.Fatal(err)
		}
		nearest := nearestRing(s.seen, s.at)
		best, chosen, plain = best+least, chosen+from(sources[0].X, sources[0].Y), plain+from(nearest[0], nearest[1])
	}
	n := float64(len(spots))
	t.Logf("of %d spots: mean ΔE2000 %.2f from the best of 288 places, %.2f from the one that is found, %.2f from the most similar colour", len(spots), best/n, chosen/n, plain/n)
	t.Logf("ok: that is %.2f and %.2f of the last", best/plain, chosen/plain)
}

// healSpots is how many spots of each kind are planted: CHEMIGRAM_TEST_SPOTS, or a few.
func healSpots() int {
	if n, err := strconv.Atoi(os.Getenv("CHEMIGRAM_TEST_SPOTS")); err == nil && n > 0 {
		return n
	}
	return 6
}
