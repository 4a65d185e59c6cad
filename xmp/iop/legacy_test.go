package iop

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
)

// Layouts that only old edits have are read by name, at the offsets of the published
// definitions, and kept byte for byte.
func TestOldFormsAreRead(t *testing.T) {
	testutil.SkipShort(t)
	t.Parallel()
	for _, c := range []struct {
		op               string
		modversion, size int
		field            string
		offset           int
	}{
		{"tonecurve", 4, 516, "tonecurve_unbound_ab", 512},
		{"basecurve", 5, 516, "exposure_bias", 512},
		{"crop", 2, 28, "ch", 12},
		{"crop", 2, 28, "ratio_d", 20},
		{"colorout", 4, 108, "intent", 104},
		{"colorzones", 3, 200, "equalizer_x[1][7]", 4 + 4*15},
		{"colorzones", 3, 200, "equalizer_y[2][0]", 100 + 4*16},
		{"colorzones", 3, 200, "strength", 196},
		{"bilat", 1, 12, "sigma_r", 0},
		{"bilat", 1, 12, "detail", 8},
		{"bilat", 2, 16, "detail", 12},
		{"retouch", 2, 13256, "fill_brightness", 13252},
		{"filmicrgb", 1, 52, "grey_point_source", 0},
		{"filmicrgb", 1, 52, "balance", 44},
		{"filmicrgb", 1, 52, "preserve_color", 48},
		{"diffuse", 1, 56, "fourth", 52},
		{"denoiseprofile", 1, 36, "mode", 32},
		{"denoiseprofile", 3, 36, "b[2]", 28},
		{"denoiseprofile", 4, 196, "y[3][4]", 192},
		{"denoiseprofile", 5, 200, "nbhood", 4},
		{"denoiseprofile", 6, 204, "scattering", 12},
		{"denoiseprofile", 7, 216, "fix_anscombe_and_nlmeans_norm", 212},
		{"denoiseprofile", 8, 232, "x[0][4]", 76},
		{"denoiseprofile", 8, 232, "use_new_vst", 228},
		{"denoiseprofile", 9, 408, "y[0][0]", 228},
		{"vibrancergb", 1, 4, "amount", 0},
	} {
		blob := make([]byte, c.size)
		p, err := Decode(c.op, c.modversion, blob)
		if err != nil {
			t.Errorf("%s %d: %v", c.op, c.modversion, err)
			continue
		}
		at := p.layout.size
		for changed := 0; changed < c.size; changed += 4 {
			other := bytes.Clone(blob)
			binary.LittleEndian.PutUint32(other[changed:], math.Float32bits(1))
			q, err := Decode(c.op, c.modversion, other)
			if err != nil || !bytes.Equal(q.Encode(), other) {
				t.Fatalf("%s %d: %v: other bytes", c.op, c.modversion, err)
			}
			for _, d := range Diff(p, q) {
				if d.Name == c.field {
					at = changed
				}
			}
		}
		if at != c.offset {
			t.Errorf("%s of %s %d is at %d, want %d", c.field, c.op, c.modversion, at, c.offset)
		}
		if _, err := Decode(c.op, c.modversion, blob[1:]); err == nil {
			t.Errorf("%s %d is read of %d bytes", c.op, c.modversion, c.size-1)
		}
	}
}

func TestRowsOfOldFormsThatCannotBe(t *testing.T) {
	t.Parallel()
	list, err := readLayouts("crop", "tables/layouts/crop.txt", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, rows := range []string{
		"aligned bool @24 =0",
		"prefix 2 of 3 bytes=28\naligned bool @26 =0",
		"prefix 2 of 3 bytes=24\naligned bool @24 =0",
		"prefix 2 of 9 bytes=24",
	} {
		if _, err := parseLegacy("crop", rows, list); err == nil {
			t.Errorf("%q is taken", rows)
		}
	}
}
