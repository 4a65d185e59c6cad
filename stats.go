package chemigram

import (
	"context"

	"github.com/chemigram/chemigram/render"
)

// ImageStatsParams are the parameters of ImageStats.
type ImageStatsParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// RefOrHash is the version to measure. Default: HEAD.
	RefOrHash RefOrHash `json:"ref_or_hash,omitempty"`
	// Region to measure. Default: the whole picture.
	Region *Region `json:"region,omitempty"`
	// Quality is the least that is asked for: draft, fine or exact.
	Quality PreviewQuality `json:"quality,omitempty" default:"fine"`
	// Size is the longest edge in pixels of the picture that is measured.
	Size Size `json:"size,omitempty" default:"1024"`
	// Histogram adds the channels' histograms.
	Histogram bool `json:"histogram,omitempty"`
	// TimeoutSeconds limits darktable's time.
	TimeoutSeconds TimeoutSeconds `json:"timeout_seconds,omitempty" default:"120"`
}

// ImageStatsResult are numbers for what a picture looks like. Channels are of
// the developed pixels, encoded in sRGB, from 0 (black) to 1 (white).
type ImageStatsResult struct {
	// StateHash is the hash of the look that was measured.
	StateHash string `json:"state_hash"`
	// Quality of the picture that was measured.
	Quality PreviewQuality `json:"quality"`
	// Pixels is how many were measured.
	Pixels int `json:"pixels"`
	// Red channel.
	Red ChannelStats `json:"red"`
	// Green channel.
	Green ChannelStats `json:"green"`
	// Blue channel.
	Blue ChannelStats `json:"blue"`
	// Luma is 0.2126 red + 0.7152 green + 0.0722 blue of the encoded values:
	// how bright a pixel looks.
	Luma ChannelStats `json:"luma"`
	// Lab is the mean colour in CIELAB (D50).
	Lab LabStats `json:"lab"`
	// NeutralCast is the mean colour of what is nearly grey; null when that is less
	// than a thousandth of the pixels.
	NeutralCast *NeutralCast `json:"neutral_cast"`
}

// ChannelStats are the statistics of one channel.
type ChannelStats struct {
	// Min is the smallest value.
	Min float64 `json:"min" decimals:"3"`
	// Max is the largest value.
	Max float64 `json:"max" decimals:"3"`
	// Mean value.
	Mean float64 `json:"mean" decimals:"4"`
	// P1 is the value that 1 % of the pixels do not exceed.
	P1 float64 `json:"p1" decimals:"3"`
	// P5 is the 5th percentile.
	P5 float64 `json:"p5" decimals:"3"`
	// P25 is the 25th percentile.
	P25 float64 `json:"p25" decimals:"3"`
	// P50 is the median.
	P50 float64 `json:"p50" decimals:"3"`
	// P75 is the 75th percentile.
	P75 float64 `json:"p75" decimals:"3"`
	// P95 is the 95th percentile.
	P95 float64 `json:"p95" decimals:"3"`
	// P99 is the 99th percentile.
	P99 float64 `json:"p99" decimals:"3"`
	// ClippedLow is the share of pixels at 0, where shadow detail is lost.
	ClippedLow float64 `json:"clipped_low" decimals:"5"`
	// ClippedHigh is the share of pixels at 1, where highlight detail is lost.
	ClippedHigh float64 `json:"clipped_high" decimals:"5"`
	// Histogram has the shares of pixels in 64 even steps from 0 to 1, when it was
	// asked for.
	Histogram []float64 `json:"histogram,omitempty" decimals:"4"`
}

// LabStats is a mean colour in CIELAB (D50).
type LabStats struct {
	// L is lightness, 0 to 100.
	L float64 `json:"l" decimals:"2"`
	// A is from green (negative) to magenta.
	A float64 `json:"a" decimals:"2"`
	// B is from blue (negative) to yellow.
	B float64 `json:"b" decimals:"2"`
	// Chroma is how colourful the picture is: the mean of the pixels' chroma.
	Chroma float64 `json:"chroma" decimals:"2"`
	// Hue of the mean colour in degrees: 0 is pink, 90 yellow, 180 green, 270
	// blue. It means little when A and B are near 0.
	Hue float64 `json:"hue" decimals:"1"`
}

// NeutralCast is the mean colour of the pixels that are nearly grey (chroma of
// at most 12, lightness from 10 to 95). Where greys are grey, A and B are near
// 0. It is a hint and no proof: nothing in a picture need be grey.
type NeutralCast struct {
	// A is from green (negative) to magenta.
	A float64 `json:"a" decimals:"2"`
	// B is from blue (negative) to yellow.
	B float64 `json:"b" decimals:"2"`
	// Fraction of the pixels that are nearly grey.
	Fraction float64 `json:"fraction" decimals:"4"`
}

// ImageStats measures a version's developed pixels, whole or in a region:
// brightness, clipping, colour, and the cast of what is nearly grey.
func (e *Engine) ImageStats(ctx context.Context, p ImageStatsParams) (_ ImageStatsResult, err error) {
	defer e.seal(&err, "image_stats", p.ImageID)
	if err := validate(&p); err != nil {
		return ImageStatsResult{}, err
	}
	region, err := p.Region.area()
	if err != nil {
		return ImageStatsResult{}, err
	}
	ctx, cancel := e.renderContext(ctx, p.TimeoutSeconds)
	defer cancel()
	img, err := e.image(p.ImageID)
	if err != nil {
		return ImageStatsResult{}, err
	}
	shown, err := e.developVersion(ctx, img, p.RefOrHash, p.Size, p.Quality)
	if err != nil {
		return ImageStatsResult{}, err
	}
	if region == nil {
		region = &render.Region{}
	}
	s, err := render.Measure(shown.pixels, *region)
	if err != nil {
		return ImageStatsResult{}, err
	}
	channel := func(c render.Channel) ChannelStats { return channelStats(c, p.Histogram) }
	return ImageStatsResult{
		StateHash: shown.version.Record.State.String(), Quality: shown.quality, Pixels: s.Pixels,
		Red: channel(s.Red), Green: channel(s.Green), Blue: channel(s.Blue), Luma: channel(s.Luma),
		Lab: LabStats(s.Lab), NeutralCast: neutralCast(s.Cast),
	}, nil
}

// leastNeutral is the share of pixels that are nearly grey below which they are noise
// and edges, and their mean says nothing.
const leastNeutral = 0.001

func neutralCast(c render.Cast) *NeutralCast {
	if c.Fraction < leastNeutral {
		return nil
	}
	cast := NeutralCast(c)
	return &cast
}

func channelStats(c render.Channel, histogram bool) ChannelStats {
	s := ChannelStats{
		Min: c.Min, Max: c.Max, Mean: c.Mean,
		P1: c.P1, P5: c.P5, P25: c.P25, P50: c.P50, P75: c.P75, P95: c.P95, P99: c.P99,
		ClippedLow: c.ClippedLow, ClippedHigh: c.ClippedHigh,
	}
	if histogram {
		s.Histogram = c.Histogram[:]
	}
	return s
}
