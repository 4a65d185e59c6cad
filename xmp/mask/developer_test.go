package mask_test

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/internal/testutil/scene"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
	"github.com/chemigram/chemigram/xmp/mask"
)

// developer develops sidecars of one raw with one darktable, at full size into
// linear light.
type developer struct {
	*testing.T
	dt      testutil.Darktable
	release iop.Release
	raw     string
	// baseline is darktable's own history without its tone curve, so that a
	// pixel's light is proportional to the scene's.
	baseline *xmp.Sidecar
}

// curves are the modules that bend light.
var curves = []string{"sigmoid", "filmicrgb", "basecurve", "agx"}

func newDeveloper(t *testing.T, dt testutil.Darktable, s scene.Scene, o scene.Options) *developer {
	t.Helper()
	release, err := iop.ReleaseFor(dt.Name)
	if err != nil {
		t.Fatal(err)
	}
	st := &developer{T: t, dt: dt, release: release, raw: filepath.Join(t.TempDir(), "raw.dng")}
	if err := scene.Write(st.raw, s, o); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "baseline.jpg")
	st.run(st.raw, out, "--width", "64", "--height", "64", "--hq", "false")
	jpeg, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	from, to := bytes.Index(jpeg, []byte("<?xpacket begin")), bytes.Index(jpeg, []byte("<?xpacket end"))
	if from < 0 || to < from {
		t.Fatal("the export has no XMP packet")
	}
	if st.baseline, err = xmp.Parse(jpeg[from : to+len(`<?xpacket end="w"?>`)]); err != nil {
		t.Fatal(err)
	}
	for _, e := range st.baseline.History() {
		if slices.Contains(curves, e.Operation) {
			e.Enabled = false
			st.baseline = st.with(st.baseline, xmp.Put{Entry: e})
		}
	}
	return st
}

func (s *developer) with(side *xmp.Sidecar, edits ...xmp.Edit) *xmp.Sidecar {
	s.Helper()
	next, err := side.With(s.release, edits...)
	if err != nil {
		s.Fatal(err)
	}
	return next
}

// run starts darktable on a file or a folder.
func (s *developer) run(in, out string, args ...string) {
	s.Helper()
	release := testutil.AcquireDarktable(s)
	defer release()
	args = append([]string{in, out}, args...)
	args = append(args, "--apply-custom-presets", "false", "--icc-type", "LIN_REC709", "--core", "--configdir", s.TempDir(), "--library", ":memory:",
		"--disable-opencl", "--conf", "write_sidecar_files=never", "--conf", "plugins/imageio/format/png/bpp=16")
	log, err := exec.CommandContext(s.Context(), s.dt.CLI, args...).CombinedOutput()
	if err != nil {
		s.Fatalf("%v\n%s", err, log)
	}
}

// develop renders sidecars, all in one run of darktable: each lies beside a
// link to the raw.
func (s *developer) develop(sidecars map[string]*xmp.Sidecar) map[string]*pixel.Image {
	s.Helper()
	in, out := s.TempDir(), s.TempDir()
	names := slices.Sorted(maps.Keys(sidecars))
	for i, name := range names {
		raw := filepath.Join(in, fmt.Sprintf("%04d.dng", i))
		if err := os.Link(s.raw, raw); err != nil {
			s.Fatal(err)
		}
		if err := os.WriteFile(raw+".xmp", sidecars[name].Bytes(), 0o600); err != nil {
			s.Fatal(err)
		}
	}
	s.run(in, filepath.Join(out, "$(FILE_NAME).png"), "--hq", "true")
	pictures := map[string]*pixel.Image{}
	for i, name := range names {
		m, err := pixel.LoadLinear(filepath.Join(out, fmt.Sprintf("%04d.png", i)))
		if err != nil {
			s.Fatalf("%s: %v", name, err)
		}
		pictures[name] = m
	}
	return pictures
}

// put makes an instance of a module with some fields set.
func (s *developer) put(operation, name string, fields map[string]float64) xmp.Put {
	s.Helper()
	params, err := s.release.Defaults(operation)
	if err != nil {
		s.Fatal(err)
	}
	for field, v := range fields {
		if params, err = params.With(field, iop.Number(v)); err != nil {
			s.Fatal(err)
		}
	}
	return xmp.Put{Entry: xmp.Entry{
		Operation: operation, MultiName: name, Enabled: true, Modversion: params.Modversion(), Params: params.Encode(),
		Origins: []xmp.Origin{{Entry: name, Pack: "test", Version: "1", Layer: "L3"}},
	}}
}

