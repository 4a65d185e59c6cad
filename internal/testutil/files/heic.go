package files

import (
	"bytes"
	_ "embed" // the picture
	"encoding/binary"
	"fmt"
	"io"
	"slices"
)

// landscape is the painted landscape of docs/pictures at 240 × 160 pixels, with the EXIF
// of a phone, as libheif 1.15's heif-enc packs it with a quality of 50.
//
//go:embed testdata/phone.heic
var landscape []byte

// heics are pictures of a phone.
func heics() []File {
	var all []File
	for _, orientation := range []int{1, 3, 6, 8} {
		f := picture("HEIC", "of a phone", "phone.heic", func(w io.Writer) error {
			_, err := w.Write(turnedHEIC(landscape, orientation))
			return err
		})
		f.Width, f.Height, f.Turned = 240, 160, orientation >= 5
		if orientation > 1 {
			f.Kind, f.What, f.Name = "HEIC, orientation", fmt.Sprint(orientation), fmt.Sprintf("turned%d.heic", orientation)
		}
		all = append(all, f)
	}
	return all
}

// turnedHEIC gives the landscape another orientation as phones do: as the property that
// turns it, and in its EXIF.
func turnedHEIC(data []byte, orientation int) []byte {
	if orientation == 1 {
		return data
	}
	// How often it is turned by a quarter, to the left.
	quarters := map[int]byte{3: 2, 6: 3, 8: 1}[orientation]
	be := binary.BigEndian
	out := slices.Clone(data)
	box := func(name string) int { return bytes.Index(out, []byte(name)) - 4 }
	grow := func(name string, n uint32) { at := box(name); be.PutUint32(out[at:], be.Uint32(out[at:])+n) }
	const added = 9 + 1 // the property, and which picture has it

	// Where the contents of both items are: in the second four bytes behind an item's number.
	const itemLength = 18
	for i := range 2 {
		at := box("iloc") + 4 + 4 + 4 + 2 + 2 + i*itemLength + 4
		be.PutUint32(out[at:], be.Uint32(out[at:])+added)
	}
	exif := bytes.LastIndex(out, []byte{0x12, 0x01, 3, 0, 1, 0, 0, 0})
	out[exif+8] = byte(orientation)

	grow("meta", added)
	grow("iprp", added)
	grow("ipco", 9)
	grow("ipma", 1)
	association := box("ipma") + 4 + 4 + 4 + 4 + 2 // how many properties the picture has
	out[association]++
	last := association + int(out[association])
	const fourth, essential = 4, 0x80
	out = slices.Insert(out, last, byte(fourth|essential))
	return slices.Insert(out, box("ipma"), append([]byte{0, 0, 0, 9}, append([]byte("irot"), quarters)...)...)
}
