package measure

import (
	"cmp"
	"image"
	"math"
	"slices"
)

// noiseBlock is the side of the blocks in which noise is measured, in pixels.
const noiseBlock = 8

// AddedNoise is the noise that a change brought into the calm parts of a picture:
// how much lightness deviates, in blocks of 8 by 8 pixels, from the plane through
// the block and a bend of it, as light has beside a glow, and from what a change of
// contrast, or a mix of the colours, makes of the block's own texture, and at most by how
// much its texture grew: what a blur leaves of noise is none of its own. It is the mean of
// the noisier quarter of those blocks of the part that are among its calmest quarter
// before; where nothing has texture before, of the noisier quarter of all.
func AddedNoise(before, after *Picture, part image.Rectangle) (float64, error) {
	if before.Width != after.Width || before.Height != after.Height {
		return 0, ErrSize
	}
	type block struct{ had, added float64 }
	var blocks []block
	part = part.Intersect(image.Rect(0, 0, before.Width, before.Height))
	for y := part.Min.Y; y+noiseBlock <= part.Max.Y; y += noiseBlock {
		for x := part.Min.X; x+noiseBlock <= part.Max.X; x += noiseBlock {
			own := before.residuals(before.L, x, y)
			is, had := after.residuals(after.L, x, y), deviationOf(own)
			rest := unexplained(is, own, before.residuals(before.A, x, y), before.residuals(before.B, x, y))
			grown := math.Sqrt(max(0, is.dot(is)/float64(len(is))-had*had))
			blocks = append(blocks, block{had, min(rest, grown)})
		}
	}
	if len(blocks) == 0 {
		return math.NaN(), nil
	}
	slices.SortFunc(blocks, func(a, b block) int { return cmp.Compare(a.had, b.had) })
	const even = 0.02 // L*: nothing that a person could call texture
	calm := blocks[:max(1, len(blocks)/4)]
	for len(calm) < len(blocks) && blocks[len(calm)].had < even {
		calm = blocks[:len(calm)+1]
	}
	added := make([]float64, len(calm))
	for i, b := range calm {
		added[i] = b.added
	}
	slices.Sort(added)
	worst := added[len(added)-max(1, len(added)/4):]
	sum := 0.0
	for _, a := range worst {
		sum += a
	}
	return sum / float64(len(worst)), nil
}

// blockValues are the values of a block.
type blockValues [noiseBlock * noiseBlock]float64

// slowly are the slopes and bends of a block, each independent of the others.
var slowly = func() (all [5]blockValues) {
	const half, mean = float64(noiseBlock-1) / 2, float64(noiseBlock*noiseBlock-1) / 12
	for i := range noiseBlock * noiseBlock {
		u, v := float64(i%noiseBlock)-half, float64(i/noiseBlock)-half
		for k, value := range [...]float64{u, v, u * v, u*u - mean, v*v - mean} {
			all[k][i] = value
		}
	}
	return all
}()

// residuals are the values of a block without what changes slowly across it.
func (p *Picture) residuals(channel []float32, x0, y0 int) (r blockValues) {
	mean := 0.0
	for i := range r {
		r[i] = float64(channel[(y0+i/noiseBlock)*p.Width+x0+i%noiseBlock])
		mean += r[i] / float64(len(r))
	}
	for i := range r {
		r[i] -= mean
	}
	for _, s := range slowly {
		r = r.without(s)
	}
	return r
}

func deviationOf(r blockValues) float64 { return math.Sqrt(r.dot(r) / float64(len(r))) }

func (r blockValues) dot(s blockValues) (sum float64) {
	for i := range r {
		sum += r[i] * s[i]
	}
	return sum
}

// without is r without the multiple of s that is nearest to it.
func (r blockValues) without(s blockValues) blockValues {
	const nothing = 1e-9
	if ss := s.dot(s); ss > nothing {
		k := r.dot(s) / ss
		for i := range r {
			r[i] -= k * s[i]
		}
	}
	return r
}

// unexplained is the deviation of q without what can be mixed of the others.
func unexplained(q blockValues, others ...blockValues) float64 {
	for i, p := range others {
		for _, earlier := range others[:i] {
			p = p.without(earlier)
		}
		others[i] = p
		q = q.without(p)
	}
	return deviationOf(q)
}

