package segment

import (
	"image"
	"math"
	"slices"
	"sync"

	"github.com/chemigram/chemigram/internal/segment/cnn"
	"github.com/chemigram/chemigram/internal/smooth"
)

// A Scene is a picture with all that the forests look at.
type Scene struct {
	*Picture
	*superpixels
	// short is the picture's shorter side in pixels.
	short float64
	// channels are lightness, a*, b*, and the texture at four sizes, with their sums.
	channels []*sums
	// slope is how steeply the lightness rises or falls, and texture the same, blurred.
	slope, texture Plane
	// areas are two ways to join superpixels into larger regions.
	areas [2]joined
	// unlike is the colour difference of each two superpixels.
	unlike [][]float32
	// learned is what the network makes of each superpixel.
	learned [][]float32
	// things are what the network found.
	things []thing
	// features are what the first forest sees of each superpixel.
	features [][]float32
	// units are what superpixels are compared by, and kin says of each two how alike they
	// are to the network. They are measured when they are asked for.
	units, kin func() [][]float32
}

// joined are the regions that superpixels make.
type joined struct {
	of    []int
	count int
}

// scales of the two ways.
var mergeScales = [2]float64{25, 120}

// NewScene measures a picture, encoded as sRGB, of any size from 16 by 16 pixels.
func NewScene(m image.Image) (*Scene, error) {
	var seen cnn.Seen
	var err error
	var seeing sync.WaitGroup
	seeing.Go(func() { seen, err = cnn.See(m) })
	p := NewPicture(m)
	s := &Scene{Picture: p, superpixels: newSuperpixels(p, superpixelArea), short: float64(min(p.Width, p.Height))}
	for _, plane := range p.planes() {
		s.channels = append(s.channels, newSums(plane, p.Width, p.Height))
	}
	s.unlike = s.differences()
	for i, scale := range mergeScales {
		s.areas[i].of, s.areas[i].count = s.merge(scale)
	}
	s.features = make([][]float32, len(s.size))
	s.addOwn()
	s.addTexture()
	s.addSurroundings()
	s.addWhole()
	s.addSalience()
	s.addAreas()
	if seeing.Wait(); err != nil {
		return nil, err
	}
	s.things = apart(seen.Things)
	s.addLearned(seen.Maps)
	s.units, s.kin = sync.OnceValue(s.measureUnits), sync.OnceValue(s.measureKin)
	return s, nil
}

// Len is how many superpixels there are.
func (s *Scene) Len() int { return len(s.size) }

// Pixels is how many pixels superpixel k has.
func (s *Scene) Pixels(k int) int { return s.size[k] }

// Features is what the first forests see of each superpixel.
func (s *Scene) Features() [][]float32 { return s.features }

// Shares is the mean of a plane in each superpixel.
func (s *Scene) Shares(plane Plane) []float64 { return s.gather(plane) }

// add appends numbers to the features of superpixel k.
func (s *Scene) add(k int, values ...float64) {
	for _, v := range values {
		s.features[k] = append(s.features[k], float32(v))
	}
}

// addOwn adds place and colour.
func (s *Scene) addOwn() {
	lightness2 := s.gather(smooth.Product(s.L, s.L))
	a2, b2 := s.gather(smooth.Product(s.A, s.A)), s.gather(smooth.Product(s.B, s.B))
	for k, m := range s.mean {
		hue := math.Atan2(m[2], m[1])
		s.add(k, s.y[k]/float64(s.Height), math.Abs(s.x[k]/float64(s.Width)-0.5),
			m[0], m[1], m[2], math.Hypot(m[1], m[2]), math.Cos(hue), math.Sin(hue),
			deviation(m[0], lightness2[k]), deviation(0, max(a2[k]-m[1]*m[1], 0)+max(b2[k]-m[2]*m[2], 0)))
	}
}

// deviation is the standard deviation of what has this mean and mean square.
func deviation(mean, square float64) float64 { return math.Sqrt(max(square-mean*mean, 0)) }

// addTexture adds how the lightness rises and falls at several sizes, the colour at
// one, and which way.
func (s *Scene) addTexture() {
	var columns [][]float64
	for size := range 4 {
		plane := s.L
		if size > 0 {
			plane = s.blurred(s.L, 1<<(size-1))
		}
		across, down := s.slopes(plane)
		strength := length(across, down)
		if size == 0 {
			s.slope, s.texture = strength, smooth.Box(strength, s.Width, s.Height, 4)
		}
		s.channels = append(s.channels, newSums(strength, s.Width, s.Height))
		columns = append(columns, s.gather(strength))
		if size < 3 {
			columns = append(columns, s.direction(across, down))
		}
	}
	ax, ay := s.slopes(s.A)
	bx, by := s.slopes(s.B)
	columns = append(columns, s.gather(length(length(ax, ay), length(bx, by))))
	for _, column := range columns {
		for k, v := range column {
			s.add(k, v)
		}
	}
}

