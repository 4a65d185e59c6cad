package scene

import "math"

// distances are, for every pixel above the far shore, how far away the visible land
// is, in metres; 0 is sky or water.
type distances struct {
	width, height int
	z             []float32 // column by column
	skyline       []float32 // where the land of a column begins, in pixels from the top
}

// march finds the visible land in every column of a picture, from near to far: of each
// step, what rises above all that is nearer.
func march(width, height int) *distances {
	near, far := hills(), mountains()
	last := min(int(math.Ceil((horizon+0.06)*float64(height))), height)
	d := &distances{width: width, height: last, z: make([]float32, width*last), skyline: make([]float32, width)}
	scale := float64(height)
	growth := 1 + min(0.0018, 1.5/scale)
	parallel(width, func(x int) {
		column := d.z[x*last : (x+1)*last]
		across := ((float64(x)+0.5)/scale - centre) / focal
		top := float64(last)
		previous, previousY := 300.0, math.Inf(1)
		for z := 300.0; z < 10400 && top > 0; z *= growth {
			px := across * z
			var h float64
			if z < 1500 {
				h = near.sample(near.height, px, z)
			} else {
				h = far.sample(far.height, px, z) + 9*crag(px, z)
			}
			y := (horizon - focal*(max(h, 0)-cameraHeight)/z) * scale
			switch {
			case h <= 0:
				// Water hides what is below it in the picture.
				top = min(top, y)
			case y < top:
				// What shows is the slope that rises from the step before.
				from, to := int(math.Ceil(max(y, 0)-0.5)), int(math.Ceil(top-0.5))
				for r := from; r < min(to, last); r++ {
					f := (previousY - float64(r) - 0.5) / (previousY - y)
					if math.IsInf(previousY, 1) {
						f = 1
					}
					column[r] = float32(previous + (z-previous)*clamp01(f))
				}
				top = y
			}
			previous, previousY = z, y
		}
		d.skyline[x] = float32(top)
	})
	return d
}

// crag is the fine relief that the far terrain's grid does not hold.
func crag(x, z float64) float64 {
	v := value(x/31, z/31, 71)
	w := value(x/13, z/13, 72)
	return v + 0.45*w
}