// Banding is the largest step in a gradient that runs across a part of a picture: how
// much more lightness changes from one column to the next than it does around there.
func (p *Picture) Banding(part image.Rectangle) float64 {
	profile := p.profile(part)
	if len(profile) < 2 {
		return math.NaN()
	}
	const around = 4
	steps := make([]float64, len(profile)-1)
	for i := range steps {
		steps[i] = profile[i+1] - profile[i]
	}
	worst := 0.0
	for i := around; i < len(steps)-around; i++ {
		window := slices.Sorted(slices.Values(steps[i-around : i+around+1]))
		worst = max(worst, math.Abs(steps[i]-window[around]))
	}
	return worst
}

// profile is the mean lightness of each column of a part.
func (p *Picture) profile(part image.Rectangle) []float64 {
	part = part.Intersect(image.Rect(0, 0, p.Width, p.Height))
	if part.Empty() {
		return nil
	}
	profile := make([]float64, part.Dx())
	for i := range profile {
		for y := part.Min.Y; y < part.Max.Y; y++ {
			profile[i] += float64(p.L[y*p.Width+part.Min.X+i])
		}
		profile[i] /= float64(part.Dy())
	}
	return profile
}

// Halo is how far lightness goes too far along an upright edge in the middle of a
// part of a picture: above the lighter side, or below the darker one, against where
// the even half of the side that is away from the edge leads to.
func (p *Picture) Halo(part image.Rectangle) float64 {
	profile := p.profile(part)
	if len(profile) < 16 {
		return math.NaN()
	}
	half := len(profile) / 2
	left := profile[:half]
	right := slices.Clone(profile[len(profile)-half:])
	slices.Reverse(right) // both run towards the edge
	overLeft, underLeft, endLeft := overshoot(left)
	overRight, underRight, endRight := overshoot(right)
	if endLeft < endRight {
		return max(underLeft, overRight)
	}
	return max(overLeft, underRight)
}

// overshoot is how far a profile rises above and falls below the line through its
// first half, in its second, and where the line ends.
func overshoot(profile []float64) (over, under, end float64) {
	n := len(profile) / 2
	var sx, sy, sxx, sxy float64
	for i, l := range profile[:n] {
		x := float64(i)
		sx, sy, sxx, sxy = sx+x, sy+l, sxx+x*x, sxy+x*l
	}
	slope := (float64(n)*sxy - sx*sy) / (float64(n)*sxx - sx*sx)
	start := (sy - slope*sx) / float64(n)
	for i, l := range profile[n:] {
		line := start + slope*float64(n+i)
		over, under = max(over, l-line), max(under, line-l)
	}
	return over, under, start + slope*float64(len(profile))
}

// NewlyClipped is the share of pixels, in percent, of which a channel is at its top
// after a change and was not before: the most of the three channels. Of pictures of
// different frames it is the growth of the share.
func NewlyClipped(before, after *Picture, sameFrame bool) float64 {
	worst := 0.0
	for _, channel := range [...]uint8{1, 2, 4} {
		n := 0.0
		if sameFrame && len(before.tops) == len(after.tops) {
			for i, tops := range after.tops {
				if tops&channel != 0 && before.tops[i]&channel == 0 {
					n++
				}
			}
			n /= float64(len(after.tops))
		} else {
			n = after.topShare(channel) - before.topShare(channel)
		}
		worst = max(worst, 100*n)
	}
	return worst
}

func (p *Picture) topShare(channel uint8) float64 {
	n := 0
	for _, tops := range p.tops {
		if tops&channel != 0 {
			n++
		}
	}
	return float64(n) / float64(max(len(p.tops), 1))
}

// Colour is the mean CIELAB colour of a part of a picture.
func (p *Picture) Colour(part image.Rectangle) (l, a, b float64) {
	part = part.Intersect(image.Rect(0, 0, p.Width, p.Height))
	n := float64(part.Dx() * part.Dy())
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for i := y*p.Width + part.Min.X; i < y*p.Width+part.Max.X; i++ {
			l, a, b = l+float64(p.L[i])/n, a+float64(p.A[i])/n, b+float64(p.B[i])/n
		}
	}
	return l, a, b
}
