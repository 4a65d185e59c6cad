package segment

import (
	"math"
	"slices"
	"sync"

	"github.com/chemigram/chemigram/internal/nearest"
	"github.com/chemigram/chemigram/internal/parallel"
	"github.com/chemigram/chemigram/internal/smooth"
)

// nearBorder is how many pixels from the border of a selection a pixel is looked at by
// itself.
const nearBorder = 8

// A Border is what is measured along the border of a selection.
type Border struct {
	// Pixels are those near the border, by their places in the mask.
	Pixels []int

	scene *Scene
	// hard is 1 within the border and 0 without.
	hard Plane
	// depth is how far each pixel lies within the border; without, it is below 0.
	depth Plane
	// inner and outer are the colours within and without.
	inner, outer colours
	// compared are the channels by which a pixel is compared with those within and without:
	// lightness, a*, b* and texture.
	compared [comparedChannels]Plane
	// planes are looked at where a pixel is, and means around it.
	planes []Plane
	means  []meanOf
}

// A meanOf is a mean in a square about a pixel.
type meanOf struct {
	*sums
	radius int
}

const comparedChannels = 4

// colours answer for colours and texture of what lies on one side of a border, within a
// square.
type colours struct {
	weight       *sums
	mean, square [comparedChannels]*sums
}

// Border measures along the border of a selection; likely is how likely each superpixel
// belongs to it.
func (s *Scene) Border(mask Plane, likely []float64) *Border {
	b := &Border{scene: s, hard: make(Plane, len(mask)), depth: make(Plane, len(mask))}
	selected := func(i int) bool { return mask[i] > 0.5 }
	toOuter := nearest.Distances(func(i int) bool { return !selected(i) }, s.Width, s.Height)
	toInner := nearest.Distances(selected, s.Width, s.Height)
	for i := range mask {
		if selected(i) {
			b.hard[i] = 1
			b.depth[i] = float32(toOuter[i] - 0.5)
		} else {
			b.depth[i] = float32(0.5 - toInner[i])
		}
		if b.near(i) {
			b.Pixels = append(b.Pixels, i)
		}
	}
	if len(b.Pixels) == 0 {
		return b
	}
	spread := s.spread(likely)
	b.compared = [comparedChannels]Plane{s.L, s.A, s.B, s.texture}
	b.inner, b.outer = b.colours(1), b.colours(-1)
	var inward, outward Plane
	var work sync.WaitGroup
	work.Go(func() { inward = b.ways(1) })
	work.Go(func() { outward = b.ways(-1) })
	work.Wait()
	b.planes = []Plane{
		mask, b.depth, spread, s.slope, s.L, s.A, s.B,
		s.guided(b.hard, 12, guideVariance), s.guided(b.hard, 3, 0.0001), s.guided(spread, guideRadius, guideVariance),
		inward, outward,
	}
	likelySums, slopeSums := newSums(spread, s.Width, s.Height), s.channels[fine]
	b.means = []meanOf{{likelySums, 4}, {likelySums, 10}, {newSums(b.hard, s.Width, s.Height), 3}, {slopeSums, 2}, {slopeSums, 6}}
	return b
}

// near reports whether a pixel is near the border.
func (b *Border) near(i int) bool { return b.depth[i] <= nearBorder && b.depth[i] >= -nearBorder }

// colours sums what lies on one side of the border, the inner one for 1. What lies on the
// border itself counts little, for it may be on the wrong side.
func (b *Border) colours(side float32) colours {
	const sure = 4 // pixels from the border
	weight := make(Plane, len(b.depth))
	for i, d := range b.depth {
		weight[i] = min(max(side*d, 0), sure) / sure
	}
	c := colours{weight: newSums(weight, b.scene.Width, b.scene.Height)}
	parallel.Do(len(b.compared), func(i int) {
		once := smooth.Product(weight, b.compared[i])
		c.mean[i] = newSums(once, b.scene.Width, b.scene.Height)
		c.square[i] = newSums(smooth.Product(once, b.compared[i]), b.scene.Width, b.scene.Height)
	})
	return c
}

