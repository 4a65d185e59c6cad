package vocab

import "fmt"

// hueNodes are the CIELAB hues, in degrees, of the nodes of colorzones: reds,
// oranges, yellows, greens, aquas, blues, purples, magentas.
var hueNodes = []float64{32, 62, 95, 140, 205, 265, 308, 350}

// toneNodes are the positions of the nodes of tonecurve: black, dark, middle, light
// and white.
var toneNodes = []float64{0, 0.25, 0.5, 0.75, 1}

// flatCurves are the corrections that give a module's curves enough nodes for
// moves that shift one node each, and leave the curves without effect.
func flatCurves(module string) []correction {
	var all []correction
	curve := func(field, count string, channel int, xs []float64, y func(x float64) float64) {
		all = append(all, correction{fmt.Sprintf("%s[%d]", count, channel), float64(len(xs))})
		for i, x := range xs {
			node := fmt.Sprintf("%s[%d][%d]", field, channel, i)
			all = append(all, correction{node + ".x", x}, correction{node + ".y", y(x)})
		}
	}
	switch module {
	case "colorzones":
		hues := make([]float64, len(hueNodes))
		for i, h := range hueNodes {
			hues[i] = h / 360
		}
		for channel := range 3 {
			curve("curve", "curve_num_nodes", channel, hues, func(float64) float64 { return 0.5 })
		}
	case "tonecurve":
		curve("tonecurve", "tonecurve_nodes", 0, toneNodes, func(x float64) float64 { return x })
	}
	return all
}
