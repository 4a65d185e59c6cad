package mask

import (
	"math"

	"github.com/chemigram/chemigram/internal/colour"
	"github.com/chemigram/chemigram/internal/smooth"
)

// Light is what ranges select by: the colour of each pixel as the module gets it, in
// XYZ under D50, line by line. Luminance 1 is the white of scene-referred RGB.
type Light struct {
	Width, Height int
	XYZ           [][3]float64
	// Kept is how much of each pixel a mask keeps that looks for details, 0 to 1, where
	// that is known.
	Kept []float64
}

// DrawIn gives how much a mask selects of each pixel of a picture, 0 to 1, line by line,
// as darktable blends it in scene-referred RGB. Its coordinates are fractions of that
// picture; scale is how many of the picture's pixels one of the full picture is, and version
// that of the blend parameters. ok is false where the mask needs more than the light: when it
// selects by the camera's own red, green or blue, or by the output, or looks for details and
// the light does not say what it keeps.
func (m Mask) DrawIn(l Light, scale float64, version int) (at []float64, ok bool, err error) {
	if m.Details != 0 && l.Kept == nil || m.Mode != "" {
		return nil, false, nil
	}
	b, err := m.newBlend(version, ColorSpaceRGBScene)
	if err != nil {
		return nil, false, err
	}
	for _, s := range m.Ranges {
		if s.Output || s.Channel == Red || s.Channel == Green || s.Channel == Blue {
			return nil, false, nil
		}
	}
	c := canvas{width: l.Width, height: l.Height, short: float64(min(l.Width, l.Height))}
	at = c.blank()
	if len(m.Shapes) > 0 {
		at = c.group(m.Shapes)
	} else if m.Combine != Any {
		for i := range at {
			at[i] = 1
		}
	}
	m.drawRanges(b, l, at)
	if m.Details != 0 {
		for i, kept := range l.Kept {
			at[i] *= kept
		}
	}
	if m.Invert {
		for i, v := range at {
			at[i] = 1 - v
		}
	}
	at = c.blur(at, float64(m.BlurRadius)*scale)
	if m.FeatherRadius > 0 {
		// darktable follows what comes out of the module; exposure has the edges that go in.
		radius := max(int(2*float64(m.FeatherRadius)*scale+0.5), 1)
		at = smooth.Guided(at, l.rgb(), l.Width, l.Height, radius, b.featherVariance())
	}
	m.tone(at)
	opacity := valueOr(m.Opacity, 1)
	for i := range at {
		at[i] *= opacity
	}
	return at, true, nil
}

// drawRanges limits what is selected by the mask's ranges, or adds what is within one.
func (m Mask) drawRanges(b Blend, l Light, at []float64) {
	var seen [][3]float64 // made once for all ranges
	for _, s := range m.Ranges {
		n := channels[ColorSpaceRGBScene][s.Channel]
		r, inverted := b.Ranges[n], b.Channels&(1<<(n+16)) != 0
		stretch := math.Exp2(float64(b.Boost[n]))
		if s.Channel != Gray && seen == nil {
			seen = l.jzazbz()
		}
		for i, xyz := range l.XYZ {
			v := xyz[1]
			if s.Channel != Gray {
				v = valueOf(s.Channel, seen[i])
			}
			v = r.of(v / stretch)
			if inverted {
				v = 1 - v
			}
			if m.Combine == Any {
				at[i] = 1 - (1-at[i])*(1-v)
			} else {
				at[i] *= v
			}
		}
	}
}

// of is how much the range selects of a channel's value. Ends at 0 and 1 are open.
func (r Range) of(value float64) float64 {
	v := float32(value)
	switch {
	case v < r.LowFull && r.LowFull > 0:
		if v <= r.Low {
			return 0
		}
		return float64((v - r.Low) / (r.LowFull - r.Low))
	case v > r.HighFull && r.HighFull < 1:
		if v >= r.High {
			return 0
		}
		return float64((r.High - v) / (r.High - r.HighFull))
	}
	return 1
}

// d65FromD50 leads from XYZ under D50 to XYZ under D65.
var d65FromD50 = colour.Adapt(colour.D50, colour.D65, 1)

// jzazbz gives Jz, az and bz of each pixel.
func (l Light) jzazbz() [][3]float64 {
	out := make([][3]float64, len(l.XYZ))
	for i, xyz := range l.XYZ {
		out[i][0], out[i][1], out[i][2] = jzazbz(d65FromD50.Apply(xyz))
	}
	return out
}

