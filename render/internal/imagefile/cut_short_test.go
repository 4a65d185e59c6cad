package imagefile

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/jpeg"
	"slices"
	"strings"
	"testing"
)

func isCutShort(data []byte) bool { return IsCutShort(bytes.NewReader(data), int64(len(data))) }

// beginnings are files whose pixels come last, and from where on nothing of these may be
// missing.
func beginnings(t testing.TB) map[string][]byte {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, 200, 120))
	for i := range m.Pix {
		m.Pix[i] = byte(i * i / 7)
	}
	var j bytes.Buffer
	if err := jpeg.Encode(&j, m, &jpeg.Options{Quality: 98}); err != nil {
		t.Fatal(err)
	}
	if bytes.Count(j.Bytes(), []byte{0xff, 0}) == 0 {
		t.Fatal("no byte of ones is in the pixels")
	}
	// A JPEG within the EXIF, which has its own end.
	small := samples(t)[JPEG]
	withThumbnail := slices.Concat([]byte{0xff, 0xd8, 0xff, 0xe1}, binary.BigEndian.AppendUint16(nil, uint16(2+len(small))), small, j.Bytes()[2:])
	raf := append([]byte("FUJIFILMCCD-RAW 0201"), make([]byte, 600)...)
	be := binary.BigEndian
	be.PutUint32(raf[84:], 160)
	be.PutUint32(raf[88:], 40)
	be.PutUint32(raf[100:], 200)
	be.PutUint32(raf[104:], uint32(len(raf)-200))
	// A pixel of four samples, a difference in luma, a run of 62, and 64 pixels of three samples.
	qoi := "qoif\x00\x00\x00\x10\x00\x00\x00\x08\x04\x00\xff\x04\x05\x06\x07\x81\x88\xfd" + strings.Repeat("\xfe\x01\x02\x03", 64)
	return map[string][]byte{
		"QOI":  []byte(qoi),
		"JPEG": j.Bytes(), "JPEG with a thumbnail": withThumbnail, "JPEG before another": severalPictures(j.Bytes(), j.Bytes()),
		"PFM":          append([]byte("PF\n20 12\n-1.0\n"), make([]byte, 4*3*20*12)...),
		"PFM of greys": append([]byte("Pf\n20 12\n-1.0\n"), make([]byte, 4*20*12)...),
		"boxes":        slices.Concat([]byte("\x00\x00\x00\x10ftypcrx \x00\x00\x00\x01"), []byte("\x00\x00\x02\x08mdat"), make([]byte, 512)),
		"RAF":          raf,
		"TIFF":         tiffWith(func(d []byte) []byte { return d }),
	}
}

// severalPictures is a JPEG that lists another one behind it.
func severalPictures(first, second []byte) []byte {
	be := binary.BigEndian
	list := append([]byte(mpfName+"MM\x00*\x00\x00\x00\x08"), 0, 1, 0xb0, 2, 0, kindUndefined)
	list = be.AppendUint32(be.AppendUint32(list, 32), 26)
	list = append(list, 0, 0, 0, 0)
	length := len(first) + 4 + len(list) + 32
	for _, picture := range [][2]int{{length, 0}, {len(second), length - 2 - 4 - len(mpfName)}} { // places count from behind the name
		list = be.AppendUint32(list, 0)
		list = be.AppendUint32(be.AppendUint32(list, uint32(picture[0])), uint32(picture[1]))
		list = append(list, 0, 0, 0, 0)
	}
	segment := be.AppendUint16([]byte{0xff, markerAPP2}, uint16(2+len(list)))
	return slices.Concat(first[:2], segment, list, first[2:], second)
}

// tiffWith is a TIFF of a strip behind its directory, which may be changed.
func tiffWith(change func([]byte) []byte) []byte {
	le := binary.LittleEndian
	out := append([]byte("II*\x00\x08\x00\x00\x00"), 2, 0)
	for _, field := range [][4]uint32{{tagStripOffsets, kindLong, 1, 38}, {tagStripLengths, kindLong, 1, 500}} {
		out = le.AppendUint16(le.AppendUint16(out, uint16(field[0])), uint16(field[1]))
		out = le.AppendUint32(le.AppendUint32(out, field[2]), field[3])
	}
	return change(append(out, make([]byte, 4+500)...))
}

