package render

import (
	"image"
	"image/color"
	"math"

	"github.com/chemigram/chemigram/internal/colour"
)

// A Selection says how much each pixel of a picture is selected, 0 to 1, line by
// line. It may be of another size than the picture.
type Selection struct {
	Width, Height int
	At            []float64
}

// weight gives how much a point, 0 to 1 across and down, is selected.
func (s Selection) weight(u, v float64) float64 {
	x, y := u*float64(s.Width)-0.5, v*float64(s.Height)-0.5
	i, j := int(math.Floor(x)), int(math.Floor(y))
	fx, fy := x-float64(i), y-float64(j)
	at := func(i, j int) float64 {
		return s.At[min(max(j, 0), s.Height-1)*s.Width+min(max(i, 0), s.Width-1)]
	}
	top := at(i, j)*(1-fx) + at(i+1, j)*fx
	low := at(i, j+1)*(1-fx) + at(i+1, j+1)*fx
	return min(max(top*(1-fy)+low*fy, 0), 1)
}

// Selected are the numbers of what a selection selects.
type Selected struct {
	// Fraction of the picture, partly selected pixels counting in part.
	Fraction float64
	// Lab is its mean colour.
	Lab LabStats
}

// tintColor is the colour of what is selected, and tintStrength how strong it is.
var tintColor = [3]float64{1, 0.1, 0.2}

const tintStrength = 0.6

// outlineColor is that of the line around what is selected more than half.
var outlineColor = color.RGBA{255, 255, 255, 255}

// Tint shows what a selection selects of a picture, which is taken for sRGB:
// tinted red, the more the more it is selected, with a white line where it is
// half selected. It fails with an *Error of kind BadInput when there are no
// pixels.
func Tint(m image.Image, s Selection) (image.Image, Selected, error) {
	p, err := readPixels(m, m.Bounds())
	if err != nil {
		return nil, Selected{}, err
	}
	out := image.NewRGBA(image.Rect(0, 0, p.w, p.h))
	parts, weights := make([]labSums, p.h), make([]float64, p.h)
	space := colour.FromSRGB()
	at := func(x, y int) float64 { return s.weight((float64(x)+0.5)/float64(p.w), (float64(y)+0.5)/float64(p.h)) }
	inBands(p.h, func(_, y0, y1 int) {
		for y := y0; y < y1; y++ {
			row, t := p.row(y), &parts[y]
			for x := range p.w {
				w := at(x, y)
				c := space.Lab(row[3*x], row[3*x+1], row[3*x+2])
				t.l, t.a, t.b, t.chroma = t.l+w*c.L, t.a+w*c.A, t.b+w*c.B, t.chroma+w*c.Chroma()
				weights[y] += w
				if inside := w >= 0.5; inside != (at(min(x+1, p.w-1), y) >= 0.5) || inside != (at(x, min(y+1, p.h-1)) >= 0.5) {
					out.SetRGBA(x, y, outlineColor)
					continue
				}
				var shown [3]uint8
				for i := range shown {
					v := float64(row[3*x+i]) / 0xffff
					shown[i] = uint8(math.Round(255 * (v + tintStrength*w*(tintColor[i]-v))))
				}
				out.SetRGBA(x, y, color.RGBA{shown[0], shown[1], shown[2], 255})
			}
		}
	})
	var total labSums
	weight := 0.0
	for y := range parts {
		total.add(&parts[y])
		weight += weights[y]
	}
	found := Selected{Fraction: weight / float64(p.w*p.h)}
	if weight > 0 {
		f := 1 / weight
		hue := math.Mod(math.Atan2(total.b, total.a)*180/math.Pi+360, 360)
		found.Lab = LabStats{L: total.l * f, A: total.a * f, B: total.b * f, Chroma: total.chroma * f, Hue: hue}
	}
	return out, found, nil
}
