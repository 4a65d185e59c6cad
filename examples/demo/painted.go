package demo

import (
	"fmt"
	"math"

	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/scene"
)

// Job is something that a photographer asks to be done to a picture.
type Job string

// The jobs, and what is beside the flower.
const (
	Forest   Job = "forest"
	Sunset   Job = "sunset"
	Pier     Job = "pier"
	Flower   Job = "flower"
	Meadow   Job = "meadow"
	Beach    Job = "beach"
	Leaf     Job = "leaf"
	Glare    Job = "glare"
	Portrait Job = "portrait"
)

// painted are the pictures for the jobs, and the cameras that photograph them.
var painted = map[Job]struct {
	scene  scene.Scene
	camera dng.Options
}{
	Forest:   {scene.Landscape{}, dng.Options{EV: -0.7}},
	Sunset:   {scene.Landscape{}, dng.Options{EV: 0.8, Kelvin: 4200, AsShotKelvin: 5600}},
	Pier:     {tilted{scene.Landscape{}, tilt}, dng.Options{}},
	Flower:   {flower{}, dng.Options{}},
	Meadow:   {meadow{}, dng.Options{}},
	Beach:    {spotted{scene.Landscape{}, spots[Beach]}, dng.Options{}},
	Leaf:     {leaf{}, dng.Options{}},
	Glare:    {spotted{scene.Landscape{}, spots[Glare]}, dng.Options{}},
	Portrait: {scene.Landscape{}, dng.Options{}},
}

// WriteJob writes the raw of a picture for a job, a DNG.
func WriteJob(path string, j Job, megapixels float64) error {
	p, ok := painted[j]
	if !ok {
		return fmt.Errorf("there is no picture for the job %q", j)
	}
	return scene.Write(path, p.scene, scene.Options{Megapixels: megapixels, DNG: p.camera})
}

// Round is a round or oval part of a picture: its middle, in fractions of the width and
// the height, and its half axes, in lengths of the shorter side.
type Round struct{ X, Y, RadiusX, RadiusY float64 }

// Part is what a job's picture is about: the spot, the leaf or the face.
func (j Job) Part() Round {
	switch j {
	case Leaf:
		return Round{0.5, 0.5, leafX, leafY}
	case Portrait:
		skin := (scene.Landscape{}).Regions().Skin
		return Round{skin.X + skin.Width/2, skin.Y + skin.Height/2, 0.02, 0.025}
	}
	at := spots[j]
	return Round{at.x, at.y, spotRadius, spotRadius}
}

// tilt is by how many degrees the horizon leans, clockwise.
const tilt = 3

// tilted is a scene that was photographed with the camera held askew, a little nearer so
// that its corners are full.
type tilted struct {
	scene.Scene
	degrees float64
}

func (t tilted) Image(width, height int) dng.Image {
	const nearer = 1.12
	whole := drawn(t.Scene, width, height)
	sin, cos := math.Sincos(-t.degrees * math.Pi / 180)
	return dng.Image{Width: width, Height: height, Row: func(y int, out []float32) {
		for x := range width {
			dx, dy := (float64(x)-float64(width)/2)/nearer, (float64(y)-float64(height)/2)/nearer
			u := min(max(int(dx*cos-dy*sin+float64(width)/2), 0), width-1)
			v := min(max(int(dx*sin+dy*cos+float64(height)/2), 0), height-1)
			copy(out[3*x:3*x+3], whole[3*(v*width+u):])
		}
	}}
}

// drawn is all of a scene's light, line by line.
func drawn(s scene.Scene, width, height int) []float32 {
	m, whole := s.Image(width, height), make([]float32, 3*width*height)
	for y := range height {
		m.Row(y, whole[3*y*width:3*(y+1)*width])
	}
	return whole
}

// spotRadius is that of a spot and its rim, in lengths of the shorter side.
const spotRadius = 0.02

// spot is something small and round in a picture: where, and how much of the light there
// it keeps and adds.
type spot struct {
	x, y        float64
	keeps, adds float32
}

var spots = map[Job]spot{
	Beach: {x: 0.7, y: 0.08, keeps: 0.45},          // dust
	Glare: {x: 0.58, y: 0.68, keeps: 1, adds: 0.9}, // on the water
}

// spotted is a scene with a spot on it.
type spotted struct {
	scene.Scene
	spot spot
}

func (s spotted) Image(width, height int) dng.Image {
	m := s.Scene.Image(width, height)
	below := m.Row
	m.Row = func(y int, out []float32) {
		below(y, out)
		for x := range width {
			d := math.Hypot(float64(x)-s.spot.x*float64(width), float64(y)-s.spot.y*float64(height))
			if d < 0.8*spotRadius*float64(height) {
				for c := 3 * x; c < 3*x+3; c++ {
					out[c] = out[c]*s.spot.keeps + s.spot.adds
				}
			}
		}
	}
	return m
}

// flower is a red flower that fills the picture; some of its red is lost already.
type flower struct{}

func (flower) Name() string { return "flower" }

func (flower) Image(width, height int) dng.Image {
	return dng.Image{Width: width, Height: height, Row: func(y int, out []float32) {
		for x := range width {
			u, v := (float64(x)-float64(width)/2)/float64(height), float64(y)/float64(height)-0.5
			petal := 0.36 + 0.1*math.Cos(6*math.Atan2(v, u))
			rgb := [3]float32{0.006, 0.02, 0.006}
			if d := math.Hypot(u, v); d < petal {
				light := float32(0.5 + 0.9*d/petal)
				rgb = [3]float32{0.85 * light, 0.02 * light, 0.03 * light}
			}
			copy(out[3*x:], rgb[:])
		}
	}}
}

// meadow is a meadow in the sun.
type meadow struct{}

func (meadow) Name() string { return "meadow" }

func (meadow) Image(width, height int) dng.Image {
	return dng.Image{Width: width, Height: height, Row: func(y int, out []float32) {
		for x := range width {
			light := blades(float64(x)/float64(height), float64(y)/float64(height), 0.35)
			out[3*x], out[3*x+1], out[3*x+2] = 0.5*light, light, 0.2*light
		}
	}}
}

// blades are blades of grass, or leaves: light and shade about a mean.
func blades(u, v, mean float64) float32 {
	return float32(mean * (1 + 0.5*math.Sin(70*u+9*math.Sin(11*v))*math.Cos(60*v+7*math.Sin(9*u))))
}

// leaf is an orange leaf with a hard edge before dark woods.
type leaf struct{}

// The half axes of the leaf, in lengths of the shorter side.
const leafX, leafY = 0.32, 0.2

func (leaf) Name() string { return "leaf" }

func (leaf) Image(width, height int) dng.Image {
	return dng.Image{Width: width, Height: height, Row: func(y int, out []float32) {
		for x := range width {
			u, v := (float64(x)+0.5-float64(width)/2)/float64(height), (float64(y)+0.5)/float64(height)-0.5
			light := blades(u, v, 0.06)
			rgb := [3]float32{0.5 * light, light, 0.4 * light}
			if math.Hypot(u/leafX, v/leafY) < 1 {
				vein := float32(0.8 + 0.2*math.Cos(60*(u-2*math.Abs(v))))
				rgb = [3]float32{0.6 * vein, 0.22 * vein, 0.04 * vein}
			}
			copy(out[3*x:], rgb[:])
		}
	}}
}
