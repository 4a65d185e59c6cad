package scene

import "math"

// The waterline stays between these.
const shoreTop, shoreBottom = 0.872 - 0.088 - 0.018, 0.872 + 0.018

// shoreAt is where the near shore begins: the y of its waterline.
func shoreAt(x float64) float64 {
	v := value(x*3.1, 2.5, 141)
	w := value(x*11, 7.5, 142)
	return 0.872 - 0.088*smoothstep(0.90, 1.09, x) + 0.014*v + 0.004*w
}

// groundAt is the near shore: pebbles, wet at the waterline, and turf.
func groundAt(x, y, line, pixel float64) rgb {
	depth := 1 / (y - 0.60)
	gx, gz := (x-centre)*depth, depth*2.2
	size := pixel * depth * 1.6
	turf := smoothstep(-0.02, 0.22, fbm(gx*0.9, gz*0.9, 4, 151)+0.45*smoothstep(0.80, 1.25, x)+0.30*smoothstep(0.32, 0.05, x)-0.10)

	var c rgb
	if turf < 1 {
		c = pebblesAt(gx, gz, size).times(1 - 0.55*smoothstep(0.022, 0.0, y-line))
	}
	if turf > 0 {
		c = c.mix(turfAt(gx, gz, size), turf)
	}
	return c
}

// pebblesAt and turfAt take a place on the ground, and the size of a pixel
// there.
func pebblesAt(gx, gz, size float64) rgb {
	stone, scale := nearestCell(gx*26, gz*26, 153), 0.55
	if big := nearestCell(gx*11, gz*11, 154); big.id&0xff > 120 && big.distance < 0.42 {
		stone, scale = big, 0.42
	}
	r := stone.distance / scale
	nx, ny := stone.dx/scale, -stone.dy/scale
	tint := float64(stone.id>>8&0xff) / 255
	albedo := rgb{0.26, 0.235, 0.205}.mix(rgb{0.46, 0.43, 0.40}, tint*tint)
	albedo = albedo.times(1 + 0.5*fbm(gx*140, gz*140, octaves(1.0/140, size, 3), 155))
	dark := 1 - 0.80*smoothstep(0.72, 1.05, r)
	n := math.Sqrt(max(0.1, 1-r*r))
	c := shade(albedo.times(dark), 0.75*nx, 0.55+0.3*ny, 0.8*n, dark)
	// Pebbles smaller than a few pixels are an even grey-brown.
	return c.mix(rgb{0.165, 0.145, 0.130}, smoothstep(0.004, 0.022, size))
}

func turfAt(gx, gz, size float64) rgb {
	blades := fbm(gx*60, gz*16, octaves(1.0/60, size, 4), 156)
	green := rgb{0.045, 0.075, 0.016}.mix(rgb{0.15, 0.16, 0.040}, clamp01(0.5+1.2*blades+0.5*fbm(gx*2.2, gz*2.2, 3, 157)))
	return shade(green.times(1+0.8*blades), -0.2, 0.8, 0.3, clamp01(0.8+blades))
}

// boulders lie on the shore; the first is the neutral grey one.
var boulders = []ellipse{
	{1.085, 0.905, 0.092, 0.066},
	{1.185, 0.945, 0.050, 0.034},
	{0.150, 0.925, 0.060, 0.036},
	{0.225, 0.950, 0.034, 0.021},
	{0.990, 0.955, 0.036, 0.020},
}

// boulder draws one of them over c. Its light is without colour, so that grey
// stone is neutral.
func boulder(c rgb, i int, x, y, pixel float64) rgb {
	e := boulders[i]
	if math.Abs(x-e.x) > 1.4*e.rx || math.Abs(y-e.y) > 1.4*e.ry {
		return c
	}
	seed := uint32(160 + i)
	u, v := (x-e.x)/e.rx, (y-e.y)/e.ry
	lump := fbm(u*1.4+float64(i)*5, v*1.4, 3, seed)
	d, nx, ny, _ := e.surface(x, y)
	d += 0.28 * lump * min(e.rx, e.ry)
	a := coverage(d, pixel)
	if a <= 0 {
		return c
	}
	// Facets: the normal leans with the slope of coarse and fine noise.
	n := octaves(0.3*e.rx, pixel, 6)
	const step = 0.02
	base := fbm(u*2.6, v*2.6, n, seed+20)
	sx := (fbm(u*2.6+step, v*2.6, n, seed+20) - base) / step
	sy := (fbm(u*2.6, v*2.6+step, n, seed+20) - base) / step
	nx, ny = 0.9*nx-0.30*sx, -0.9*ny+0.30*sy
	nz := math.Sqrt(max(0.08, 1-nx*nx-ny*ny))
	k := sunDirection.x*nx + sunDirection.y*ny - sunDirection.z*nz
	light := 1.0*clamp01(k) + 0.20 + 0.10*ny
	foot := smoothstep(1.0, 0.3, v)
	return c.mix(grey(0.30*(1+0.35*base)*light*(0.35+0.65*foot)), a)
}

// cast is the shadow that things throw to the right, 1 where there is none.
func cast(x, y float64) float64 {
	s := 1.0
	throw := func(cx, cy, length, thick float64) {
		dx, dy := (x-cx)/length, (y-cy+0.10*(x-cx))/thick
		if dx > -0.12 && dx < 1 {
			width := 1 - 0.6*max(dx, 0)
			s = min(s, 1-0.78*smoothstep(width, 0.55*width, math.Abs(dy))*smoothstep(1, 0.7, dx)*smoothstep(-0.12, 0, dx))
		}
	}
	throw(figureX-0.02, 0.940, 0.42, 0.014)
	throw(boatX, 0.905, 0.30, 0.020)
	for _, e := range boulders {
		throw(e.x, e.y+0.75*e.ry, 2.1*e.rx, 0.5*e.ry)
	}
	return s
}
