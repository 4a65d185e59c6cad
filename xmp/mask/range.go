package mask

import (
	"fmt"
	"math"
)

// Select is a parametric range: it selects what has a certain light or colour.
type Select struct {
	Channel Channel
	// Output is for the range of the module's output; otherwise it is of its
	// input.
	Output bool
	// Range bounds what is selected, in 0..1 of the channel. An end at 0 or 1 is
	// open: it takes in what lies beyond. The hue is a circle: its range may
	// begin below 0 or end beyond 1.
	Range
	// Invert selects what lies outside of the range.
	Invert bool
	// Boost stretches the range by a power of two, for light beyond 1: with
	// Boost 1 a range up to 1 reaches to 2. Only in the scene-referred space, and
	// not for the hue. 0 to 18.
	Boost float32
}

// maxBoost is the widest stretch that darktable's own slider has.
const maxBoost = 18

// apply adds the range to blend parameters.
func (s Select) apply(b *Blend) error {
	c, ok := channels[b.ColorSpace][s.Channel]
	switch {
	case len(channels[b.ColorSpace]) == 0:
		return errorf(UnknownChannel, string(s.Channel), "in the blend colour space %v there are no ranges", b.ColorSpace)
	case !ok:
		return errorf(UnknownChannel, string(s.Channel), "the blend colour space %v has no such channel; it has %v", b.ColorSpace, channelsOf(b.ColorSpace))
	case !inRange(s.Boost, 0, maxBoost):
		return s.badValue("the boost %v is outside 0 to %d", s.Boost, maxBoost)
	case s.Boost != 0 && (b.ColorSpace != ColorSpaceRGBScene || s.Channel == Hue):
		return s.badValue("there is no boost for it in %v", b.ColorSpace)
	}
	r, invert, err := s.trapezium()
	if err != nil {
		return err
	}
	if s.Output {
		c += outputSide
	}
	if b.Channels&(1<<c) != 0 {
		return s.badValue("there are two ranges of it; each channel has one on the input and one on the output side")
	}
	b.Ranges[c] = r
	b.Boost[c] += s.Boost
	b.Channels |= 1 << c
	b.Channels &^= 1 << (c + 16)
	if invert {
		b.Channels |= 1 << (c + 16)
	}
	return nil
}

// trapezium checks the range. A hue range that wraps around becomes the rest of the
// circle, inverted, since darktable's own stay within 0 to 1.
func (s Select) trapezium() (r Range, invert bool, err error) {
	r = s.Range
	low, high := float32(0), float32(1)
	if s.Channel == Hue {
		low, high = -1, 2
	}
	switch {
	case !(r.Low <= r.LowFull && r.LowFull <= r.HighFull && r.HighFull <= r.High): // or NaN
		return r, false, s.badValue("%v does not rise", r)
	case r.Low < low || r.High > high:
		return r, false, s.badValue("%v leaves %v to %v", r, low, high)
	case s.Channel != Hue:
		if r.Low >= 1 || r.High <= 0 {
			return r, false, s.badValue("%v selects nothing", r)
		}
		return r, s.Invert, nil
	case r.High-r.Low >= 1:
		return r, false, s.badValue("%v goes around the whole circle; leave the range out", r)
	case r.HighFull == r.LowFull && r.Low == r.High:
		return r, false, s.badValue("%v selects nothing", r)
	}
	turn := float32(math.Floor(float64(r.LowFull)))
	r = Range{r.Low - turn, r.LowFull - turn, r.HighFull - turn, r.High - turn} // LowFull in 0..1
	if r.HighFull <= 1 {
		// Only slopes cross the seam; they end there.
		return Range{max(r.Low, 0), r.LowFull, r.HighFull, min(r.High, 1)}, s.Invert, nil
	}
	return Range{r.HighFull - 1, r.High - 1, max(r.Low, r.High-1), r.LowFull}, !s.Invert, nil
}

func (s Select) badValue(format string, args ...any) error {
	return &Error{Kind: BadValue, Field: "range of " + string(s.Channel), Message: fmt.Sprintf(format, args...)}
}
