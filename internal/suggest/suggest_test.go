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

func TestDistanceCountsASwapOnce(t *testing.T) {
	t.Parallel()
	if got := distance("ab", "ba"); got != 1 {
		t.Errorf("distance(ab, ba) = %d, want 1", got)
	}
	if got := distance("kitten", "sitting"); got != 3 {
		t.Errorf("distance(kitten, sitting) = %d, want 3", got)
	}
}
