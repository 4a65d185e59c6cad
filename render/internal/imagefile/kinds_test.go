package imagefile

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// frame is a JPEG up to its frame header, which has so many bits and components; behind is
// another segment.
func frame(marker, bits, components byte, behind ...byte) []byte {
	out := append([]byte{0xff, markerSOI}, behind...)
	// The marker of tables is among those of frames.
	out = append(out, 0xff, 0xc4, 0, 4, 9, 9, 0xff, marker, 0, 8+3*components, bits, 0, 20, 0, 30, components)
	return append(append(out, make([]byte, 3*int(components))...), 0xff, markerSOS, 0, 2)
}

func TestOddJPEGs(t *testing.T) {
	t.Parallel()
	adobe := append([]byte{0xff, markerAPP14, 0, 14}, "Adobe\x00\x64\x00\x00\x00\x00\x02"...)
	for want, all := range map[string][][]byte{
		"":                            {frame(0xc0, 8, 3), frame(0xc2, 8, 1), samples(t)[JPEG], samples(t)[PNG], nil, []byte("\xff\xd8\xff\xc0\x00\x03")},
		"a JPEG in CMYK":              {frame(0xc0, 8, 4)},
		"a JPEG in CMYK, as YCCK":     {frame(0xc0, 8, 4, adobe...)},
		"a JPEG of 12 bits":           {frame(0xc1, 12, 3)},
		"a JPEG of 2 components":      {frame(0xc0, 8, 2)},
		"a lossless JPEG of 16 bits":  {frame(0xc3, 16, 1)},
		"a JPEG in arithmetic coding": {frame(0xc9, 8, 3)},
		"a hierarchical JPEG":         {frame(0xc5, 8, 3)},
	} {
		for _, data := range all {
			if got := OddJPEG(bytes.NewReader(data), int64(len(data))); got != want {
				t.Errorf("% .16x: %q, want %q", data, got, want)
			}
		}
	}
}

// ofCamera is a TIFF that says which camera it is of.
func ofCamera(order binary.AppendByteOrder, maker, model string) []byte {
	out := order.AppendUint32(order.AppendUint16([]byte("II"), 42), 8)
	if order.String() == "BigEndian" {
		copy(out, "MM")
	}
	out = order.AppendUint16(out, 2)
	at := uint32(8 + 2 + 2*12 + 4)
	for tag, text := range []string{maker, model} {
		out = order.AppendUint16(order.AppendUint16(out, uint16(271+tag)), kindText)
		out = order.AppendUint32(order.AppendUint32(out, uint32(len(text)+1)), at)
		at += uint32(len(text) + 1)
	}
	return append(append(order.AppendUint32(out, 0), maker+"\x00"...), model+"\x00"...)
}

func TestTheCameraOfARaw(t *testing.T) {
	t.Parallel()
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		data := ofCamera(order, "FOOCAM ", "FOOCAM X1")
		if maker, model := Camera(bytes.NewReader(data), int64(len(data))); maker != "FOOCAM" || model != "FOOCAM X1" {
			t.Errorf("%v: %q, %q", order, maker, model)
		}
	}
	data := samples(t)[JPEG]
	if maker, model := Camera(bytes.NewReader(data), int64(len(data))); maker != "" || model != "" {
		t.Errorf("a JPEG: %q, %q", maker, model)
	}
}

func FuzzKinds(f *testing.F) {
	f.Add(frame(0xc0, 8, 4))
	f.Add(ofCamera(binary.LittleEndian, "FOOCAM", "X1"))
	f.Fuzz(func(_ *testing.T, data []byte) {
		OddJPEG(bytes.NewReader(data), int64(len(data)))
		Camera(bytes.NewReader(data), int64(len(data)))
	})
}
