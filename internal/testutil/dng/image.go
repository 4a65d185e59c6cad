package dng

// MiddleGrey is the scene value of an 18 % grey surface.
const MiddleGrey = 0.1845

// Image is a picture in scene-referred linear Rec.2020 (D65 white), not clipped. 1 is
// a perfectly white surface, [MiddleGrey] a mid-grey one; light sources are above 1.
type Image struct {
	// Width and Height are in pixels, both even and at least 64.
	Width, Height int
	// Row fills rgb with line y, counted from the top: Width times red, green,
	// blue. It is called from several goroutines, and more than once for some
	// lines.
	Row func(y int, rgb []float32)
}
