package measure

import (
	"image"
	"image/draw"
	"math"
	"sync"
)

// Picture is an image in CIELAB, ready to be measured.
type Picture struct {
	Width, Height int
	// L is 0..100; A and B are around -128..127. Row by row.
	L, A, B []float32
	// Clipped marks pixels of which a channel is at its top.
	Clipped []bool
	// Crushed marks pixels of which every channel is at its bottom.
	Crushed []bool
}

// New reads an sRGB image.
func New(img image.Image) *Picture {
	b := img.Bounds()
	rgba, ok := img.(*image.RGBA64)
	if !ok || b.Min != (image.Point{}) {
		rgba = image.NewRGBA64(image.Rect(0, 0, b.Dx(), b.Dy()))
		draw.Draw(rgba, rgba.Bounds(), img, b.Min, draw.Src)
	}
	n := b.Dx() * b.Dy()
	p := &Picture{
		Width: b.Dx(), Height: b.Dy(),
		L: make([]float32, n), A: make([]float32, n), B: make([]float32, n),
		Clipped: make([]bool, n), Crushed: make([]bool, n),
	}
	linear := linearTable()
	for y := range p.Height {
		row := rgba.Pix[y*rgba.Stride:]
		for x := range p.Width {
			r, g, b := be16(row[x*8:]), be16(row[x*8+2:]), be16(row[x*8+4:])
			i := y*p.Width + x
			p.L[i], p.A[i], p.B[i] = lab(linear[r], linear[g], linear[b])
			p.Clipped[i] = max(r, g, b) >= 254<<8
			p.Crushed[i] = max(r, g, b) <= 1<<8
		}
	}
	return p
}

func be16(b []byte) uint16 { return uint16(b[0])<<8 | uint16(b[1]) }

// linearTable undoes sRGB's tone curve (IEC 61966-2-1) for 16-bit values.
var linearTable = sync.OnceValue(func() *[1 << 16]float32 {
	var t [1 << 16]float32
	for i := range t {
		v := float64(i) / (1<<16 - 1)
		if v <= 0.04045 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		t[i] = float32(v)
	}
	return &t
})

// lab converts linear sRGB to CIELAB. The matrix is sRGB's, adapted to D50 by
// Bradford's method (ICC), with each row divided by D50's white.
func lab(r, g, b float32) (float32, float32, float32) {
	fx := labCurve(0.4360747/0.96422*r + 0.3850649/0.96422*g + 0.1430804/0.96422*b)
	fy := labCurve(0.2225045*r + 0.7168786*g + 0.0606169*b)
	fz := labCurve(0.0139322/0.82521*r + 0.0971045/0.82521*g + 0.7141733/0.82521*b)
	return 116*fy - 16, 500 * (fx - fy), 200 * (fy - fz)
}

func labCurve(t float32) float32 {
	if t > 216.0/24389 {
		return float32(math.Cbrt(float64(t)))
	}
	return t*(24389.0/27/116) + 16.0/116
}

// Luminance gives a pixel's relative luminance, 0..1, from its lightness.
func Luminance(l float64) float64 {
	if l > 8 {
		return math.Pow((l+16)/116, 3)
	}
	return l * 27 / 24389
}
