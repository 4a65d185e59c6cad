package trace

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestOutlinesAreTakenIn(t *testing.T) {
	t.Parallel()
	square := Ring{{0.2, 0.2}, {0.8, 0.2}, {0.8, 0.8}, {0.2, 0.8}}
	tests := []struct {
		name  string
		rings []Ring
		want  []Ring
	}{
		{"a square", []Ring{square}, []Ring{{{0.21, 0.22}, {0.79, 0.22}, {0.79, 0.78}, {0.21, 0.78}}}},
		{
			"the other way round",
			[]Ring{{{0.2, 0.8}, {0.8, 0.8}, {0.8, 0.2}, {0.2, 0.2}}},
			[]Ring{{{0.21, 0.78}, {0.79, 0.78}, {0.79, 0.22}, {0.21, 0.22}}},
		},
		{
			"a hole, which is drawn too",
			[]Ring{square, {{0.4, 0.4}, {0.6, 0.4}, {0.6, 0.6}, {0.4, 0.6}}},
			[]Ring{{{0.21, 0.22}, {0.79, 0.22}, {0.79, 0.78}, {0.21, 0.78}}, {{0.41, 0.42}, {0.59, 0.42}, {0.59, 0.58}, {0.41, 0.58}}},
		},
		{
			"along the picture's sides",
			[]Ring{{{0, 0}, {0.5, 0}, {0.5, 1}, {0, 1}}},
			[]Ring{{{0, 0}, {0.49, 0}, {0.49, 1}, {0, 1}}},
		},
		{
			"a corner on a straight side",
			[]Ring{{{0.2, 0.2}, {0.5, 0.2}, {0.8, 0.2}, {0.8, 0.8}, {0.2, 0.8}}},
			[]Ring{{{0.21, 0.22}, {0.5, 0.22}, {0.79, 0.22}, {0.79, 0.78}, {0.21, 0.78}}},
		},
		{"too thin", []Ring{{{0.2, 0.2}, {0.215, 0.2}, {0.215, 0.8}, {0.2, 0.8}}}, []Ring{{{0.2, 0.2}, {0.215, 0.2}, {0.215, 0.8}, {0.2, 0.8}}}},
	}
	for _, tt := range tests {
		got := Inset(tt.rings, 100, 50, 1)
		if diff := cmp.Diff(tt.want, got, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestASpikeIsNotTakenInWithoutEnd(t *testing.T) {
	t.Parallel()
	spike := Ring{{0.1, 0.5}, {0.9, 0.499}, {0.9, 0.501}, {0.2, 0.9}}
	for i, p := range Inset([]Ring{spike}, 1000, 1000, 1)[0] {
		if d := 1000 * math.Hypot(p[0]-spike[i][0], p[1]-spike[i][1]); d > 3.001 {
			t.Errorf("corner %d moved by %.1f pixels", i, d)
		}
	}
}
