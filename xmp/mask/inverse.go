package mask

// Seen is the inverse of At: it gives the place in the developed picture, 0..1 of
// it, of a place in the input. A place that is cropped away lies outside of 0..1,
// about where it would be if the picture went on. It is found by Newton's method.
func (f Frame) Seen(x, y float64) (u, v float64) {
	const steps, tolerance = 20, 1e-7
	u, v = 0.5, 0.5
	for range steps {
		x0, y0 := f.At(u, v)
		l := f.jacobian(float32(u), float32(v)) // in pixels
		dx, dy := (x-x0)*f.Input.Width, (y-y0)*f.Input.Height
		det := l.det()
		if det == 0 {
			break
		}
		du := (dx*l.d - dy*l.b) / det / f.Developed.Width
		dv := (dy*l.a - dx*l.c) / det / f.Developed.Height
		u, v = min(max(u+du, -1), 2), min(max(v+dv, -1), 2)
		if du*du+dv*dv < tolerance*tolerance {
			break
		}
	}
	return u, v
}

// Scale is the factor from lengths at a place of the developed picture, in its
// shorter side, to lengths in the shorter side of the input.
func (f Frame) Scale(u, v float64) float64 { return float64(f.scaleAt(float32(u), float32(v))) }