// darker takes two stops away.
func (s *developer) darker(name string) xmp.Put {
	s.Helper()
	return s.put("exposure", name, map[string]float64{"exposure": -2, "compensate_exposure_bias": 0})
}

// masked limits an edit.
func (s *developer) masked(p xmp.Put, m mask.Mask, space mask.ColorSpace) xmp.Put {
	s.Helper()
	c, err := m.Compile(s.release.BlendVersion(), space)
	if err != nil {
		s.Fatal(err)
	}
	p.Entry.BlendVersion, p.Forms = c.Blend.Version, c.Forms
	if p.Entry.Blend, err = c.Blend.Encode(); err != nil {
		s.Fatal(err)
	}
	return p
}

// darkerWhere takes two stops away within a mask, blending in scene-referred
// RGB.
func (s *developer) darkerWhere(name string, m mask.Mask) xmp.Put {
	s.Helper()
	return s.masked(s.darker(name), m, mask.ColorSpaceRGBScene)
}

// selection is a mask by pixel, 0 to 1, read out of a picture in which the
// masked places are two stops darker; NaN where it is too dark to tell.
type selection struct {
	w, h int
	at   []float64
}

func selected(plain, masked *pixel.Image) selection {
	m := selection{plain.Width, plain.Height, make([]float64, plain.Width*plain.Height)}
	for i := range m.at {
		p, q := plain.At(i%m.w, i/m.w), masked.At(i%m.w, i/m.w)
		m.at[i] = math.NaN()
		if light := p.R + p.G + p.B; light > 0.03 {
			m.at[i] = (1 - (q.R+q.G+q.B)/light) / 0.75
		}
	}
	return m
}

// in is the mean within a part of the picture.
func (m selection) in(r pixel.Rect) float64 {
	sum, n := 0.0, 0.0
	for i, v := range m.at {
		if !math.IsNaN(v) && r.Contains((float64(i%m.w)+0.5)/float64(m.w), (float64(i/m.w)+0.5)/float64(m.h)) {
			sum, n = sum+v, n+1
		}
	}
	return sum / n
}

// centre is the middle of what is selected, in pixels.
func (m selection) centre() (x, y float64) {
	area := 0.0
	for i, v := range m.at {
		if !math.IsNaN(v) {
			x += v * (float64(i%m.w) + 0.5)
			y += v * (float64(i/m.w) + 0.5)
			area += v
		}
	}
	return x / area, y / area
}

// grey is an even surface, with a bright dot when it has a size: a place to find
// again. Lengths are fractions of the shorter side.
type grey struct{ x, y, size float64 }

func (grey) Name() string { return "grey" }

func (g grey) Image(width, height int) dng.Image {
	short := float64(min(width, height))
	return dng.Image{Width: width, Height: height, Row: func(y int, rgb []float32) {
		for x := range width {
			light := float32(dng.MiddleGrey)
			if math.Hypot(float64(x)+0.5-g.x*float64(width), float64(y)+0.5-g.y*float64(height)) < g.size*short {
				light *= 3
			}
			rgb[3*x], rgb[3*x+1], rgb[3*x+2] = light, light, light
		}
	}}
}

// dot finds the bright dot of a grey.
func dot(m *pixel.Image) (x, y float64) {
	n := 0.0
	for i := range m.Width * m.Height {
		if m.At(i%m.Width, i/m.Width).G > 2*dng.MiddleGrey {
			n, x, y = n+1, x+float64(i%m.Width)+0.5, y+float64(i/m.Width)+0.5
		}
	}
	return x / n, y / n
}

// shape is a mask of one shape.
func shape(s mask.Shape) mask.Mask { return mask.Mask{Shapes: []mask.Member{{Shape: s}}} }

// polygon is a path with straight sides.
func polygon(border float32, corners ...float32) mask.Path {
	var p mask.Path
	for i := 0; i < len(corners); i += 2 {
		x, y := corners[i], corners[i+1]
		p.Vertices = append(p.Vertices, mask.Vertex{X: x, Y: y, InX: x, InY: y, OutX: x, OutY: y, BorderA: border, BorderB: border, State: mask.VertexUser})
	}
	return p
}

func number(v float64) iop.Value { return iop.Number(v) }
