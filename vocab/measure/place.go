package measure

// The regions by place: thirds of the frame, the middle quarter of its edges, and
// its four corners, each an eighth of the edges.
const (
	Top     Region = "top"
	Bottom  Region = "bottom"
	Left    Region = "left"
	Right   Region = "right"
	Centre  Region = "centre"
	Corners Region = "corners"
)

var places = []Region{Top, Bottom, Left, Right, Centre, Corners}

// contains reports whether a pixel of a frame is in a region by place.
func (r Region) contains(x, y, width, height int) bool {
	w, h := max(1, width/8), max(1, height/8)
	switch r {
	case Top:
		return y < height/3
	case Bottom:
		return y >= height-height/3
	case Left:
		return x < width/3
	case Right:
		return x >= width-width/3
	case Centre:
		return x >= 3*w && x < width-3*w && y >= 3*h && y < height-3*h
	case Corners:
		return (x < w || x >= width-w) && (y < h || y >= height-h)
	}
	return false
}

// placeMask marks the pixels of a region by place.
func (r Region) placeMask(p *Picture) []bool {
	mask := make([]bool, len(p.L))
	for i := range mask {
		mask[i] = r.contains(i%p.Width, i/p.Width, p.Width, p.Height)
	}
	return mask
}

// falloff is the mean lightness of a place less that of another.
func (p *Picture) falloff(from, to Region) float64 {
	return mean(p.L, from.placeMask(p)) - mean(p.L, to.placeMask(p))
}
