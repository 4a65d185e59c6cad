package segment

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// painted is a picture of a soft disc on a textured ground.
func painted(width, height int, disc, ground color.RGBA) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	random := rand.New(rand.NewPCG(1, 2))
	for y := range height {
		for x := range width {
			c := ground
			if inDisc(x, y, width, height) {
				c = disc
			}
			shift := uint8(random.IntN(12))
			m.SetRGBA(x, y, color.RGBA{c.R + shift, c.G + shift, c.B + shift, 255})
		}
	}
	return m
}

func inDisc(x, y, width, height int) bool {
	return math.Hypot(float64(x)-0.5*float64(width), float64(y)-0.5*float64(height)) < 0.3*float64(height)
}

var (
	red  = color.RGBA{200, 40, 40, 255}
	grey = color.RGBA{120, 120, 110, 255}
)

func sceneOf(t *testing.T, m image.Image) *Scene {
	t.Helper()
	s, err := NewScene(m)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSuperpixelsAreConnectedAndLieWithinEdges(t *testing.T) {
	t.Parallel()
	p := NewPicture(painted(240, 160, red, grey))
	s := newSuperpixels(p, superpixelArea)
	if n := len(s.size); n < 150 || n > 500 {
		t.Errorf("%d superpixels of %d pixels", n, len(s.of))
	}
	mixed := 0
	in := make([]int, len(s.size))
	for i, k := range s.of {
		if inDisc(i%p.Width, i/p.Width, p.Width, p.Height) {
			in[k]++
		}
	}
	for k, n := range in {
		mixed += min(n, s.size[k]-n)
	}
	if share := float64(mixed) / float64(len(s.of)); share > 0.005 {
		t.Errorf("%.3f of the pixels lie on the wrong side of the disc's edge", share)
	}
	seen := make([]bool, len(s.of))
	parts := 0
	for i := range s.of {
		if seen[i] {
			continue
		}
		parts++
		part := []int{i}
		seen[i] = true
		for k := 0; k < len(part); k++ {
			s.around(part[k], func(j int) {
				if !seen[j] && s.of[j] == s.of[i] {
					seen[j] = true
					part = append(part, j)
				}
			})
		}
	}
	if parts != len(s.size) {
		t.Errorf("%d superpixels lie in %d parts", len(s.size), parts)
	}
}

func TestACutIsTheCheapest(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		const nodes = 7
		weights := make([]float64, nodes)
		ties := [nodes][nodes]float64{}
		f := newFlow(nodes)
		for i := range nodes {
			weights[i] = random.Float64()*2 - 1
			f.terminal(i, weights[i])
			for j := range i {
				if random.IntN(2) == 0 {
					ties[i][j] = random.Float64()
					f.tie(i, j, ties[i][j])
				}
			}
		}
		cost := func(chosen func(i int) bool) float64 {
			sum := 0.0
			for i := range nodes {
				if chosen(i) != (weights[i] > 0) {
					sum += math.Abs(weights[i])
				}
				for j := range i {
					if chosen(i) != chosen(j) {
						sum += ties[i][j]
					}
				}
			}
			return sum
		}
		best := math.Inf(1)
		for all := range 1 << nodes {
			best = min(best, cost(func(i int) bool { return all>>i&1 == 1 }))
		}
		got := f.source()
		if c := cost(func(i int) bool { return got[i] }); math.Abs(c-best) > 1e-6 {
			t.Fatalf("the cut costs %v, the cheapest %v", c, best)
		}
	}
}

func TestAGuidedMaskFollowsThePicture(t *testing.T) {
	t.Parallel()
	p := NewPicture(painted(200, 140, red, grey))
	rough := make(Plane, len(p.L))
	for i := range rough { // two pixels beside the disc
		if inDisc(i%p.Width+2, i/p.Width, p.Width, p.Height) {
			rough[i] = 1
		}
	}
	wrong := func(mask Plane) int {
		n := 0
		for i, v := range mask {
			if (v > 0.5) != inDisc(i%p.Width, i/p.Width, p.Width, p.Height) {
				n++
			}
		}
		return n
	}
	if before, after := wrong(rough), wrong(p.guided(rough, guideRadius, guideVariance)); after*5 > before {
		t.Errorf("%d pixels are wrong, and %d were before", after, before)
	}
}

