package suggest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNearest(t *testing.T) {
	t.Parallel()
	names := []string{"exposure", "contrast", "clarity", "black_and_white", "highlights", "vibrance"}
	for _, tt := range []struct {
		name string
		want []string
	}{
		{"exposrue", []string{"exposure"}},
		{"Exposure", []string{"exposure"}},
		{"contrsat", []string{"contrast"}},
		{"black", []string{"black_and_white"}},
		{"qqqqqq", []string{}},
		{"", []string{}},
		{strings.Repeat("x", 1000), []string{}},
	} {
		if diff := cmp.Diff(tt.want, Nearest(tt.name, names)); diff != "" {
			t.Errorf("Nearest(%q) (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestDistance(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "ab", 2}, {"exposure", "exposure", 0}, {"exposrue", "exposure", 1}, {"tint", "hint", 1}, {"crop", "drop it", 4}} {
		if got := Distance(tt.a, tt.b); got != tt.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
		if Distance(tt.a, tt.b) != Distance(tt.b, tt.a) {
			t.Errorf("Distance(%q, %q) is not symmetric", tt.a, tt.b)
		}
	}
}
