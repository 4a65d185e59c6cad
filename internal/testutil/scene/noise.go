package scene

import "math"

// hash2 hashes a lattice point. It is the only source of randomness in all scenes.
func hash2(x, y int, seed uint32) uint32 {
	h := uint32(x)*0x9e3779b1 ^ uint32(y)*0x85ebca77 ^ seed*0xc2b2ae3d
	h ^= h >> 15
	h *= 0x2c1b3c6d
	h ^= h >> 12
	h *= 0x297a2d39
	h ^= h >> 15
	return h
}

// random2 is a number from 0 to 1 for a lattice point.
func random2(x, y int, seed uint32) float64 { return float64(hash2(x, y, seed)) / (1 << 32) }

// noise is smooth noise of wavelength 1, from -1 to 1, with its slopes.
func noise(x, y float64, seed uint32) (v, dx, dy float64) {
	fx, fy := math.Floor(x), math.Floor(y)
	ix, iy := int(fx), int(fy)
	x, y = x-fx, y-fy
	const unit = 2.0 / (1 << 32)
	a := float64(hash2(ix, iy, seed)) * unit
	b := float64(hash2(ix+1, iy, seed)) * unit
	c := float64(hash2(ix, iy+1, seed)) * unit
	d := float64(hash2(ix+1, iy+1, seed)) * unit
	u, v2 := x*x*x*(x*(x*6-15)+10), y*y*y*(y*(y*6-15)+10)
	du, dv := 30*x*x*(x*(x-2)+1), 30*y*y*(y*(y-2)+1)
	k1, k2, k3 := b-a, c-a, a-b-c+d
	return a + k1*u + k2*v2 + k3*u*v2 - 1, du * (k1 + k3*v2), dv * (k2 + k3*u)
}

// value is noise without its slopes.
func value(x, y float64, seed uint32) float64 {
	fx, fy := math.Floor(x), math.Floor(y)
	ix, iy := int(fx), int(fy)
	x, y = x-fx, y-fy
	a := float64(hash2(ix, iy, seed))
	b := float64(hash2(ix+1, iy, seed))
	c := float64(hash2(ix, iy+1, seed))
	d := float64(hash2(ix+1, iy+1, seed))
	u, v := x*x*x*(x*(x*6-15)+10), y*y*y*(y*(y*6-15)+10)
	top := a + u*(b-a)
	return (top+v*(c+u*(d-c)-top))*(2.0/(1<<32)) - 1
}

// fbm adds octaves of noise, each of half the wavelength and half the weight;
// about -1 to 1.
func fbm(x, y float64, octaves int, seed uint32) float64 {
	sum, weight := 0.0, 0.5
	for range octaves {
		sum += weight * value(x, y, seed)
		// A turn between the octaves hides the lattice.
		x, y = 1.6*x+1.2*y, -1.2*x+1.6*y
		weight /= 2
		seed++
	}
	return sum
}

// billow is fbm with folded octaves: round lumps with sharp valleys between
// them, about -0.3 to 0.6. Octaves average 0, so that a picture which has room
// for fewer of them has as much cloud.
func billow(x, y float64, octaves int, seed uint32) float64 {
	sum, weight := 0.0, 0.5
	for range octaves {
		sum += weight * (math.Abs(value(x, y, seed)) - 0.30)
		x, y = 1.6*x+1.2*y, -1.2*x+1.6*y
		weight /= 2
		seed++
	}
	return sum
}

// eroded is noise whose fine octaves are weak where the coarse ones are steep:
// sharp ridges and smooth slopes, about 0 to 1.
func eroded(x, y float64, octaves int, seed uint32) float64 {
	sum, weight, sx, sy := 0.0, 0.5, 0.0, 0.0
	for range octaves {
		v, dx, dy := noise(x, y, seed)
		sx, sy = sx+dx, sy+dy
		sum += weight * (1 - math.Abs(v)) / (1 + 0.35*(sx*sx+sy*sy))
		x, y = 1.6*x+1.2*y, -1.2*x+1.6*y
		weight /= 2
		seed++
	}
	return sum
}

// octaves is how many halvings of a wavelength stay above two pixels, at least
// 1 and at most limit.
func octaves(wavelength, pixel float64, limit int) int {
	n := 1
	for wavelength /= 2; n < limit && wavelength > 2*pixel; wavelength /= 2 {
		n++
	}
	return n
}

// cell is the nearest of randomly placed points, one for each unit square.
type cell struct {
	distance float64
	dx, dy   float64 // from the point to the place
	id       uint32
}

func nearestCell(x, y float64, seed uint32) cell {
	fx, fy := math.Floor(x), math.Floor(y)
	best := cell{distance: 9}
	for j := -1; j <= 1; j++ {
		for i := -1; i <= 1; i++ {
			h := hash2(int(fx)+i, int(fy)+j, seed)
			dx := x - fx - float64(i) - float64(h&0xffff)/65536
			dy := y - fy - float64(j) - float64(h>>16)/65536
			if d := dx*dx + dy*dy; d < best.distance {
				best = cell{d, dx, dy, h}
			}
		}
	}
	best.distance = math.Sqrt(best.distance)
	return best
}
