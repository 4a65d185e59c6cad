package scene

import (
	"math"
	"sync"
)

// The landscape is seen from cameraHeight metres above a lake. A place x metres
// to the right, y above the water and z ahead appears at
// centre + focal*x/z, horizon - focal*(y-cameraHeight)/z
// in units of the picture's height.
const (
	aspect       = 1.5
	centre       = aspect / 2
	horizon      = 0.545
	focal        = 1.4
	cameraHeight = 6.0
)

// sunDirection points to the sun: low on the left, a little behind the viewer.
var sunDirection = unit3(vec{-0.80, 0.40, -0.30})

type vec struct{ x, y, z float64 }

func unit3(v vec) vec {
	k := 1 / math.Sqrt(v.x*v.x+v.y*v.y+v.z*v.z)
	return vec{v.x * k, v.y * k, v.z * k}
}

func (v vec) dot(w vec) float64 { return v.x*w.x + v.y*w.y + v.z*w.z }

// terrain is a piece of land as a grid of heights, with what the sun does to it.
type terrain struct {
	x0, z0, step float64
	nx, nz       int
	height       []float32 // metres above the water
	sun          []float32 // cosine to the sun, 0 in cast shadow
	sky          []float32 // how much of the sky is seen
	cover        []float32 // 0 bare, up to 1 under trees
	tone         []float32 // 0 to 1, of the tree that stands there
}

func newTerrain(x0, x1, z0, z1, step float64) *terrain {
	t := &terrain{x0: x0, z0: z0, step: step, nx: int((x1-x0)/step) + 1, nz: int((z1-z0)/step) + 1}
	n := t.nx * t.nz
	for _, m := range []*[]float32{&t.height, &t.sun, &t.sky, &t.cover, &t.tone} {
		*m = make([]float32, n)
	}
	return t
}

// fill sets the heights by a function of place.
func (t *terrain) fill(height func(x, z float64) float64) {
	parallel(t.nz, func(j int) {
		for i := range t.nx {
			t.height[j*t.nx+i] = float32(height(t.x0+float64(i)*t.step, t.z0+float64(j)*t.step))
		}
	})
}

// light computes sun and sky from the heights.
func (t *terrain) light() {
	slope := sunDirection.y / math.Hypot(sunDirection.x, sunDirection.z)
	// The sun stands on the left: shadows travel to the right, line by line.
	drop := float32(slope * t.step / math.Abs(sunDirection.x) * math.Hypot(sunDirection.x, sunDirection.z))
	shift := sunDirection.z / math.Abs(sunDirection.x)
	edge := make([]float32, t.nz)
	next := make([]float32, t.nz)
	shade := make([]float32, len(t.height))
	for i := range t.nx {
		for j := range t.nz {
			// Where the ray to the sun passes the column on the left.
			from := float64(j) + shift
			k := int(math.Floor(from))
			f := float32(from - math.Floor(from))
			var top float32 = -1e9
			if i > 0 && k >= 0 && k+1 < t.nz {
				top = edge[k]*(1-f) + edge[k+1]*f - drop
			}
			h := t.height[j*t.nx+i]
			soft := float32(t.step) * 1.5
			shade[j*t.nx+i] = min(max((h-top)/soft+1, 0), 1)
			next[j] = max(h, top)
		}
		edge, next = next, edge
	}
	parallel(t.nz, func(j int) {
		for i := range t.nx {
			at := func(di, dj int) float64 {
				return float64(t.height[min(max(j+dj, 0), t.nz-1)*t.nx+min(max(i+di, 0), t.nx-1)])
			}
			n := unit3(vec{at(-1, 0) - at(1, 0), 2 * t.step, at(0, -1) - at(0, 1)})
			k := j*t.nx + i
			t.sun[k] = shade[k] * float32(max(n.dot(sunDirection), 0))
			around := (at(-3, 0)+at(3, 0)+at(0, -3)+at(0, 3))/4 - at(0, 0)
			t.sky[k] = float32(min(max(0.5+0.5*n.y-0.14*around/t.step, 0.08), 1))
		}
	})
}

