package trace

import (
	"context"
	"image"
	"image/color"
)

// raster is how much each cell is selected, 0 to 1. Beyond its sides the outermost
// cells are repeated once, so that outlines reach the sides; farther out nothing is
// selected.
type raster struct {
	width, height int
	values        []float32
	// columns and rows are where the cells begin, and where the last one ends, as
	// a fraction of the picture.
	columns, rows []float64
}

// margin is how far beyond the sides outlines are followed.
const margin = 2

func (r *raster) value(x, y int) float32 {
	if x < -1 || y < -1 || x > r.width || y > r.height {
		return 0
	}
	x, y = min(max(x, 0), r.width-1), min(max(y, 0), r.height-1)
	return r.values[y*r.width+x]
}

// newRaster averages a picture down to a size that is traced. Each pixel belongs
// to one cell; the cells' sizes differ by a pixel where the picture's size is no
// multiple.
func newRaster(ctx context.Context, m image.RGBA64Image) (*raster, error) {
	box := m.Bounds()
	by := max(1, (max(box.Dx(), box.Dy())+maxSide-1)/maxSide)
	r := &raster{width: (box.Dx() + by - 1) / by, height: (box.Dy() + by - 1) / by}
	r.values = make([]float32, r.width*r.height)
	columns, rows := divide(box.Dx(), r.width), divide(box.Dy(), r.height)
	r.columns, r.rows = fractions(columns), fractions(rows)
	transparent, err := isTransparent(ctx, m)
	if err != nil {
		return nil, err
	}
	line := lineReader(m, transparent)
	pixels := make([]float32, box.Dx())
	for y := range r.height {
		out := r.values[y*r.width : (y+1)*r.width]
		for from := rows[y]; from < rows[y+1]; from++ {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			line(box.Min.Y+from, pixels)
			for x := range out {
				for _, v := range pixels[columns[x]:columns[x+1]] {
					out[x] += v
				}
			}
		}
		for x := range out {
			out[x] /= float32((columns[x+1] - columns[x]) * (rows[y+1] - rows[y]))
		}
	}
	return r, nil
}

// divide gives where each of so many parts of a length begins, and the end.
func divide(length, parts int) []int {
	out := make([]int, parts+1)
	for i := range out {
		out[i] = length * i / parts
	}
	return out
}

// fractions are places as parts of the last one.
func fractions(places []int) []float64 {
	out := make([]float64, len(places))
	for i, p := range places {
		out[i] = float64(p) / float64(places[len(places)-1])
	}
	return out
}

// place is where a coordinate in cells lies in the picture.
func place(cells []float64, at float64) float64 {
	i := min(max(int(at), 0), len(cells)-2)
	return cells[i] + (at-float64(i))*(cells[i+1]-cells[i])
}

// isTransparent reports whether a picture is so anywhere.
func isTransparent(ctx context.Context, m image.Image) (bool, error) {
	box := m.Bounds()
	parts, ok := m.(interface {
		SubImage(image.Rectangle) image.Image
	})
	if !ok {
		return false, nil
	}
	const lines = 16
	for y := box.Min.Y; y < box.Max.Y; y += lines {
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		part := parts.SubImage(image.Rect(box.Min.X, y, box.Max.X, min(y+lines, box.Max.Y)))
		if o, ok := part.(interface{ Opaque() bool }); ok && !o.Opaque() {
			return true, nil
		}
	}
	return false, nil
}

// lineReader gives a function that reads how much the pixels of a line are
// selected.
func lineReader(m image.RGBA64Image, transparent bool) func(y int, out []float32) {
	value := light
	if transparent {
		value = alpha
	}
	left := m.Bounds().Min.X
	var table [256]float32
	switch m := m.(type) {
	case *image.Gray:
		for i := range table {
			table[i] = float32(i) / 255
		}
		return func(y int, out []float32) {
			for x, i := range m.Pix[m.PixOffset(left, y):][:len(out)] {
				out[x] = table[i]
			}
		}
	case *image.Paletted:
		for i, c := range m.Palette {
			table[i] = value(color.RGBA64Model.Convert(c).(color.RGBA64))
		}
		return func(y int, out []float32) {
			for x, i := range m.Pix[m.PixOffset(left, y):][:len(out)] {
				out[x] = table[i]
			}
		}
	}
	return func(y int, out []float32) {
		for x := range out {
			out[x] = value(m.RGBA64At(left+x, y))
		}
	}
}

// light is what color.Gray16Model makes of a colour, without making one.
func light(c color.RGBA64) float32 {
	return float32(19595*uint32(c.R)+38470*uint32(c.G)+7471*uint32(c.B)) / (0x10000 * 0xffff)
}

// alpha is the opacity of a colour.
func alpha(c color.RGBA64) float32 { return float32(c.A) / 0xffff }