// direction is how much more the lightness changes down than across, about each
// superpixel: above 0 for level stripes, as water has.
func (s *Scene) direction(across, down Plane) []float64 {
	x := newSums(smooth.Product(across, across), s.Width, s.Height)
	y := newSums(smooth.Product(down, down), s.Width, s.Height)
	out := make([]float64, len(s.size))
	for k := range out {
		out[k] = math.Log((s.about(y, k, 1.0/12) + 0.05) / (s.about(x, k, 1.0/12) + 0.05))
	}
	return out
}

// about is the mean within a square about a superpixel's centre, whose half side is
// a fraction of the picture's shorter side.
func (s *Scene) about(of *sums, k int, radius float64) float64 {
	return s.box(of, s.x[k]-radius*s.short, s.y[k]-radius*s.short, s.x[k]+radius*s.short, s.y[k]+radius*s.short)
}

func (s *Scene) box(of *sums, x0, y0, x1, y1 float64) float64 {
	return of.mean(int(x0), int(y0), int(x1)+1, int(y1)+1)
}

// fine is the channel of the finest texture.
const fine = 3

// seen are the channels that are looked at around a superpixel.
func (s *Scene) seen() []*sums { return s.channels[:fine+1] }

// addSurroundings adds what lies around: nearby and far, above and below.
func (s *Scene) addSurroundings() {
	for k := range s.size {
		for _, channel := range s.seen() {
			own := s.about(channel, k, 1.0/50)
			for _, radius := range []float64{1.0 / 16, 1.0 / 8, 1.0 / 4} {
				s.add(k, s.about(channel, k, radius))
			}
			wide, high := 0.1*s.short, 0.15*float64(s.Height)
			x, y := s.x[k], s.y[k]
			s.add(k, s.box(channel, x-wide, y-1.6*high, x+wide, y-0.6*high)-own)
			s.add(k, s.box(channel, x-wide, y+0.6*high, x+wide, y+1.6*high)-own)
			s.add(k, s.box(channel, x-wide/3, 0, x+wide/3, y)-own)
			s.add(k, s.box(channel, x-wide/3, y, x+wide/3, float64(s.Height))-own)
			s.add(k, s.box(channel, 0, y-wide/3, float64(s.Width), y+wide/3)-own)
		}
	}
}

// addWhole adds what the whole picture is like, and where the superpixel stands in
// it.
func (s *Scene) addWhole() {
	width, height := float64(s.Width), float64(s.Height)
	var whole, top, bottom []float64
	for _, channel := range s.seen() {
		whole = append(whole, s.box(channel, 0, 0, width, height))
		top = append(top, s.box(channel, 0, 0, width, height/12))
		bottom = append(bottom, s.box(channel, 0, height*11/12, width, height))
	}
	lightness, chroma := make([]float64, len(s.size)), make([]float64, len(s.size))
	for k, m := range s.mean {
		lightness[k], chroma[k] = m[0], math.Hypot(m[1], m[2])
	}
	ranks := [][]float64{ranks(lightness), ranks(chroma), ranks(s.gather(s.texture))}
	spread := deviation(whole[0], s.box(newSums(smooth.Product(s.L, s.L), s.Width, s.Height), 0, 0, width, height))
	for k, m := range s.mean {
		s.add(k, whole...)
		s.add(k, spread)
		s.add(k, top...)
		s.add(k, bottom...)
		for c := range 3 {
			s.add(k, m[c]-whole[c])
		}
		for _, rank := range ranks {
			s.add(k, rank[k])
		}
		s.add(k, distance(m, [3]float64(top)), distance(m, [3]float64(bottom)))
	}
}

// ranks gives the place of each number among all, 0 to 1.
func ranks(values []float64) []float64 {
	sorted := slices.Sorted(slices.Values(values))
	out := make([]float64, len(values))
	for i, v := range values {
		at, _ := slices.BinarySearch(sorted, v)
		out[i] = float64(at) / float64(len(values))
	}
	return out
}

// addSalience adds how much a superpixel stands out, and how far it is from the
// picture's sides, by colour on the way.
func (s *Scene) addSalience() {
	contrast, near := s.contrasts()
	border := s.borderTies()
	against := s.against(border)
	at := func(side func(x, y float64) bool) []float64 {
		return s.geodesic(func(k int) bool { return side(s.x[k], s.y[k]) }, 3)
	}
	edge := math.Sqrt(superpixelArea)
	right, low := float64(s.Width)-edge, float64(s.Height)-edge
	ways := [][]float64{
		at(func(x, y float64) bool { return x < edge || y < edge || x > right || y > low }),
		at(func(_, y float64) bool { return y < edge }),
		at(func(_, y float64) bool { return y > low }),
		at(func(x, _ float64) bool { return x < edge || x > right }),
	}
	for k := range s.size {
		s.add(k, contrast[k], near[k], border[k], against[k])
		for _, way := range ways {
			s.add(k, min(way[k], 1000))
		}
		s.add(k, math.Hypot(s.x[k]/float64(s.Width)-0.5, s.y[k]/float64(s.Height)-0.5))
	}
}

