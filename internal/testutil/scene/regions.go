package scene

import "github.com/chemigram/chemigram/internal/testutil/pixel"

// Regions names places of the [Landscape], in fractions of the picture. Each is
// filled by its one thing.
type Regions struct {
	// Sky is clear and blue.
	Sky pixel.Rect
	// CloudHighlight is sunlit cloud that clips the sensor at the metered
	// exposure.
	CloudHighlight pixel.Rect
	// Mountain is sunlit snow and rock, in the distance's haze.
	Mountain pixel.Rect
	// Foliage is wooded hillside: fine green and autumn-coloured texture.
	Foliage pixel.Rect
	// Water mirrors the mountain.
	Water pixel.Rect
	// Skin is the figure's face, below the eyes.
	Skin pixel.Rect
	// RedCloth is her jacket, saturated red.
	RedCloth pixel.Rect
	// YellowPaint is the boat's hull.
	YellowPaint pixel.Rect
	// GreyStone is the sunlit side of the boulder, neutral to the last bit.
	GreyStone pixel.Rect
	// Grass is the meadow at the lower right: fine edges.
	Grass pixel.Rect
	// DeepShadow is the inside of the cabin, some eight stops below mid-grey.
	DeepShadow pixel.Rect
}

// Regions are where to measure.
func (Landscape) Regions() Regions {
	return Regions{
		Sky:            pixel.Rect{X: 0.68, Y: 0.05, Width: 0.09, Height: 0.06},
		CloudHighlight: pixel.Rect{X: 0.95, Y: 0.19, Width: 0.03, Height: 0.03},
		Mountain:       pixel.Rect{X: 0.58, Y: 0.19, Width: 0.12, Height: 0.08},
		Foliage:        pixel.Rect{X: 0.86, Y: 0.41, Width: 0.13, Height: 0.12},
		Water:          pixel.Rect{X: 0.50, Y: 0.62, Width: 0.20, Height: 0.12},
		Skin:           figureRect(-0.020, 0.900, 0.008, 0.924),
		RedCloth:       figureRect(-0.064, 0.600, -0.028, 0.740),
		YellowPaint:    pixel.Rect{X: 0.47, Y: 0.845, Width: 0.08, Height: 0.025},
		GreyStone:      pixel.Rect{X: 0.690, Y: 0.875, Width: 0.040, Height: 0.045},
		Grass:          pixel.Rect{X: 0.90, Y: 0.93, Width: 0.10, Height: 0.07},
		DeepShadow:     pixel.Rect{X: 0.860, Y: 0.725, Width: 0.028, Height: 0.050},
	}
}

// figureRect is a rectangle between two corners in the figure's own frame.
func figureRect(left, bottom, right, top float64) pixel.Rect {
	return pixel.Rect{
		X:      (figureX + figureHeight*left) / aspect,
		Y:      figureY - figureHeight*top,
		Width:  figureHeight * (right - left) / aspect,
		Height: figureHeight * (top - bottom),
	}
}
