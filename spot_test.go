package chemigram

import (
	"errors"
	"math"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/xmp/mask"
)

// dusty is an even surface under light that falls off, with specks of dust.
type dusty [][2]float64

const speck = 0.012 // of the shorter side

func (dusty) Name() string { return "dusty" }

func (s dusty) Image(width, height int) dng.Image {
	short := float64(min(width, height))
	return dng.Image{Width: width, Height: height, Row: func(y int, rgb []float32) {
		for x := range width {
			light := dng.MiddleGrey * (1.3 - 0.5*float64(x)/float64(width))
			for _, d := range s {
				if math.Hypot(float64(x)+0.5-d[0]*float64(width), float64(y)+0.5-d[1]*float64(height)) < speck*short {
					light *= 0.3
				}
			}
			rgb[3*x], rgb[3*x+1], rgb[3*x+2] = float32(light), float32(light), float32(0.8*light)
		}
	}}
}

// spotOff is how far a place of speck's size is from what surrounds it.
func spotOff(m *pixel.Image, x, y float64) float64 {
	short := float64(min(m.Width, m.Height))
	box := func(r float64) pixel.Rect {
		w, h := r*short/float64(m.Width), r*short/float64(m.Height)
		return pixel.Rect{X: x - w, Y: y - h, Width: 2 * w, Height: 2 * h}
	}
	return pixel.DeltaE2000(m.Mean(box(speck/2)).Lab(), m.Mean(box(3*speck)).Lab())
}

// twentyDiscs are places within the middle of a picture, away from some others.
func twentyDiscs(from dusty) (discs [][2]float64) {
	for i := 0; len(discs) < 20; i++ {
		x, y := 0.24+0.105*float64(i%7), 0.24+0.15*float64(i/7)
		free := func(d [2]float64) bool { return math.Hypot(1.5*(x-d[0]), y-d[1]) > 0.11 }
		if free(from[0]) && free(from[1]) && free(from[2]) {
			discs = append(discs, [2]float64{x, y})
		}
	}
	return discs
}

// Twenty masked moves, three spots and a crop are all in their places, and taking
// one of them away leaves the others there.
func TestTwentyMaskedMovesThreeSpotsAndACropLiveTogether(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		dust := dusty{{0.3, 0.35}, {0.7, 0.6}, {0.5, 0.8}}
		discs := twentyDiscs(dust)
		e, raw := openWith(t, dt, dust)
		ingest(t, e, raw)
		ctx := t.Context()
		bare := previewOf(t, e, "")
		regions := make([]RegionMove, len(discs))
		for i, d := range discs {
			regions[i].Value = new(-1.5)
			regions[i].Mask = Mask{Shapes: []MaskShape{{Kind: mask.KindCircle, X: &d[0], Y: &d[1], Radius: 0.03, Softness: new(mask.Share(0.01))}}}
		}
		if _, err := e.ApplyPerRegion(ctx, ApplyPerRegionParams{ImageID: "a", PrimitiveName: "exposure", Regions: regions}); err != nil {
			t.Fatal(err)
		}
		plain := previewOf(t, e, "")
		var last ApplySpotResult
		var err error
		heal := func(d [2]float64) ApplySpotParams {
			return ApplySpotParams{ImageID: "a", X: new(Fraction(d[0])), Y: new(Fraction(d[1])), Radius: 2 * speck, NoPicture: true}
		}
		// With corners; the light is the same below.
		clone := func(d [2]float64) ApplySpotParams {
			p := ApplySpotParams{ImageID: "a", Kind: "clone", SourceX: new(Fraction(d[0])), SourceY: new(Fraction(d[1] + 0.1)), Feather: new(Fraction(speck)), NoPicture: true}
			for _, corner := range [][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
				p.Points = append(p.Points, []float64{d[0] + corner[0]*2*speck/1.5, d[1] + corner[1]*2*speck})
			}
			return p
		}
		for i, d := range dust {
			p := heal(d)
			if i == 2 {
				p = clone(d)
			}
			p.NoPicture = i != 0
			if last, err = e.ApplySpot(ctx, p); err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				checkHealed(t, last)
			}
			if last.ID != SpotID(i+1) || len(last.Spots) != i+1 || !last.Changed {
				t.Errorf("spot %d is %d of %d, changed %v", i+1, last.ID, len(last.Spots), last.Changed)
			}
		}
		for i, s := range last.Spots {
			if math.Hypot(s.X-dust[i][0], s.Y-dust[i][1]) > 0.002 || math.Abs(s.Radius-2*speck) > 0.001 {
				t.Errorf("spot %d is seen at %.4f, %.4f with a radius of %.4f", s.ID, s.X, s.Y, s.Radius)
			}
		}
		again, err := e.ApplySpot(ctx, heal(dust[0]))
		if err != nil || again.Changed || again.ID != 1 {
			t.Errorf("the same spot again: id %d, changed %v, %v", again.ID, again.Changed, err)
		}
		healed := previewOf(t, e, "")
		away := make([]pixel.Rect, len(dust))
		for i, d := range dust {
			if before, after := spotOff(plain, d[0], d[1]), spotOff(healed, d[0], d[1]); before < 5 || after > 2 {
				t.Errorf("spot %d was ΔE %.1f off its surroundings and is %.1f", i+1, before, after)
			}
			w, h := 4*speck*2/3, 4*speck
			away[i] = pixel.Rect{X: d[0] - w, Y: d[1] - h, Width: 2 * w, Height: 2 * h}
		}
		// The masked edits are as they were.
		if d, err := pixel.CompareWhere(plain, healed, pixel.Outside(away...)); err != nil || d.Mean > 0.05 {
			t.Errorf("two radii away from the spots the picture is ΔE %.3f off, %v", d.Mean, err)
		}
		fields := []FieldSetting{{"cx", "0.2"}, {"cy", "0.2"}, {"cw", "0.9"}, {"ch", "0.9"}}
		if _, err := e.SetParameters(ctx, SetParametersParams{ImageID: "a", ModuleName: "crop", Fields: fields}); err != nil {
			t.Fatal(err)
		}
		removed, err := e.ApplySpot(ctx, ApplySpotParams{ImageID: "a", Remove: 2})
		if err != nil || len(removed.Spots) != 2 {
			t.Fatalf("%d spots after one of three was removed, %v", len(removed.Spots), err)
		}
		third := regions[2].Mask
		applyMasked(t, e, ApplyPrimitiveParams{PrimitiveName: "exposure", Value: new(0.0), Mask: &third})
		cropped := previewOf(t, e, "")
		for i, d := range dust {
			x, y := (d[0]-0.2)/0.7, (d[1]-0.2)/0.7
			if off := spotOff(cropped, x, y); (off > 2) != (i == 1) {
				t.Errorf("cropped, and spot 2 removed: place %d is ΔE %.1f off its surroundings", i+1, off)
			}
		}
		for i, d := range discs {
			here := lightAt(cropped, (d[0]-0.2)/0.7, (d[1]-0.2)/0.7) / lightAt(bare, d[0], d[1])
			if darkened := here < 0.6; darkened != (i != 2) {
				t.Errorf("cropped, and the third masked move taken away: place %d has %.2f of its light", i+1, here)
			}
		}
		// Between the discs nothing is changed.
		if between := lightAt(cropped, (0.2925-0.2)/0.7, (0.24-0.2)/0.7) / lightAt(bare, 0.2925, 0.24); math.Abs(between-1) > 0.02 {
			t.Errorf("between two masked moves is %.2f of the light", between)
		}
		if s := removed.Spots[1]; s.ID != 3 || math.Hypot(s.X-(dust[2][0]-0.2)/0.7, s.Y-(dust[2][1]-0.2)/0.7) > 0.005 {
			t.Errorf("in the cropped picture spot %d is seen at %.4f, %.4f", s.ID, s.X, s.Y)
		}
	})
}

