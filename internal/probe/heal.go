package probe

import (
	"image"
	"math"

	"github.com/chemigram/chemigram/internal/compose"
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/xmp/mask"
)

// HealFrom finds the middle of a place to heal a spot from: of those around the
// spot the one whose colour and texture are most like the spot's surroundings, in
// the developed picture, which has the given size in its frame.
func HealFrom(m image.Image, developed mask.Size, spot compose.SpotPlace) ([2]float64, error) {
	short := min(developed.Width, developed.Height)
	sx, sy := short/developed.Width, short/developed.Height // of a length, as a fraction of a side
	outer := spot.Radius + spot.Feather
	want := measureRing(m, spot.X, spot.Y, outer, 1.5*outer)
	var best [2]float64
	least, found := math.Inf(1), false
	const directions = 12
	for _, distance := range []float64{1.1, 1.6} {
		for i := range directions {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / directions)
			d := distance * (spot.Radius + outer)
			x, y := spot.X+d*cos*sx, spot.Y+d*sin*sy
			if spot.CheckSource(x, y, developed) != nil {
				continue
			}
			if off := measureRing(m, x, y, 0, outer).distance(want); off < least {
				best, least, found = [2]float64{x, y}, off, true
			}
		}
	}
	if !found {
		return best, fault.New(fault.Masking, "around the spot at %.4g, %.4g there is no place to heal it from: give source_x and source_y", spot.X, spot.Y)
	}
	return best, nil
}

// surface is the mean colour of a place, and how much it varies.
type surface struct{ r, g, b, texture float64 }

// distance is how unlike two places look.
func (s surface) distance(t surface) float64 {
	return math.Abs(s.r-t.r) + math.Abs(s.g-t.g) + math.Abs(s.b-t.b) + 3*math.Abs(s.texture-t.texture)
}

// measureRing measures the pixels of a ring about a place; the radii are fractions
// of the shorter side.
func measureRing(m image.Image, x, y, inner, outer float64) surface {
	box := m.Bounds()
	short := float64(min(box.Dx(), box.Dy()))
	cx, cy := x*float64(box.Dx()), y*float64(box.Dy())
	inner, outer = inner*short, max(outer*short, 1)
	var s surface
	n, squares := 0.0, 0.0
	for j := int(cy - outer); float64(j) <= cy+outer; j++ {
		for i := int(cx - outer); float64(i) <= cx+outer; i++ {
			d := math.Hypot(float64(i)+0.5-cx, float64(j)+0.5-cy)
			if d < inner || d > outer || !image.Pt(box.Min.X+i, box.Min.Y+j).In(box) {
				continue
			}
			r, g, b, _ := m.At(box.Min.X+i, box.Min.Y+j).RGBA()
			n++
			s.r, s.g, s.b = s.r+float64(r)/0xffff, s.g+float64(g)/0xffff, s.b+float64(b)/0xffff
			squares += float64(g) / 0xffff * float64(g) / 0xffff
		}
	}
	if n == 0 {
		return surface{texture: math.Inf(1)}
	}
	s.r, s.g, s.b = s.r/n, s.g/n, s.b/n
	s.texture = math.Sqrt(max(squares/n-s.g*s.g, 0))
	return s
}
