package render

import (
	"image"
	"image/color"
	"image/draw"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// MaxTiles is how many pictures a [Sheet] can show.
const MaxTiles = 36

var (
	background = color.RGBA{24, 24, 24, 255}
	textColor  = color.RGBA{235, 235, 235, 255}
)

// Tile is a picture on a [Sheet], and the words above it.
type Tile struct {
	Picture image.Image
	Label   string
}

// SideBySide shows two pictures beside each other, labelled.
func SideBySide(a, b Tile) image.Image {
	m, _ := Sheet([]Tile{a, b}, 2)
	return m
}

// Sheet shows 1 to [MaxTiles] pictures in rows of the given number of columns,
// each at its own size under its label; a label that is too long is cut. With
// columns 0 the sheet is as near to a square as can be. The sizes of the
// pictures should be alike.
func Sheet(tiles []Tile, columns int) (image.Image, error) {
	if len(tiles) < 1 || len(tiles) > MaxTiles || columns < 0 {
		return nil, newError("sheet", BadInput, "", "a sheet shows 1 to 36 pictures in 1 or more columns", nil)
	}
	var cell image.Point
	for _, t := range tiles {
		cell.X = max(cell.X, t.Picture.Bounds().Dx())
		cell.Y = max(cell.Y, t.Picture.Bounds().Dy())
	}
	face := newFace(cell.X)
	defer face.Close()
	bar := barHeight(face)
	gap := max(4, bar/4)
	if columns == 0 {
		columns = squarest(len(tiles), cell.Add(image.Pt(gap, bar+gap)))
	}
	columns = min(columns, len(tiles))
	rows := (len(tiles) + columns - 1) / columns

	m := image.NewRGBA(image.Rect(0, 0, columns*cell.X+(columns-1)*gap, rows*(bar+cell.Y)+(rows-1)*gap))
	draw.Draw(m, m.Bounds(), image.NewUniform(background), image.Point{}, draw.Src)
	for i, t := range tiles {
		corner := image.Pt(i%columns*(cell.X+gap), i/columns*(bar+cell.Y+gap))
		drawText(m, face, corner.X+8, corner.Y, cell.X-16, t.Label)
		b := t.Picture.Bounds()
		at := image.Rectangle{Max: b.Size()}.Add(corner).Add(image.Pt((cell.X-b.Dx())/2, bar))
		draw.Draw(m, at, t.Picture, b.Min, draw.Src)
	}
	return m, nil
}

// squarest is the number of columns with which n cells are nearest to a square.
func squarest(n int, cell image.Point) (best int) {
	excess := -1
	for columns := 1; columns <= n; columns++ {
		w, h := columns*cell.X, (n+columns-1)/columns*cell.Y
		if e := max(w, h); excess < 0 || e < excess {
			best, excess = columns, e
		}
	}
	return best
}

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
