package match

import (
	"cmp"
	"image"
	"math"
	"slices"

	"github.com/chemigram/chemigram/internal/colour"
)

// viewSize is the longest edge of a view in cells.
const viewSize = 144

// A View is a picture as it is compared: the mean colour of each cell of a coarse
// grid, in CIELAB.
type View struct {
	width, height int
	lab           []colour.Lab
	// lost cells were clipped, or nearly black: they have lost their colour.
	lost []bool
}

// NewView reduces a picture to cells. Light is averaged, not its encoding.
func NewView(m image.Image) View {
	box := m.Bounds()
	scale := float64(viewSize) / float64(max(box.Dx(), box.Dy()))
	v := View{width: max(1, int(math.Round(float64(box.Dx())*scale))), height: max(1, int(math.Round(float64(box.Dy())*scale)))}
	v.lab, v.lost = make([]colour.Lab, v.width*v.height), make([]bool, v.width*v.height)
	srgb := colour.FromSRGB()
	for y := range v.height {
		for x := range v.width {
			cell := image.Rect(x*box.Dx()/v.width, y*box.Dy()/v.height, (x+1)*box.Dx()/v.width, (y+1)*box.Dy()/v.height)
			i := y*v.width + x
			v.lab[i], v.lost[i] = meanColour(m, srgb, cell.Add(box.Min))
		}
	}
	return v
}

// meanColour is that of a cell, and whether a tenth of it is clipped or it is nearly
// black.
func meanColour(m image.Image, srgb *colour.SRGB, cell image.Rectangle) (mean colour.Lab, lost bool) {
	cell = cell.Union(image.Rectangle{Min: cell.Min, Max: cell.Min.Add(image.Pt(1, 1))})
	var light [3]float64
	n, clipped := 0.0, 0.0
	for y := cell.Min.Y; y < cell.Max.Y; y++ {
		for x := cell.Min.X; x < cell.Max.X; x++ {
			r, g, b, _ := m.At(x, y).RGBA()
			for c, v := range [3]uint32{r, g, b} {
				light[c] += srgb.Linear(uint16(v))
			}
			if n++; max(r, g, b) >= 253<<8 {
				clipped++
			}
		}
	}
	mean = srgb.LabOfLight(light[0]/n, light[1]/n, light[2]/n)
	return mean, clipped > n/10 || mean.L < 3
}

// at is the colour between the cells about a place, counted from the middle of the
// first cell; false when it is lost or beyond the border.
func (v View) at(x, y float64) (colour.Lab, bool) {
	i, j := int(math.Floor(x)), int(math.Floor(y))
	if i < 0 || j < 0 || i+1 >= v.width || j+1 >= v.height {
		return colour.Lab{}, false
	}
	s, t := x-float64(i), y-float64(j)
	var sum colour.Lab
	for _, corner := range [...]struct {
		at   int
		part float64
	}{
		{j*v.width + i, (1 - s) * (1 - t)},
		{j*v.width + i + 1, s * (1 - t)},
		{(j+1)*v.width + i, (1 - s) * t},
		{(j+1)*v.width + i + 1, s * t},
	} {
		if v.lost[corner.at] {
			return colour.Lab{}, false
		}
		sum = plus(sum, v.lab[corner.at], corner.part)
	}
	return sum, true
}

// relief is the lightness of each cell against that of its surroundings, in units of
// how much it varies there: what is left of a picture when its light is taken away.
func (v View) relief(radius int) []float64 {
	light := make([]float64, len(v.lab))
	squares := make([]float64, len(v.lab))
	for i, c := range v.lab {
		light[i], squares[i] = c.L, c.L*c.L
	}
	mean, meanSquares := v.boxed(light, radius), v.boxed(squares, radius)
	for i := range light {
		spread := math.Sqrt(max(0, meanSquares[i]-mean[i]*mean[i]))
		light[i] = (light[i] - mean[i]) / (spread + 1.5)
	}
	return light
}

// boxed is the mean of the cells within a square about each.
func (v View) boxed(values []float64, radius int) []float64 {
	sums := make([]float64, (v.width+1)*(v.height+1))
	for y := range v.height {
		row := 0.0
		for x := range v.width {
			row += values[y*v.width+x]
			sums[(y+1)*(v.width+1)+x+1] = sums[y*(v.width+1)+x+1] + row
		}
	}
	out := make([]float64, len(values))
	for y := range v.height {
		for x := range v.width {
			x0, x1 := max(0, x-radius), min(v.width, x+radius+1)
			y0, y1 := max(0, y-radius), min(v.height, y+radius+1)
			sum := sums[y1*(v.width+1)+x1] - sums[y0*(v.width+1)+x1] - sums[y1*(v.width+1)+x0] + sums[y0*(v.width+1)+x0]
			out[y*v.width+x] = sum / float64((x1-x0)*(y1-y0))
		}
	}
	return out
}

// bandCount is how many bands of brightness a view is divided into.
const bandCount = 9

// bands are the mean colours of a view's cells by their brightness, darkest first:
// each of about a ninth of them. The more colourful a cell is, the less it counts, at a
// chroma of 20 half as much as a grey one: what is grey reflects the light itself.
func (v View) bands() []colour.Lab {
	type cell struct {
		colour.Lab
		weight float64
	}
	var cells []cell
	total := 0.0
	for i, c := range v.lab {
		if !v.lost[i] {
			chroma := c.Chroma() / 20
			cells = append(cells, cell{c, 1 / (1 + chroma*chroma)})
			total += cells[len(cells)-1].weight
		}
	}
	slices.SortFunc(cells, func(a, b cell) int { return cmp.Compare(a.L, b.L) })
	out := make([]colour.Lab, bandCount)
	var weights [bandCount]float64
	before := 0.0
	for _, c := range cells {
		i := min(int(before/total*bandCount), bandCount-1)
		before += c.weight
		weights[i] += c.weight
		out[i] = plus(out[i], c.Lab, c.weight)
	}
	for i, w := range weights {
		if w > 0 {
			out[i] = plus(colour.Lab{}, out[i], 1/w)
		}
	}
	return out
}

// summary is the mean brightness and colour of a view, in which colourful cells count
// for little, and its spread of brightness: what the median of a series is found by.
func (v View) summary() [4]float64 {
	var sum [4]float64
	bands := v.bands()
	for _, c := range bands {
		sum[0] += c.L / bandCount
		sum[1] += c.A / bandCount
		sum[2] += c.B / bandCount
	}
	sum[3] = (bands[bandCount-2].L - bands[1].L) / 2
	return sum
}

// Median is the index of the view that is nearest to all others together, by brightness,
// colour and contrast; of equal ones the first. Views of nothing are left out; without
// any other it is -1.
func Median(views []View) int {
	summaries := make([][4]float64, len(views))
	for i, v := range views {
		if len(v.lab) > 0 {
			summaries[i] = v.summary()
		}
	}
	best, least := -1, math.Inf(1)
	for i, p := range summaries {
		sum := 0.0
		for j, q := range summaries {
			if len(views[j].lab) > 0 {
				sum += math.Sqrt((p[0]-q[0])*(p[0]-q[0]) + (p[1]-q[1])*(p[1]-q[1]) + (p[2]-q[2])*(p[2]-q[2]) + (p[3]-q[3])*(p[3]-q[3]))
			}
		}
		if len(views[i].lab) > 0 && sum < least-1e-9 {
			best, least = i, sum
		}
	}
	return best
}
