package mask

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/internal/testutil"
)

var blendAttributes = regexp.MustCompile(`blendop_version="(\d+)"\s+darktable:blendop_params="([^"]+)"`)

// eachRealBlend runs f on the blend parameters of real sidecars.
func eachRealBlend(t *testing.T, f func(file string, version int, blob []byte)) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(testutil.SharedData(t, "xmp"), "*.xmp"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range blendAttributes.FindAllStringSubmatch(string(data), -1) {
			version, err := strconv.Atoi(m[1])
			if err != nil {
				t.Fatal(err)
			}
			f(filepath.Base(file), version, testutil.UnpackBlob(t, m[2]))
			n++
		}
	}
	if n < 1000 {
		t.Fatalf("only %d blend parameters", n)
	}
}

// A wrong offset shows in the values: opacity beyond 100, an unknown space.
func TestRealBlendParametersAreReadAndKeptByteForByte(t *testing.T) {
	t.Parallel()
	eachRealBlend(t, func(file string, version int, blob []byte) {
		b, err := DecodeBlend(version, blob)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		again, err := b.Encode()
		if err != nil || !bytes.Equal(again, blob) {
			t.Fatalf("%s: version %d: the bytes changed (%v)", file, version, err)
		}
		// One real edit lost the forms of its drawn mask.
		e, _ := errors.AsType[*Error](b.validate())
		if e != nil && (e.Field != "MaskID" || !strings.HasPrefix(file, "0125")) {
			t.Errorf("%s: %v", file, e)
		}
	})
}

// Every version's most frequent blob is the default of its colour space, as
// darktable of that time wrote it.
func TestDefaultsAreThoseOfRealSidecars(t *testing.T) {
	t.Parallel()
	type key struct {
		version int
		space   ColorSpace
	}
	count := map[key]map[string]int{}
	eachRealBlend(t, func(_ string, version int, blob []byte) {
		b, err := DecodeBlend(version, blob)
		if err != nil {
			t.Fatal(err)
		}
		k := key{version, b.ColorSpace}
		if count[k] == nil {
			count[k] = map[string]int{}
		}
		count[k][string(blob)]++
	})
	for k, blobs := range count {
		b, err := NewBlend(k.version, k.space)
		if err != nil {
			t.Fatal(err)
		}
		def, err := b.Encode()
		if err != nil {
			t.Fatal(err)
		}
		total := 0
		for _, n := range blobs {
			total += n
		}
		t.Logf("version %d, space %d: %d of %d are the default", k.version, k.space, blobs[string(def)], total)
		if total >= 20 && blobs[string(def)] == 0 {
			t.Errorf("version %d, space %d: no real entry has these defaults", k.version, k.space)
		}
	}
}

func TestFieldsAreAtTheirPlaces(t *testing.T) {
	t.Parallel()
	b, err := NewBlend(14, ColorSpaceRGBScene)
	if err != nil {
		t.Fatal(err)
	}
	b.MaskMode = Uniform | Drawn | Parametric
	b.Opacity, b.MaskID, b.Channels = 50, 12345, 1<<3|1<<19
	b.Ranges[1] = Range{0.1, 0.2, 0.3, 0.4}
	b.Details, b.RasterInvert = -0.5, 1
	blob, err := b.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if len(blob) != 420 {
		t.Fatalf("%d bytes", len(blob))
	}
	for at, want := range map[int]string{
		0: "07000000", 4: "04000000", 8: "18000000", 16: "00004842", 24: "39300000", 28: "08000800",
		36: "05000000", 52: "000000bf", 56: "01000000", 84: "cdcccc3d", 96: "cdcccc3e", 356: "789ad4c0", 416: "01000000",
	} {
		if got := hex.EncodeToString(blob[at : at+4]); got != want {
			t.Errorf("offset %d: %s, want %s", at, got, want)
		}
	}
	back, err := DecodeBlend(14, blob)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(b, back); diff != "" {
		t.Error(diff)
	}
}

func TestEveryVersionHasItsSize(t *testing.T) {
	t.Parallel()
	for version, want := range map[int]int{4: 276, 5: 300, 6: 300, 7: 300, 8: 316, 9: 348, 10: 420, 11: 420, 12: 420, 13: 420, 14: 420} {
		blob, err := DefaultBlend(version)
		if err != nil || len(blob) != want {
			t.Errorf("version %d: %d bytes, %v; want %d", version, len(blob), err, want)
		}
		if _, err := DecodeBlend(version, blob[1:]); kindOf(err) != SizeMismatch {
			t.Errorf("version %d, one byte less: %v", version, err)
		}
	}
	for _, version := range []int{-1, 0, 3, 15} {
		if _, err := DefaultBlend(version); kindOf(err) != UnknownVersion {
			t.Errorf("version %d: %v", version, err)
		}
	}
}