// sample interpolates one of the terrain's maps.
func (t *terrain) sample(m []float32, x, z float64) float64 {
	u, v := (x-t.x0)/t.step, (z-t.z0)/t.step
	u, v = min(max(u, 0), float64(t.nx)-1.001), min(max(v, 0), float64(t.nz)-1.001)
	i, j := int(u), int(v)
	fu, fv := float32(u-float64(i)), float32(v-float64(j))
	k := j*t.nx + i
	return float64((m[k]*(1-fu)+m[k+1]*fu)*(1-fv) + (m[k+t.nx]*(1-fu)+m[k+t.nx+1]*fu)*fv)
}

// bump is a hill: 1 at its centre, falling over rx and rz metres.
func bump(x, z, cx, cz, rx, rz float64) float64 {
	dx, dz := (x-cx)/rx, (z-cz)/rz
	d := dx*dx + dz*dz
	return 1 / (1 + d*(1+0.5*d))
}

// mountains is the far land, and hills the near one under trees. Both are the
// same for every size of picture.
var (
	mountains = sync.OnceValue(func() *terrain {
		t := newTerrain(-7000, 7500, 1500, 10500, 12)
		t.fill(func(x, z float64) float64 {
			envelope := 1650*bump(x, z, 950, 5200, 1100, 1300) +
				1050*bump(x, z, 2900, 4600, 1300, 1500) +
				1500*bump(x, z, -2300, 7600, 1700, 1400) +
				900*bump(x, z, -3400, 4700, 1300, 1500) +
				260*bump(x, z, -500, 2900, 1300, 500)
			e := eroded(x/2300, z/2300, 10, 11)
			return envelope*(0.12+1.25*e) - 60 + 70*fbm(x/700, z/700, 3, 5)
		})
		t.light()
		return t
	})
	hills = sync.OnceValue(newHills)
)

func newHills() *terrain {
	t := newTerrain(-560, 1000, 300, 1500, 1.1)
	t.fill(func(x, z float64) float64 {
		return 175*bump(x, z, 560, 900, 290, 330) + 75*bump(x, z, -420, 1050, 230, 240) +
			16*fbm(x/130, z/130, 5, 21) - 17 - 60*(1-smoothstep(300, 440, z))
	})
	ground := append([]float32(nil), t.height...)
	const spacing = 6.0
	across, deep := int(float64(t.nx)*t.step/spacing), int(float64(t.nz)*t.step/spacing)
	for j := range deep {
		for i := range across {
			x := t.x0 + (float64(i)+random2(i, j, 31))*spacing
			z := t.z0 + (float64(j)+random2(i, j, 32))*spacing
			g := t.sample(ground, x, z)
			clearing := fbm(x/90, z/90, 3, 33)
			if g < 2 || clearing > 0.28 || random2(i, j, 34) < 0.12 {
				continue
			}
			t.plant(ground, tree{
				x: x, z: z,
				tall:    9 + 11*random2(i, j, 35)*(1+clearing),
				tone:    float32(random2(i, j, 37)),
				conifer: random2(i, j, 36) < 0.72,
			})
		}
	}
	t.light()
	return t
}

// tree is a conifer, a cone, or another, a round crown. Tone, 0 to 1, is where its
// colour lies between two.
type tree struct {
	x, z, tall float64
	tone       float32
	conifer    bool
}

// plant raises a tree on the ground.
func (t *terrain) plant(ground []float32, p tree) {
	radius := 0.34 * p.tall
	if p.conifer {
		radius = 0.21 * p.tall
	}
	i0, i1 := int((p.x-radius-t.x0)/t.step), int((p.x+radius-t.x0)/t.step)+1
	j0, j1 := int((p.z-radius-t.z0)/t.step), int((p.z+radius-t.z0)/t.step)+1
	for j := max(j0, 0); j <= min(j1, t.nz-1); j++ {
		for i := max(i0, 0); i <= min(i1, t.nx-1); i++ {
			d := math.Hypot(t.x0+float64(i)*t.step-p.x, t.z0+float64(j)*t.step-p.z) / radius
			if d >= 1 {
				continue
			}
			crown, kind := p.tall*(1-d), float32(1)
			if !p.conifer {
				crown, kind = 0.75*p.tall*math.Sqrt(1-d*d), 0.6
			}
			k := j*t.nx + i
			if h := ground[k] + float32(crown); h > t.height[k] {
				t.height[k], t.cover[k], t.tone[k] = h, kind, p.tone
			}
		}
	}
}
