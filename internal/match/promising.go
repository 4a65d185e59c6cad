package match

import (
	"math"

	"github.com/chemigram/chemigram/internal/colour"
)

// effect says about how a step of a move changes a colour, in CIELAB: nearly enough to
// choose which of many moves are worth to be developed.
type effect func(c colour.Lab) colour.Lab

// hueNames are the ranges of hue of the vocabulary, each 45° wide, from 0° of CIELAB on.
var hueNames = []string{"reds", "oranges", "yellows", "greens", "aquas", "blues", "purples", "magentas"}

// promisingNames are the moves whose effect is known, in a fixed order.
func promisingNames() []string {
	names := []string{
		"grade_shadows", "grade_highlights", "hue_shift", "contrast_green_magenta", "contrast_blue_yellow",
		"saturation_shadows", "saturation_highlights", "curve_toe", "curve_midtones", "curve_shoulder", "fade_whites",
	}
	for _, hue := range hueNames {
		names = append(names, hue+"_saturation", hue+"_hue", hue+"_lightness")
	}
	return names
}

// effectOf is the effect of an axis; nil where it is not known.
func effectOf(a axis) effect {
	if a.toned {
		at := a.hue * math.Pi / 180
		sin, cos := math.Sincos(at)
		cast := func(share float64) colour.Lab { return colour.Lab{A: 6 * share * cos, B: 6 * share * sin} }
		switch a.entry.Name {
		case "grade_shadows":
			return func(c colour.Lab) colour.Lab { return cast((1 - c.L/100) * (1 - c.L/100)) }
		case "grade_highlights":
			return func(c colour.Lab) colour.Lab { return cast(c.L / 100 * c.L / 100) }
		}
		return nil
	}
	for i, hue := range hueNames {
		if e := ofRange(a.entry.Name, hue, 45*float64(i)); e != nil {
			return e
		}
	}
	return map[string]effect{
		"hue_shift":              func(c colour.Lab) colour.Lab { return colour.Lab{A: -0.15 * c.B, B: 0.15 * c.A} },
		"contrast_green_magenta": func(c colour.Lab) colour.Lab { return colour.Lab{A: 0.2 * c.A} },
		"contrast_blue_yellow":   func(c colour.Lab) colour.Lab { return colour.Lab{B: 0.2 * c.B} },
		"saturation_shadows":     func(c colour.Lab) colour.Lab { return stronger(c, 0.3*(1-c.L/100)) },
		"saturation_highlights":  func(c colour.Lab) colour.Lab { return stronger(c, 0.3*c.L/100) },
		"curve_toe":              func(c colour.Lab) colour.Lab { return lighter(c, 20) },
		"curve_midtones":         func(c colour.Lab) colour.Lab { return lighter(c, 50) },
		"curve_shoulder":         func(c colour.Lab) colour.Lab { return lighter(c, 78) },
		"fade_whites":            func(c colour.Lab) colour.Lab { return lighter(c, 100) },
	}[a.entry.Name]
}

// stronger is more chroma by a share.
func stronger(c colour.Lab, by float64) colour.Lab { return colour.Lab{A: by * c.A, B: by * c.B} }

// lighter is more lightness about one.
func lighter(c colour.Lab, about float64) colour.Lab {
	d := (c.L - about) / 18
	return colour.Lab{L: 5 * math.Exp(-d*d)}
}

// ofRange is the effect of a move of a range of hue; nil when it is none of it.
func ofRange(move, hue string, middle float64) effect {
	within := func(c colour.Lab) float64 {
		away := math.Abs(math.Mod(math.Atan2(c.B, c.A)*180/math.Pi-middle+540, 360) - 180)
		return max(0, 1-away/45) * min(1, c.Chroma()/10)
	}
	switch move {
	case hue + "_saturation":
		return func(c colour.Lab) colour.Lab { return stronger(c, 0.3*within(c)) }
	case hue + "_hue":
		return func(c colour.Lab) colour.Lab { return colour.Lab{A: -0.2 * c.B * within(c), B: 0.2 * c.A * within(c)} }
	case hue + "_lightness":
		return func(c colour.Lab) colour.Lab { return colour.Lab{L: 6 * within(c)} }
	}
	return nil
}

// minPromise is the share of what is left, squared, that a move has to promise to take
// away.
const minPromise = 0.04

// promising are the axes, of those whose effect is known, by which a view would come
// nearest to the reference, best first: of moves with so many axes at most. Each is
// judged by what those before it leave.
func promising(f *fit, now View, axes []axis, most int) []axis {
	weights := f.weigh(make([]float64, len(f.change)))
	changes := make([][]float64, len(axes))
	for i, a := range axes {
		if does := effectOf(a); does != nil {
			changes[i] = f.predict(now, does)
		}
	}
	left := append([]float64(nil), f.now...)
	whole := dot(weights, left, left)
	var out []axis
	for len(out) < most {
		best, gain := -1, minPromise*whole
		for i := range axes {
			if changes[i] == nil || axes[i].toned && axes[i].hue != 0 {
				continue
			}
			promise := promiseOf(weights, left, changes[i])
			if axes[i].toned {
				promise += promiseOf(weights, left, changes[i+1])
			}
			if promise > gain {
				best, gain = i, promise
			}
		}
		if best < 0 {
			break
		}
		for i := best; i == best || i == best+1 && axes[best].toned; i++ {
			out = append(out, axes[i])
			takeAway(weights, left, changes[i])
			changes[i] = nil
		}
	}
	return out
}

// predict is the change of what is left by an effect on all colours of a view.
func (f *fit) predict(now View, does effect) []float64 {
	v := now
	v.lab = make([]colour.Lab, len(now.lab))
	for i, c := range now.lab {
		v.lab[i] = plus(c, does(c), 1)
	}
	change, _ := f.left(v)
	for i := range change {
		change[i] -= f.now[i]
	}
	return change
}

// dot is the sum of products, weighed.
func dot(weights, a, b []float64) float64 {
	sum := 0.0
	for k, w := range weights {
		for ch := 3 * k; ch < 3*k+3 && w > 0; ch++ {
			sum += w * a[ch] * b[ch]
		}
	}
	return sum
}

// promiseOf is what a change may take away of what is left, squared.
func promiseOf(weights, left, change []float64) float64 {
	along := dot(weights, left, change)
	return along * along / max(dot(weights, change, change), 1e-9)
}

// takeAway leaves what a change cannot take away.
func takeAway(weights, left, change []float64) {
	by := dot(weights, left, change) / max(dot(weights, change, change), 1e-9)
	for i := range left {
		left[i] -= by * change[i]
	}
}
