package render

// A histogram counts pixels by a channel's value in 16 bits.
type histogram [1 << 16]uint32

func (h *histogram) add(other *histogram) {
	for i, n := range other {
		h[i] += n
	}
}

// channel computes the statistics of n counted pixels.
func (h *histogram) channel(n int) Channel {
	const top = 1<<16 - 1
	// Half a step of 8 bits from the ends.
	const low, high = 128, top - 128
	s := Channel{Min: -1}
	percentiles := []struct {
		percent int
		to      *float64
	}{{1, &s.P1}, {5, &s.P5}, {25, &s.P25}, {50, &s.P50}, {75, &s.P75}, {95, &s.P95}, {99, &s.P99}}
	seen, sum := 0, 0.0
	for i, count := range h {
		if count == 0 {
			continue
		}
		v := float64(i) / top
		if s.Min < 0 {
			s.Min = v
		}
		s.Max = v
		seen += int(count)
		share := float64(count) / float64(n)
		sum += v * share
		for len(percentiles) > 0 && seen*100 >= percentiles[0].percent*n {
			*percentiles[0].to = v
			percentiles = percentiles[1:]
		}
		if i <= low {
			s.ClippedLow += share
		}
		if i >= high {
			s.ClippedHigh += share
		}
		s.Histogram[i*HistogramBins>>16] += share
	}
	s.Mean = sum
	return s
}
