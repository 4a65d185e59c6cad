package dng

import (
	"bytes"
	"image/jpeg"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fromLosslessJPEG unpacks what losslessJPEG packs, by the codes that its head tells.
func fromLosslessJPEG(t *testing.T, data []byte, width, components int) (samples []uint16) {
	t.Helper()
	_, scan, _ := bytes.Cut(data, []byte{0xff, 0xda})
	scan = scan[int(scan[1]) : len(scan)-2]
	scan = bytes.ReplaceAll(scan, []byte{0xff, 0}, []byte{0xff})
	at := 0
	read := func(n int) (v uint32) {
		for range n {
			v = v<<1 | uint32(scan[at/8]>>(7-at%8)&1)
			at++
		}
		return v
	}
	height := int(data[7])<<8 | int(data[8])
	for i := range height * width {
		n := int(read(5))
		d := int32(1 << 15)
		if n < 16 {
			if d = int32(read(n)); n > 0 && d>>(n-1) == 0 {
				d -= 1<<n - 1
			}
		}
		before := int32(1 << 15)
		switch {
		case i%width >= components:
			before = int32(samples[i-components])
		case i >= width:
			before = int32(samples[i-width])
		}
		samples = append(samples, uint16(before+d))
	}
	return samples
}

func TestALosslessJPEGHoldsTheSamples(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 1))
	for components := 1; components <= 3; components++ {
		samples := []uint16{0, 0x8000, 0, 0xffff, 0x7fff, 0x8001}
		for len(samples) < 36*6 {
			samples = append(samples, uint16(r.Uint32()>>r.IntN(16)))
		}
		packed := losslessJPEG(samples, 36, components, 16)
		if diff := cmp.Diff(samples, fromLosslessJPEG(t, packed, 36, components)); diff != "" {
			t.Errorf("%d components: %s", components, diff)
		}
	}
}

func TestHalf(t *testing.T) {
	t.Parallel()
	for v, want := range map[float32]uint16{0: 0, -1: 0, 1: 0x3c00, 0.5: 0x3800, 1.0 / 3: 0x3555, 65504: 0x7bff, 1.0 / 16384: 0x0400} {
		if got := half(v); got != want {
			t.Errorf("%g is %#04x, want %#04x", v, got, want)
		}
	}
}

func TestMaskedPixelsRecordBlack(t *testing.T) {
	t.Parallel()
	b := write(t, flat(64, 64, .2, .2, .2), Options{Layout: Layout{Masked: 8, Margin: 4}})
	tg := tags(t, b)
	for tag, want := range map[uint16][]float64{
		0x0100: {88}, 0x0101: {88}, 0xc68d: {8, 8, 80, 80}, 0xc61f: {4, 4}, 0xc620: {64, 64},
	} {
		if diff := cmp.Diff(want, tg[tag]); diff != "" {
			t.Errorf("tag %#x: %s", tag, diff)
		}
	}
	for _, place := range [][2]int{{7, 40}, {80, 40}, {40, 7}, {40, 80}, {0, 0}, {87, 87}} {
		if got := mosaic(t, b, place[0], place[1]); got != 512 {
			t.Errorf("%v records %g", place, got)
		}
	}
	for _, place := range [][2]int{{8, 40}, {79, 40}, {40, 8}, {40, 79}} {
		if got := mosaic(t, b, place[0], place[1]); got <= 512 {
			t.Errorf("%v records %g", place, got)
		}
	}
}

func TestBlackLevelsOfPhotosites(t *testing.T) {
	t.Parallel()
	b := write(t, flat(64, 64, 0, 0, 0), Options{BlackLevels: [4]uint16{0, 10, 20, 30}})
	if diff := cmp.Diff([]float64{512, 522, 532, 542}, tags(t, b)[0xc61a]); diff != "" {
		t.Error(diff)
	}
	for i := range 4 {
		if got, want := mosaic(t, b, i%2, i/2), float64(512+10*i); got != want {
			t.Errorf("photosite %d records %g, want %g", i, got, want)
		}
	}
}

func TestABigEndianFileHasTheSameNumbers(t *testing.T) {
	t.Parallel()
	little, big := write(t, flat(64, 64, .2, .3, .4), Options{}), write(t, flat(64, 64, .2, .3, .4), Options{Layout: Layout{BigEndian: true}})
	if len(little) != len(big) || string(big[:4]) != "MM\x00*" {
		t.Fatalf("%d and %d bytes, %q", len(little), len(big), big[:4])
	}
	at := int(tags(t, little)[0x0111][0])
	for i := at; i < len(little); i += 2 {
		if little[i] != big[i+1] || little[i+1] != big[i] {
			t.Fatalf("at %d: %x and %x", i, little[i:i+2], big[i:i+2])
		}
	}
}

// A preview is a JPEG that others read, and the raw is behind it.
func TestPreviews(t *testing.T) {
	t.Parallel()
	b := write(t, flat(64, 64, .2, .2, .2), Options{Layout: Layout{Previews: true}})
	tg := tags(t, b)
	if diff := cmp.Diff([]float64{1}, tg[0x00fe]); diff != "" || len(tg[0x014a]) != 2 {
		t.Errorf("the main directory is a preview, with two others: %v, %s", tg[0x014a], diff)
	}
	if _, err := jpeg.Decode(bytes.NewReader(b[bytes.LastIndex(b, []byte{0xff, 0xd8}):])); err != nil {
		t.Error(err)
	}
}

func TestMetadataHasNoPicture(t *testing.T) {
	t.Parallel()
	b, err := Metadata(Options{ISO: 400, Tags: []Tag{{GPS, 1, 2, 2, []byte("N\x00")}, {EXIF, 0x8827, 3, 1, []byte{0x20, 3}}}})
	if err != nil {
		t.Fatal(err)
	}
	tg := tags(t, b)
	if tg[0x8827][0] != 800 || tg[0x8825] == nil || tg[0x0111] != nil {
		t.Errorf("%v", tg)
	}
}

// Each camera's file says which it is.
func TestCameras(t *testing.T) {
	t.Parallel()
	for _, c := range Cameras() {
		var b bytes.Buffer
		if err := c.Write(&b, flat(64, 64, .2, .2, .2), Options{}); err != nil {
			t.Error(err)
			continue
		}
		if !bytes.Contains(b.Bytes(), []byte(c.Make+"\x00")) || !bytes.Contains(b.Bytes(), []byte(c.Model+"\x00")) {
			t.Errorf("%s is not named in its file", c.Model)
		}
		if err := c.Write(io.Discard, flat(68, 64, 0, 0, 0), Options{}); err == nil {
			t.Errorf("%s: odd bytes were accepted", c.Model)
		}
	}
}

// A picture in slices has the columns of each slice below one another, and every sample
// once.
func TestSlices(t *testing.T) {
	t.Parallel()
	r := recording{samples: []uint16{1, 2, 3, 4, 5, 11, 12, 13, 14, 15}, width: 5, height: 2}
	want := []uint16{1, 2, 11, 12, 3, 4, 13, 14, 5, 15}
	if diff := cmp.Diff(want, r.sliced(canonSlices{2, 2, 1})); diff != "" {
		t.Error(diff)
	}
	framed := r.framed(frame{1, 2, 3, 4}, 9)
	if framed.width != 9 || framed.height != 8 || framed.samples[2*9+1] != 1 || framed.samples[3*9+5] != 15 || framed.samples[3*9+6] != 9 {
		t.Errorf("%+v", framed)
	}
}
