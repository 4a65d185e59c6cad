package scene

import "math"

// Foreground things are drawn flat, in units of the picture's height, but
// shaded as the round bodies that they are.

// shade is the light of a surface whose normal points right, up and to the
// viewer by nx, ny, nz; shadow is 1 in full sun.
func shade(albedo rgb, nx, ny, nz, shadow float64) rgb {
	k := -sunDirection.z*nz + sunDirection.x*nx + sunDirection.y*ny
	sun := clamp01((k+0.12)/1.12) * shadow
	return albedo.mul(sunlight.times(1.15 * sun).add(skylight.times(0.62 + 0.30*ny)))
}

// coverage is how much of a pixel lies inside an edge at distance d, which is
// negative inside.
func coverage(d, pixel float64) float64 { return clamp01(0.5 - d/pixel) }

// capsule is a rod from a to b with round ends, of radii ar and br.
type capsule struct{ ax, ay, ar, bx, by, br float64 }

// surface returns the distance to the outline, and the normal of the surface.
func (k capsule) surface(x, y float64) (d, nx, ny, nz float64) {
	vx, vy := k.bx-k.ax, k.by-k.ay
	length := math.Sqrt(vx*vx + vy*vy)
	vx, vy = vx/length, vy/length
	along := max(0, min(length, (x-k.ax)*vx+(y-k.ay)*vy))
	r := k.ar + along/length*(k.br-k.ar)
	ox, oy := x-k.ax-along*vx, y-k.ay-along*vy
	d = math.Sqrt(ox*ox+oy*oy) - r
	// The normal turns around the rod only: joints then show no seam.
	across := (ox*vy - oy*vx) / r
	nx, ny = across*vy, -across*vx
	return d, nx, ny, math.Sqrt(max(0, 1-nx*nx-ny*ny))
}

// ellipse is an ellipsoid's outline.
type ellipse struct{ x, y, rx, ry float64 }

// surface returns the distance to the outline, and the normal of the surface.
func (e ellipse) surface(x, y float64) (d, nx, ny, nz float64) {
	nx, ny = (x-e.x)/e.rx, (y-e.y)/e.ry
	r := math.Sqrt(nx*nx + ny*ny)
	return (r - 1) * min(e.rx, e.ry), nx, ny, math.Sqrt(max(0, 1-r*r))
}

// polygon is a convex outline, its corners in clockwise order on the screen.
type polygon [][2]float64

// distance returns the distance to the outline, negative inside.
func (p polygon) distance(x, y float64) float64 {
	d := math.Inf(-1)
	for i, a := range p {
		b := p[(i+1)%len(p)]
		ex, ey := b[0]-a[0], b[1]-a[1]
		d = max(d, (ey*(x-a[0])-ex*(y-a[1]))/math.Sqrt(ex*ex+ey*ey))
	}
	return d
}

// profile is a value given at a few places, smooth between them.
type profile [][2]float64

// interpolate returns the value at t.
func (p profile) interpolate(t float64) float64 {
	for i := 1; i < len(p); i++ {
		if t <= p[i][0] {
			return p[i-1][1] + (p[i][1]-p[i-1][1])*smoothstep(p[i-1][0], p[i][0], t)
		}
	}
	return p[len(p)-1][1]
}
