package imagefile

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/jpeg"
	"slices"
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
	return map[string][]byte{
		"JPEG": j.Bytes(), "JPEG with a thumbnail": withThumbnail,
		"PFM":          append([]byte("PF\n20 12\n-1.0\n"), make([]byte, 4*3*20*12)...),
		"PFM of greys": append([]byte("Pf\n20 12\n-1.0\n"), make([]byte, 4*20*12)...),
		"two pictures": mpf(j.Bytes(), small),
		"boxes":        slices.Concat([]byte("\x00\x00\x00\x10ftypcrx \x00\x00\x00\x01"), []byte("\x00\x00\x02\x08mdat"), make([]byte, 512)),
		"RAF":          raf,
		"TIFF":         tiffWith(func(d []byte) []byte { return d }),
	}
}

// mpf is a file of two JPEGs, of which the first lists the second.
func mpf(first, second []byte) []byte {
	le := binary.LittleEndian
	list := []byte("MPF\x00II*\x00\x08\x00\x00\x00\x01\x00")
	list = le.AppendUint32(le.AppendUint16(le.AppendUint16(list, tagMPEntries), kindUndefined), 32)
	list = append(le.AppendUint32(list, 26), 0, 0, 0, 0)
	at := 2 + 4 + len("MPF\x00") // of the list's own beginning in the file
	size := 2 + 4 + len(list) + 32 + len(first) - 2
	for _, picture := range [][2]int{{size, 0}, {len(second), size - at}} {
		list = append(list, 0, 0, 0, 0)
		list = append(le.AppendUint32(le.AppendUint32(list, uint32(picture[0])), uint32(picture[1])), 0, 0, 0, 0)
	}
	segment := binary.BigEndian.AppendUint16([]byte{0xff, markerAPP2}, uint16(2+len(list)))
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
	for f, data := range samples(t) {
		if isCutShort(data) {
			t.Errorf("a whole %s is taken for cut short", f)
		}
	}
}

// A directory that others lead to lies beyond the end.
func TestALostDirectoryIsTold(t *testing.T) {
	t.Parallel()
	le := binary.LittleEndian
	if next := tiffWith(func(d []byte) []byte { le.PutUint32(d[34:], 100_000); return d }); !isCutShort(next) {
		t.Error("a next directory beyond the end is not told")
	}
}

// What cannot be told is not told.
func TestWhatCannotBeToldIsWhole(t *testing.T) {
	t.Parallel()
	le := binary.LittleEndian
	for name, data := range map[string][]byte{
		"nothing":            nil,
		"a text":             []byte("a text that is longer than a head is"),
		"no lengths":         tiffWith(func(d []byte) []byte { le.PutUint16(d[22:], 999); return d[:60] }),
		"a length of 0":      tiffWith(func(d []byte) []byte { le.PutUint32(d[30:], 0); return d[:60] }),
		"Panasonic's":        tiffWith(func(d []byte) []byte { d[2] = 'U'; return d[:60] }),
		"a directory alone":  tiffWith(func(d []byte) []byte { return d[:30] }),
		"a broken JPEG":      []byte("\xff\xd8\xff\xe0\x00\x04ab and no segment"),
		"a broken PFM":       []byte("PF\nwide high\n-1.0\nabcdefgh"),
		"pictures taken out": mpf(samples(t)[JPEG], samples(t)[JPEG])[:len(mpf(samples(t)[JPEG], nil))],
		"no more pictures":   tiffWith(func(d []byte) []byte { le.PutUint32(d[34:], 0); return d }),
		"odd boxes":          []byte("\x00\x00\x00\x10ftypheic\x00\x00\x00\x01\x00\x00\x02\x08junk"),
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
