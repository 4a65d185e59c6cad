package render

import (
	"image"
	"image/color"
	"math"
	"slices"

	"golang.org/x/image/draw"
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
// pictures should be alike. Pictures that would make a sheet of more than 40 megapixels
// are shown smaller; see [FitTile].
func Sheet(tiles []Tile, columns int) (image.Image, error) {
	if len(tiles) < 1 || len(tiles) > MaxTiles || columns < 0 {
		return nil, newError("sheet", BadInput, "", "a sheet shows 1 to 36 pictures in 1 or more columns", nil)
	}
	tiles = slices.Clone(tiles)
	var cell image.Point
	for i, t := range tiles {
		t.Picture = FitTile(t.Picture, len(tiles))
		tiles[i] = t
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

// maxSheet is how many pixels the pictures of a sheet have together at most.
const maxSheet = 40_000_000

// FitTile gives a picture so small that n of its size fit on a [Sheet]. One that fits is
// given as it is. A caller who has many large pictures makes each fit before the next is
// read.
func FitTile(m image.Image, n int) image.Image {
	size := m.Bounds().Size()
	most := maxSheet / max(1, n)
	if int64(size.X)*int64(size.Y) <= int64(most) {
		return m
	}
	scale := math.Sqrt(float64(most) / (float64(size.X) * float64(size.Y)))
	small := image.NewRGBA(image.Rect(0, 0, max(1, int(float64(size.X)*scale)), max(1, int(float64(size.Y)*scale))))
	draw.ApproxBiLinear.Scale(small, small.Bounds(), m, m.Bounds(), draw.Src, nil)
	return small
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
