package dng

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// flat is a picture of one colour.
func flat(width, height int, r, g, b float32) Image {
	return Image{Width: width, Height: height, Row: func(_ int, rgb []float32) {
		for x := range width {
			rgb[3*x], rgb[3*x+1], rgb[3*x+2] = r, g, b
		}
	}}
}

func write(t *testing.T, img Image, o Options) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := Write(&buf, img, o); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// tags reads the main directory's numeric fields and the EXIF directory's,
// independently of how the writer lays them out.
func tags(t *testing.T, b []byte) map[uint16][]float64 {
	t.Helper()
	out := map[uint16][]float64{}
	sizes := map[Kind]int{kindByte: 1, kindASCII: 1, kindShort: 2, kindLong: 4, kindRational: 8, kindUndefined: 1, kindSRational: 8}
	read := func(at uint32) {
		n := le.Uint16(b[at:])
		for i := range uint32(n) {
			e := b[at+2+12*i:]
			tag, k, count := le.Uint16(e), Kind(le.Uint16(e[2:])), int(le.Uint32(e[4:]))
			data := e[8:]
			if sizes[k]*count > 4 {
				data = b[le.Uint32(e[8:]):]
			}
			for j := range count {
				switch k {
				case kindByte, kindASCII, kindUndefined:
					out[tag] = append(out[tag], float64(data[j]))
				case kindShort:
					out[tag] = append(out[tag], float64(le.Uint16(data[2*j:])))
				case kindLong:
					out[tag] = append(out[tag], float64(le.Uint32(data[4*j:])))
				case kindRational, kindSRational:
					num, den := int32(le.Uint32(data[8*j:])), int32(le.Uint32(data[8*j+4:]))
					out[tag] = append(out[tag], float64(num)/float64(den))
				default:
					t.Fatalf("tag %#x has unknown type %d", tag, k)
				}
			}
		}
	}
	read(le.Uint32(b[4:]))
	read(uint32(out[0x8769][0]))
	return out
}

// mosaic is the recorded value at a place.
func mosaic(t *testing.T, b []byte, x, y int) float64 {
	t.Helper()
	tg := tags(t, b)
	at := int(tg[0x0111][0]) + 2*(y*int(tg[0x0100][0])+x)
	return float64(le.Uint16(b[at:]))
}

func TestHeaderSaysWhatTheOptionsSay(t *testing.T) {
	t.Parallel()
	o := Options{Orientation: 6, ISO: 800, BlackLevel: 600, WhiteLevel: 16000, FNumber: 2.8, FocalLength: 50, EV: 1}
	got := tags(t, write(t, flat(96, 64, 0, 0, 0), o))
	want := map[uint16][]float64{
		0x0100: {96},
		0x0101: {64},
		0x0112: {6},
		0x0117: {2 * 96 * 64},
		0x828e: {0, 1, 1, 2},
		0x829a: {2 * 2.8 * 2.8 / 256 / 800},
		0x829d: {2.8},
		0x8827: {800},
		0x920a: {50},
		0xc61a: {600},
		0xc61d: {16000},
		0xc621: {0.7830, -0.2150, -0.0580, -0.4480, 1.2290, 0.2450, -0.0830, 0.1930, 0.5910},
		0xc65a: {21},
	}
	approx := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-6 })
	for tag, w := range want {
		if diff := cmp.Diff(w, got[tag], approx); diff != "" {
			t.Errorf("tag %#x (-want +got):\n%s", tag, diff)
		}
	}
}

func TestSameInputGivesSameBytes(t *testing.T) {
	t.Parallel()
	img, o := flat(96, 64, .3, .2, .1), Options{Noise: 1, Seed: 7}
	if !bytes.Equal(write(t, img, o), write(t, img, o)) {
		t.Error("two writes of one picture differ")
	}
	other := o
	other.Seed = 8
	if bytes.Equal(write(t, img, o), write(t, img, other)) {
		t.Error("another seed gave the same noise")
	}
}

func TestNeutralLightIsRecordedAsTheAsShotNeutral(t *testing.T) {
	t.Parallel()
	for _, kelvin := range []float64{0, 4200, 5000, 6504, 9000} {
		b := write(t, flat(96, 64, 0.2, 0.2, 0.2), Options{Kelvin: kelvin})
		asShot := tags(t, b)[0xc628]
		green := mosaic(t, b, 1, 0) - 512
		for i, place := range [][2]int{{0, 0}, {1, 0}, {1, 1}} {
			got := (mosaic(t, b, place[0], place[1]) - 512) / green
			if math.Abs(got-asShot[i]) > 0.001 {
				t.Errorf("%g K: channel %d is recorded at %.4f of green, AsShotNeutral is %.4f", kelvin, i, got, asShot[i])
			}
		}
	}
}

