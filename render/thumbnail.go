package render

import (
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/jpeg"
	"math"
	"os"
	"sync"
)

// mips are the boxes of darktable's thumbnails.
var mips = []image.Point{{180, 110}, {360, 225}, {720, 450}, {1440, 900}, {1920, 1200}, {2560, 1600}, {4096, 2560}, {5120, 3200}}

// mipFor is the smallest box in which a picture of any aspect has a longest
// edge of at least size pixels.
func mipFor(size int) (mip int, ok bool) {
	for i, box := range mips {
		if size > 0 && box.Y >= size {
			return i, true
		}
	}
	return 0, false
}

// adobeRGB is the colour space of darktable's thumbnails (AdobeRGB (1998)).
var adobeRGB = Profile{Name: "Adobe RGB", Primaries: [3][2]float64{{0.64, 0.33}, {0.21, 0.71}, {0.15, 0.06}}, White: d65, Curve: Curve{G: 563.0 / 256, A: 1}}

// adobeToSRGB are the tables that lead from one to the other.
type adobeToSRGB struct {
	linear [256]float32
	m      [3][3]float32
	encode [len14 + 1]uint8
}

var fromAdobe = sync.OnceValue(func() *adobeToSRGB {
	t := new(adobeToSRGB)
	for i := range t.linear {
		t.linear[i] = float32(adobeRGB.Curve.Linear(float64(i) / 255))
	}
	m := SRGB.toXYZ().inverse().times(adobeRGB.toXYZ())
	for i := range m {
		for j := range m[i] {
			t.m[i][j] = float32(m[i][j])
		}
	}
	for i := range t.encode {
		t.encode[i] = uint8(math.Round(255 * SRGB.Curve.Encoded(float64(i)/len14)))
	}
	return t
})

const len14 = 1 << 14

// convert turns the pixels of m, four bytes each, from Adobe RGB to sRGB.
// Colours outside sRGB go to its edge.
func (t *adobeToSRGB) convert(m *image.RGBA) {
	bands(m.Rect.Dy(), func(_, y0, y1 int) {
		for y := y0; y < y1; y++ {
			row := m.Pix[y*m.Stride : y*m.Stride+4*m.Rect.Dx()]
			for ; len(row) >= 4; row = row[4:] {
				r, g, b := t.linear[row[0]], t.linear[row[1]], t.linear[row[2]]
				for c := range 3 {
					v := t.m[c][0]*r + t.m[c][1]*g + t.m[c][2]*b
					row[c] = t.encode[int(min(max(v, 0), 1)*len14+0.5)]
				}
			}
		}
	})
}

// errSmall says that the whole picture is smaller than was asked for.
var errSmall = errors.New("the thumbnail has fewer pixels than were asked for")

// loadThumbnail reads a thumbnail as sRGB, scaled to size. It fails when the
// thumbnail is smaller than that.
func loadThumbnail(path string, size int) (image.Image, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := jpeg.Decode(f)
	if err != nil {
		return nil, err
	}
	b := m.Bounds()
	if max(b.Dx(), b.Dy()) < size {
		return nil, fmt.Errorf("%w: %d × %d", errSmall, b.Dx(), b.Dy())
	}
	rgb := image.NewRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
	draw.Draw(rgb, rgb.Bounds(), m, b.Min, draw.Src)
	fromAdobe().convert(rgb)
	return fit(rgb, size), nil
}
