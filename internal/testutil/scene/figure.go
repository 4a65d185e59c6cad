package scene

import (
	"math"

	"github.com/chemigram/chemigram/internal/testutil/pixel"
)

// A woman stands on the shore in a red jacket, her face to the sun. She is
// described in a frame of her own: her feet at 0, 0, her height 1, y upwards.
const (
	figureX      = 0.42
	figureY      = 0.945
	figureHeight = 0.44
)

var (
	skin   = fromLab(pixel.Lab{L: 74, A: 16, B: 19})
	redRag = fromLab(pixel.Lab{L: 43, A: 62, B: 42})
	denim  = fromLab(pixel.Lab{L: 29, A: -1, B: -20})
	brown  = fromLab(pixel.Lab{L: 20, A: 7, B: 10})
	tan    = fromLab(pixel.Lab{L: 38, A: 12, B: 24})

	rose    = fromLab(pixel.Lab{L: 46, A: 34, B: 17})
	cream   = fromLab(pixel.Lab{L: 86, A: 1, B: 8})
	mustard = fromLab(pixel.Lab{L: 66, A: 14, B: 58})
)

// limb is a part of her body.
type limb struct {
	capsule
	colour *rgb
}

// limbs are behind the jacket, rightArm is before it; both are drawn in this
// order.
var (
	limbs = []limb{
		{capsule{-0.085, 0.028, 0.026, -0.125, 0.018, 0.019}, &tan},
		{capsule{-0.052, 0.49, 0.066, -0.070, 0.27, 0.046}, &denim},
		{capsule{-0.070, 0.27, 0.046, -0.080, 0.06, 0.033}, &denim},
		{capsule{0.070, 0.024, 0.026, 0.045, 0.014, 0.020}, &tan},
		{capsule{0.046, 0.49, 0.066, 0.058, 0.27, 0.047}, &denim},
		{capsule{0.058, 0.27, 0.047, 0.066, 0.055, 0.034}, &denim},
		// Her left arm hangs.
		{capsule{0.134, 0.590, 0.022, 0.140, 0.480, 0.017}, &skin},
		{capsule{0.141, 0.470, 0.020, 0.138, 0.440, 0.013}, &skin},
		{capsule{0.080, 0.790, 0.040, 0.126, 0.665, 0.033}, &redRag},
		{capsule{0.126, 0.665, 0.033, 0.135, 0.585, 0.031}, &redRag},
	}
	rightArm = []limb{
		{capsule{-0.160, 0.620, 0.022, -0.100, 0.548, 0.018}, &skin},
		{capsule{-0.098, 0.547, 0.020, -0.078, 0.532, 0.014}, &skin},
		{capsule{-0.080, 0.790, 0.040, -0.160, 0.672, 0.034}, &redRag},
		{capsule{-0.160, 0.672, 0.034, -0.146, 0.604, 0.031}, &redRag},
	}
	scarf = []capsule{
		{0.026, 0.835, 0.019, 0.040, 0.700, 0.024},
		{-0.046, 0.838, 0.024, 0.046, 0.836, 0.024},
		{-0.038, 0.858, 0.017, 0.040, 0.852, 0.019},
	}
)

// jacket is its half width by height.
var jacket = profile{
	{0.440, 0.118}, {0.50, 0.112}, {0.62, 0.090}, {0.72, 0.100}, {0.785, 0.106}, {0.825, 0.086}, {0.85, 0.040},
}

