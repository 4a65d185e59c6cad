package mask_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/internal/testutil/scene"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
	"github.com/chemigram/chemigram/xmp/mask"
)

// spotted makes an instance of the retouch module.
func (s *developer) spotted(spots ...mask.Spot) xmp.Put {
	s.Helper()
	p := s.put("retouch", "spots", nil)
	made, err := mask.CompileSpots(s.release.BlendVersion(), spots)
	if err != nil {
		s.Fatal(err)
	}
	params, err := s.release.Defaults("retouch")
	if err != nil {
		s.Fatal(err)
	}
	for i, spot := range spots {
		for field, v := range map[string]iop.Value{
			"formid": iop.Number(float64(made.Forms[i+1].ID)), "algorithm": iop.Text(mask.Algorithms[spot.Kind]), "distort_mode": iop.Number(2),
		} {
			if params, err = params.With(fmt.Sprintf("rt_forms[%d].%s", i, field), v); err != nil {
				s.Fatal(err)
			}
		}
	}
	p.Entry.Params, p.Forms, p.Entry.BlendVersion = params.Encode(), made.Forms, made.Blend.Version
	if p.Entry.Blend, err = made.Blend.Encode(); err != nil {
		s.Fatal(err)
	}
	return p
}

// texture is a surface with a fine pattern that differs everywhere, under light
// that falls off to the right, and with specks of dust.
type texture struct{ dust [][2]float64 }

const speck = 0.015 // the radius of dust, in the shorter side

func (texture) Name() string { return "texture" }

func (s texture) Image(width, height int) dng.Image {
	short := float64(min(width, height))
	return dng.Image{Width: width, Height: height, Row: func(y int, rgb []float32) {
		for x := range width {
			u, v := float64(x)/short, float64(y)/short
			light := dng.MiddleGrey * (1 + 0.12*math.Sin(250*u+60*v*v)*math.Cos(200*v-50*u*u)) * (1.2 - 0.3*u)
			for _, d := range s.dust {
				if math.Hypot(float64(x)+0.5-d[0]*float64(width), float64(y)+0.5-d[1]*float64(height)) < speck*short {
					light *= 0.4
				}
			}
			rgb[3*x], rgb[3*x+1], rgb[3*x+2] = float32(light), float32(light), float32(light)
		}
	}}
}

func TestSpotsChangeTheirPlaceAlone(t *testing.T) {
	t.Parallel()
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		dust := [][2]float64{{0.3, 0.35}, {0.7, 0.6}}
		s := newDeveloper(t, dt, texture{dust}, scene.Options{Megapixels: 0.15})
		const radius, border = 0.03, 0.01
		// Sources are whole pixels away, in a picture of 476 by 316, and a
		// little more: darktable cuts fractions off.
		circle := func(x, y float32) mask.Circle { return mask.Circle{X: x, Y: y, Radius: radius, Border: border} }
		spots := map[string][]mask.Spot{
			"clone":       {{ID: 1, Kind: mask.SpotClone, Shape: circle(0.3, 0.35), SourceX: 0.3 + 71.4/476, SourceY: 0.35 + 47.4/316}},
			"heal":        {{ID: 1, Kind: mask.SpotHeal, Shape: circle(0.3, 0.35), SourceX: 0.36, SourceY: 0.35}},
			"clone, path": {{ID: 1, Kind: mask.SpotClone, Shape: polygon(border, 0.28, 0.31, 0.32, 0.31, 0.32, 0.39, 0.28, 0.39), SourceX: 0.28 + 71.4/476, SourceY: 0.31 + 47.4/316}},
			"both": {
				{ID: 1, Kind: mask.SpotHeal, Shape: circle(0.3, 0.35), SourceX: 0.36, SourceY: 0.35},
				{ID: 2, Kind: mask.SpotClone, Shape: circle(0.7, 0.6), SourceX: 0.7 - 48.4/476, SourceY: 0.6},
			},
		}
		jobs := map[string]*xmp.Sidecar{"plain": s.baseline}
		for name, list := range spots {
			jobs[name] = s.with(s.baseline, s.spotted(list...))
		}
		pictures := s.develop(jobs)
		plain := pictures["plain"]
		for name, list := range spots {
			for i, spot := range list {
				x, y := dust[i][0], dust[i][1]
				moved, touched, out := pairs{}, 0, 0.0
				inside, around := colours{}, colours{}
				ax, ay, _ := mask.Anchor(spot.Shape)
				dx := int(math.Round(float64(spot.SourceX-ax) * float64(plain.Width)))
				dy := int(math.Round(float64(spot.SourceY-ay) * float64(plain.Height)))
				for k := range plain.Width * plain.Height {
					px, py := k%plain.Width, k/plain.Width
					d := apart(plain, k, x, y)
					before, after := plain.At(px, py), pictures[name].At(px, py)
					change := math.Abs(before.G - after.G)
					switch {
					case d < speck:
						moved.add(after.G, plain.At(px+dx, py+dy).G)
						inside.add(after)
						if change > 0.01 {
							touched++
						}
					case d > radius+border && d < 2*radius:
						around.add(after)
					case d > 2*radius && (len(list) == 1 || apart(plain, k, dust[1-i][0], dust[1-i][1]) > 2*radius):
						out = max(out, change)
					}
				}
				e := pixel.DeltaE2000(inside.mean().Lab(), around.mean().Lab())
				if touched == 0 || out > 1e-4 {
					t.Errorf("%s, spot %d: %d pixels of it changed; 2 radii away something did by %.5f", name, spot.ID, touched, out)
				}
				if r := moved.correlation(); spot.Kind == mask.SpotClone && !(r > 0.9) {
					t.Errorf("%s, spot %d: what was cloned has a correlation of %.3f with its source", name, spot.ID, r)
				}
				if spot.Kind == mask.SpotHeal && !(e < 2) {
					t.Errorf("%s, spot %d: what was healed is ΔE %.2f off its surroundings", name, spot.ID, e)
				}
			}
		}
	})
}

// pairs are values side by side.
type pairs struct{ n, x, y, xx, yy, xy float64 }

func (p *pairs) add(x, y float64) {
	p.n, p.x, p.y, p.xx, p.yy, p.xy = p.n+1, p.x+x, p.y+y, p.xx+x*x, p.yy+y*y, p.xy+x*y
}

func (p *pairs) correlation() float64 {
	return (p.n*p.xy - p.x*p.y) / math.Sqrt((p.n*p.xx-p.x*p.x)*(p.n*p.yy-p.y*p.y))
}

// colours are added up for their mean.
type colours struct {
	sum pixel.Colour
	n   float64
}

func (c *colours) add(p pixel.Colour) {
	c.sum.R, c.sum.G, c.sum.B, c.n = c.sum.R+p.R, c.sum.G+p.G, c.sum.B+p.B, c.n+1
}

func (c *colours) mean() pixel.Colour {
	return pixel.Colour{R: c.sum.R / c.n, G: c.sum.G / c.n, B: c.sum.B / c.n}
}

// apart is how far pixel k lies from a place, in the shorter side.
func apart(m *pixel.Image, k int, x, y float64) float64 {
	dx, dy := float64(k%m.Width)+0.5-x*float64(m.Width), float64(k/m.Width)+0.5-y*float64(m.Height)
	return math.Hypot(dx, dy) / float64(min(m.Width, m.Height))
}