func TestWarmLightIsRecordedWarm(t *testing.T) {
	t.Parallel()
	ratio := func(kelvin float64) float64 {
		b := write(t, flat(96, 64, 0.2, 0.2, 0.2), Options{Kelvin: kelvin, AsShotKelvin: 6504})
		return (mosaic(t, b, 0, 0) - 512) / (mosaic(t, b, 1, 1) - 512)
	}
	if warm, cold := ratio(4200), ratio(9000); warm < 1.5*cold {
		t.Errorf("red to blue is %.3f at 4200 K and %.3f at 9000 K", warm, cold)
	}
}

func TestPatternPlacesTheColours(t *testing.T) {
	t.Parallel()
	// Pure Rec.2020 red records far more in red than in green and blue.
	for pattern, place := range map[Pattern][2]int{RGGB: {0, 0}, BGGR: {1, 1}, GRBG: {1, 0}, GBRG: {0, 1}} {
		b := write(t, flat(96, 64, 0.5, 0, 0), Options{Pattern: pattern})
		for y := range 2 {
			for x := range 2 {
				bright := mosaic(t, b, x, y) > 1000
				if want := x == place[0] && y == place[1]; bright != want {
					t.Errorf("pattern %d at %d,%d: bright is %v", pattern, x, y, bright)
				}
			}
		}
	}
}

func TestLensSpreadsAPoint(t *testing.T) {
	t.Parallel()
	// On a band's edge, where two workers meet, and in the corner.
	for _, at := range [][2]int{{41, bandHeight}, {41, bandHeight - 1}, {0, 0}} {
		img := Image{Width: 96, Height: 2 * bandHeight, Row: func(y int, rgb []float32) {
			clear(rgb)
			if y == at[1] {
				rgb[3*at[0]], rgb[3*at[0]+1], rgb[3*at[0]+2] = 1, 1, 1
			}
		}}
		l := newLens(img)
		for _, y := range []int{at[1], at[1] + 1, at[1] + 2} {
			l.start(y)
			got := l.next()[3*(at[0]+1)+1]
			want := map[int]float32{0: 0.125, 1: 0.0625, 2: 0}[y-at[1]]
			if at[0] == 0 && y == 0 {
				want = 0.1875 // the edge repeats
			}
			if got != want {
				t.Errorf("a point at %v: line %d has %g beside it, want %g", at, y, got, want)
			}
		}
	}
}

func TestExposure(t *testing.T) {
	t.Parallel()
	record := func(light float32, ev float64) float64 {
		return mosaic(t, write(t, flat(64, 64, light, light, light), Options{EV: ev}), 1, 0)
	}
	span := 15872.0 - 512
	for _, tt := range []struct {
		name  string
		light float32
		ev    float64
		want  float64
	}{
		{"darkness is the black level", 0, 0, 512},
		{"mid-grey is Headroom below saturation", MiddleGrey, 0, 512 + span*math.Exp2(-Headroom)},
		{"a stop doubles", MiddleGrey, 1, 512 + 2*span*math.Exp2(-Headroom)},
		{"too much is the white level", 20, 0, 15872},
	} {
		if got := record(tt.light, tt.ev); math.Abs(got-tt.want) > 1 {
			t.Errorf("%s: recorded %g, want %g", tt.name, got, tt.want)
		}
	}
}

func TestNoiseHasThePhotonsVariance(t *testing.T) {
	t.Parallel()
	const n = 128
	for _, iso := range []int{100, 1600} {
		b := write(t, flat(n, n, MiddleGrey, MiddleGrey, MiddleGrey), Options{Noise: 1, ISO: iso})
		var sum, square, count float64
		for y := 0; y < n; y += 2 {
			for x := 1; x < n; x += 2 {
				v := (mosaic(t, b, x, y) - 512) / (15872 - 512)
				sum, square, count = sum+v, square+v*v, count+1
			}
		}
		mean := sum / count
		got := math.Sqrt(square/count - mean*mean)
		well := fullWell * 100 / float64(iso)
		want := math.Sqrt(math.Exp2(-Headroom)/well + readNoise*readNoise/(well*well))
		if math.Abs(got/want-1) > 0.05 {
			t.Errorf("ISO %d: deviation %.5f, want %.5f", iso, got, want)
		}
		if math.Abs(mean-math.Exp2(-Headroom)) > want/10 {
			t.Errorf("ISO %d: noise moved the mean to %.5f", iso, mean)
		}
	}
}

