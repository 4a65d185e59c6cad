package probe

import (
	"context"
	"errors"
	"image"
	"image/color"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chemigram/chemigram/internal/compose"
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/stack"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/baseline"
	"github.com/chemigram/chemigram/internal/testutil/scene"
	"github.com/chemigram/chemigram/render"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
	"github.com/chemigram/chemigram/xmp/mask"
)

// fresh is a picture that was not edited yet, as a darktable sets it up.
func fresh(t *testing.T, version string) stack.Stack {
	t.Helper()
	sidecar, release, err := baseline.Parse(version)
	if err != nil {
		t.Fatal(err)
	}
	return stack.New(release, sidecar, sidecar)
}

// paint is a picture of 16 bits, of a colour for each place in fractions.
func paint(width, height int, at func(x, y float64) (r, g, b float64)) image.Image {
	m := image.NewNRGBA64(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			r, g, b := at((float64(x)+0.5)/float64(width), (float64(y)+0.5)/float64(height))
			m.SetNRGBA64(x, y, color.NRGBA64{R: uint16(r * 0xffff), G: uint16(g * 0xffff), B: uint16(b * 0xffff), A: 0xffff})
		}
	}
	return m
}

func TestPicturesWithoutAFrameAreRefused(t *testing.T) {
	t.Parallel()
	grey := func(width, height int) image.Image {
		return paint(width, height, func(_, _ float64) (r, g, b float64) { return 0.5, 0.5, 0.5 })
	}
	for name, coded := range map[string]image.Image{"of another size": grey(200, 150), "of which nothing was taken away": grey(150, 200)} {
		if _, err := readFrame(grey(150, 200), coded); !errors.Is(err, fault.Masking) {
			t.Errorf("a picture %s: %v", name, err)
		}
	}
}

func TestGeometryAloneDecidesAboutAFrame(t *testing.T) {
	t.Parallel()
	s := fresh(t, "5.4.1")
	key := func(module, field, value string) [32]byte {
		look := s.Current
		if module != "" {
			var err error
			look, err = s.Set(stack.Settings{Module: module, Fields: []stack.Setting{{Name: field, Value: value}}})
			if err != nil {
				t.Fatal(err)
			}
		}
		even, err := evenGrey(s.Release, look)
		if err != nil {
			t.Fatal(err)
		}
		return geometryKey(even, "raw")
	}
	if plain := key("", "", ""); key("exposure", "exposure", "2") != plain || key("crop", "cx", "0.2") == plain {
		t.Error("exposure changes the key, or a crop does not")
	}
}

func TestAPlaceLikeItsSurroundingsHealsASpot(t *testing.T) {
	t.Parallel()
	// A dark half on the left, where the spot is near the edge, and noise above.
	m := paint(300, 200, func(x, y float64) (r, g, b float64) {
		v := 0.6
		switch {
		case x < 0.4:
			v = 0.1
		case y < 0.4:
			v = 0.6 + 0.2*math.Sin(2000*x)
		}
		return v, v, v
	})
	size := mask.Size{Width: 300, Height: 200}
	spot := compose.SpotPlace{X: 0.5, Y: 0.6, Radius: 0.03, Feather: 0.015}
	sources, err := HealSources(m, size, spot)
	if err != nil || sources[0].X < 0.43 || sources[0].Y < 0.45 || sources[0].Score < 0.9 {
		t.Errorf("healed from %v, %v", sources, err)
	}
	if _, err := HealSources(m, size, compose.SpotPlace{X: 0.5, Y: 0.5, Radius: 0.49, Feather: 0.2}); !errors.Is(err, fault.Masking) {
		t.Errorf("a spot as large as the picture: %v", err)
	}
}

func TestTheLightOfAPointIsItsMean(t *testing.T) {
	t.Parallel()
	m := paint(300, 200, func(x, y float64) (r, g, b float64) {
		switch {
		case x > 0.7:
			return 1, 0.5, 0.5
		case x < 0.3:
			return 0.0001, 0.0001, 0.0001
		}
		return 0.4, 0.3, 0.2
	})
	light, err := Point{X: 0.5, Y: 0.5, Radius: 0.05}.light(m)
	if err != nil || math.Abs(light[0]-0.4) > 1e-4 || math.Abs(light[2]-0.2) > 1e-4 {
		t.Errorf("%v, %v", light, err)
	}
	for _, x := range []float64{0.1, 0.9} {
		if _, err := (Point{X: x, Y: 0.5, Radius: 0.05}).light(m); !errors.Is(err, fault.InvalidInput) {
			t.Errorf("at %g: %v", x, err)
		}
	}
	a, b, err := Point{X: 1, Y: 0, Radius: 0.05}.Colour(m)
	if err != nil || a < 10 || b < 5 {
		t.Errorf("a* %g, b* %g, %v; want a red", a, b, err)
	}
}

