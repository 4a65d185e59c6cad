// Package fitjpeg makes a JPEG smaller until it fits into a number of bytes.
package fitjpeg

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"math"
	"slices"

	"golang.org/x/image/draw"
)

// maxPixels is the size of the largest picture that is decoded.
const maxPixels = 100_000_000

// maxStartPixels is the size to which a picture is reduced before it is encoded for
// the first time. At the lowest quality a larger one takes more than a megabyte.
const maxStartPixels = 8_000_000

// qualities are those that are tried before a picture is made smaller, best first.
// Below the last one the blocks of the encoding can be seen.
var qualities = []int{90, 86, 82, 78, 74, 70}

// Picture is a JPEG that fits.
type Picture struct {
	JPEG []byte
	// Width and Height in pixels.
	Width, Height int
	// Quality of the encoding, 1 to 100, or 0 when the picture came as it is.
	Quality int
}

// Fit returns the JPEG itself when it has at most budget bytes. Otherwise it encodes
// it with the best quality from 90 down to 70 that fits, and when none does reduces it
// in size.
func Fit(data []byte, budget int) (Picture, error) {
	config, err := jpeg.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return Picture{}, err
	}
	if len(data) <= budget {
		return Picture{JPEG: data, Width: config.Width, Height: config.Height}, nil
	}
	if config.Width*config.Height > maxPixels {
		return Picture{}, fmt.Errorf("a picture of %d × %d pixels is too large to be made smaller: %d pixels at most", config.Width, config.Height, maxPixels)
	}
	m, err := jpeg.Decode(bytes.NewReader(data))
	if err != nil {
		return Picture{}, err
	}
	whole := reduced(m, math.Sqrt(maxStartPixels/float64(config.Width*config.Height)))
	for factor := 1.0; ; {
		p, err := encoded(reduced(whole, factor), budget)
		if err != nil || len(p.JPEG) <= budget || max(p.Width, p.Height) == 1 {
			return p, err
		}
		factor *= min(0.95, 0.98*math.Sqrt(float64(budget)/float64(len(p.JPEG))))
	}
}

// encoded encodes with the best of the qualities that fits, or with the lowest.
func encoded(m image.Image, budget int) (Picture, error) {
	var failed error
	tried := map[int][]byte{}
	encode := func(quality int) []byte {
		if tried[quality] == nil {
			var out bytes.Buffer
			if err := jpeg.Encode(&out, m, &jpeg.Options{Quality: quality}); err != nil {
				failed = err
			}
			tried[quality] = out.Bytes()
		}
		return tried[quality]
	}
	lowest := len(qualities) - 1
	at, _ := slices.BinarySearchFunc(qualities[:lowest], budget, func(quality, budget int) int {
		if len(encode(quality)) > budget {
			return -1
		}
		return 1
	})
	b := m.Bounds()
	return Picture{JPEG: encode(qualities[at]), Width: b.Dx(), Height: b.Dy(), Quality: qualities[at]}, failed
}

// reduced returns the picture scaled by a factor below 1, or as it is by any other.
func reduced(m image.Image, factor float64) image.Image {
	if factor >= 1 {
		return m
	}
	b := m.Bounds()
	scaled := func(length int) int { return max(1, int(math.Round(factor*float64(length)))) }
	small := image.NewRGBA(image.Rect(0, 0, scaled(b.Dx()), scaled(b.Dy())))
	draw.CatmullRom.Scale(small, small.Bounds(), m, b, draw.Src, nil)
	return small
}
