package scene

import (
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
)

// Chart is a colour checker of 24 patches, 6 by 4, on mid-grey card, under even
// light. The metered exposure shows every patch at its own lightness.
type Chart struct{}

// Patch is one patch of the [Chart].
type Patch struct {
	// Name is the patch's usual name, such as "light skin".
	Name string
	// Lab is the patch's colour in CIELAB under D50.
	Lab pixel.Lab
	// Rect is the inner part of the patch, free of its edges.
	Rect pixel.Rect
	// Neutral reports whether the patch is one of the six greys.
	Neutral bool
}

// chartLab are the reference values that X-Rite published for the
// ColorChecker Classic: CIELAB, illuminant D50, 2° observer, charts made before
// November 2014.
var chartLab = [24]struct {
	name    string
	l, a, b float64
}{
	{"dark skin", 37.986, 13.555, 14.059},
	{"light skin", 65.711, 18.130, 17.810},
	{"blue sky", 49.927, -4.880, -21.925},
	{"foliage", 43.139, -13.095, 21.905},
	{"blue flower", 55.112, 8.844, -25.399},
	{"bluish green", 70.719, -33.397, -0.199},
	{"orange", 62.661, 36.067, 57.096},
	{"purplish blue", 40.020, 10.410, -45.964},
	{"moderate red", 51.124, 48.239, 16.248},
	{"purple", 30.325, 22.976, -21.587},
	{"yellow green", 72.532, -23.709, 57.255},
	{"orange yellow", 71.941, 19.363, 67.857},
	{"blue", 28.778, 14.179, -50.297},
	{"green", 55.261, -38.342, 31.370},
	{"red", 42.101, 53.378, 28.190},
	{"yellow", 81.733, 4.039, 79.819},
	{"magenta", 51.935, 49.986, -14.574},
	{"cyan", 51.038, -28.631, -28.638},
	{"white", 96.539, -0.425, 1.186},
	{"neutral 8", 81.257, -0.638, -0.335},
	{"neutral 6.5", 66.766, -0.734, -0.504},
	{"neutral 5", 50.867, -0.153, -0.270},
	{"neutral 3.5", 35.656, -0.421, -1.231},
	{"black", 20.461, -0.079, -0.973},
}

// The chart in a frame of width 1: margins of a card, six columns, and how much
// of its cell a patch fills.
const (
	chartMarginX = 0.08
	chartMarginY = 0.09
	chartFill    = 0.86
	chartColumns = 6
	chartRows    = 4
)

// Name is "chart".
func (Chart) Name() string { return "chart" }

// Patches lists the 24 patches from the top left, line by line.
func (Chart) Patches() []Patch {
	patches := make([]Patch, len(chartLab))
	for i, c := range chartLab {
		r := chartCell(i)
		inset := 0.15
		r = pixel.Rect{X: r.X + inset*r.Width, Y: r.Y + inset*r.Height, Width: r.Width * (1 - 2*inset), Height: r.Height * (1 - 2*inset)}
		patches[i] = Patch{Name: c.name, Lab: pixel.Lab{L: c.l, A: c.a, B: c.b}, Rect: r, Neutral: i >= 18}
	}
	return patches
}

// chartCell is the whole of a patch, edges included.
func chartCell(i int) pixel.Rect {
	const w, h = (1 - 2*chartMarginX) / chartColumns, (1 - 2*chartMarginY) / chartRows
	return pixel.Rect{
		X:      chartMarginX + w*(float64(i%chartColumns)+(1-chartFill)/2),
		Y:      chartMarginY + h*(float64(i/chartColumns)+(1-chartFill)/2),
		Width:  w * chartFill,
		Height: h * chartFill,
	}
}

// Image is the chart, with hard edges.
func (Chart) Image(width, height int) dng.Image {
	var colours [24]rgb
	for i, c := range chartLab {
		colours[i] = fromLab(pixel.Lab{L: c.l, A: c.a, B: c.b})
	}
	return dng.Image{Width: width, Height: height, Row: func(y int, out []float32) {
		v := (float64(y) + 0.5) / float64(height)
		for x := range width {
			u := (float64(x) + 0.5) / float64(width)
			c := grey(dng.MiddleGrey)
			column := int((u - chartMarginX) / (1 - 2*chartMarginX) * chartColumns)
			row := int((v - chartMarginY) / (1 - 2*chartMarginY) * chartRows)
			if column >= 0 && column < chartColumns && row >= 0 && row < chartRows {
				if i := row*chartColumns + column; chartCell(i).Contains(u, v) {
					c = colours[i]
				}
			}
			c.put(out[3*x:])
		}
	}}
}
