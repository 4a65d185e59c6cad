package scene

import (
	"fmt"

	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
)

// Smooth is what shows the harm that a move does: even tones, gradients, hard edges
// between even plates, greys and skin. Without noise, whatever its picture has in
// the wrong place was put there by the move. The metered exposure shows each part at
// its own lightness.
type Smooth struct{}

// The bands of the picture, from the top, by where they end. The darks reach into
// two corners; the outer patches of the last band are the other two.
var smoothBands = []struct {
	name     string
	end      float64
	from, to pixel.Lab // at the left and the right border
}{
	{"darks", 0.18, pixel.Lab{L: 3}, pixel.Lab{L: 12}},
	{"mid-tones", 0.32, pixel.Lab{L: 45}, pixel.Lab{L: 60}},
	{"lights", 0.46, pixel.Lab{L: 80}, pixel.Lab{L: 92}},
	{"grey gradient", 0.56, pixel.Lab{L: 2}, pixel.Lab{L: 96}},
	{"sky gradient", 0.66, pixel.Lab{L: 45, A: -5, B: -35}, pixel.Lab{L: 82, A: -4, B: -12}},
}

const smoothPlatesEnd = 0.84

// smoothPlates are the lightnesses of the plates, left to right.
var smoothPlates = [...]float64{12, 85, 45, 85, 12}

// smoothPatches are the last band, left to right.
var smoothPatches = [...]struct {
	name string
	lab  pixel.Lab
}{
	{"dark corner 1", pixel.Lab{L: 8}},
	{"grey 1", pixel.Lab{L: 20}},
	{"grey 2", pixel.Lab{L: 35}},
	{"grey 3", pixel.Lab{L: 50}},
	{"grey 4", pixel.Lab{L: 66}},
	{"grey 5", pixel.Lab{L: 81}},
	{"skin 1", pixel.Lab{L: 37.986, A: 13.555, B: 14.059}}, // the chart's dark skin
	{"skin 2", pixel.Lab{L: 54, A: 17, B: 20}},
	{"skin 3", pixel.Lab{L: 65.711, A: 18.130, B: 17.810}}, // the chart's light skin
	{"dark corner 2", pixel.Lab{L: 8}},
}

// Name is "smooth".
func (Smooth) Name() string { return "smooth" }

// Image is the picture, with hard edges.
func (Smooth) Image(width, height int) dng.Image {
	return dng.Image{Width: width, Height: height, Row: func(y int, out []float32) {
		v := (float64(y) + 0.5) / float64(height)
		for x := range width {
			fromLab(smoothAt((float64(x)+0.5)/float64(width), v)).put(out[3*x:])
		}
	}}
}

func smoothAt(u, v float64) pixel.Lab {
	for _, band := range smoothBands {
		if v < band.end {
			a, b := band.from, band.to
			return pixel.Lab{L: a.L + u*(b.L-a.L), A: a.A + u*(b.A-a.A), B: a.B + u*(b.B-a.B)}
		}
	}
	if v < smoothPlatesEnd {
		return pixel.Lab{L: smoothPlates[int(u*float64(len(smoothPlates)))]}
	}
	return smoothPatches[int(u*float64(len(smoothPatches)))].lab
}

// Places are the bands, free of their borders with others, the patches, and the
// edges "edge 1" and so on, each from the middle of one plate to that of the next.
func (Smooth) Places() map[string]pixel.Rect {
	places := map[string]pixel.Rect{}
	const margin = 0.02
	start := 0.0
	for _, band := range smoothBands {
		top := start
		if start > 0 {
			top += margin
		}
		places[band.name] = pixel.Rect{Y: top, Width: 1, Height: band.end - margin - top}
		start = band.end
	}
	plate := 1.0 / float64(len(smoothPlates))
	for i := range len(smoothPlates) - 1 {
		places[fmt.Sprintf("edge %d", i+1)] = pixel.Rect{
			X: plate * (float64(i) + 0.5), Y: start + margin, Width: plate, Height: smoothPlatesEnd - start - 2*margin,
		}
	}
	patch := 1.0 / float64(len(smoothPatches))
	for i, p := range smoothPatches {
		places[p.name] = pixel.Rect{
			X: patch * (float64(i) + 0.2), Y: smoothPlatesEnd + margin, Width: patch * 0.6, Height: 1 - smoothPlatesEnd - 2*margin,
		}
	}
	return places
}