// figure draws her over c.
func figure(c rgb, x, y, pixel float64) rgb {
	x, y = (x-figureX)/figureHeight, (figureY-y)/figureHeight
	if x < -0.22 || x > 0.18 || y < -0.01 || y > 1.03 {
		return c
	}
	px := pixel / figureHeight
	folds := fbm(x*14+y*5, y*11, octaves(1.0/14, px, 5), 121)
	weave := 1 + 0.35*fbm(x*150, y*210, octaves(1.0/150, px, 4), 123)
	draw := func(albedo rgb, d, nx, ny, nz float64) {
		if a := coverage(d, px); a > 0 {
			c = c.mix(shade(albedo, nx, ny, nz, 1), a)
		}
	}
	part := func(k capsule, colour *rgb) {
		d, nx, ny, nz := k.surface(x, y)
		albedo := *colour
		if colour != &skin {
			albedo = albedo.times(weave)
			nx, ny = nx+0.5*folds, ny+0.4*folds
		}
		draw(albedo, d, nx, ny, nz)
	}
	for _, k := range limbs {
		part(k.capsule, k.colour)
	}
	hairs := 1 + 0.9*fbm(x*160, y*9, octaves(1.0/160, px, 3), 122)
	for _, k := range []capsule{{0.034, 0.92, 0.030, 0.058, 0.79, 0.024}, {-0.036, 0.92, 0.026, -0.058, 0.80, 0.022}} {
		d, nx, ny, nz := k.surface(x, y)
		draw(brown.times(hairs), d+0.006*folds, nx, ny, nz)
	}
	// The jacket, with its zip and pockets.
	if y > 0.43 && y < 0.855 {
		w := jacket.interpolate(y)
		nx := x / w
		d := max((math.Abs(nx)-1)*w, max(0.440-y, y-0.85))
		albedo := redRag.times(weave)
		pocket := math.Abs(math.Abs(x+0.01)-0.055+0.25*(y-0.53)) + max(0, math.Abs(y-0.525)-0.030)
		if math.Abs(x+0.018) < 0.0035 || pocket < 0.003 {
			albedo = redRag.times(0.30)
		}
		draw(albedo, d, nx*0.85+0.65*folds, 0.5*folds, math.Sqrt(max(0, 1-nx*nx)))
	}
	for _, k := range rightArm {
		part(k.capsule, k.colour)
	}
	c = head(c, x, y, px, hairs)
	knit := 0.80 + 0.20*math.Abs(math.Mod(math.Abs(x*90+y*60), 2)-1)
	for _, k := range scarf {
		d, nx, ny, nz := k.surface(x, y)
		draw(cream.times(knit), d+0.003*folds, nx, ny, nz)
	}
	return c
}

// head is her head in a woollen hat, turned a little to the sun.
func head(c rgb, x, y, px, hairs float64) rgb {
	paint := func(albedo rgb, e ellipse, extra float64) {
		d, nx, ny, nz := e.surface(x, y)
		if a := coverage(max(d, extra), px); a > 0 {
			c = c.mix(shade(albedo, nx, ny, nz, 1), a)
		}
	}
	paint(brown.times(hairs), ellipse{0.002, 0.922, 0.053, 0.062}, -1)
	spot := func(cx, cy, rx, ry float64) float64 {
		u, v := (x-cx)/rx, (y-cy)/ry
		return math.Exp(-u*u - v*v)
	}
	face := ellipse{-0.006, 0.920, 0.041, 0.056}
	if d, nx, ny, nz := face.surface(x, y); d < px {
		albedo := skin
		for _, cheek := range [...]float64{-0.030, 0.020} {
			albedo = albedo.mix(albedo.mul(rgb{1, 0.80, 0.78}), 0.5*spot(cheek, 0.904, 0.014, 0.011))
		}
		albedo = albedo.mix(rose, 0.8*spot(-0.009, 0.8865, 0.0125, 0.0042))
		for _, eye := range [...]float64{-0.026, 0.009} {
			albedo = albedo.mix(brown, 0.55*spot(eye, 0.9425, 0.010, 0.0026))
			albedo = albedo.mix(grey(0.012), 0.92*spot(eye, 0.9310, 0.0060, 0.0036))
		}
		// The nose stands out: lit on its left, dark on its right.
		nx += 0.8 * spot(-0.010, 0.914, 0.007, 0.015) * (x + 0.012) / 0.007
		shadow := 1 - 0.35*spot(-0.006, 0.900, 0.009, 0.003)
		// Rounder than the outline: cheeks catch the light.
		c = c.mix(shade(albedo, 0.8*nx, ny*0.7, nz+0.2, shadow).times(1.12), coverage(d, px))
	}
	rib := 0.72 + 0.28*math.Abs(math.Mod(math.Abs(x*110), 2)-1)
	paint(mustard.times(rib), ellipse{0.001, 0.938, 0.056, 0.062}, 0.958-y)
	paint(mustard.times(0.85*rib), ellipse{0.001, 0.955, 0.060, 0.034}, math.Abs(y-0.956+0.06*x)-0.012)
	paint(mustard.times(0.9+0.3*hairs), ellipse{0.006, 1.004, 0.017, 0.016}, -1)
	return c
}