// A border that lies beside an edge is moved to it, and one that lies on it stays.
func TestABorderIsMovedToTheEdge(t *testing.T) {
	t.Parallel()
	model, err := builtIn()
	if err != nil {
		t.Fatal(err)
	}
	s := sceneOf(t, painted(240, 160, red, grey))
	disc := func(larger float64) Plane {
		mask := make(Plane, s.Width*s.Height)
		for i := range mask {
			if math.Hypot(float64(i%s.Width)-0.5*float64(s.Width), float64(i/s.Width)-0.5*float64(s.Height)) < 0.3*float64(s.Height)+larger {
				mask[i] = 1
			}
		}
		return mask
	}
	want := disc(0)
	wrong := func(mask Plane) int {
		n := 0
		for i, v := range mask {
			if (v > 0.5) != (want[i] > 0.5) {
				n++
			}
		}
		return n
	}
	for _, larger := range []float64{-3, 0, 3} {
		mask := disc(larger)
		sharp := s.Border(mask, s.gather(mask)).Sharp(model.Border)
		if got, before := wrong(sharp), wrong(mask); got > before/4+40 {
			t.Errorf("of a disc larger by %g, %d pixels are wrong, and %d were before", larger, got, before)
		}
	}
	for name, value := range map[string]float32{"nothing": 0, "everything": 1} {
		mask := make(Plane, s.Width*s.Height)
		for i := range mask {
			mask[i] = value
		}
		if sharp := s.Border(mask, s.gather(mask)).Sharp(model.Border); !slices.Equal(sharp, mask) {
			t.Errorf("a selection of %s changes", name)
		}
	}
}

func TestAModelIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	data, err := builtIn()
	if err != nil {
		t.Fatal(err)
	}
	if again := data.Bytes(); !bytes.Equal(again, modelBytes) {
		t.Error("the model changes when it is written again")
	}
	for _, length := range []int{0, 1, 2, 100, len(modelBytes) - 1} {
		if _, err := readModel(modelBytes[:length]); err == nil {
			t.Errorf("a model was read from %d bytes", length)
		}
	}
	s := sceneOf(t, painted(120, 90, red, grey))
	first := len(s.Features()[0])
	second := first + 10*len(Categories())
	check := func(forests []Forest, features int) {
		for _, f := range forests {
			for _, tree := range f {
				if slices.Max(tree.Feature[:]) >= uint16(features) {
					t.Fatalf("a tree asks for feature %d of %d", slices.Max(tree.Feature[:]), features)
				}
			}
		}
	}
	check(data.First, first)
	check(data.Second, second)
	likely := data.Likelihoods(s)
	point := []Point{{0.5, 0.5, true}}
	for kind, r := range []Request{
		{Hints: Hints{Points: point}},
		{Hints: Hints{Points: point, Box: &Box{0.2, 0.2, 0.8, 0.8}}},
		{Hints: Hints{Outlines: [][][2]float64{{{0.2, 0.2}, {0.8, 0.2}, {0.5, 0.8}}}}},
		{Category: Sky, Hints: Hints{Points: point}},
	} {
		if r.Kind() != kind {
			t.Errorf("%v is of kind %d, want %d", r, r.Kind(), kind)
		}
		check(data.Hints[kind:][:1], len(s.HintFeatures(r, likely)[0]))
	}
	half := s.Fill([][2]float64{{0, 0}, {0.5, 0}, {0.5, 1}, {0, 1}})
	border := s.Border(half, s.gather(half))
	check([]Forest{data.Border}, len(border.Features(border.Pixels[:1])[0]))
}

