package chemigram

import (
	"context"
	goimage "image"
	"math"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/render"
	"github.com/chemigram/chemigram/xmp/mask"
)

// sourceSize is the longest edge of the picture in which a source is looked for.
const sourceSize = 1024

// sourceFor gives the source of a spot that was given none: that of the same
// spot, when it is there already, so that a call again changes nothing.
func (e *Engine) sourceFor(
	ctx context.Context, img *workspace.Image, now session, f mask.Frame, at spotPlace, kind SpotKind, spots []mask.Spot,
) (*[2]float64, error) {
	const same = 1e-3
	for _, s := range spots {
		there := seen(f, s)
		if s.Kind == kind && math.Abs(there.X-at.x) < same && math.Abs(there.Y-at.y) < same && math.Abs(there.Radius-at.radius) < same {
			return &[2]float64{there.SourceX, there.SourceY}, nil
		}
	}
	return e.neighbour(ctx, img, now, f, at)
}

// neighbour finds a place to heal a spot from: of those around it, the one
// whose colour and texture are most like the spot's surroundings.
func (e *Engine) neighbour(ctx context.Context, img *workspace.Image, now session, f mask.Frame, at spotPlace) (*[2]float64, error) {
	picture, _, err := e.preview(ctx, img, now.head.Sidecar, sourceSize, nil)
	if err != nil {
		return nil, err
	}
	pixels, err := render.Load(picture.Path)
	if err != nil {
		return nil, err
	}
	short := min(f.Developed.Width, f.Developed.Height)
	sx, sy := short/f.Developed.Width, short/f.Developed.Height
	rim := at.radius + at.feather
	want := spotLookOf(pixels, at.x, at.y, rim, 1.5*rim)
	var best *[2]float64
	least := math.Inf(1)
	const directions = 12
	for _, far := range []float64{1.1, 1.6} {
		for i := range directions {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / directions)
			d := far * (at.radius + rim)
			source := [2]float64{at.x + d*cos*sx, at.y + d*sin*sy}
			try := at
			try.source = &source
			if try.checkSource(f.Developed) != nil {
				continue
			}
			if off := spotLookOf(pixels, source[0], source[1], 0, rim).from(want); off < least {
				best, least = &source, off
			}
		}
	}
	if best == nil {
		return nil, fault.New(fault.Masking, "around the spot at %.4g, %.4g there is no place to heal it from: give source_x and source_y", at.x, at.y)
	}
	return best, nil
}

// spotLook is the mean colour of a place, and how much it varies.
type spotLook struct{ r, g, b, texture float64 }

// from tells how far two looks are apart.
func (l spotLook) from(m spotLook) float64 {
	return math.Abs(l.r-m.r) + math.Abs(l.g-m.g) + math.Abs(l.b-m.b) + 3*math.Abs(l.texture-m.texture)
}

// spotLookOf measures a ring about a place; radii are in the shorter side.
func spotLookOf(m goimage.Image, x, y, inner, outer float64) spotLook {
	box := m.Bounds()
	short := float64(min(box.Dx(), box.Dy()))
	cx, cy := x*float64(box.Dx()), y*float64(box.Dy())
	inner, outer = inner*short, max(outer*short, 1)
	var l spotLook
	n, squares := 0.0, 0.0
	for j := int(cy - outer); float64(j) <= cy+outer; j++ {
		for i := int(cx - outer); float64(i) <= cx+outer; i++ {
			d := math.Hypot(float64(i)+0.5-cx, float64(j)+0.5-cy)
			if d < inner || d > outer || !goimage.Pt(box.Min.X+i, box.Min.Y+j).In(box) {
				continue
			}
			r, g, b, _ := m.At(box.Min.X+i, box.Min.Y+j).RGBA()
			n++
			l.r, l.g, l.b = l.r+float64(r)/0xffff, l.g+float64(g)/0xffff, l.b+float64(b)/0xffff
			squares += float64(g) / 0xffff * float64(g) / 0xffff
		}
	}
	if n == 0 {
		return spotLook{texture: math.Inf(1)}
	}
	l.r, l.g, l.b = l.r/n, l.g/n, l.b/n
	l.texture = math.Sqrt(max(squares/n-l.g*l.g, 0))
	return l
}
