package vocab

import (
	"fmt"
	"testing"

	"github.com/chemigram/chemigram/xmp/iop"
)

// Moves shift one node each: the nodes they do not shift must be there, in
// order, and change nothing.
func TestCurvesStartFlatWithANodeForEachMove(t *testing.T) {
	t.Parallel()
	release, err := iop.ReleaseFor("5.4.1")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		module, curve, count string
		channels, nodes      int
		y                    func(x float64) float64
	}{
		{"colorzones", "curve", "curve_num_nodes", 3, 8, func(float64) float64 { return 0.5 }},
		{"tonecurve", "tonecurve", "tonecurve_nodes", 1, 5, func(x float64) float64 { return x }},
	} {
		modversion, _ := release.Modversion(tt.module)
		p, err := reference(tt.module, modversion)
		if err != nil {
			t.Fatal(err)
		}
		number := func(field string) float64 {
			v, err := p.Get(field)
			if err != nil {
				t.Fatal(err)
			}
			f, _ := v.Float()
			return f
		}
		for channel := range tt.channels {
			if n := number(fmt.Sprintf("%s[%d]", tt.count, channel)); int(n) != tt.nodes {
				t.Errorf("%s: channel %d has %g nodes, want %d", tt.module, channel, n, tt.nodes)
			}
			last := -1.0
			for i := range tt.nodes {
				x, y := number(fmt.Sprintf("%s[%d][%d].x", tt.curve, channel, i)), number(fmt.Sprintf("%s[%d][%d].y", tt.curve, channel, i))
				if x <= last || y != tt.y(x) {
					t.Errorf("%s: node %d of channel %d is at %g, %g after %g", tt.module, i, channel, x, y, last)
				}
				last = x
			}
		}
	}
}