// about are the weight, the means and the variances within a square about a pixel.
func (c *colours) about(x, y, radius int) (weight float64, mean, variance [comparedChannels]float64) {
	around := func(s *sums) float64 { return s.around(x, y, radius) }
	weight = around(c.weight)
	share := 1 / max(weight, 1e-6)
	for i := range c.mean {
		mean[i] = around(c.mean[i]) * share
		variance[i] = max(around(c.square[i])*share-mean[i]*mean[i], 0)
	}
	return weight, mean, variance
}

// around is the mean in a square about a pixel, as far as it lies in the picture.
func (s *sums) around(x, y, radius int) float64 {
	return s.mean(x-radius, y-radius, x+radius+1, y+radius+1)
}

// ways is how long the way to each pixel is from those deep on one side of the border, the
// inner one for 1: a step counts by the colours' difference.
func (b *Border) ways(side float32) Plane {
	const (
		deep    = 5
		longest = 80
		each    = 0.3 // of a pixel's step, beside the difference
	)
	p := b.scene.Picture
	out := make(Plane, len(b.depth))
	for i, d := range b.depth {
		if side*d <= deep {
			out[i] = longest
		}
	}
	// pass goes over all pixels in one direction, and looks back at four neighbours of each.
	pass := func(first, by int) {
		back := [4][2]int{{-by, 0}, {0, -by}, {-by, -by}, {by, -by}}
		for n := range out {
			i := first + by*n
			if out[i] == 0 || !b.near(i) {
				continue
			}
			x, y := i%p.Width, i/p.Width
			for k, step := range back {
				u, v := x+step[0], y+step[1]
				if u < 0 || v < 0 || u >= p.Width || v >= p.Height {
					continue
				}
				far := float32(each)
				if k > 1 {
					far *= math.Sqrt2
				}
				j := v*p.Width + u
				out[i] = min(out[i], out[j]+far+float32(p.difference(i, j)))
			}
		}
	}
	for range 2 {
		pass(0, 1)
		pass(len(out)-1, -1)
	}
	return out
}

// comparedRadii are how far around a pixel those within and without are compared with it.
var comparedRadii = [...]int{8, 20, 50}

// unlikeMost is how unlike a pixel is to what is not there.
const unlikeMost = 100

// Features is what the forest of borders sees of each of these pixels.
func (b *Border) Features(pixels []int) [][]float32 {
	rows := make([][]float32, len(pixels))
	parallel.Do(len(rows), func(n int) { rows[n] = b.features(pixels[n]) })
	return rows
}

func (b *Border) features(i int) []float32 {
	row := make([]float32, 0, 36)
	add := func(values ...float64) {
		for _, v := range values {
			row = append(row, float32(v))
		}
	}
	x, y := i%b.scene.Width, i/b.scene.Width
	for _, plane := range b.planes {
		row = append(row, plane[i])
	}
	for _, m := range b.means {
		add(m.around(x, y, m.radius))
	}
	for _, radius := range comparedRadii {
		within, inMean, inVariance := b.inner.about(x, y, radius)
		without, outMean, outVariance := b.outer.about(x, y, radius)
		const least = 3 // of a variance
		unlikeIn, unlikeOut, unlike := 0.0, 0.0, 0.0
		for c, plane := range b.compared {
			v := float64(plane[i])
			unlikeIn += square(v-inMean[c]) / (inVariance[c] + least)
			unlikeOut += square(v-outMean[c]) / (outVariance[c] + least)
			unlike += square(inMean[c]-outMean[c]) / (inVariance[c] + outVariance[c] + least)
		}
		if within == 0 {
			unlikeIn = unlikeMost
		}
		if without == 0 {
			unlikeOut = unlikeMost
		}
		unlikeIn, unlikeOut = math.Log(unlikeIn+0.1), math.Log(unlikeOut+0.1)
		add(unlikeIn, unlikeOut, unlikeIn-unlikeOut, unlike, within, without)
	}
	return row
}

// Sharp is the selection with each pixel near its border where the forest says that it
// belongs.
func (b *Border) Sharp(forest Forest) Plane {
	out := slices.Clone(b.hard)
	parallel.Do(len(b.Pixels), func(n int) {
		i := b.Pixels[n]
		out[i] = float32(forest.Likelihood(b.features(i)))
	})
	return smooth.Box(out, b.scene.Width, b.scene.Height, 1)
}
