package dng

// lens is the optical low-pass filter before the sensor: it spreads every point of
// light over its neighbours by 1-2-1 in both directions. Without it, detail finer than
// the Bayer pattern would become false colours that no camera shows.
type lens struct {
	img   Image
	y     int // the line that next returns
	sharp []float32
	soft  [3][]float32 // lines y-1, y, y+1, spread sideways; line k is at k%3
	out   []float32
}

func newLens(img Image) *lens {
	l := &lens{img: img, sharp: make([]float32, 3*img.Width), out: make([]float32, 3*img.Width)}
	for i := range l.soft {
		l.soft[i] = make([]float32, 3*img.Width)
	}
	return l
}

// start makes y the next line.
func (l *lens) start(y int) {
	l.y = y
	l.read(y - 1)
	l.read(y)
}

// next returns a line of light on the sensor, valid until the next call.
func (l *lens) next() []float32 {
	l.read(l.y + 1)
	y := l.y%3 + 3
	a, b, c := l.soft[(y+2)%3], l.soft[y%3], l.soft[(y+1)%3]
	a, c = a[:len(b)], c[:len(b)]
	for i, v := range b {
		l.out[i] = 0.25*(a[i]+c[i]) + 0.5*v
	}
	l.y++
	return l.out
}

// read spreads line y sideways; lines beyond the picture repeat its edge.
func (l *lens) read(y int) {
	l.img.Row(min(max(y, 0), l.img.Height-1), l.sharp)
	dst, src := l.soft[(y%3+3)%3], l.sharp
	last := len(src) - 3
	for i := range 3 {
		dst[i] = 0.75*src[i] + 0.25*src[i+3]
		dst[last+i] = 0.75*src[last+i] + 0.25*src[last+i-3]
	}
	left, right := src[:last-3], src[6:]
	for i, v := range src[3:last] {
		dst[i+3] = 0.25*(left[i]+right[i]) + 0.5*v
	}
}
