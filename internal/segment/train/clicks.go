package main

import (
	"math"
	"math/rand/v2"

	"github.com/chemigram/chemigram/internal/nearest"
	"github.com/chemigram/chemigram/internal/segment"
)

// error regions are where a mask and a region differ.

// nextPoint is what a person would point at next: the middle of the largest place
// where the mask is wrong, that is the pixel of it which lies farthest from what is
// right. ok is false when nothing is wrong.
func nextPoint(mask, region segment.Plane, width, height int) (p segment.Point, ok bool) {
	wrong := func(i int, missing bool) bool {
		in, want := mask[i] > 0.5, region[i] > 0.5
		return in != want && want == missing
	}
	best, bestSize := []int(nil), 0
	bestMissing := false
	for _, missing := range []bool{true, false} {
		seen := make([]bool, len(mask))
		for i := range mask {
			if seen[i] || !wrong(i, missing) {
				continue
			}
			part := []int{i}
			seen[i] = true
			for k := 0; k < len(part); k++ {
				at := part[k]
				for _, j := range beside(at, width, height) {
					if !seen[j] && wrong(j, missing) {
						seen[j] = true
						part = append(part, j)
					}
				}
			}
			if len(part) > bestSize {
				best, bestSize, bestMissing = part, len(part), missing
			}
		}
	}
	if bestSize == 0 {
		return p, false
	}
	i := middle(best, width, height)
	return segment.Point{X: (float64(i%width) + 0.5) / float64(width), Y: (float64(i/width) + 0.5) / float64(height), Keep: bestMissing}, true
}

func beside(i, width, height int) []int {
	out := make([]int, 0, 4)
	if i%width > 0 {
		out = append(out, i-1)
	}
	if i%width < width-1 {
		out = append(out, i+1)
	}
	if i >= width {
		out = append(out, i-width)
	}
	if i/width < height-1 {
		out = append(out, i+width)
	}
	return out
}

// middle is the pixel of a part that lies farthest from all that is not of it, and
// from the picture's sides.
func middle(part []int, width, height int) int {
	w := width + 2
	framed := func(i int) int { return (i/width+1)*w + i%width + 1 }
	in := make([]bool, w*(height+2))
	for _, i := range part {
		in[framed(i)] = true
	}
	far := nearest.Distances(func(i int) bool { return !in[i] }, w, height+2)
	best, at := -1.0, 0
	for _, i := range part {
		if d := far[framed(i)]; d > best {
			best, at = d, i
		}
	}
	return at
}

// common is the intersection of a mask and a region over their union.
func common(mask, region segment.Plane) float64 {
	both, either := 0, 0
	for i := range mask {
		in, want := mask[i] > 0.5, region[i] > 0.5
		if in && want {
			both++
		}
		if in || want {
			either++
		}
	}
	return float64(both) / float64(max(either, 1))
}

// boxOf is the box around a region, made a little larger.
func boxOf(region segment.Plane, width, height int, margin float64) *segment.Box {
	b := segment.Box{Left: 1, Top: 1}
	for i, v := range region {
		if v > 0.5 {
			x, y := float64(i%width), float64(i/width)
			b.Left, b.Right = min(b.Left, x/float64(width)), max(b.Right, (x+1)/float64(width))
			b.Top, b.Bottom = min(b.Top, y/float64(height)), max(b.Bottom, (y+1)/float64(height))
		}
	}
	b.Left, b.Top = max(b.Left-margin, 0), max(b.Top-margin, 0)
	b.Right, b.Bottom = min(b.Right+margin, 1), min(b.Bottom+margin, 1)
	return &b
}

// outlineOf is the outline of the largest part of a region with so many corners, each
// set aside by up to jitter of the frame.
func outlineOf(region segment.Plane, width, height, corners int, jitter float64, rng *rand.Rand) [][2]float64 {
	around := border(region, width, height)
	picked := simplify(around, corners)
	out := make([][2]float64, len(picked))
	for i, p := range picked {
		dx, dy := rng.NormFloat64()*jitter/2, rng.NormFloat64()*jitter/2
		out[i] = [2]float64{
			min(max((p[0]+0.5)/float64(width)+min(max(dx, -jitter), jitter), 0), 1),
			min(max((p[1]+0.5)/float64(height)+min(max(dy, -jitter), jitter), 0), 1),
		}
	}
	return out
}

// border follows the border of the largest part of a region, pixel by pixel.
func border(region segment.Plane, width, height int) [][2]float64 {
	part := largest(region, width, height)
	in := func(x, y int) bool { return x >= 0 && y >= 0 && x < width && y < height && part[y*width+x] }
	start := -1
	for i, v := range part {
		if v {
			start = i
			break
		}
	}
	x0, y0 := start%width, start/width
	// Moore's neighbours, clockwise from the left.
	steps := [8][2]int{{-1, 0}, {-1, -1}, {0, -1}, {1, -1}, {1, 0}, {1, 1}, {0, 1}, {-1, 1}}
	x, y, from := x0, y0, 0
	var out [][2]float64
	for range 4 * (width + height) * 10 {
		out = append(out, [2]float64{float64(x), float64(y)})
		moved := false
		for k := range 8 {
			d := (from + k) % 8
			if nx, ny := x+steps[d][0], y+steps[d][1]; in(nx, ny) {
				x, y, from, moved = nx, ny, (d+5)%8, true
				break
			}
		}
		if !moved || x == x0 && y == y0 && len(out) > 2 {
			break
		}
	}
	return out
}

// largest is the largest connected part of a region.
func largest(region segment.Plane, width, height int) []bool {
	seen := make([]bool, len(region))
	var best []int
	for i, v := range region {
		if v < 0.5 || seen[i] {
			continue
		}
		part := []int{i}
		seen[i] = true
		for k := 0; k < len(part); k++ {
			for _, j := range beside(part[k], width, height) {
				if !seen[j] && region[j] > 0.5 {
					seen[j] = true
					part = append(part, j)
				}
			}
		}
		if len(part) > len(best) {
			best = part
		}
	}
	out := make([]bool, len(region))
	for _, i := range best {
		out[i] = true
	}
	return out
}

// simplify leaves so many corners of a closed outline: it adds the corner farthest
// from what is there, again and again.
func simplify(around [][2]float64, corners int) [][2]float64 {
	if len(around) <= corners {
		return around
	}
	at := []int{0, len(around) / 2}
	for len(at) < corners {
		worst, where, after := -1.0, 0, 0
		for i, a := range at {
			b := at[(i+1)%len(at)]
			if i+1 == len(at) {
				b = len(around)
			}
			p, q := around[a], around[b%len(around)]
			for k := a + 1; k < b; k++ {
				if d := fromLine(around[k], p, q); d > worst {
					worst, where, after = d, k, i
				}
			}
		}
		at = append(at[:after+1], append([]int{where}, at[after+1:]...)...)
	}
	out := make([][2]float64, len(at))
	for i, k := range at {
		out[i] = around[k]
	}
	return out
}

// fromLine is how far p lies from the line through a and b.
func fromLine(p, a, b [2]float64) float64 {
	dx, dy := b[0]-a[0], b[1]-a[1]
	l := math.Hypot(dx, dy)
	if l == 0 {
		return math.Hypot(p[0]-a[0], p[1]-a[1])
	}
	return math.Abs((p[0]-a[0])*dy-(p[1]-a[1])*dx) / l
}
