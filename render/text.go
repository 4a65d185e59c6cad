package render

import (
	"image"
	"image/draw"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// The font is Go Regular, which is free and comes with x/image.
var goRegular = sync.OnceValue(func() *opentype.Font {
	f, err := opentype.Parse(goregular.TTF)
	if err != nil {
		panic(err) // it is part of the program
	}
	return f
})

// newFace is the font in a size that can be read on a picture of that width,
// also when the sheet is shown smaller.
func newFace(width int) font.Face {
	face, err := opentype.NewFace(goRegular(), &opentype.FaceOptions{
		Size: float64(min(max(width/28, 13), 40)), DPI: 72, Hinting: font.HintingFull,
	})
	if err != nil {
		panic(err) // the options are right
	}
	return face
}

// barHeight is the height of a line of words with room around it.
func barHeight(face font.Face) int { return face.Metrics().Height.Ceil() * 3 / 2 }

// drawText puts words into the bar that starts at y, cut to width pixels. It gives
// the x after them.
func drawText(m draw.Image, face font.Face, x, y, width int, words string) int {
	runes := []rune(words)
	for n := len(runes); font.MeasureString(face, words).Ceil() > width && n > 0; {
		n--
		words = string(runes[:n]) + "…"
	}
	metrics := face.Metrics()
	top := (barHeight(face) - metrics.Ascent.Ceil() - metrics.Descent.Ceil()) / 2
	d := font.Drawer{Dst: m, Src: image.NewUniform(textColor), Face: face, Dot: fixed.P(x, y+top+metrics.Ascent.Ceil())}
	d.DrawString(words)
	return d.Dot.X.Ceil()
}
