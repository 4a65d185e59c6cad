package mask

import (
	"fmt"
	"math"
)

// ranges tells the parametric part. A channel's range is named by the channel.
func (w *words) ranges(b Blend) {
	named := map[int]Channel{}
	for channel, number := range channels[b.ColorSpace] {
		named[number] = channel
	}
	neutral, err := NewBlend(b.Version, b.ColorSpace)
	for c, r := range b.Ranges {
		if b.Channels&(1<<c) == 0 {
			continue
		}
		channel, ok := named[c]
		at := fmt.Sprintf("ranges[%s]", channel.said(b.ColorSpace))
		if !ok {
			if channel, ok = named[c-outputSide]; ok {
				at = fmt.Sprintf("ranges[%s of the output]", channel.said(b.ColorSpace))
			} else {
				at = fmt.Sprintf("ranges[channel %d]", c)
			}
		}
		w.selected(at, channel, b.ColorSpace, r, b.Channels&(1<<(c+16)) != 0)
		if err == nil && b.Boost[c] != neutral.Boost[c] {
			w.add(at+".boost", w.text(float64(b.Boost[c]-neutral.Boost[c])), "EV")
		}
	}
}

// said is the channel as a [SpecRange] calls it, which takes lightness from gray.
func (c Channel) said(space ColorSpace) Channel {
	switch {
	case space == ColorSpaceRGBScene && c == Gray:
		return Lightness
	case space == ColorSpaceRGBScene && c == Lightness:
		return "Jz"
	}
	return c
}

// selected tells one range in people's numbers: hue in degrees, gray as lightness.
func (w *words) selected(at string, channel Channel, space ColorSpace, r Range, invert bool) {
	scale, unit := func(x float32) float64 { return float64(x) }, ""
	switch {
	case channel == Hue:
		const thousand = 1000 // what a float32 of a turn is exact to
		scale, unit = func(x float32) float64 { return math.Round(360*thousand*float64(x)) / thousand }, "degrees"
		if invert { // the rest of the circle
			r, invert = Range{r.HighFull, r.High, r.Low, r.LowFull}, false
		}
	case channel == Gray && space == ColorSpaceRGBScene:
		scale, unit = func(x float32) float64 { return lightness(float64(x)) }, ""
	}
	low, from, to, high := scale(r.Low), scale(r.LowFull), scale(r.HighFull), scale(r.High)
	w.number(at+".from", from, scale(0), unit)
	w.number(at+".to", to, scale(1), unit)
	below, above := math.Abs(from-low), math.Abs(high-to)
	switch {
	case w.text(below) == w.text(above), above == 0:
		w.number(at+".softness", below, 0, unit)
	case below == 0:
		w.number(at+".softness", above, 0, unit)
	default:
		w.add(at+".softness", w.text(below)+" below, "+w.text(above)+" above", unit)
	}
	w.flag(at+".invert", invert)
}

// lightness is CIELAB's L* of a linear light, in 0 to 1: the inverse of luminance.
func lightness(light float64) float64 {
	if light <= 216.0/24389 {
		return light * 24389 / 2700
	}
	return 1.16*math.Cbrt(light) - 0.16
}
