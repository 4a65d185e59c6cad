package scene

import "math"

// The light of the late afternoon, scaled so that a white surface that faces
// the sun shows about 1 in every channel.
var (
	sunlight = rgb{0.98, 0.80, 0.58}
	skylight = rgb{0.17, 0.235, 0.34}
	haze     = rgb{0.62, 0.70, 0.82}
)

// landAt is the light of the land that is z metres away, at a place in the
// picture.
func landAt(px, py, z, pixel float64) rgb {
	x := (px - centre) / focal * z
	y := (horizon-py)*z/focal + cameraHeight
	footprint := pixel * z / focal
	var c rgb
	if z < 1500 {
		c = hillAt(x, y, z, footprint)
	} else {
		c = mountainAt(x, y, z, footprint)
	}
	// Air: bluish with distance, brighter low down and towards the sun.
	low := math.Exp(-max(y, 0) / 420)
	through := math.Exp(-z * (1.0/34000 + low/15000))
	left := max(0, 1-px/1.3)
	air := haze.mix(rgb{1.05, 0.90, 0.70}, 0.75*left*left).times(0.72)
	return air.mix(c, through)
}

// hillAt is the near land: trees, clearings and the pebbles of its shore.
func hillAt(x, y, z, footprint float64) rgb {
	t := hills()
	sun, sky, cover := t.sample(t.sun, x, z), t.sample(t.sky, x, z), t.sample(t.cover, x, z)
	// Leaves: finer than the terrain's grid, seen from the side.
	leaf := fbm(x/1.5, (y+0.2*z)/1.5, octaves(1.5, footprint, 5), 51)
	patches := fbm(x/60, z/60, 3, 52)
	tone := t.sample(t.tone, x, z)
	conifer := rgb{0.030, 0.062, 0.020}.mix(rgb{0.055, 0.085, 0.022}, tone)
	broad := rgb{0.105, 0.150, 0.022}.mix(rgb{0.34, 0.185, 0.016}, smoothstep(0.50, 0.85, tone+0.35*patches))
	grass := rgb{0.20, 0.21, 0.055}.mix(rgb{0.13, 0.17, 0.04}, clamp01(0.5+patches))
	albedo := grass
	if cover > 0.02 {
		albedo = conifer
		if cover < 0.8 {
			albedo = broad.mix(conifer, smoothstep(0.6, 0.8, cover))
		}
	}
	if y < 2.2 && cover < 0.1 {
		albedo = rgb{0.34, 0.31, 0.26}
	}
	texture := 1 + 1.1*leaf
	light := sunlight.times(1.25 * sun * max(texture+0.5*leaf, 0.1)).add(skylight.times(0.85 * sky * sky * texture))
	return albedo.mul(light)
}

// mountainAt is the far land: woods low down, then meadows, rock and snow.
func mountainAt(x, y, z, footprint float64) rgb {
	t := mountains()
	sun, sky := t.sample(t.sun, x, z), t.sample(t.sky, x, z)
	n := octaves(90, footprint, 6)
	grain := fbm(x/90, (z+y)/90, n, 61)
	_, sx, _ := noise(x/37, (z+0.6*y)/37, 62)
	_, fx, _ := noise(x/14, (z+0.6*y)/14, 63)
	relief := 0.16*sx + 0.10*fx
	sun = clamp01(sun * (1 + 1.5*grain + 1.6*relief))
	if sun > 0.02 {
		sun = clamp01(sun + 0.10*relief)
	}
	patches := fbm(x/420, z/420, 5, 64)
	trees := fbm(x/15, (1.4*y+0.25*z)/15, octaves(15, footprint, 3), 65)
	rock := rgb{0.235, 0.205, 0.180}.mix(rgb{0.33, 0.29, 0.25}, clamp01(0.5+grain+0.5*trees))
	wood := rgb{0.040, 0.066, 0.026}.times(max(1+0.9*grain+1.3*trees, 0.15))
	meadow := rgb{0.15, 0.165, 0.055}
	c := wood.mix(meadow, smoothstep(300, 480, y+220*patches))
	c = c.mix(rock, smoothstep(430, 640, y+260*patches+160*grain))
	snow := smoothstep(720, 900, y+300*patches+200*grain+190*(sky-0.75))
	c = c.mix(rgb{0.90, 0.91, 0.93}, snow)
	light := sunlight.times(1.22 * sun).add(skylight.times(0.80 * sky * sky))
	return c.mul(light)
}
