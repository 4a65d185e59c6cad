package render

import (
	"math"
	"testing"

	"github.com/chemigram/chemigram/internal/colour"
)

func TestProfilesAreThoseOfTheirStandards(t *testing.T) {
	t.Parallel()
	// The D50 colorants of sRGB as its ICC profile has them.
	m := SRGB.adaptation().Times(SRGB.toXYZ())
	want := colour.Matrix{{0.4361, 0.3851, 0.1431}, {0.2225, 0.7169, 0.0606}, {0.0139, 0.0971, 0.7142}}
	for i := range m {
		for j := range m[i] {
			if d := m[i][j] - want[i][j]; d > 5e-4 || d < -5e-4 {
				t.Errorf("row %d column %d is %.4f, want %.4f", i, j, m[i][j], want[i][j])
			}
		}
	}
	for _, c := range colorSpaces {
		if c.profile != nil && string(c.profile.ICC()[36:40]) != "acsp" {
			t.Errorf("%s has no ICC signature", c.name)
		}
	}
}

func TestEncodedTurnsLinearRound(t *testing.T) {
	t.Parallel()
	for _, c := range []Curve{sRGBCurve, rec709Curve, rommCurve, adobeRGB.Curve} {
		for i := range 1001 {
			x := float64(i) / 1000
			if back := c.Encoded(c.Linear(x)); math.Abs(back-x) > 5e-4 { // standards round their constants
				t.Errorf("%+v: %g becomes %g", c, x, back)
			}
		}
	}
}
