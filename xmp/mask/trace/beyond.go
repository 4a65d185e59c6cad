package trace

// Beyond makes outlines that run along a side of the picture go beyond it, by a
// fraction of the picture: darktable leaves the outermost lines out of a path that
// ends on the side itself.
func Beyond(rings []Ring, by float64) []Ring {
	out := make([]Ring, len(rings))
	for i, ring := range rings {
		out[i] = ring.beyond(by)
	}
	return out
}

// beyond adds corners outside of the picture where the outline reaches a side and
// where it leaves it.
func (r Ring) beyond(by float64) Ring {
	var out Ring
	for i, p := range r {
		far := [2]float64{outside(p[0], by), outside(p[1], by)}
		if far == p {
			out = append(out, p)
			continue
		}
		before, after := sharesSide(p, r[(i+len(r)-1)%len(r)]), sharesSide(p, r[(i+1)%len(r)])
		switch {
		case before && after:
			out = append(out, far)
		case after:
			out = append(out, p, far)
		case before:
			out = append(out, far, p)
		default: // it only touches
			out = append(out, p)
		}
	}
	return out
}

// outside moves a coordinate off the side that it lies on.
func outside(v, by float64) float64 {
	switch v {
	case 0:
		return -by
	case 1:
		return 1 + by
	}
	return v
}

// sharesSide reports whether two corners lie on one side of the picture.
func sharesSide(p, q [2]float64) bool { return onOneSide(p[0], q[0]) || onOneSide(p[1], q[1]) }
