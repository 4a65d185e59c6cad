package dng

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"math"
)

// lossyTable gives the samples, 0 to 16383, that the 256 numbers of a lossy JPEG stand
// for: by a square, as eyes see it.
func lossyTable() []uint16 {
	table := make([]uint16, 256)
	for i := range table {
		table[i] = uint16(math.Round(16383 * float64(i*i) / (255 * 255)))
	}
	return table
}

// lossyJPEG packs lines of pixels of three colours, width to a line, as a JPEG of 8 bits.
func lossyJPEG(samples []uint16, width int) []byte {
	height := len(samples) / (3 * width)
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	number := func(v uint16) uint8 { return uint8(math.Round(255 * math.Sqrt(min(1, float64(v)/16383)))) }
	for i := range width * height {
		at := samples[3*i:]
		m.SetRGBA(i%width, i/width, color.RGBA{number(at[0]), number(at[1]), number(at[2]), 255})
	}
	var b bytes.Buffer
	_ = jpeg.Encode(&b, m, &jpeg.Options{Quality: 100}) // a buffer takes all
	return b.Bytes()
}