// checkHealed checks what the answer tells of a spot on an even surface.
func checkHealed(t *testing.T, res ApplySpotResult) {
	t.Helper()
	if res.Score < 0.8 || res.Advice != "" || len(res.Others) != 2 {
		t.Errorf("healed with a score of %.2f, %q, and %d other sources", res.Score, res.Advice, len(res.Others))
	}
	for _, o := range res.Others {
		if o.Score > res.Score || o.SourceX == res.Spots[0].SourceX {
			t.Errorf("another source is %+v, the best scores %.2f", o, res.Score)
		}
	}
	both, err := pixel.Load(res.JPEGPath)
	if err != nil {
		t.Fatal(err)
	}
	// The speck is in the middle of the left picture, and not of the right one.
	dark := func(x float64) float64 {
		return lightAt(both, x, 0.57) / lightAt(both, x, 0.85)
	}
	if before, after := dark(0.25), dark(0.75); before > 0.7 || after < 0.9 {
		t.Errorf("in the middle of the picture before is %.2f of the light, after %.2f", before, after)
	}
}

// lightAt is the light about a place.
func lightAt(m *pixel.Image, x, y float64) float64 {
	return m.Mean(pixel.Rect{X: x - 0.01, Y: y - 0.01, Width: 0.02, Height: 0.02}).Luminance()
}

func TestSpotsThatCannotBeAreRefused(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	here := new(Fraction(0.5))
	for name, c := range map[string]struct {
		params ApplySpotParams
		code   error
	}{
		"no place":              {ApplySpotParams{}, ErrInvalidInput},
		"outside":               {ApplySpotParams{X: new(Fraction(1.2)), Y: here, Radius: 0.1}, ErrInvalidInput},
		"no radius":             {ApplySpotParams{X: here, Y: here}, ErrMasking},
		"two places":            {ApplySpotParams{X: here, Y: here, Radius: 0.1, Points: [][]float64{{0.1, 0.1}}}, ErrInvalidInput},
		"a corner of three":     {ApplySpotParams{Points: [][]float64{{0.1, 0.1, 0.1}}}, ErrInvalidInput},
		"too large":             {ApplySpotParams{X: here, Y: here, Radius: 0.7}, ErrMasking},
		"half a source":         {ApplySpotParams{X: here, Y: here, Radius: 0.1, SourceX: here}, ErrInvalidInput},
		"a clone of nothing":    {ApplySpotParams{Kind: "clone", X: here, Y: here, Radius: 0.1}, ErrInvalidInput},
		"another kind":          {ApplySpotParams{Kind: "smear", X: here, Y: here, Radius: 0.1}, ErrInvalidInput},
		"a place and a removal": {ApplySpotParams{X: here, Remove: 1}, ErrInvalidInput},
	} {
		c.params.ImageID = "a"
		if _, err := e.ApplySpot(t.Context(), c.params); !errors.Is(err, c.code) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