// A file that lacks its end is told, by however little; a whole one never is, with what
// programs add behind it.
func TestWhatIsCutShort(t *testing.T) {
	t.Parallel()
	for name, data := range beginnings(t) {
		for _, whole := range [][]byte{data, append(slices.Clip(data), 0), append(slices.Clip(data), "\xff\xd8\xff\xe0 and another"...)} {
			if isCutShort(whole) {
				t.Errorf("%s: %d bytes are taken for cut short, of %d", name, len(whole), len(data))
			}
		}
		for _, missing := range []int{1, 2, 3, 10, 100, 250} {
			if !isCutShort(data[:len(data)-missing]) {
				t.Errorf("%s: it is not told that %d bytes are missing", name, missing)
			}
		}
	}
	one := samples(t)[JPEG]
	listed := severalPictures(one, one)
	if isCutShort(listed[:len(listed)-len(one)]) {
		t.Error("a JPEG that lists another one, which was taken out, is taken for cut short")
	}
	for f, data := range samples(t) {
		if isCutShort(data) {
			t.Errorf("a whole %s is taken for cut short", f)
		}
	}
}

// A TIFF whose first pictures are there and whose third lies behind its end is cut short,
// and so is one of which a directory in another lies there.
func TestADirectoryBehindTheEndIsTold(t *testing.T) {
	t.Parallel()
	le := binary.LittleEndian
	const length, empty = 2 + 2*12 + 4, 2 + 4
	pages := func(d []byte) []byte {
		at := uint32(len(d))
		le.PutUint32(d[34:], at)
		second := append([]byte(nil), d[8:8+length]...)
		le.PutUint32(second[length-4:], at+length)
		return slices.Concat(d, second, []byte{0, 0, 0, 0, 0, 0}) // the third has no entries
	}
	inner := func(d []byte) []byte {
		le.PutUint16(d[10:], tagSubIFDs)
		le.PutUint32(d[18:], uint32(len(d)))
		return append(d, 0, 0, 0, 0, 0, 0)
	}
	for name, change := range map[string]func([]byte) []byte{"a page": pages, "an inner directory": inner} {
		whole := tiffWith(change)
		if isCutShort(whole) {
			t.Errorf("%s: it is taken for cut short", name)
		}
		if !isCutShort(whole[:len(whole)-empty]) {
			t.Errorf("%s: it is not told that a directory is missing", name)
		}
	}
	// The last directory has no next one, and what begins the file is none.
	large := tiffWith(func(d []byte) []byte { return append(d, make([]byte, 1<<20)...) })
	le.PutUint32(large[2+12*0x4949:], 1<<30)
	if isCutShort(large) {
		t.Error("the beginning of a file is taken for a directory")
	}
	// What an inner directory says of the next may be anything.
	odd := tiffWith(inner)
	le.PutUint32(odd[len(odd)-4:], 1<<30)
	if isCutShort(odd) {
		t.Error("an inner directory's next is taken for missing")
	}
}

// What cannot be told is not told.
func TestWhatCannotBeToldIsWhole(t *testing.T) {
	t.Parallel()
	le := binary.LittleEndian
	for name, data := range map[string][]byte{
		"nothing":           nil,
		"a text":            []byte("a text that is longer than a head is"),
		"no lengths":        tiffWith(func(d []byte) []byte { le.PutUint16(d[22:], 999); return d[:60] }),
		"a length of 0":     tiffWith(func(d []byte) []byte { le.PutUint32(d[30:], 0); return d[:60] }),
		"Panasonic's":       tiffWith(func(d []byte) []byte { d[2] = 'U'; return d[:60] }),
		"a directory alone": tiffWith(func(d []byte) []byte { return d[:30] }),
		"a broken JPEG":     []byte("\xff\xd8\xff\xe0\x00\x04ab and no segment"),
		"a broken PFM":      []byte("PF\nwide high\n-1.0\nabcdefgh"),
		"odd boxes":         []byte("\x00\x00\x00\x10ftypheic\x00\x00\x00\x01\x00\x00\x02\x08junk"),
	} {
		if isCutShort(data) {
			t.Errorf("%s: it is taken for cut short", name)
		}
	}
}

func FuzzIsCutShort(f *testing.F) {
	for _, data := range beginnings(f) {
		f.Add(data)
	}
	f.Fuzz(func(_ *testing.T, data []byte) { isCutShort(data) })
}
