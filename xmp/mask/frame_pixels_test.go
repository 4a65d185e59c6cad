package mask_test

import (
	"math"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/scene"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/mask"
)

// geometries are edits that move pixels about, by name.
func (s *developer) geometries() map[string][]xmp.Edit {
	s.Helper()
	crop := s.put("crop", "", map[string]float64{"cx": 0.1, "cy": 0.15, "cw": 0.8, "ch": 0.9})
	turn := s.put("ashift", "", map[string]float64{"rotation": 10})
	e, ok := s.baseline.Find("rawprepare", "")
	if !ok {
		s.Fatal("no rawprepare")
	}
	borders := s.put("rawprepare", "", nil)
	params, err := s.release.Decode("rawprepare", e.Modversion, e.Params)
	if err != nil {
		s.Fatal(err)
	}
	for field, width := range map[string]float64{"left": 40, "top": 20, "right": 10, "bottom": 10} {
		if params, err = params.With(field, number(width)); err != nil {
			s.Fatal(err)
		}
	}
	borders.Entry = e
	borders.Entry.Params = params.Encode()
	return map[string][]xmp.Edit{
		"nothing":         nil,
		"crop":            {crop},
		"rotation":        {turn},
		"rotation, crop":  {turn, crop},
		"perspective":     {s.put("ashift", "", map[string]float64{"lensshift_v": 0.3, "lensshift_h": -0.1}), crop},
		"borders cut off": {borders},
	}
}

func TestMasksStayOnTheirSubject(t *testing.T) {
	t.Parallel()
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		for orientation, name := range map[int]string{1: "level", 6: "upright"} {
			t.Run(name, func(t *testing.T) {
				spot := grey{0.45, 0.45, 0.03}
				s := newDeveloper(t, dt, spot, scene.Options{Megapixels: 0.06, DNG: dng.Options{Orientation: orientation}})
				on := s.darkerWhere("mask", shape(mask.Circle{X: float32(spot.x), Y: float32(spot.y), Radius: 0.06, Border: 0.01}))
				jobs := map[string]*xmp.Sidecar{}
				for name, edits := range s.geometries() {
					jobs[name] = s.with(s.baseline, edits...)
					jobs[name+" masked"] = s.with(s.baseline, append(edits, on)...)
				}
				pictures := s.develop(jobs)
				for name := range s.geometries() {
					x, y := dot(pictures[name])
					mx, my := selected(pictures[name], pictures[name+" masked"]).centre()
					// At any size: 4.2.1 sets the mask 3 pixels aside in an
					// upright picture that is rotated and cropped.
					if d := math.Hypot(x-mx, y-my); !(d < 4) {
						t.Errorf("%s: the mask is at %.1f, %.1f, its subject at %.1f, %.1f", name, mx, my, x, y)
					}
				}
			})
		}
	})
}

func TestShapesForTheDevelopedPictureFindTheirPlace(t *testing.T) {
	t.Parallel()
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		s := newDeveloper(t, dt, grey{}, scene.Options{Megapixels: 0.06, DNG: dng.Options{Orientation: 6}})
		w, h := scene.Size(0.06)
		probe := mask.NewProbe(mask.Size{Width: float64(w), Height: float64(h)})
		geometries := s.geometries()
		first := map[string]*xmp.Sidecar{}
		for name, edits := range geometries {
			first[name] = s.with(s.baseline, edits...)
			first[name+" across"] = s.with(first[name], s.darkerWhere("probe", shape(probe.Across)))
			first[name+" down"] = s.with(first[name], s.darkerWhere("probe", shape(probe.Down)))
		}
		plain := s.develop(first)
		// Drawn for the developed picture, in its own frame.
		ellipse := mask.Ellipse{X: 0.4, Y: 0.6, RadiusA: 0.3, RadiusB: 0.15, Rotation: 20, Border: 0.1}
		gradient := mask.Gradient{X: 0.6, Y: 0.4, Rotation: 25, Compression: 0.15, Falloff: mask.FalloffLinear}
		path := polygon(0.05, 0.3, 0.3, 0.7, 0.3, 0.7, 0.6, 0.3, 0.6)
		second := map[string]*xmp.Sidecar{}
		for name := range geometries {
			across, down := selected(plain[name], plain[name+" across"]), selected(plain[name], plain[name+" down"])
			frame := probe.Frame(mask.Size{Width: float64(across.w), Height: float64(across.h)}, across.at, down.at)
			second[name+" ellipse"] = s.with(first[name], s.darkerWhere("mask", shape(frame.Shape(ellipse))))
			second[name+" gradient"] = s.with(first[name], s.darkerWhere("mask", shape(frame.Shape(gradient))))
			second[name+" path"] = s.with(first[name], s.darkerWhere("mask", shape(frame.Shape(path))))
		}
		drawn := s.develop(second)
		for name := range geometries {
			w, h := float64(plain[name].Width), float64(plain[name].Height)
			short := min(w, h)
			// The models measure in the shorter side, of a picture that is
			// aspect wide and 1 high; here it is w/short wide and h/short high.
			at := func(x, y float32) (float64, float64) { return float64(x) * w / short / aspect, float64(y) * h / short }
			ex, ey := at(ellipse.X, ellipse.Y)
			gx, gy := at(gradient.X, gradient.Y)
			line := gradient
			line.X, line.Y = float32(gx), float32(gy)
			line.Compression *= float32(math.Hypot(w, h) / short / diagonal)
			left, top := at(0.3, 0.3)
			right, bottom := at(0.7, 0.6)
			for kind, want := range map[string]model{
				"ellipse":  ellipseModel(ex, ey, 0.3, 0.15, 20, 0.4, 0.25),
				"gradient": gradientModel(line),
				"path":     boxModel(left, top, right, bottom, 0.05),
			} {
				m := selected(plain[name], drawn[name+" "+kind])
				mean, n := 0.0, 0.0
				for i, got := range m.at {
					x, y := (float64(i%m.w)+0.5)/short, (float64(i/m.w)+0.5)/short
					// Beyond the picture's rim a turned one is black.
					if value := want(x, y); !math.IsNaN(value) && !math.IsNaN(got) {
						mean, n = mean+math.Abs(got-value), n+1
					}
				}
				// Perspective bends sizes and directions across a shape.
				if mean /= n; mean > 0.03 {
					t.Errorf("%s: the %s is %.3f off in the mean", name, kind, mean)
				}
			}
		}
	})
}
