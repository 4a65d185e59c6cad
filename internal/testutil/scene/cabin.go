package scene

import "math"

// The cabin stands on the bank at the right: a gable of boards with an open
// door, and a long side in the sun.
var (
	cabinFront = polygon{{1.205, 0.690}, {1.305, 0.612}, {1.405, 0.690}, {1.405, 0.815}, {1.205, 0.815}}
	cabinSide  = polygon{{1.085, 0.700}, {1.205, 0.690}, {1.205, 0.815}, {1.085, 0.797}}
	cabinRoof  = polygon{{1.180, 0.628}, {1.310, 0.604}, {1.196, 0.703}, {1.068, 0.711}}
	cabinDoor  = polygon{{1.272, 0.712}, {1.340, 0.712}, {1.340, 0.815}, {1.272, 0.815}}
	cabinPane  = polygon{{1.115, 0.728}, {1.160, 0.725}, {1.160, 0.768}, {1.115, 0.768}}
)

// cabin draws it over c.
func cabin(c rgb, x, y, pixel float64) rgb {
	if x < 1.05 || x > 1.44 || y < 0.59 || y > 0.83 {
		return c
	}
	paint := func(colour rgb, d float64) {
		if a := coverage(d, pixel); a > 0 {
			c = c.mix(colour, a)
		}
	}
	boards := func(width float64) float64 {
		b := x / width
		gap := math.Abs(b - math.Round(b))
		id := random2(int(math.Round(b+0.5)), 3, 191)
		grain := fbm(x*420, y*26, octaves(1.0/420, pixel, 3), 192)
		return (0.40 + 0.60*smoothstep(0.02, 0.10, gap)) * (0.85 + 0.3*id) * (1 + 0.25*grain)
	}
	teal := rgb{0.030, 0.150, 0.170}
	white := grey(0.80)
	if side := cabinSide.distance(x, y); side < pixel {
		eave := smoothstep(0.706, 0.735, y+0.08*(x-1.205))
		pane := cabinPane.distance(x, y)
		paint(shade(teal.times(boards(0.0105)), -0.85, 0.1, 0.5, 0.25+0.75*eave), side)
		paint(shade(white, -0.85, 0.1, 0.5, 0.4+0.6*eave), max(side, pane-0.006))
		glass := rgb{0.05, 0.07, 0.09}.mix(rgb{0.75, 0.80, 0.85}, smoothstep(0.03, -0.05, x-1.135+y-0.745))
		paint(glass, pane)
	}
	if front := cabinFront.distance(x, y); front < pixel {
		under := smoothstep(0.0, 0.030, y-0.612-0.78*math.Abs(x-1.305))
		door := cabinDoor.distance(x, y)
		paint(shade(teal.times(boards(0.0125)), 0.15, 0.1, 0.95, 0.2+0.8*under), front)
		paint(shade(white, 0.1, 0.1, 0.9, 0.9), max(front, door-0.0075))
		// Behind the open door there is hardly any light.
		glimmer := math.Exp(-((x-1.285)*(x-1.285)/0.0002 + (y-0.815)*(y-0.815)/0.0003))
		paint(rgb{0.0009, 0.0009, 0.0010}.add(rgb{0.020, 0.014, 0.008}.times(glimmer)), door)
		for _, corner := range [...]float64{1.205, 1.405} {
			paint(shade(white, -0.1, 0.1, 0.9, 0.3+0.7*under), max(front, math.Abs(x-corner)-0.007))
		}
	}
	// The roof and its white boards.
	rows := y*190 - 22*x
	shingle := 0.62 + 0.38*smoothstep(0.05, 0.25, math.Abs(rows-math.Round(rows)))
	tile := random2(int(math.Floor(x*150+math.Round(rows)*0.5)), int(math.Round(rows)), 193)
	paint(shade(rgb{0.15, 0.125, 0.115}.times(shingle*(0.7+0.6*tile)), -0.75, 0.65, 0.2, 1), cabinRoof.distance(x, y))
	line := 0.603 + 0.78*math.Abs(x-1.307)
	paint(shade(white, -0.2, 0.3, 0.8, 1), max(math.Abs(y-line)-0.0075, math.Abs(x-1.307)-0.118))
	return c
}
