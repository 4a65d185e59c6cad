package mask

import (
	"fmt"
	"math"
)

// The softness of ranges for which none is given.
const (
	softRange = 0.1
	softHue   = 15.0
)

// selection returns the range in darktable's numbers: hue in turns, lightness as
// the light that it stands for.
func (r SpecRange) selection() (Select, error) {
	from, to, soft, err := r.ends()
	out := Select{Channel: r.Channel, Invert: r.Invert}
	if err != nil {
		return out, err
	}
	if r.Channel == Hue {
		out.Range = hueRange(from, to, soft)
		return out, nil
	}
	ends := [4]float64{max(from-soft, 0), from, to, min(to+soft, 1)}
	if r.Channel == Lightness {
		out.Channel = Gray
		for i := range ends {
			ends[i] = luminance(ends[i])
		}
	}
	out.Range = Range{float32(ends[0]), float32(ends[1]), float32(ends[2]), float32(ends[3])}
	return out, nil
}

// ends returns the range with its defaults. A range of hues across 0 ends beyond 360.
func (r SpecRange) ends() (from, to, soft float64, err error) {
	top, soft := 1.0, softRange
	if r.Channel == Hue {
		top, soft = 360, softHue
	}
	from, to, soft = valueOr(r.From, 0), valueOr(r.To, top), valueOr(r.Softness, soft)
	bad := func(format string, args ...any) (float64, float64, float64, error) {
		return 0, 0, 0, errorf(BadValue, "", "range of %s: %s", r.Channel, fmt.Sprintf(format, args...))
	}
	switch {
	case math.IsNaN(soft+from+to) || math.IsInf(soft+from+to, 0):
		return bad("a number is infinite or NaN")
	case soft < 0:
		return bad("the softness %g is negative", soft)
	case r.From == nil && r.To == nil:
		return bad("it has neither from nor to, and selects everything")
	case min(from, to) < 0 || max(from, to) > top:
		return bad("from %g to %g leaves 0 to %g", from, to, top)
	case from > to && r.Channel != Hue:
		return bad("from %g is above to %g", from, to)
	case from > to:
		to += top
	}
	return from, to, soft, nil
}

// hueRange returns a range in turns, no wider than the circle.
func hueRange(from, to, soft float64) Range {
	if room := (360 - (to - from)) / 2; soft >= room {
		soft = max(room-1e-3, 0)
	}
	low := math.Max(from-soft, -360)
	return Range{float32(low / 360), float32(from / 360), float32(to / 360), float32(math.Min(to+soft, 720) / 360)}
}

// luminance is the linear light of a lightness: CIELAB's L*, in 0 to 1.
func luminance(lightness float64) float64 {
	if lightness <= 0.08 {
		return lightness * 100 * 27 / 24389
	}
	return math.Pow((lightness+0.16)/1.16, 3)
}
