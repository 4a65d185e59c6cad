package cnn

import (
	"image"
	"math"

	"golang.org/x/image/draw"
)

// area is about how many pixels the network sees of a picture, and unit what each side is
// a multiple of, for the last stage has a place for so many pixels. A row of it has four
// places or more.
const (
	area     = 480 * 320
	unit     = 32
	fewest   = 4
	mostLong = area / (unit * fewest * unit)
)

// mean and deviation are those of red, green and blue in the pictures that the network
// was trained with.
var (
	mean      = [3]float32{123.675, 116.28, 103.53}
	deviation = [3]float32{58.395, 57.12, 57.375}
)

// Seen is what the network makes of a picture.
type Seen struct {
	// Maps have 128, 256 and 512 channels, and a place for 8, 16 and 32 pixels of the
	// picture at about 480 by 320.
	Maps []Map
	// Things may be the same, when several places are part of one.
	Things []Thing
}

// See gives what the network makes of a picture, encoded as sRGB.
func See(m image.Image) (Seen, error) {
	n, err := builtIn()
	if err != nil {
		return Seen{}, err
	}
	return n.run(scaled(m)), nil
}

// scaled is a picture as the network takes it.
func scaled(m image.Image) *plane {
	size := m.Bounds().Size()
	scale := math.Sqrt(area / float64(size.X) / float64(size.Y))
	side := func(pixels int) int {
		return unit * min(max(int(math.Round(float64(pixels)*scale/unit)), fewest), mostLong)
	}
	small := image.NewRGBA(image.Rect(0, 0, side(size.X), side(size.Y)))
	draw.BiLinear.Scale(small, small.Rect, m, m.Bounds(), draw.Src, nil)
	p := newPlane(small.Rect.Dx(), small.Rect.Dy(), 3)
	for y := range p.height {
		row := p.values[p.at(0, y):p.at(p.width, y)]
		for i := range row {
			row[i] = (float32(small.Pix[y*small.Stride+i/3*4+i%3]) - mean[i%3]) / deviation[i%3]
		}
	}
	return p
}