// valueOf is the value of a channel of Jz, az and bz before it is stretched.
func valueOf(c Channel, v [3]float64) float64 {
	switch c {
	case Lightness:
		return v[0]
	case Chroma:
		return math.Hypot(v[1], v[2])
	}
	turn := math.Atan2(v[2], v[1]) / (2 * math.Pi)
	if turn < 0 {
		turn++
	}
	return turn
}

// The matrices of Jzazbz.
var (
	jzCones    = colour.Matrix{{0.41478972, 0.579999, 0.0146480}, {-0.2015100, 1.120649, 0.0531008}, {-0.0166008, 0.264800, 0.6684799}}
	jzOpponent = colour.Matrix{{0.5, 0.5, 0}, {3.524000, -4.066708, 0.542708}, {0.199076, 1.096799, -1.295875}}
)

// jzazbz is the colour space of Safdar et al., Perceptually uniform color space for image
// signals including high dynamic range and wide gamut (2017), of XYZ under D65 in
// candelas per square metre.
func jzazbz(xyz [3]float64) (lightness, a, b float64) {
	const bend, g, d, d0, peak = 1.15, 0.66, -0.56, 1.6295499532821566e-11, 10000
	const c1, c2, c3, n, p = 3424.0 / 4096, 2413.0 / 128, 2392.0 / 128, 2610.0 / 16384, 1.7 * 2523 / 32
	x, y, z := xyz[0], xyz[1], xyz[2]
	cones := jzCones.Apply([3]float64{bend*x - (bend-1)*z, g*y - (g-1)*x, z})
	for i, v := range cones {
		v = math.Pow(max(v/peak, 0), n)
		cones[i] = math.Pow((c1+c2*v)/(1+c3*v), p)
	}
	opponent := jzOpponent.Apply(cones)
	return (1+d)*opponent[0]/(1+d*opponent[0]) - d0, opponent[1], opponent[2]
}

// blur is a Gaussian blur of a standard deviation in pixels; beyond the rim it is as at
// the rim.
func (c canvas) blur(at []float64, sigma float64) []float64 {
	const least = 0.1 // a pixel's neighbours then have no weight
	if sigma < least {
		return at
	}
	reach := int(math.Ceil(4 * sigma))
	weights := make([]float64, 2*reach+1)
	sum := 0.0
	for i := range weights {
		x := float64(i-reach) / sigma
		weights[i] = math.Exp(-x * x / 2)
		sum += weights[i]
	}
	pass := func(from []float64, n, lines, step, stride int) []float64 {
		to := make([]float64, len(from))
		for line := range lines {
			for i := range n {
				v := 0.0
				for k, w := range weights {
					v += w * from[line*stride+min(max(i+k-reach, 0), n-1)*step]
				}
				to[line*stride+i*step] = v / sum
			}
		}
		return to
	}
	return pass(pass(at, c.width, c.height, 1, c.width), c.height, c.width, c.width, 1)
}

// tone makes the mask's transitions steeper or flatter, and what is partly selected
// larger or smaller.
func (m Mask) tone(at []float64) {
	contrast, brightness := float64(m.Contrast), float64(m.Brightness)
	if contrast == 0 && brightness == 0 {
		return
	}
	e := math.Exp(3 * contrast)
	for i, v := range at {
		x := 2*v - 1
		switch {
		case brightness >= 1:
			x = math.Copysign(1, v-1e-9)
		case brightness <= -1:
			x = math.Copysign(1, v-1+1e-9)
		case brightness > 0:
			x = min((x+brightness)/(1-brightness), 1)
		case brightness < 0:
			x = max((x+brightness)/(1+brightness), -1)
		}
		at[i] = min(max((x*e/(1+(e-1)*math.Abs(x)))/2+0.5, 0), 1)
	}
}

// featherVariance is how much light has to vary for an edge that a mask follows, as
// measured on darktable 4.2.1 and 5.4.1.
func (b Blend) featherVariance() float64 {
	if b.FeatherVersion > 0 {
		return 0.003
	}
	return 0.00025
}

// rgb gives the light's planes of linear Rec. 2020.
func (l Light) rgb() (planes [3][]float64) {
	for c := range planes {
		planes[c] = make([]float64, len(l.XYZ))
	}
	fromXYZ := colour.Rec2020.Inverse()
	for i, xyz := range l.XYZ {
		for c, v := range fromXYZ.Apply(xyz) {
			planes[c][i] = v
		}
	}
	return planes
}
