package render

import (
	"image"
	"math"

	"github.com/chemigram/chemigram/internal/colour"
)

// HistogramBins is the number of bins in a [Channel]'s histogram.
const HistogramBins = 64

// Stats are the statistics of a picture or of a part of it. They are of the
// developed pixels, encoded in sRGB, from 0 to 1.
type Stats struct {
	// Pixels is how many were measured.
	Pixels int
	// Red, Green and Blue are the channels. Luma is 0.2126 red + 0.7152 green
	// + 0.0722 blue of the encoded values: how bright a pixel looks.
	Red, Green, Blue, Luma Channel
	// Lab is the mean colour.
	Lab LabStats
	// Cast is the colour of what is nearly grey.
	Cast Cast
}

// Channel are the statistics of one channel.
type Channel struct {
	Min, Max, Mean float64
	// P1 to P99 are percentiles: P25 is the value that a quarter of the pixels
	// do not exceed.
	P1, P5, P25, P50, P75, P95, P99 float64
	// ClippedLow and ClippedHigh are the fractions of pixels at 0 and at 1,
	// where detail is lost (half a step of 8 bits counts as there).
	ClippedLow, ClippedHigh float64
	// Histogram has the fractions of pixels in even steps from 0 to 1.
	Histogram [HistogramBins]float64
}

// LabStats is a mean colour in CIELAB (D50).
type LabStats struct {
	// L is lightness, 0 to 100. A is from green (negative) to magenta, B from
	// blue (negative) to yellow.
	L, A, B float64
	// Chroma is the mean of the pixels' chroma: how colourful the picture is.
	Chroma float64
	// Hue is the direction of A and B in degrees, 0 to 360: 0 is pink, 90
	// yellow, 180 green, 270 blue. It means little when A and B are near 0.
	Hue float64
}

// castChroma is the chroma up to which a pixel may be a grey thing under a
// tinted light.
const castChroma = 12

// Cast is the mean A and B of the pixels that are nearly grey: chroma of at
// most 12, lightness from 10 to 95. A picture whose greys are grey has both
// near 0; it is a hint and not a proof, as nothing in the picture need be grey.
type Cast struct {
	A, B float64
	// Fraction is the share of pixels that it is computed from.
	Fraction float64
}

// Measure computes the statistics of a region of a picture, which is taken for
// sRGB. It fails with an *Error of kind BadInput when the region is not in the
// picture.
func Measure(m image.Image, region Region) (*Stats, error) {
	rect, err := region.rect(m.Bounds())
	if err != nil {
		return nil, err
	}
	p, err := readPixels(m, rect)
	if err != nil {
		return nil, err
	}
	sums := make([]labSums, p.h)
	counts := make([]*[4]histogram, p.h)
	inBands(p.h, func(band, y0, y1 int) {
		counts[band] = new([4]histogram)
		for y := y0; y < y1; y++ {
			sums[band].addRow(p.row(y), counts[band])
		}
	})
	var total labSums
	for i := range counts {
		if counts[i] == nil {
			break
		}
		total.add(&sums[i])
		if i > 0 {
			for c := range counts[0] {
				counts[0][c].add(&counts[i][c])
			}
		}
	}
	n := p.w * p.h
	s := &Stats{Pixels: n, Lab: total.mean(n), Cast: total.cast(n)}
	for c, to := range []*Channel{&s.Red, &s.Green, &s.Blue, &s.Luma} {
		*to = counts[0][c].channel(n)
	}
	return s, nil
}

// labSums are sums over pixels in CIELAB.
type labSums struct {
	l, a, b, chroma float64
	greyA, greyB    float64
	grey            int
}

// addRow adds a line of pixels, also to the histograms of its channels and luma.
func (s *labSums) addRow(row []uint16, counts *[4]histogram) {
	space := colour.FromSRGB()
	for ; len(row) >= 3; row = row[3:] {
		r, g, b := row[0], row[1], row[2]
		counts[0][r]++
		counts[1][g]++
		counts[2][b]++
		// Weights of 16 bits that sum to 65536.
		counts[3][(uint64(r)*13933+uint64(g)*46871+uint64(b)*4732+1<<15)>>16]++
		c := space.Lab(r, g, b)
		chroma := c.Chroma()
		s.l += c.L
		s.a += c.A
		s.b += c.B
		s.chroma += chroma
		if chroma <= castChroma && c.L >= 10 && c.L <= 95 {
			s.greyA += c.A
			s.greyB += c.B
			s.grey++
		}
	}
}

func (s *labSums) add(u *labSums) {
	s.l += u.l
	s.a += u.a
	s.b += u.b
	s.chroma += u.chroma
	s.greyA += u.greyA
	s.greyB += u.greyB
	s.grey += u.grey
}

func (s *labSums) mean(n int) LabStats {
	f := 1 / float64(n)
	hue := math.Atan2(s.b, s.a) * 180 / math.Pi
	if hue < 0 {
		hue += 360
	}
	return LabStats{L: s.l * f, A: s.a * f, B: s.b * f, Chroma: s.chroma * f, Hue: hue}
}

func (s *labSums) cast(n int) Cast {
	if s.grey == 0 {
		return Cast{}
	}
	f := 1 / float64(s.grey)
	return Cast{A: s.greyA * f, B: s.greyB * f, Fraction: float64(s.grey) / float64(n)}
}
