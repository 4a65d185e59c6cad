package scene

import "math"

// skyAt is the light of the sky at a place above the horizon, clouds included.
// Pixel is the size of a pixel.
func skyAt(x, y, pixel float64) rgb {
	e := max(horizon-y, 0) / horizon // 0 at the horizon, 1 at the top
	low, high := rgb{0.86, 0.86, 0.80}, rgb{0.125, 0.27, 0.60}
	k := math.Sqrt(e)
	c := low.mix(rgb{0.40, 0.58, 0.86}, smoothstep(0, 0.55, k)).mix(high, smoothstep(0.45, 1.05, k))
	// It is brighter and warmer towards the sun, on the left.
	left := max(0, 1-x/1.1)
	c = c.add(rgb{0.55, 0.40, 0.22}.times(left * left * (1 - 0.6*e)))

	density, lit := clouds(x, y, pixel)
	if density <= 0 {
		return c
	}
	bright := rgb{2.20, 2.00, 1.72}
	shade := rgb{0.50, 0.56, 0.67}.mix(rgb{0.72, 0.70, 0.70}, left)
	cloud := shade.mix(bright, lit)
	return c.mix(cloud, density*(0.35+0.65*smoothstep(0, 0.25, e)))
}

// clouds returns how thick they are at a place, and how sunlit, both 0 to 1.
func clouds(x, y, pixel float64) (density, lit float64) {
	e := max(horizon-y, 0)
	depth := 1 / (e + 0.42)
	px, pz := (x-centre)*depth*1.6+4.3, depth*2.0
	// A bank over the left and the far valley, fair weather elsewhere.
	cover := 0.10*smoothstep(0.9, 0.1, x) + 0.03 - 0.10*smoothstep(0.40, 0.55, e)
	n := octaves(0.6, pixel*depth*2, 8)
	wx, wz := value(px*2.2, pz*2.2, 91), value(px*2.2, pz*2.2, 92)
	px, pz = px+0.06*wx, pz+0.06*wz
	shape := func(px, pz float64) float64 { return 0.85*fbm(px*1.15, pz*1.15, 3, 95) + cover - 0.06 }
	lumps := func(px, pz float64, n int) float64 { return 0.62 * billow(px*3.1, pz*3.1, n, 101) }
	d := shape(px, pz)
	if d < -0.43 {
		return 0, 0 // more than lumps can fill
	}
	d += lumps(px, pz, n)
	density = smoothstep(0, 0.15, d)
	if density == 0 {
		return 0, 0
	}
	// The side towards the sun catches the light; the thick middle is grey below.
	px, pz = px-0.07, pz+0.06
	toward := shape(px, pz) + lumps(px, pz, min(n, 6))
	lit = smoothstep(-0.25, 1.1, 0.55+2.5*(d-toward)-0.55*max(toward-0.10, 0)+0.20*(1-smoothstep(0, 0.2, d)))
	return density, lit
}
