package nearest

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The distance is the one that is found by looking at every pixel.
func TestDistanceToTheNearest(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for _, size := range [][2]int{{17, 9}, {1, 12}, {30, 1}, {1, 1}} {
		width, height := size[0], size[1]
		for _, share := range []float64{0, 0.02, 0.3, 1} {
			asked := make([]bool, width*height)
			for i := range asked {
				asked[i] = r.Float64() < share
			}
			got := Distances(func(i int) bool { return asked[i] }, width, height)
			for i, d := range got {
				want := math.Inf(1)
				for j, there := range asked {
					if there {
						want = min(want, math.Hypot(float64(i%width-j%width), float64(i/width-j/width)))
					}
				}
				if d != want && math.Abs(d-want) > 1e-9 {
					t.Fatalf("%d by %d, %g asked for: pixel %d is %g away, want %g", width, height, share, i, d, want)
				}
			}
		}
	}
}
