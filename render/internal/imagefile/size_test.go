package imagefile

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"
)

func sizeOf(data []byte) [2]int {
	w, h := Size(bytes.NewReader(data), int64(len(data)))
	return [2]int{w, h}
}

// heads are heads of pictures of 20 × 12.
func heads() map[string]string {
	return map[string]string{
		"PBM":              "P4 20 12\n",
		"PBM as a text":    "P1\n20 12\n0 1 1",
		"PGM":              "P5\n20 12\n255\n",
		"PPM":              "P6\n20 12\n65535\n",
		"comments":         "P6 # of 1 2\n# 3 4\n 20\t# 5 6\r\n12\n255\n",
		"PFM":              "PF\n20 12\n-1.0\n",
		"PFM of greys":     "Pf\n20 12\n1e3\n",
		"Radiance":         "#?RADIANCE\n# -Y 1 +X 2\nFORMAT=32-bit_rle_rgbe\nEXPOSURE=1.0\n\n-Y 12 +X 20\n",
		"Radiance, turned": "#?RGBE\n\n+X 20 -Y 12\n",
		"QOI":              "qoif\x00\x00\x00\x14\x00\x00\x00\x0c\x03\x00",
	}
}

// Size reads what a head says, whether the rest is there or not.
func TestSizeIsReadFromTheHead(t *testing.T) {
	t.Parallel()
	for name, head := range heads() {
		for _, data := range []string{head + "\x00", head + string(make([]byte, 1<<17))} {
			if got := sizeOf([]byte(data)); got != [2]int{20, 12} {
				t.Errorf("%s: %v", name, got)
			}
		}
	}
	for f, data := range samples(t) {
		want := f != TIFF && f != AVIF // which may hold several pictures
		if got := sizeOf(data); (got[0] == 20 && (got[1] == 12 || got[1] == 13)) != want {
			t.Errorf("%s: %v", f, got)
		}
	}
}

// exrWindow is the head of an EXR whose pixels lie in a window, behind a text that looks
// like it.
func exrWindow(window ...int32) []byte {
	attribute := func(name, kind string, value []byte) []byte {
		out := append(append([]byte(name), 0), append([]byte(kind), 0)...)
		return append(binary.LittleEndian.AppendUint32(out, uint32(len(value))), value...)
	}
	box := func(corners ...int32) (out []byte) {
		for _, c := range corners {
			out = binary.LittleEndian.AppendUint32(out, uint32(c))
		}
		return out
	}
	return slices.Concat([]byte("v/1\x01\x02\x00\x00\x00"),
		attribute("comments", "string", attribute("dataWindow", "box2i", box(0, 0, 4, 4))),
		attribute("dataWindow", "box2i", box(window...)),
		attribute("displayWindow", "box2i", box(0, 0, 99, 99)), []byte{0})
}

func TestSizeOfAnEXRIsThatOfItsData(t *testing.T) {
	t.Parallel()
	if got := sizeOf(exrWindow(-10, -2, 9, 9)); got != [2]int{20, 12} {
		t.Errorf("%v", got)
	}
}

// What has no size, or an impossible one, has none.
func TestWhatSaysNoSizeHasNone(t *testing.T) {
	t.Parallel()
	for name, data := range map[string][]byte{
		"nothing":              nil,
		"a text":               []byte("P5 is a name"),
		"words":                []byte("P6\nwide high\n255\n"),
		"a PGM of 0":           []byte("P5\n0 12\n255\n\x00"),
		"a PGM below 0":        []byte("P5\n-20 12\n255\n\x00"),
		"a PGM beyond numbers": []byte("P5\n99999999999999999999 12\n255\n\x00"),
		"half a head":          []byte("P5\n20 12"),
		"a Radiance of 0":      []byte("#?RADIANCE\n\n-Y 0 +X 20\n"),
		"a Radiance that ends": []byte("#?RADIANCE\n\n-Y 12 +X"),
		"a QOI of 0":           []byte("qoif\x00\x00\x00\x14\x00\x00\x00\x00\x03\x00"),
		"an EXR inside out":    exrWindow(9, 9, -10, -2),
		"an EXR that ends":     exrWindow(0, 0, 19, 11)[:100],
	} {
		if got := sizeOf(data); got != [2]int{} {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func FuzzSize(f *testing.F) {
	for _, head := range heads() {
		f.Add([]byte(head))
	}
	f.Add(exrWindow(-10, -2, 9, 9))
	f.Fuzz(func(t *testing.T, data []byte) {
		if got := sizeOf(data); (got[0] == 0) != (got[1] == 0) || got[0] < 0 || got[1] < 0 {
			t.Errorf("%v", got)
		}
	})
}
