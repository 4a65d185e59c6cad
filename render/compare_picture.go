package render

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"strconv"
)

// heatScale are the colours of a difference picture: black where nothing differs,
// white where ΔE2000 is 20 or more. The steps are uneven, so that what is just
// visible is seen beside what is obvious.
var heatScale = []struct {
	delta   float64
	r, g, b float64
}{
	{0, 0, 0, 0},
	{0.5, 20, 16, 60},
	{1, 60, 20, 110},
	{2, 120, 30, 130},
	{5, 215, 60, 80},
	{10, 250, 165, 40},
	{20, 255, 255, 255},
}

func heatColor(delta float64) color.RGBA {
	for i := 1; i < len(heatScale); i++ {
		if from, to := heatScale[i-1], heatScale[i]; delta < to.delta {
			f := (delta - from.delta) / (to.delta - from.delta)
			mix := func(a, b float64) uint8 { return uint8(math.Round(a + f*(b-a))) }
			return color.RGBA{mix(from.r, to.r), mix(from.g, to.g), mix(from.b, to.b), 255}
		}
	}
	return color.RGBA{255, 255, 255, 255}
}

// Picture shows where the pictures differ: black where they do not, over violet
// (ΔE2000 of 1), red (5) and orange (10) to white (20 or more), with that scale
// below.
func (c *Comparison) Picture() image.Image {
	face := newFace(c.Width)
	defer face.Close()
	bar := barHeight(face)
	m := image.NewRGBA(image.Rect(0, 0, c.Width, c.Height+bar))
	inBands(c.Height, func(_, y0, y1 int) {
		for y := y0; y < y1; y++ {
			for x := range c.Width {
				m.SetRGBA(x, y, heatColor(float64(c.delta[y*c.Width+x])))
			}
		}
	})
	draw.Draw(m, image.Rect(0, c.Height, c.Width, c.Height+bar), image.NewUniform(background), image.Point{}, draw.Src)

	x := drawText(m, face, 8, c.Height, c.Width/3, "ΔE2000")
	step := max(1, (c.Width-x-8)/len(heatScale))
	for i, h := range heatScale {
		patch := image.Rect(0, bar/4, bar/2, bar-bar/4).Add(image.Pt(x+16+i*step, c.Height))
		draw.Draw(m, patch, image.NewUniform(color.Gray{110}), image.Point{}, draw.Src)
		draw.Draw(m, patch.Inset(1), image.NewUniform(heatColor(h.delta)), image.Point{}, draw.Src)
		drawText(m, face, patch.Max.X+5, c.Height, step, strconv.FormatFloat(h.delta, 'g', -1, 64))
	}
	return m
}