// differences are the colour differences of each two superpixels.
func (s *superpixels) differences() [][]float32 {
	n := len(s.size)
	all := make([]float32, n*n)
	out := make([][]float32, n)
	for k := range out {
		out[k] = all[k*n : (k+1)*n]
		for j := range k {
			d := float32(distance(s.mean[k], s.mean[j]))
			out[k][j], out[j][k] = d, d
		}
	}
	return out
}

// contrasts are the mean colour difference to all superpixels, and to those nearby.
func (s *Scene) contrasts() (whole, near []float64) {
	whole, near = make([]float64, len(s.size)), make([]float64, len(s.size))
	for k := range whole {
		all, nearby, weight, weightNear := 0.0, 0.0, 0.0, 0.0
		for j, size := range s.size {
			d := float64(s.unlike[k][j])
			dx, dy := (s.x[k]-s.x[j])/s.short, (s.y[k]-s.y[j])/s.short
			w := float64(size)
			v := w * falloff((dx*dx+dy*dy)*8)
			all += w * d
			weight += w
			nearby += v * d
			weightNear += v
		}
		whole[k], near[k] = all/weight, nearby/weightNear
	}
	return whole, near
}

// falloff is near to exp(-x), without the cost.
func falloff(x float64) float64 {
	x = 1 + x/4
	x *= x
	return 1 / (x * x)
}

// borderTies is how much of the area of like colour lies along the picture's sides,
// in relation to its size: high for backgrounds (Zhu and others, "Saliency
// Optimization from Robust Background Detection", 2014).
func (s *Scene) borderTies() []float64 {
	edge := math.Sqrt(superpixelArea)
	out := make([]float64, len(s.size))
	for k := range out {
		area, along := 0.0, 0.0
		for j := range s.size {
			w := falloff(square(float64(s.unlike[k][j]) / 12))
			area += w
			if s.x[j] < edge || s.y[j] < edge || s.x[j] > float64(s.Width)-edge || s.y[j] > float64(s.Height)-edge {
				along += w
			}
		}
		out[k] = along / math.Sqrt(area)
	}
	return out
}

func square(x float64) float64 { return x * x }

// against is the contrast with what is background by its ties to the border.
func (s *Scene) against(ties []float64) []float64 {
	out, behind := make([]float64, len(s.size)), make([]float64, len(s.size))
	for k, tie := range ties {
		behind[k] = 1 - falloff(tie*tie)
	}
	for k := range out {
		sum, weight := 0.0, 0.0
		for j := range s.size {
			dx, dy := (s.x[k]-s.x[j])/s.short, (s.y[k]-s.y[j])/s.short
			w := falloff((dx*dx + dy*dy) * 4)
			sum += w * behind[j] * float64(s.unlike[k][j])
			weight += w
		}
		out[k] = sum / weight
	}
	return out
}

// addAreas adds what the larger region of a superpixel is like.
func (s *Scene) addAreas() {
	texture := s.gather(s.texture)
	for _, area := range s.areas {
		regions := s.regions(area, texture)
		for k, r := range area.of {
			s.add(k, regions[r][:]...)
		}
	}
}

// regions measures larger regions: their share of the picture, their box, colour
// and texture, how wide they fill their box, and how much of the four sides they take.
func (s *Scene) regions(area joined, texture []float64) [][14]float64 {
	out := make([][14]float64, area.count)
	for r := range out {
		out[r] = [14]float64{1: 1, 3: 1}
	}
	sides := 0
	for k, r := range area.of {
		o, size := &out[r], float64(s.size[k])
		x, y := s.x[k]/float64(s.Width), s.y[k]/float64(s.Height)
		o[0] += size
		o[1], o[2], o[3], o[4] = min(o[1], y), max(o[2], y), min(o[3], x), max(o[4], x)
		for c := range 3 {
			o[5+c] += size * s.mean[k][c]
		}
		o[8] += size * texture[k]
		edge := math.Sqrt(superpixelArea)
		for i, on := range []bool{s.y[k] < edge, s.y[k] > float64(s.Height)-edge, s.x[k] < edge || s.x[k] > float64(s.Width)-edge} {
			if on {
				o[9+i]++
				sides++
			}
		}
	}
	for r := range out {
		o := &out[r]
		for c := range 4 {
			o[5+c] /= o[0]
		}
		o[0] /= float64(s.Width * s.Height)
		o[12] = o[0] / max((o[2]-o[1]+0.05)*(o[4]-o[3]+0.05), 0.01)
		o[13] = (o[9] + o[10] + o[11]) / float64(max(sides, 1)) / math.Sqrt(o[0]+0.001)
	}
	return out
}
