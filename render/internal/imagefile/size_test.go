package imagefile

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/gif"
	"testing"

	"golang.org/x/image/bmp"
)

// sized are the heads of pictures of 30 by 20 pixels.
func sized(t testing.TB) map[string][]byte {
	t.Helper()
	var g, b bytes.Buffer
	m := image.NewPaletted(image.Rect(0, 0, 30, 20), color.Palette{image.Black.C, image.White.C})
	if err := gif.Encode(&g, m, nil); err != nil {
		t.Fatal(err)
	}
	if err := bmp.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	qoi := append([]byte("qoif"), 0, 0, 0, 30, 0, 0, 0, 20, 3, 0)
	exr := append([]byte("v/1\x01\x02\x00\x00\x00"), "dataWindow\x00box2i\x00\x10\x00\x00\x00"...)
	for _, v := range []int32{-1, 5, 28, 24} {
		exr = binary.LittleEndian.AppendUint32(exr, uint32(v))
	}
	return map[string][]byte{
		"PBM": []byte("P1\n30 20\n0 1"), "PGM": []byte("P5\n# a comment 7 7\n30 20\n255\n"), "PPM": []byte("P6 30 20 65535\n"),
		"PPM, word by word": []byte("P6\n30 # wide\n# more\n20\n255\n"), "PFM": []byte("PF\n30 20\n-1.0\n"), "PFM of greys": []byte("Pf\r\n30 20\r\n-1.0\n"),
		"PNM": []byte("P4\n30\n20\n"), "PAM": []byte("P7\nWIDTH 30\nHEIGHT 20\nDEPTH 3\nMAXVAL 255\nENDHDR\n"),
		"HDR": []byte("#?RADIANCE\n# a comment\nFORMAT=32-bit_rle_rgbe\n\n-Y 20 +X 30\n"), "HDR of columns": []byte("#?RGBE\nGAMMA=1\n\n+X 30 -Y 20\n"),
		"EXR": exr, "JXL": append([]byte("\xff\x0a"), jxlHead(30, 20)...), "QOI": qoi, "GIF": g.Bytes(), "BMP": b.Bytes(),
	}
}

// jxlHead is a SizeHeader of a picture that is no multiple of eight, with much behind it.
func jxlHead(w, h int) []byte {
	bits := uint64(0) | 0<<1 | uint64(h-1)<<3 | 0<<12 | 0<<15 | uint64(w-1)<<17
	return append(binary.LittleEndian.AppendUint64(nil, bits), 0, 0, 0)
}

func TestSizesAreReadFromTheBeginning(t *testing.T) {
	t.Parallel()
	for name, data := range sized(t) {
		if w, h := Size(bytes.NewReader(data), int64(len(data))); w != 30 || h != 20 {
			t.Errorf("%s: %d by %d pixels, want 30 by 20", name, w, h)
		}
	}
	for name, data := range map[string]string{
		"nothing": "", "a text": "Portrait of a lady", "no numbers": "P6\nwide high\n255\n", "negative": "P5\n-30 20\n255\n",
		"too large": "qoif\xff\xff\xff\xff\xff\xff\xff\xff\x03\x00", "no end": "#?RADIANCE\nFORMAT=", "one number": "P6\n30",
	} {
		if w, h := Size(bytes.NewReader([]byte(data)), int64(len(data))); w != 0 || h != 0 {
			t.Errorf("%s: %d by %d pixels", name, w, h)
		}
	}
}

// Whatever a file says, its size is one that a picture may have, or none.
func FuzzSize(f *testing.F) {
	for _, data := range sized(f) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		w, h := Size(bytes.NewReader(data), int64(len(data)))
		if (w == 0) != (h == 0) || min(w, h) < 0 || max(w, h) > mostPixels {
			t.Errorf("%d by %d pixels", w, h)
		}
	})
}