func TestAMidToneIsInStops(t *testing.T) {
	t.Parallel()
	grey := func(v float64) image.Image {
		return paint(30, 20, func(_, _ float64) (r, g, b float64) { return v, v, v })
	}
	bright, err := Midtone("a", grey(0.7354), render.Region{}) // half of the light
	if err != nil || math.Abs(bright+1) > 0.01 {
		t.Errorf("%g, %v, want -1", bright, err)
	}
	if _, err := Midtone("a", grey(1), render.Region{}); !errors.Is(err, fault.InvalidInput) {
		t.Errorf("white: %v", err)
	}
}

// A tone curve that is steep here and flat there, and one that never gets so
// bright.
func TestTheMidToneIsFoundBehindAToneCurve(t *testing.T) {
	t.Parallel()
	s := fresh(t, "5.4.1")
	for _, want := range []float64{-3, -1.5, -0.5} {
		looks := 0
		measure := func(_ context.Context, look *xmp.Sidecar) (float64, error) {
			looks++
			entry, _ := look.Find("exposure", "")
			params, err := iop.Decode(entry.Operation, entry.Modversion, entry.Params)
			if err != nil {
				return 0, err
			}
			value, err := params.Get("exposure")
			ev, _ := value.Float()
			return -math.Log2(1 + math.Exp2(-1.3*ev)), err
		}
		look, ev, err := MatchMidtone(t.Context(), "a", s, want, measure)
		if err != nil || looks > maxDevelopments {
			t.Errorf("%g: %v after %d developments", want, err, looks)
			continue
		}
		if got, _ := measure(t.Context(), look); math.Abs(got-want) > midtoneTolerance || ev == 0 {
			t.Errorf("%g: got %g by %g EV", want, got, ev)
		}
	}
	never := func(context.Context, *xmp.Sidecar) (float64, error) { return -3, nil }
	if _, _, err := MatchMidtone(t.Context(), "a", s, -2.8, never); !errors.Is(err, fault.State) {
		t.Errorf("a picture that does not change: %v", err)
	}
	if look, ev, err := MatchMidtone(t.Context(), "a", s, -3, never); err != nil || ev != 0 || look != s.Current {
		t.Errorf("a picture that is right already: %g EV, %v", ev, err)
	}
}

func TestSelectionsAreMeasuredInThreeLooks(t *testing.T) {
	t.Parallel()
	s := fresh(t, "5.4.1")
	m := mask.Mask{Shapes: []mask.Member{{Shape: mask.Circle{X: 0.5, Y: 0.5, Radius: 0.2, Border: 0.02}}}}
	looks, err := selectionLooks(s.Release, s.Current, m)
	if err != nil {
		t.Fatal(err)
	}
	const name = "chemigram probe mask 1"
	for i, want := range []struct{ found, masked bool }{{false, false}, {true, true}, {true, false}} {
		_, found := looks[i].Find("exposure", name)
		if masked := len(looks[i].FormsOf("exposure", name)) > 0; found != want.found || masked != want.masked {
			t.Errorf("look %d: light is added %t, with a mask %t", i, found, masked)
		}
		if tone, _ := looks[i].Find("sigmoid", ""); tone.Enabled {
			t.Errorf("look %d has a tone curve", i)
		}
	}
}

// One development for a geometry, whatever else the look does.
func TestAFrameIsMeasuredOnce(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		raw := filepath.Join(t.TempDir(), "chart.dng")
		if err := scene.Write(raw, scene.Chart{}, scene.Options{Megapixels: 0.1}); err != nil {
			t.Fatal(err)
		}
		darktable, err := render.Find(t.Context(), &render.Options{Path: dt.CLI})
		if err != nil {
			t.Fatal(err)
		}
		checked := 0 // before and after it is developed
		p := New(Options{
			Darktable: func() (*render.Darktable, error) { return darktable, nil },
			TimeLeft:  func(context.Context) time.Duration { return time.Minute },
		})
		file := Raw{Path: raw, Digest: "chart", Check: func() error { checked++; return nil }}
		version := "5.4.1"
		if strings.HasPrefix(darktable.Version(), "4.") {
			version = "4.2.1"
		}
		s := fresh(t, version)
		first := 0
		for i := range 2 {
			frame, err := p.Frame(t.Context(), file, s.Release, s.Current)
			if err != nil {
				t.Fatal(err)
			}
			if x, y := frame.At(0.25, 0.75); math.Abs(x-0.25) > 0.02 || math.Abs(y-0.75) > 0.02 {
				t.Errorf("a quarter of an uncropped picture lies at %.3f, %.3f of the raw", x, y)
			}
			if i == 0 {
				first = checked
			}
		}
		if first == 0 || checked != first {
			t.Errorf("the raw was looked at %d times for the first frame, %d for both", first, checked)
		}
	})
}
