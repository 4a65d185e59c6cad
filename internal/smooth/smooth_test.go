package smooth

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The mean within a square is the one that is counted, at the sides, too, and where the
// square is larger than the picture.
func TestBoxIsTheMeanOfASquare(t *testing.T) {
	t.Parallel()
	const width, height = 13, 7
	r := rand.New(rand.NewPCG(1, 2))
	plane := make([]float64, width*height)
	for i := range plane {
		plane[i] = r.Float64()
	}
	for _, radius := range []int{0, 1, 3, 6, 20} {
		got := Box(plane, width, height, radius)
		for i, v := range got {
			sum, n := 0.0, 0.0
			for j, w := range plane {
				if abs(i%width-j%width) <= radius && abs(i/width-j/width) <= radius {
					sum, n = sum+w, n+1
				}
			}
			if math.Abs(v-sum/n) > 1e-12 {
				t.Fatalf("radius %d, pixel %d: %v, want %v", radius, i, v, sum/n)
			}
		}
	}
}

func abs(n int) int { return max(n, -n) }

// A mask with a hard edge beside the picture's moves there; in an even picture it is
// smoothed.
func TestGuidedMovesAMaskToTheEdge(t *testing.T) {
	t.Parallel()
	const width, height, edge = 40, 20, 20
	var even, halves [3][]float32
	mask := make([]float32, width*height)
	for c := range even {
		even[c], halves[c] = make([]float32, width*height), make([]float32, width*height)
	}
	for i := range mask {
		if i%width >= edge-2 {
			mask[i] = 1
		}
		if i%width >= edge {
			halves[1][i] = 1 // one channel alone has the edge
		}
	}
	at := func(mask []float32, x int) float32 { return mask[height/2*width+x] }
	led := Guided(mask, halves, width, height, 6, 1e-4)
	if before, behind := at(led, edge-1), at(led, edge); before > 0.5 || behind < 0.95 {
		t.Errorf("%.2f before the picture's edge, and %.2f behind it", before, behind)
	}
	smoothed := Guided(mask, even, width, height, 6, 1e-4)
	if v := at(smoothed, edge-2); v < 0.3 || v > 0.7 {
		t.Errorf("%.2f at the mask's edge in an even picture", v)
	}
	for i, v := range led {
		if v < 0 || v > 1 {
			t.Fatalf("pixel %d: %v", i, v)
		}
	}
}