func TestASensorMayClipBelowItsWhiteLevel(t *testing.T) {
	t.Parallel()
	b := write(t, flat(64, 64, 20, 20, 20), Options{Saturation: 0.5})
	if got, want := mosaic(t, b, 1, 0), 512+0.5*(15872-512); got != want {
		t.Errorf("recorded %g, want %g", got, want)
	}
}

func TestHotPixelsAreAsManyAsAskedFor(t *testing.T) {
	t.Parallel()
	const n, share = 512, 0.002
	b := write(t, flat(n, n, 0, 0, 0), Options{HotPixels: share})
	at, hot := int(tags(t, b)[0x0111][0]), 0.0
	for i := range n * n {
		switch v := le.Uint16(b[at+2*i:]); v {
		case 512:
		case 512 + (15872-512)/2:
			hot++
		default:
			t.Fatalf("photosite %d records %d", i, v)
		}
	}
	if want := share * n * n; math.Abs(hot-want) > 4*math.Sqrt(want) {
		t.Errorf("%g hot pixels, want about %g", hot, want)
	}
}

// The file asks for the light that its corners lack.
func TestCornersAreAskedToBeBrightened(t *testing.T) {
	t.Parallel()
	list := tags(t, write(t, flat(64, 64, 1, 1, 1), Options{CornerLight: 0.5}))[0xc74e]
	var bytes []byte
	for _, v := range list {
		bytes = append(bytes, byte(v))
	}
	be := binary.BigEndian
	if len(bytes) != 76 || be.Uint32(bytes) != 1 || be.Uint32(bytes[4:]) != 3 || be.Uint32(bytes[16:]) != 56 {
		t.Fatalf("opcode list %x", bytes)
	}
	if k := math.Float64frombits(be.Uint64(bytes[20:])); k != 1 {
		t.Errorf("the corners are brightened by 1 + %g, want 2", k)
	}
	if _, there := tags(t, write(t, flat(64, 64, 1, 1, 1), Options{}))[0xc74e]; there {
		t.Error("a lens without faults has opcodes")
	}
}

func TestWriteRefuses(t *testing.T) {
	t.Parallel()
	fine := flat(64, 64, 0, 0, 0)
	for name, tt := range map[string]struct {
		img Image
		o   Options
	}{
		"tiny":        {flat(8, 8, 0, 0, 0), Options{}},
		"pattern":     {fine, Options{Pattern: 4}},
		"levels":      {fine, Options{BlackLevel: 9000, WhiteLevel: 8000}},
		"white level": {fine, Options{WhiteLevel: 20000}},
		"orientation": {fine, Options{Orientation: 9}},
		"ISO":         {fine, Options{ISO: -1}},
		"noise":       {fine, Options{Noise: -1}},
		"hot pixels":  {fine, Options{HotPixels: 0.5}},
		"saturation":  {fine, Options{Saturation: 2}},
		"corners":     {fine, Options{CornerLight: 2}},
		"temperature": {fine, Options{Kelvin: 2000}},
		"as-shot":     {fine, Options{AsShotKelvin: 30000}},
		"lens":        {fine, Options{FNumber: -1}},
		"lights":      {fine, Options{Calibrations: 3}},
		"samples":     {fine, Options{Layout: Layout{Samples: 9}}},
		"number":      {fine, Options{Layout: Layout{Number: -1}}},
		"compression": {fine, Options{Layout: Layout{Compression: LosslessJPEG, Number: Float16}}},
		"deflate":     {fine, Options{Layout: Layout{Compression: Deflate}}},
		"tiles":       {fine, Options{Layout: Layout{Tile: 20}}},
		"border":      {fine, Options{Layout: Layout{Masked: 3}}},
		"blacks":      {fine, Options{BlackLevels: [4]uint16{1}, Layout: Layout{Samples: XTrans}}},
	} {
		if err := Write(io.Discard, tt.img, tt.o); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if err := Write(failingWriter{}, fine, Options{}); !errors.Is(err, errDisk) {
		t.Errorf("a failing writer gave %v", err)
	}
}

var errDisk = errors.New("disk full")

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errDisk }

func TestInverseUndoesAMatrix(t *testing.T) {
	t.Parallel()
	got := cameraMatrix.inverse().mul(cameraMatrix)
	if diff := cmp.Diff(diagonal(vec3{1, 1, 1}), got, cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-12 })); diff != "" {
		t.Error(diff)
	}
}

func BenchmarkWrite24Megapixels(b *testing.B) {
	img := flat(6000, 4000, MiddleGrey, MiddleGrey, MiddleGrey)
	b.SetBytes(2 * 6000 * 4000)
	for b.Loop() {
		if err := Write(io.Discard, img, Options{Noise: 1}); err != nil {
			b.Fatal(err)
		}
	}
}

var le = binary.LittleEndian
