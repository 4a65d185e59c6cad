package trace

import (
	"bytes"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"io"
)

// The limits of what is read.
const (
	MaxBytes  = 64 << 20         // of a file
	MaxPixels = 64 * 1000 * 1000 // of a picture
	MaxRings  = 500
	MaxPoints = 20000 // of all rings together
)

// Ring is a closed outline: corners [x, y] in 0..1 of the picture, from the top
// left, without a second first corner.
type Ring [][2]float64

// Decode reads a polygon or a picture; which of them, its first bytes tell.
//
// A polygon is a JSON array of corners [x, y], or of several such arrays. What is
// within an even number of them is not selected: so a ring within a ring is a
// hole. A picture is a PNG of 8 or 16 bits, gray or in colour; where it has
// transparency, opaque is what it selects, otherwise white. Half is the
// threshold. It has to have the proportions of the developed picture, at any
// size.
func Decode(r io.Reader) ([]Ring, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err != nil {
		return nil, &Error{Detail: "it cannot be read", Err: err}
	}
	switch {
	case len(data) == 0:
		return nil, failf("it is empty")
	case len(data) > MaxBytes:
		return nil, failf("it is larger than %d MB", MaxBytes>>20)
	}
	if bytes.HasPrefix(data, []byte("\x89PNG")) {
		return decodePNG(data)
	}
	return decodePolygon(data)
}

func decodePolygon(data []byte) ([]Ring, error) {
	var rings [][][]float64
	var one [][]float64
	if json.Unmarshal(data, &one) == nil {
		rings = [][][]float64{one}
	} else if err := json.Unmarshal(data, &rings); err != nil {
		return nil, &Error{Detail: "it is neither a PNG nor a JSON array of [x, y], or of such arrays", Err: err}
	}
	var out []Ring
	total := 0
	for i, corners := range rings {
		ring := make(Ring, 0, len(corners))
		for j, c := range corners {
			if len(c) != 2 || !(c[0] >= 0 && c[0] <= 1 && c[1] >= 0 && c[1] <= 1) {
				return nil, failf("corner %d of polygon %d is %v; it has to be [x, y], each 0 to 1", j, i, c)
			}
			ring = append(ring, [2]float64(c))
		}
		if n := len(ring); n > 3 && ring[0] == ring[n-1] {
			ring = ring[:n-1]
		}
		if len(ring) < 3 {
			return nil, failf("polygon %d has %d corners; it needs 3", i, len(ring))
		}
		total += len(ring)
		out = append(out, ring)
	}
	return out, checkSize(out, total)
}

func checkSize(rings []Ring, points int) error {
	switch {
	case len(rings) == 0:
		return failf("it selects nothing")
	case len(rings) > MaxRings:
		return failf("%d outlines; at most %d: smooth the mask, or drop its specks", len(rings), MaxRings)
	case points > MaxPoints:
		return failf("%d corners; at most %d", points, MaxPoints)
	}
	return nil
}

func decodePNG(data []byte) ([]Ring, error) {
	head, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, &Error{Detail: "it is no whole PNG", Err: err}
	}
	if head.Width < 2 || head.Height < 2 || head.Width > MaxPixels/head.Height {
		return nil, failf("%d by %d pixels; a mask has 2 by 2 to %d million: a smaller one selects as well", head.Width, head.Height, MaxPixels/1000000)
	}
	m, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, &Error{Detail: "it is no whole PNG", Err: err}
	}
	return raster(m.(image.RGBA64Image)) // as every picture of that package is
}

// mostSide is the longest side at which a raster is traced.
const mostSide = 1600

// raster traces the values of a picture.
func raster(m image.RGBA64Image) ([]Ring, error) {
	f := read(m)
	rings := f.outlines()
	// What is smaller is noise, and darktable draws the smallest paths wrongly.
	width, height := float64(f.width), float64(f.height)
	total := 0
	kept := rings[:0]
	for _, ring := range rings {
		for step := tolerance; ; step *= 2 {
			if short := simplify(ring, step); len(short) <= maxRing {
				ring = short
				break
			}
		}
		if len(ring) < 3 || extent(ring, width, height) < least {
			continue
		}
		for i := range ring {
			ring[i][0] /= width
			ring[i][1] /= height
		}
		kept, total = append(kept, ring), total+len(ring)
	}
	return kept, checkSize(kept, total)
}

// least is the smallest extent, of a side of the picture, that is kept, and
// maxRing the most corners of one outline.
const (
	least   = 0.012
	maxRing = 4000
)

// extent is the larger extent of a ring, as a fraction of the sides.
func extent(ring Ring, width, height float64) float64 {
	low, high := ring[0], ring[0]
	for _, p := range ring {
		low = [2]float64{min(low[0], p[0]), min(low[1], p[1])}
		high = [2]float64{max(high[0], p[0]), max(high[1], p[1])}
	}
	return max((high[0]-low[0])/width, (high[1]-low[1])/height)
}

// tolerance is how far a simplified outline may lie from the traced one, in
// pixels of the raster that is traced.
const tolerance = 0.4

// field is a raster's values, 0 to 1, with a rim of nothing around it.
type field struct {
	width, height int // without the rim
	at            []float32
}

func (f *field) value(x, y int) float32 { return f.at[(y+1)*(f.width+2)+x+1] }

// read averages a picture down to a side that is traced.
func read(m image.RGBA64Image) *field {
	box := m.Bounds()
	by := max(1, (max(box.Dx(), box.Dy())+mostSide-1)/mostSide)
	f := &field{width: (box.Dx() + by - 1) / by, height: (box.Dy() + by - 1) / by}
	f.at = make([]float32, (f.width+2)*(f.height+2))
	counts := make([]float32, len(f.at))
	value := light
	if o, ok := m.(interface{ Opaque() bool }); ok && !o.Opaque() {
		value = alpha
	}
	for y := range box.Dy() {
		for x := range box.Dx() {
			i := (y/by+1)*(f.width+2) + x/by + 1
			f.at[i] += value(m.RGBA64At(box.Min.X+x, box.Min.Y+y))
			counts[i]++
		}
	}
	for i, n := range counts {
		if n > 0 {
			f.at[i] /= n
		}
	}
	return f
}

// light is what color.Gray16Model makes of a colour, without making one.
func light(c color.RGBA64) float32 {
	return float32(19595*uint32(c.R)+38470*uint32(c.G)+7471*uint32(c.B)) / (0x10000 * 0xffff)
}

func alpha(c color.RGBA64) float32 { return float32(c.A) / 0xffff }
