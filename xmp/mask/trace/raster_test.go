package trace

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/chemigram/chemigram/internal/testutil"
)

// overlap is the intersection over union of what rings cover and what a function
// selects, on so many places.
func overlap(rings []Ring, width, height int, in func(x, y float64) bool) float64 {
	both, either := 0.0, 0.0
	for i := range width * height {
		x, y := (float64(i%width)+0.5)/float64(width), (float64(i/width)+0.5)/float64(height)
		a, b := in(x, y), covers(rings, x, y)
		if a && b {
			both++
		}
		if a || b {
			either++
		}
	}
	return both / either
}

// A mask that is not quite white, or soft, reaches the frame's sides where its
// outermost pixels are selected.
func TestAMaskReachesTheFrame(t *testing.T) {
	t.Parallel()
	for name, value := range map[string]func(x, y int) uint8{
		"white":       func(int, int) uint8 { return 255 },
		"light":       func(int, int) uint8 { return 230 },
		"barely":      func(int, int) uint8 { return 129 },
		"a soft rim":  func(x, y int) uint8 { return uint8(255 - 120/(1+min(x, y, 119-x, 79-y))) },
		"one column":  func(x, _ int) uint8 { return []uint8{140, 255}[min(x, 1)] },
		"soft corner": func(x, y int) uint8 { return uint8(min(135+x+y, 255)) },
	} {
		m := image.NewGray(image.Rect(0, 0, 120, 80))
		for i := range m.Pix {
			m.Pix[i] = value(i%120, i/120)
		}
		rings, err := Decode(t.Context(), bytes.NewReader(pngOf(t, m)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := overlap(rings, 1200, 800, func(float64, float64) bool { return true }); got != 1 {
			t.Errorf("%s: %.5f of the frame is selected: %v", name, got, rings)
		}
		if len(rings) != 1 || len(rings[0]) != 4 {
			t.Errorf("%s: the frame is %v", name, rings)
		}
	}
}

// A picture whose sides are no multiple of what is averaged keeps its proportions.
func TestSidesThatAreNoMultipleKeepTheirProportions(t *testing.T) {
	t.Parallel()
	testutil.SkipShort(t)
	in := func(x, y float64) bool {
		return x > 0.9 && x < 0.97 && y > 0.1 && y < 0.9 || math.Hypot(x-0.4, y-0.5) < 0.2
	}
	for _, size := range [][2]int{{1601, 900}, {1999, 1333}, {3201, 1803}, {2401, 1601}} {
		m := image.NewGray(image.Rect(0, 0, size[0], size[1]))
		for i := range m.Pix {
			if in((float64(i%size[0])+0.5)/float64(size[0]), (float64(i/size[0])+0.5)/float64(size[1])) {
				m.Pix[i] = 255
			}
		}
		rings, err := Decode(t.Context(), bytes.NewReader(pngOf(t, m)))
		if err != nil {
			t.Fatal(err)
		}
		if got := overlap(rings, 300, 200, in); got < 0.99 {
			t.Errorf("%v: intersection over union %.4f", size, got)
		}
	}
}

// checkerboard is a picture of two colours that compresses to few kilobytes.
func checkerboard(t testing.TB, side, square int) []byte {
	t.Helper()
	m := image.NewPaletted(image.Rect(0, 0, side, side), color.Palette{color.Black, color.White})
	for i := range m.Pix {
		m.Pix[i] = uint8((i%side/square + i/side/square) % 2)
	}
	return pngOf(t, m)
}

// What cannot be a mask is refused before its outlines take time and memory.
func TestACheckerboardIsRefused(t *testing.T) {
	testutil.SkipShort(t)
	for _, c := range [][2]int{{1600, 1}, {1600, 2}, {1200, 3}} {
		file := checkerboard(t, c[0], c[1])
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Decode(t.Context(), bytes.NewReader(file))
		runtime.ReadMemStats(&after)
		if !errors.Is(err, TooLarge) {
			t.Errorf("squares of %d pixels: %v", c[1], err)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 200<<20 {
			t.Errorf("squares of %d pixels in %d bytes took %d MB", c[1], len(file), took>>20)
		}
	}
	// One outline that goes to and fro all over the picture.
	comb := image.NewGray(image.Rect(0, 0, 1600, 1600))
	for i := range comb.Pix {
		if x, y := i%1600, i/1600; y%24 < 12 && x > 4 || x < 9 {
			comb.Pix[i] = 255
		}
	}
	if rings, err := Decode(t.Context(), bytes.NewReader(pngOf(t, comb))); err != nil || len(rings) != 1 {
		t.Errorf("a comb: %d outlines, %v", len(rings), err)
	}
	deep := pngOf(t, image.NewNRGBA64(image.Rect(0, 0, 2, 2)))
	if _, err := Decode(t.Context(), bytes.NewReader(enlarged(deep, 8000, 8000))); !errors.Is(err, TooLarge) {
		t.Errorf("512 MB of pixels: %v", err)
	}
}

// When its context ends, a large picture of few bytes is given up, wherever the
// work is.
func TestTracingEndsWithItsContext(t *testing.T) {
	t.Parallel()
	file := checkerboard(t, 3000, 750)
	for _, after := range []time.Duration{0, time.Millisecond, 20 * time.Millisecond, 60 * time.Millisecond} {
		ctx, cancel := context.WithTimeout(t.Context(), after)
		_, err := Decode(ctx, bytes.NewReader(file))
		if err == nil && ctx.Err() != nil && after < time.Millisecond {
			t.Errorf("after %v it was traced", after)
		}
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("after %v: %v", after, err)
		}
		cancel()
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, data := range map[string][]byte{"a PNG": file, "a polygon": jittered(t, 4000, 0.002)} {
		if _, err := Decode(ctx, bytes.NewReader(data)); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// jittered is a circle of so many corners, each moved by up to so much.
func jittered(t testing.TB, corners int, by float64) []byte {
	t.Helper()
	random := rand.New(rand.NewPCG(8, uint64(corners)))
	ring := make([][2]float64, corners)
	for i := range ring {
		angle := 2 * math.Pi * float64(i) / float64(corners)
		ring[i] = [2]float64{
			0.5 + 0.3*math.Cos(angle) + by*(2*random.Float64()-1), 0.5 + 0.3*math.Sin(angle) + by*(2*random.Float64()-1),
		}
	}
	data, err := json.Marshal(ring)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A polygon whose corners tremble selects what it did, with sides that neither
// cross nor are too short for darktable.
func TestAPolygonThatTremblesIsMadeClean(t *testing.T) {
	t.Parallel()
	testutil.SkipShort(t)
	for _, corners := range []int{64, 400, 5000, 20000} {
		rings, err := Decode(t.Context(), bytes.NewReader(jittered(t, corners, 0.001)))
		if err != nil {
			t.Errorf("%d: %v", corners, err)
			continue
		}
		if got := overlap(rings, 250, 250, func(x, y float64) bool { return math.Hypot(x-0.5, y-0.5) < 0.3 }); got < 0.985 {
			t.Errorf("%d: intersection over union %.4f", corners, got)
		}
		for _, ring := range rings {
			for i, p := range ring {
				if q := ring[(i+1)%len(ring)]; math.Hypot(p[0]-q[0], p[1]-q[1]) < 1.9/cleanSide {
					t.Errorf("%d: corners at %v and %v", corners, p, q)
				}
			}
			if len(ring) <= maxCompared && !ring.isClean() {
				t.Errorf("%d: sides cross", corners)
			}
		}
	}
}

func TestPolygonsThatCrossThemselves(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file  string
		rings int
		in    func(x, y float64) bool
	}{
		"a bow tie": {`[[0.1,0.1],[0.9,0.9],[0.9,0.1],[0.1,0.9]]`, 2, func(x, y float64) bool { return math.Abs(y-0.5) < math.Abs(x-0.5) && x > 0.1 && x < 0.9 }},
		"a sliver":  {`[[0.1,0.1],[0.9,0.1],[0.9,0.5],[0.95,0.5],[0.9,0.5],[0.9,0.9],[0.1,0.9]]`, 1, func(x, y float64) bool { return x > 0.1 && x < 0.9 && y > 0.1 && y < 0.9 }},
		"at the frame, twice around": {
			`[[0,0],[1,0],[1,1],[0,1],[0,0.5],[0.0001,0.5]]`, 1, func(x, y float64) bool { return true },
		},
		"clean": {`[[0.1,0.1],[0.9,0.1],[0.9,0.9]]`, 1, func(x, y float64) bool { return x > 0.1 && x < 0.9 && y > 0.1 && y < x }},
		"tiny":  {`[[0.5,0.5],[0.5005,0.5],[0.5005,0.5005]]`, 1, nil},
		"small": {`[[0.5,0.5],[0.505,0.5],[0.51,0.5],[0.51,0.5001],[0.51,0.51],[0.5,0.51]]`, 1, func(x, y float64) bool { return x > 0.5 && x < 0.51 && y > 0.5 && y < 0.51 }},
	} {
		rings, err := Decode(t.Context(), bytes.NewReader([]byte(c.file)))
		if err != nil || len(rings) != c.rings {
			t.Errorf("%s: %v, %v", name, rings, err)
			continue
		}
		if c.in == nil {
			continue
		}
		if got := overlap(rings, 500, 500, c.in); got < 0.98 {
			t.Errorf("%s: intersection over union %.4f: %v", name, got, rings)
		}
	}
	// To and fro over the whole picture.
	var zigzag Ring
	for i := range 19000 {
		zigzag = append(zigzag, [2]float64{float64(i) / 19000, float64(i % 2)})
	}
	data, err := json.Marshal(zigzag)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Decode(t.Context(), bytes.NewReader(data)); !errors.Is(err, TooLarge) {
		t.Errorf("a zigzag: %v", err)
	}
}

// A mask of few pixels, as a model's coarse answer, selects all of them.
func TestAMaskOfFewPixelsSelectsAllOfThem(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ width, height, selected int }{
		{2, 2, 1}, {3, 2, 1}, {4, 3, 1}, {5, 4, 2}, {8, 6, 1}, {12, 8, 1}, {24, 16, 1}, {24, 16, 12}, {64, 64, 1},
	} {
		m := image.NewGray(image.Rect(0, 0, c.width, c.height))
		for i := range m.Pix {
			if i%c.width < c.selected {
				m.Pix[i] = 255
			}
		}
		rings, err := Decode(t.Context(), bytes.NewReader(pngOf(t, m)))
		if err != nil {
			t.Errorf("%+v: %v", c, err)
			continue
		}
		in := func(x, _ float64) bool { return x < float64(c.selected)/float64(c.width) }
		if got := overlap(rings, 960, 64, in); got < 0.999 {
			t.Errorf("%+v: overlap %.3f: %v", c, got, rings)
		}
	}
}
