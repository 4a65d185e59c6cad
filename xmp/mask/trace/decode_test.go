package trace

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"math"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
)

func pngOf(t testing.TB, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// covers reports whether a place is within an odd number of rings.
func covers(rings []Ring, x, y float64) bool {
	in := false
	for _, ring := range rings {
		for i, p := range ring {
			q := ring[(i+1)%len(ring)]
			if (p[1] > y) != (q[1] > y) && x < p[0]+(y-p[1])/(q[1]-p[1])*(q[0]-p[0]) {
				in = !in
			}
		}
	}
	return in
}

func TestARasterIsTracedWithItsHolesAndIslands(t *testing.T) {
	t.Parallel()
	testutil.SkipShort(t)
	shapes := map[string]func(x, y float64) bool{
		"disc": func(x, y float64) bool { return math.Hypot(x-0.7, y-0.5) < 0.3 },
		"ring": func(x, y float64) bool { d := math.Hypot(x-0.7, y-0.5); return d < 0.4 && d > 0.25 },
		"two":  func(x, y float64) bool { return math.Hypot(x-0.3, y-0.5) < 0.2 || math.Hypot(x-1.1, y-0.5) < 0.2 },
		"edge": func(x, y float64) bool { return x < 0.5 },
		"star": func(x, y float64) bool {
			return math.Hypot(x-0.7, y-0.5) < 0.2+0.15*math.Cos(5*math.Atan2(y-0.5, x-0.7))
		},
		"stripe": func(x, y float64) bool { return math.Abs(x-y-0.2) < 0.0155 }, // 12 pixels wide
	}
	for name, in := range shapes {
		m := image.NewGray16(image.Rect(0, 0, 600, 400))
		for i := range 600 * 400 {
			if in((float64(i%600)+0.5)/400, (float64(i/600)+0.5)/400) {
				m.SetGray16(i%600, i/600, color.Gray16{Y: 0xffff})
			}
		}
		rings, err := Decode(t.Context(), bytes.NewReader(pngOf(t, m)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		both, either := 0.0, 0.0
		for i := range 600 * 400 {
			a, b := m.Gray16At(i%600, i/600).Y > 0, covers(rings, (float64(i%600)+0.5)/600, (float64(i/600)+0.5)/400)
			if a && b {
				both++
			}
			if a || b {
				either++
			}
		}
		if iou := both / either; iou < 0.99 {
			t.Errorf("%s: the outlines share %.3f of what they or the raster select", name, iou)
		}
	}
}

func TestTransparencySelectsBeforeLightness(t *testing.T) {
	t.Parallel()
	m := image.NewNRGBA(image.Rect(0, 0, 64, 64))
	for i := range 64 * 32 {
		m.SetNRGBA(i%64, i/64, color.NRGBA{A: 255}) // black, opaque
	}
	rings, err := Decode(t.Context(), bytes.NewReader(pngOf(t, m)))
	if err != nil || !covers(rings, 0.5, 0.2) || covers(rings, 0.5, 0.8) {
		t.Error(rings, err)
	}
}

func TestAPolygonIsRead(t *testing.T) {
	t.Parallel()
	rings, err := Decode(t.Context(), strings.NewReader(`[[[0,0],[1,0],[1,1],[0,1],[0,0]], [[0.4,0.4],[0.6,0.4],[0.5,0.6]]]`))
	if err != nil || len(rings) != 2 || len(rings[0]) != 4 || covers(rings, 0.5, 0.45) || !covers(rings, 0.1, 0.1) {
		t.Error(rings, err)
	}
	if one, err := Decode(t.Context(), strings.NewReader(`[[0,0],[1,0],[0.5,1]]`)); err != nil || len(one) != 1 {
		t.Error(one, err)
	}
}

// enlarged is a PNG that says it has another size.
func enlarged(data []byte, width, height uint32) []byte {
	out := bytes.Clone(data)
	binary.BigEndian.PutUint32(out[16:], width)
	binary.BigEndian.PutUint32(out[20:], height)
	binary.BigEndian.PutUint32(out[29:], crc32.ChecksumIEEE(out[12:29]))
	return out
}

// bomb is a PNG that says it has 100 megapixels, and ends there.
func bomb() []byte {
	chunk := []byte("IHDR\x00\x00\x27\x10\x00\x00\x27\x10\x08\x00\x00\x00\x00")
	out := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\r"), chunk...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(chunk))
}

func TestABombIsRefusedByItsHeader(t *testing.T) {
	t.Parallel()
	if _, err := Decode(t.Context(), bytes.NewReader(bomb())); err == nil || !strings.Contains(err.Error(), "10000 by 10000 pixels") {
		t.Error(err)
	}
}

func TestWhatIsNoMaskIsRefused(t *testing.T) {
	t.Parallel()
	for name, data := range map[string]string{
		"nothing": "", "no mask": "hello", "an object": "{}", "a line": "[[0,0],[1,1]]", "outside": "[[0,0],[2,0],[1,1]]",
		"no rings": "[]", "half a PNG": string(pngOf(t, image.NewGray(image.Rect(0, 0, 64, 64))))[:50],
		"an empty raster": string(pngOf(t, image.NewGray(image.Rect(0, 0, 64, 64)))),
	} {
		if rings, err := Decode(t.Context(), strings.NewReader(data)); err == nil {
			t.Errorf("%s: %v", name, rings)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`[[0,0],[1,0],[0.5,1]]`))
	f.Add(bomb())
	f.Add(pngOf(f, image.NewGray(image.Rect(0, 0, 8, 8))))
	f.Fuzz(func(t *testing.T, data []byte) {
		rings, err := Decode(t.Context(), bytes.NewReader(data))
		if (err == nil) == (len(rings) == 0) {
			t.Errorf("%d rings and the error %v", len(rings), err)
		}
		for _, ring := range rings {
			for _, p := range ring {
				if !(p[0] >= 0 && p[0] <= 1 && p[1] >= 0 && p[1] <= 1) {
					t.Errorf("a corner at %v", p)
				}
			}
		}
	})
}
