package render

import (
	"image"
	"image/color"
	"runtime"
	"slices"
	"testing"
)

// A sheet of 36 pictures of 45 megapixels is made in less than 1 GB: at its peak it has
// the tiles, the sheet, and one picture with what is measured in it.
func TestASheetOf36LargePicturesTakesLessThan1GB(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it scales 45 megapixels")
	}
	large := image.NewYCbCr(image.Rect(0, 0, 8192, 5464), image.YCbCrSubsampleRatio420)
	for i := range large.Y {
		large.Y[i] = uint8(i)
	}
	var before, peak runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	first := FitTile(large, MaxTiles)
	tiles := make([]Tile, MaxTiles)
	for i := range tiles {
		tiles[i] = Tile{Picture: image.NewRGBA(first.Bounds()), Label: "tile"}
	}
	tiles[0].Picture = first
	sheet, err := Sheet(tiles, 0)
	if err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&peak)
	// All that was ever allocated for it, and what one picture takes while it is measured.
	if taken := peak.TotalAlloc - before.TotalAlloc + 8192*5464*6 + uint64(len(large.Y)*3/2); taken > 1<<30 {
		t.Errorf("it takes %d MB", taken>>20)
	}
	if b := sheet.Bounds(); b.Dx()*b.Dy() > 2*maxSheet {
		t.Errorf("the sheet has %v", b)
	}
}

func TestALargeSheetOfLargePicturesShowsThemSmaller(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short: it scales 43 megapixels")
	}
	large := image.NewGray(image.Rect(0, 0, 1300, 920))
	for i := range large.Pix {
		large.Pix[i] = 100
	}
	sheet, err := Sheet(slices.Repeat([]Tile{{large, "a"}}, MaxTiles), 0)
	if err != nil {
		t.Fatal(err)
	}
	b := sheet.Bounds()
	if n := b.Dx() * b.Dy(); n > maxSheet*12/10 || n < maxSheet/2 {
		t.Errorf("the sheet has %v, %d pixels", b, n)
	}
	if c := color.GrayModel.Convert(sheet.At(b.Dx()/12, b.Dy()/10)).(color.Gray); c.Y != 100 {
		t.Errorf("the picture in it has %v", c)
	}
	if small := image.NewGray(image.Rect(0, 0, 100, 100)); FitTile(small, 36) != image.Image(small) {
		t.Error("a picture that fits was scaled")
	}
}
