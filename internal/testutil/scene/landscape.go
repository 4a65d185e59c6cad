package scene

import (
	"github.com/chemigram/chemigram/internal/testutil/dng"
)

// Landscape is a mountain lake on a clear late afternoon, with what photographs
// often have in them: sky, clouds, snow, foliage, water, skin, saturated colours,
// neutral grey and deep shadow.
type Landscape struct{}

// Name is "landscape".
func (Landscape) Name() string { return "landscape" }

// Image is the landscape. Its first call in a process computes the terrain,
// which takes a fraction of a second.
func (Landscape) Image(width, height int) dng.Image {
	land := march(width, height)
	small := reflectionSize(width)
	smallLand := land
	if small != width {
		smallLand = march(small, small*height/width)
	}
	m := newMirror(small, small*height/width, smallLand)
	pixel := 1 / float64(height)
	return dng.Image{Width: width, Height: height, Row: func(row int, out []float32) {
		y := (float64(row) + 0.5) * pixel
		for i := range width {
			x := (float64(i) + 0.5) * pixel
			c := background(land, i, row, x, y, pixel, m)
			c = foreground(c, x, y, pixel)
			c.put(out[3*i:])
		}
	}}
}

func reflectionSize(width int) int { return min(width, 1000) }

func newMirror(width, height int, land *distances) *mirror {
	m := &mirror{width: width, height: height, rows: int(horizon * float64(height))}
	m.pix = make([]float32, 3*width*(m.rows+1))
	pixel := 1 / float64(height)
	parallel(m.rows, func(row int) {
		for i := range width {
			background(land, i, row, (float64(i)+0.5)*pixel, (float64(row)+0.5)*pixel, pixel, nil).put(m.pix[3*(row*width+i):])
		}
	})
	return m
}

// background is sky, land and water.
func background(land *distances, i, row int, x, y, pixel float64, m *mirror) rgb {
	if row < land.height {
		if z := float64(land.z[i*land.height+row]); z > 0 {
			c := landAt(x, y, z, pixel)
			// The skyline covers a part of its first pixel.
			if edge := float64(land.skyline[i]); float64(row) < edge && z > 300 {
				return skyAt(x, y, pixel).mix(c, clamp01(float64(row)+1-edge))
			}
			return c
		}
	}
	if y < horizon || m == nil {
		return skyAt(x, min(y, horizon), pixel)
	}
	return waterAt(x, y, pixel, m)
}
