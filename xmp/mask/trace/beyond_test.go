package trace

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOutlinesGoBeyondTheSidesThatTheyReach(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ ring, want Ring }{
		"inside":   {Ring{{0.2, 0.2}, {0.8, 0.2}, {0.5, 0.8}}, Ring{{0.2, 0.2}, {0.8, 0.2}, {0.5, 0.8}}},
		"whole":    {Ring{{0, 0}, {1, 0}, {1, 1}, {0, 1}}, Ring{{-0.1, -0.1}, {1.1, -0.1}, {1.1, 1.1}, {-0.1, 1.1}}},
		"touching": {Ring{{0.5, 0}, {0.8, 0.5}, {0.2, 0.5}}, Ring{{0.5, 0}, {0.8, 0.5}, {0.2, 0.5}}},
		"upper half": {
			Ring{{0, 0}, {1, 0}, {1, 0.5}, {0, 0.5}},
			Ring{{-0.1, -0.1}, {1.1, -0.1}, {1.1, 0.5}, {1, 0.5}, {0, 0.5}, {-0.1, 0.5}},
		},
	} {
		got := Beyond([]Ring{tt.ring}, 0.1)
		if diff := cmp.Diff([]Ring{tt.want}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
