package scene

import (
	"math"

	"github.com/chemigram/chemigram/internal/testutil/dng"
)

// Lamps are coloured lights on a dark wall, each so bright in its middle that it
// is past what the sensor can record: first one channel clips, then all.
type Lamps struct{}

// lamps are the lights, line by line, at the metered exposure's white times
// lampPower in their middles.
var lamps = [6]rgb{
	{1, 0.62, 0.30},
	{1, 0.97, 0.92},
	{0.45, 0.62, 1},
	{1, 0.40, 0.36},
	{0.62, 1, 0.55},
	{1, 0.80, 0.48},
}

const (
	lampPower = 12
	lampSize  = 0.11 // of the picture's height, where the light has fallen to 1/e
)

// Name is "lamps".
func (Lamps) Name() string { return "lamps" }

// lampAt is a lamp's place, in picture heights.
func lampAt(i int) (u, v float64) {
	return aspect * (float64(i%3) + 0.5) / 3, (float64(i/3) + 0.5) / 2
}

// Image is the wall with its lamps.
func (Lamps) Image(width, height int) dng.Image {
	return dng.Image{Width: width, Height: height, Row: func(y int, out []float32) {
		v := (float64(y) + 0.5) / float64(height)
		for x := range width {
			u := (float64(x) + 0.5) / float64(height)
			light := grey(0.05)
			for i, c := range lamps {
				lu, lv := lampAt(i)
				d := math.Hypot(u-lu, v-lv) / lampSize
				light = light.add(c.times(lampPower * math.Exp(-d*d)))
			}
			light.put(out[3*x:])
		}
	}}
}