// What old versions have is read from where the published definitions have it; 4 says by
// the blend mode whether it is on, and by channel 31 whether the parametric mask is.
func TestOldVersionsAreRead(t *testing.T) {
	t.Parallel()
	put := func(blob []byte, at int, v uint32) { binary.LittleEndian.PutUint32(blob[at:], v) }
	for version, offset := range map[int]int{4: -4, 5: 0, 6: 0, 7: 0} {
		blob, err := DefaultBlend(version)
		if err != nil {
			t.Fatal(err)
		}
		put(blob, 4+offset, 5)                         // blend mode
		put(blob, 8+offset, math.Float32bits(40))      // opacity
		put(blob, len(blob)-4, math.Float32bits(0.75)) // the last range's end
		channels := map[int]int{4: 12, 5: 20, 6: 20, 7: 20}[version]
		put(blob, channels, 1<<31|1)
		put(blob, channels+4, math.Float32bits(3)) // radius
		if version > 4 {
			put(blob, 0, 3)
		}
		b, err := DecodeBlend(version, blob)
		limits := map[bool]Limits{true: Uniform | Parametric, false: Uniform | Drawn}[version == 4]
		if err != nil || b.Mode != 5 || b.Opacity != 40 || b.BlurRadius != 3 || b.Channels != 1<<31|1 || b.Ranges[15].High != 0.75 || b.MaskMode != limits {
			t.Errorf("version %d: %+v, %v", version, b, err)
		}
		if again, err := b.Encode(); err != nil || !bytes.Equal(again, blob) {
			t.Errorf("version %d: %v: the bytes changed", version, err)
		}
	}
	off, err := DecodeBlend(4, make([]byte, 276))
	if err != nil || off.MaskMode != 0 {
		t.Errorf("%+v, %v", off, err)
	}
}

func kindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return ""
}

func TestMasksThatDarktableWouldIgnoreAreRefused(t *testing.T) {
	t.Parallel()
	tests := map[string]func(*Blend){
		"ColorSpace":    func(b *Blend) { b.ColorSpace = 5 },
		"Opacity":       func(b *Blend) { b.Opacity = 101 },
		"MaskID":        func(b *Blend) { b.MaskMode = Uniform | Drawn },
		"MaskMode":      func(b *Blend) { b.MaskMode = Parametric },
		"RasterSource":  func(b *Blend) { b.MaskMode = Uniform | Raster },
		"Ranges[2]":     func(b *Blend) { b.Ranges[2] = Range{0.5, 0.4, 1, 1} },
		"FeatherRadius": func(b *Blend) { b.FeatherRadius = -1 },
	}
	for field, change := range tests {
		b, err := NewBlend(14, ColorSpaceRGBScene)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.validate(); err != nil {
			t.Fatal(err)
		}
		change(&b)
		e, ok := errors.AsType[*Error](b.validate())
		if !ok || e.Kind != BadValue || e.Field != field {
			t.Errorf("%s: got %v", field, b.validate())
		}
	}
}

func TestBlendsDifferByField(t *testing.T) {
	t.Parallel()
	a, err := NewBlend(11, ColorSpaceNone)
	if err != nil {
		t.Fatal(err)
	}
	b := a
	b.MaskMode, b.Opacity, b.MaskID = Uniform|Drawn, 50, 7
	b.Ranges[3].Low = 0.25
	var got []string
	for _, d := range Diff(a, b) {
		got = append(got, fmt.Sprintf("%s: %s → %s", d.Name, d.Before, d.After))
	}
	want := []string{"mask_mode: 0 → 3", "opacity: 100 → 50", "mask_id: 0 → 7", "blendif_parameters[3].low: 0 → 0.25"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func FuzzDecodeBlend(f *testing.F) {
	for version := range sizes {
		blob, err := DefaultBlend(version)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(version, blob)
	}
	f.Add(14, bytes.Repeat([]byte{0xff}, 420))
	f.Fuzz(func(t *testing.T, version int, blob []byte) {
		b, err := DecodeBlend(version, blob)
		if err != nil {
			return
		}
		again, err := b.Encode()
		if err != nil || !bytes.Equal(again, blob) {
			t.Fatalf("bytes changed: %v", err)
		}
		if d := Diff(b, b); len(d) > 0 {
			t.Fatalf("differs from itself: %v", d)
		}
		_ = b.validate()
	})
}

func BenchmarkDecodeEncodeBlend(b *testing.B) {
	blob, err := DefaultBlend(14)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		v, err := DecodeBlend(14, blob)
		if err != nil {
			b.Fatal(err)
		}
		if blob, err = v.Encode(); err != nil {
			b.Fatal(err)
		}
	}
}
