package segment

// WithContext adds to the features what the first forests say: of the superpixel,
// of places around it, of its larger regions, and of what has a like colour. first
// has for each category the likelihood of each superpixel.
func (s *Scene) WithContext(first [][]float64) [][]float32 {
	out := make([][]float32, len(s.size))
	for k := range out {
		out[k] = append(make([]float32, 0, len(s.features[k])+10*len(first)), s.features[k]...)
	}
	alikes := s.alike(first)
	for c, likely := range first {
		channel := newSums(s.spread(likely), s.Width, s.Height)
		alike := alikes[c]
		areas := [2][]float64{s.areaMeans(0, likely), s.areaMeans(1, likely)}
		for k, p := range likely {
			x, y := s.x[k], s.y[k]
			wide, high := 0.1*s.short, 0.15*float64(s.Height)
			for _, v := range [...]float64{
				p, alike[k], areas[0][k], areas[1][k],
				s.about(channel, k, 1.0/16), s.about(channel, k, 1.0/8), s.about(channel, k, 1.0/3),
				s.box(channel, x-wide, y-1.6*high, x+wide, y-0.6*high),
				s.box(channel, x-wide, y+0.6*high, x+wide, y+1.6*high),
				s.box(channel, 0, 0, float64(s.Width), float64(s.Height)),
			} {
				out[k] = append(out[k], float32(v))
			}
		}
	}
	return out
}

// alike is the mean likelihood, in each category, of what has the colour of each
// superpixel, what is nearer counting more.
func (s *Scene) alike(likely [][]float64) [][]float64 {
	out := make([][]float64, len(likely))
	for c := range out {
		out[c] = make([]float64, len(s.size))
	}
	for k := range s.size {
		sums, weight := make([]float64, len(likely)), 0.0
		for j, size := range s.size {
			dx, dy := (s.x[k]-s.x[j])/s.short, (s.y[k]-s.y[j])/s.short
			w := float64(size) * falloff(square(float64(s.unlike[k][j]))/50+(dx*dx+dy*dy)*2)
			for c, p := range likely {
				sums[c] += w * p[j]
			}
			weight += w
		}
		for c, sum := range sums {
			out[c][k] = sum / weight
		}
	}
	return out
}

// areaMeans is the mean likelihood in the larger region of each superpixel.
func (s *Scene) areaMeans(which int, likely []float64) []float64 {
	area := s.areas[which]
	sum, size := make([]float64, area.count), make([]float64, area.count)
	for k, r := range area.of {
		sum[r] += likely[k] * float64(s.size[k])
		size[r] += float64(s.size[k])
	}
	out := make([]float64, len(likely))
	for k, r := range area.of {
		out[k] = sum[r] / size[r]
	}
	return out
}