func TestPointsBoxesAndOutlinesFindADisc(t *testing.T) {
	t.Parallel()
	m := painted(320, 240, red, grey)
	var finder Finder
	for name, h := range map[string]Hints{
		"a point":    {Points: []Point{{0.5, 0.5, true}}},
		"points":     {Points: []Point{{0.5, 0.5, true}, {0.1, 0.1, false}, {0.9, 0.9, false}}},
		"a box":      {Box: &Box{0.26, 0.18, 0.74, 0.82}},
		"an outline": {Outlines: [][][2]float64{{{0.3, 0.2}, {0.7, 0.25}, {0.75, 0.7}, {0.5, 0.82}, {0.27, 0.6}}}},
	} {
		found, err := finder.Find(t.Context(), m, Request{Hints: h})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		both, either := 0.0, 0.0
		gray := found.Gray(m.Bounds().Size())
		for i, v := range gray.Pix {
			in := inDisc(i%320, i/320, 320, 240)
			if in && v > 127 {
				both++
			}
			if in || v > 127 {
				either++
			}
		}
		if both/either < 0.9 {
			t.Errorf("%s: what is found shares %.3f with the disc", name, both/either)
		}
		if !(found.Confidence >= 0 && found.Confidence <= 1) {
			t.Errorf("%s: confidence %v", name, found.Confidence)
		}
	}
}

func TestWhatCannotBeFoundIsSaid(t *testing.T) {
	t.Parallel()
	var finder Finder
	if _, err := finder.Find(t.Context(), image.NewRGBA(image.Rect(0, 0, 10, 10)), Request{Category: Sky}); err == nil {
		t.Error("a region of a picture of 10 by 10 pixels")
	}
	m := painted(160, 120, grey, grey)
	if _, err := finder.Find(t.Context(), m, Request{Category: "unicorns"}); err == nil {
		t.Error("unicorns were found")
	}
	for _, c := range []Category{Skin, Water, Plants} {
		if found, err := finder.Find(t.Context(), m, Request{Category: c}); !errors.Is(err, ErrNothing) && found.Confidence > 0.5 {
			t.Errorf("%s in a grey picture: confidence %.2f, %v", c, found.Confidence, err)
		}
	}
}

func TestNoOutlinesAndNoPointsAreNoHints(t *testing.T) {
	t.Parallel()
	m := painted(320, 240, red, grey)
	var finder Finder
	plain, err := finder.Find(t.Context(), m, Request{Category: Subject})
	if err != nil {
		t.Fatal(err)
	}
	same, err := finder.Find(t.Context(), m, Request{Category: Subject, Hints: Hints{Points: []Point{}, Outlines: [][][2]float64{}}})
	if err != nil || !slices.Equal(same.Mask, plain.Mask) || same.Confidence != plain.Confidence {
		t.Errorf("confidence %v, %v; want the mask as without hints, and %v", same.Confidence, err, plain.Confidence)
	}
}

// Of what is nowhere likely the likeliest is taken, and of what is sure in one place no more
// than what is as likely as not.
func TestARegionIsCutWhereMostIsCommon(t *testing.T) {
	t.Parallel()
	s := sceneOf(t, painted(240, 160, red, grey))
	likely := make([]float64, s.Len())
	for k := range likely {
		likely[k] = 0.02
		if inDisc(int(s.x[k]), int(s.y[k]), s.Width, s.Height) {
			likely[k] = 0.2
		}
	}
	chosen := s.cut(shifted(likely, s.bestCut(likely)), smoothness)
	for k, p := range likely {
		if far := math.Abs(math.Hypot(s.x[k]-120, s.y[k]-80) - 48); far > 10 && chosen[k] != (p == 0.2) {
			t.Errorf("the superpixel at %.0f, %.0f is chosen: %v", s.x[k], s.y[k], chosen[k])
		}
	}
	for k := range likely {
		likely[k] = 0.45
		if k < 20 {
			likely[k] = 1
		}
	}
	if at := s.bestCut(likely); at > mostCut {
		t.Errorf("cut at %v", at)
	}
	one := make([]float64, s.Len())
	one[0] = 1
	if at := s.bestCut(one); at != mostCut {
		t.Errorf("of one sure superpixel cut at %v, want %v", at, mostCut)
	}
}
