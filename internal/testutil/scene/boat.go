package scene

import "math"

// The rowing boat is drawn up on the shore, its bow to the left.
const (
	boatX    = 0.770
	boatY    = 0.842
	boatHalf = 0.165
)

var (
	sheer = profile{{-1, -0.052}, {-0.6, -0.022}, {0, -0.008}, {0.7, -0.014}, {1, -0.030}}
	keel  = profile{{-1, -0.048}, {-0.72, 0.044}, {0, 0.060}, {0.75, 0.052}, {1.06, -0.030}}
	// inside is the near edge of the opening above the sheer's far side.
	inside = profile{{-1, -0.052}, {-0.6, -0.047}, {0, -0.040}, {0.7, -0.042}, {1, -0.034}}
)

// boat draws it over c.
func boat(c rgb, x, y, pixel float64) rgb {
	u, v := (x-boatX)/boatHalf, y-boatY
	if u < -1.02 || u > 1.02 || v < -0.07 || v > 0.07 {
		return c
	}
	ends := (math.Abs(u) - 1) * boatHalf
	u = max(-1, min(1, u))
	top, bottom, far := sheer.interpolate(u), keel.interpolate(u), inside.interpolate(u)
	// The opening: dark, with two thwarts across it.
	if a := coverage(max(far-v, v-top, ends), pixel); a > 0 {
		depth := smoothstep(far, top, v)
		hollow := grey(0.0008).mix(rgb{0.030, 0.024, 0.016}, math.Pow(1-depth, 3)*0.6)
		for _, thwart := range [...]float64{-0.42, 0.30} {
			plank := max(math.Abs(u-thwart+0.15*(depth-0.5))*boatHalf-0.013, 0)
			hollow = hollow.mix(shade(rgb{0.34, 0.21, 0.10}, -0.2, 0.8, 0.2, 0.9), coverage(plank*2-0.002, pixel))
		}
		c = c.mix(hollow, a)
	}
	if a := coverage(max(top-v, v-bottom, ends), pixel); a > 0 {
		t := clamp01((v - top) / max(bottom-top, 1e-4))
		plank := t * 5
		seam := math.Abs(plank - math.Round(plank))
		grain := fbm(u*9, v*520, octaves(1.0/260, pixel, 3), 181)
		albedo := rgb{0.66, 0.41, 0.025}.times(1 + 0.22*grain)
		if t < 0.2 {
			albedo = rgb{0.02, 0.16, 0.27}.times(1 + 0.2*grain)
		}
		albedo = albedo.times(0.45 + 0.55*smoothstep(0.0, 0.07, seam))
		// The hull swells towards the viewer and turns away at the bow and below.
		c = c.mix(shade(albedo, 0.75*u-0.25, 0.55-1.1*t, 0.8, 1-0.6*smoothstep(0.6, 1, t)), a)
	}
	// White gunwales.
	for _, edge := range [...]float64{top, far} {
		d := math.Abs(v-edge) - 0.0036
		c = c.mix(shade(grey(0.82), -0.35, 0.75, 0.45, 1), coverage(max(d, ends), pixel))
	}
	return c
}
