package mask

import (
	"math"
	"testing"
)

func TestAPlaceIsSeenWhereItCameFrom(t *testing.T) {
	t.Parallel()
	f := Frame{Input: Size{300, 200}, Developed: Size{150, 200}, At: func(u, v float64) (x, y float64) {
		return 0.2 + 0.5*v + 0.02*u*v, 0.9 - 0.7*u // turned by 90°, cropped, a little bent
	}}
	for _, place := range [][2]float64{{0, 0}, {0.3, 0.8}, {1, 1}, {1.2, -0.1}} {
		u, v := f.Seen(f.At(place[0], place[1]))
		if math.Hypot(u-place[0], v-place[1]) > 1e-5 {
			t.Errorf("%v is seen at %g, %g", place, u, v)
		}
	}
}
