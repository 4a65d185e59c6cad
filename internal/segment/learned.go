package segment

import (
	"math"
	"slices"

	"github.com/chemigram/chemigram/internal/parallel"
	"github.com/chemigram/chemigram/internal/segment/cnn"
)

// addLearned adds what the network makes of each superpixel.
func (s *Scene) addLearned(maps []cnn.Map) {
	own := len(s.features[0])
	for _, m := range maps {
		for k, means := range s.means(m) {
			s.features[k] = append(s.features[k], means...)
		}
	}
	s.learned = make([][]float32, len(s.size))
	for k, row := range s.features {
		s.learned[k] = row[own:]
	}
}

// means are the means of a map in each superpixel, of every third pixel across and down and
// of its centre.
func (s *Scene) means(m cnn.Map) [][]float32 {
	shares, count := make([][]share, len(s.size)), make([]float32, len(s.size))
	add := func(k, x, y int) {
		u, right := cnn.Between(x, s.Width, m.Width)
		v, down := cnn.Between(y, s.Height, m.Height)
		count[k]++
		for i, weight := range [4]float32{(1 - right) * (1 - down), right * (1 - down), (1 - right) * down, right * down} {
			place := (v+i/2)*m.Width + u + i%2
			at := slices.IndexFunc(shares[k], func(s share) bool { return s.place == place })
			if at < 0 {
				at = len(shares[k])
				shares[k] = append(shares[k], share{place: place})
			}
			shares[k][at].weight += weight
		}
	}
	for k := range shares {
		add(k, int(s.x[k]), int(s.y[k]))
	}
	for y := 1; y < s.Height; y += 3 {
		for x := 1; x < s.Width; x += 3 {
			add(int(s.of[y*s.Width+x]), x, y)
		}
	}
	out := make([][]float32, len(s.size))
	for k := range out {
		out[k] = make([]float32, m.Channels)
		for _, s := range shares[k] {
			weight := s.weight / count[k]
			for c, value := range m.Values[s.place*m.Channels:][:m.Channels] {
				out[k][c] += weight * value
			}
		}
	}
	return out
}

// A share is how much a place of a map counts in a superpixel.
type share struct {
	place  int
	weight float32
}

// kinChannels are those of the finer maps, by which superpixels are compared.
const kinChannels = cnn.Channels - 512

// measureUnits gives what the network makes of each superpixel, less what it makes of the
// picture, as vectors of length 1. The product of two of them, from -1 to 1, says how alike
// two superpixels are to the network.
func (s *Scene) measureUnits() [][]float32 {
	mean := make([]float32, kinChannels)
	for _, learned := range s.learned {
		for c := range mean {
			mean[c] += learned[c] / float32(len(s.learned))
		}
	}
	units := make([][]float32, len(s.learned))
	for k, learned := range s.learned {
		units[k] = make([]float32, kinChannels)
		length := 1e-9
		for c, m := range mean {
			units[k][c] = learned[c] - m
			length += float64(units[k][c]) * float64(units[k][c])
		}
		for c := range units[k] {
			units[k][c] /= float32(math.Sqrt(length))
		}
	}
	return units
}

// kinTo says how alike each superpixel is to another.
func (s *Scene) kinTo(other int) []float32 {
	units := s.units()
	out := make([]float32, len(units))
	for k, unit := range units {
		out[k] = dot(unit, units[other])
	}
	return out
}

// measureKin says of each two superpixels how alike they are.
func (s *Scene) measureKin() [][]float32 {
	out := make([][]float32, len(s.learned))
	parallel.Do(len(out), func(k int) { out[k] = s.kinTo(k) })
	return out
}

// dot is the sum of the products of a and b, which are equally long.
func dot(a, b []float32) float32 {
	var s0, s1, s2, s3 float32
	i := 0
	for ; i+4 <= len(a); i += 4 {
		u, v := a[i:i+4:i+4], b[i:i+4:i+4]
		s0 += u[0] * v[0]
		s1 += u[1] * v[1]
		s2 += u[2] * v[2]
		s3 += u[3] * v[3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return s0 + s1 + s2 + s3
}
