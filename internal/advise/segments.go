package advise

import (
	"cmp"
	"image"
	"math"
	"slices"
)

// segment is a straight edge of a picture.
type segment struct {
	// x, y is its middle, in pixels from the middle of the picture.
	x, y float64
	// angle from the horizontal, in degrees, -90 to 90; clockwise is positive.
	angle float64
	// length in pixels.
	length float64
	// off is how far its pixels lie from the line, as a root mean square.
	off float64
	// contrast is the mean step across it, in levels of 8 bits for a pixel.
	contrast float64
}

const (
	// edgeSize bounds the longest edge of the pictures in which edges are looked for.
	edgeSize = 1024
	// leastStep is the step of an edge, in levels of 8 bits for a pixel.
	leastStep = 2.5
	// sameEdge is how far the directions of an edge's pixels may lie apart, in degrees.
	sameEdge = 15
)

// edges are the gradients of a picture.
type edges struct {
	width, height int
	step          []float32 // across the edge
	angle         []float32 // of the edge, in degrees, -180 to 180: brighter is to its right
	used          []bool
}

// edgesOf finds at each place the channel with the greatest step.
func edgesOf(m image.Image) *edges {
	planes := planesOf(m, edgeSize)
	for c := range planes {
		planes[c] = planes[c].blur(0.8)
	}
	w, h := planes[0].width, planes[0].height
	e := &edges{w, h, make([]float32, w*h), make([]float32, w*h), make([]bool, w*h)}
	for y := 1; y < h-1; y++ {
		for x := 1; x < w-1; x++ {
			i := y*w + x
			for _, p := range planes {
				dx, dy := (p.at[i+1]-p.at[i-1])/2, (p.at[i+w]-p.at[i-w])/2
				if step := float32(math.Hypot(float64(dx), float64(dy))); step > e.step[i] {
					e.step[i] = step
					e.angle[i] = float32(math.Atan2(float64(-dx), float64(dy)) * 180 / math.Pi)
				}
			}
		}
	}
	return e
}

// segmentsOf finds the straight edges of a picture, the longest first.
func segmentsOf(m image.Image) (found []segment, width, height int) {
	e := edgesOf(m)
	var seeds []int
	for i, step := range e.step {
		if step >= leastStep {
			seeds = append(seeds, i)
		}
	}
	slices.SortStableFunc(seeds, func(a, b int) int { return cmp.Compare(e.step[b], e.step[a]) })
	least := max(0.025*float64(max(e.width, e.height)), 10)
	for _, i := range seeds {
		if e.used[i] {
			continue
		}
		if s, ok := e.line(e.grow(i)); ok && s.length >= least {
			found = append(found, s)
		}
	}
	slices.SortStableFunc(found, func(a, b segment) int { return cmp.Compare(b.length, a.length) })
	return found, e.width, e.height
}

// grow gathers the neighbours of a place whose edges have its direction.
func (e *edges) grow(seed int) []int {
	region := []int{seed}
	e.used[seed] = true
	sin, cos := math.Sincos(float64(e.angle[seed]) * math.Pi / 180)
	for n := 0; n < len(region); n++ {
		x, y := region[n]%e.width, region[n]/e.width
		direction := math.Atan2(sin, cos) * 180 / math.Pi
		for j := max(y-1, 0); j <= min(y+1, e.height-1); j++ {
			for i := max(x-1, 0); i <= min(x+1, e.width-1); i++ {
				at := j*e.width + i
				if e.used[at] || e.step[at] < leastStep || math.Abs(turn(float64(e.angle[at]), direction, 360)) > sameEdge {
					continue
				}
				e.used[at] = true
				region = append(region, at)
				s, c := math.Sincos(float64(e.angle[at]) * math.Pi / 180)
				sin, cos = sin+s, cos+c
			}
		}
	}
	return region
}

// turn is the angle from b to a, of a circle of so many degrees.
func turn(a, b, circle float64) float64 {
	d := math.Mod(a-b, circle)
	if d > circle/2 {
		d -= circle
	} else if d < -circle/2 {
		d += circle
	}
	return d
}

// line fits a line through places, weighted by their steps. It is not ok when they are
// no line.
func (e *edges) line(region []int) (s segment, ok bool) {
	const fewest = 8
	if len(region) < fewest {
		return s, false
	}
	var sum, mx, my float64
	for _, i := range region {
		w := float64(e.step[i])
		sum, mx, my = sum+w, mx+w*float64(i%e.width), my+w*float64(i/e.width)
	}
	mx, my = mx/sum, my/sum
	var xx, xy, yy float64
	for _, i := range region {
		w, dx, dy := float64(e.step[i])/sum, float64(i%e.width)-mx, float64(i/e.width)-my
		xx, xy, yy = xx+w*dx*dx, xy+w*dx*dy, yy+w*dy*dy
	}
	angle := 0.5 * math.Atan2(2*xy, xx-yy)
	sin, cos := math.Sincos(angle)
	from, to := math.Inf(1), math.Inf(-1)
	for _, i := range region {
		along := (float64(i%e.width)-mx)*cos + (float64(i/e.width)-my)*sin
		from, to = min(from, along), max(to, along)
	}
	s = segment{
		x: mx - float64(e.width-1)/2, y: my - float64(e.height-1)/2,
		angle: angle * 180 / math.Pi, length: to - from,
		off:      math.Sqrt(max(xx*sin*sin-2*xy*sin*cos+yy*cos*cos, 0)),
		contrast: sum / float64(len(region)),
	}
	return s, s.length > 6*s.off
}
