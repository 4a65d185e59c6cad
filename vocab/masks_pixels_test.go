package vocab_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/internal/testutil/scene"
	"github.com/chemigram/chemigram/render"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
	"github.com/chemigram/chemigram/xmp/mask"
)

// places are parts of the scenes, by the names that claims of masks use.
func places(s vocab.Scene) map[string]pixel.Rect {
	out := map[string]pixel.Rect{}
	if s == vocab.Chart {
		for _, p := range (scene.Chart{}).Patches() {
			out[p.Name] = p.Rect
		}
		return out
	}
	r := scene.Landscape{}.Regions()
	zone := func(x, y, w, h float64) pixel.Rect { return pixel.Rect{X: x, Y: y, Width: w, Height: h} }
	return map[string]pixel.Rect{
		"sky": r.Sky, "cloud highlight": r.CloudHighlight, "mountain": r.Mountain, "foliage": r.Foliage, "water": r.Water,
		"skin": r.Skin, "red cloth": r.RedCloth, "yellow paint": r.YellowPaint, "grey stone": r.GreyStone, "grass": r.Grass,
		"deep shadow": r.DeepShadow,
		"top":         zone(0.3, 0, 0.4, 0.1), "bottom": zone(0.3, 0.9, 0.4, 0.1),
		"left": zone(0, 0.3, 0.1, 0.4), "right": zone(0.9, 0.3, 0.1, 0.4),
		"centre": zone(0.45, 0.45, 0.1, 0.1), "top left": zone(0, 0, 0.08, 0.08), "bottom right": zone(0.92, 0.92, 0.08, 0.08),
	}
}

// smallStudio has scenes of few pixels: masks are smooth.
func smallStudio(t *testing.T, dt testutil.Darktable) *studio {
	t.Helper()
	found, err := render.Find(t.Context(), &render.Options{Path: dt.CLI, Scratch: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	release, err := iop.ReleaseFor(found.Version())
	if err != nil {
		t.Fatal(err)
	}
	s := &studio{dt: found, release: release, raws: map[vocab.Scene]string{}}
	for name, what := range map[vocab.Scene]scene.Scene{vocab.Natural: scene.Landscape{}, vocab.Chart: scene.Chart{}} {
		s.raws[name] = filepath.Join(t.TempDir(), string(name)+".dng")
		if err := scene.Write(s.raws[name], what, scene.Options{Megapixels: 0.06}); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// exposure makes an exposure of a name of its own.
func (s *studio) exposure(t *testing.T, name string, ev, black float64) xmp.Put {
	t.Helper()
	params, err := s.release.Defaults("exposure")
	if err != nil {
		t.Fatal(err)
	}
	for field, v := range map[string]float64{"exposure": ev, "black": black} {
		if params, err = params.With(field, iop.Number(v)); err != nil {
			t.Fatal(err)
		}
	}
	return xmp.Put{Entry: xmp.Entry{
		Operation: "exposure", MultiName: name, Enabled: true, Modversion: params.Modversion(), Params: params.Encode(),
		Origins: []xmp.Origin{{Entry: "test"}},
	}}
}

// developAll develops states of a scene in one run of darktable.
func (s *studio) developAll(t *testing.T, name vocab.Scene, dt testutil.Darktable, icc string, states map[string]*xmp.Sidecar) map[string]*pixel.Image {
	t.Helper()
	in, out := t.TempDir(), t.TempDir()
	var keys []string
	for key := range states {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for i, key := range keys {
		raw := filepath.Join(in, fmt.Sprintf("%04d.dng", i))
		if err := os.Symlink(s.raws[name], raw); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(raw+".xmp", states[key].Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	release := testutil.AcquireDarktable(t)
	defer release()
	log, err := exec.CommandContext(t.Context(), dt.CLI, in, filepath.Join(out, "$(FILE_NAME).png"), "--hq", "true",
		"--apply-custom-presets", "false", "--icc-type", icc, "--core", "--configdir", t.TempDir(), "--library", ":memory:",
		"--disable-opencl", "--conf", "write_sidecar_files=never", "--conf", "plugins/imageio/format/png/bpp=16").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, log)
	}
	pictures := map[string]*pixel.Image{}
	for i, key := range keys {
		load := pixel.LoadLinear
		if icc == "SRGB" {
			load = pixel.Load
		}
		if pictures[key], err = load(filepath.Join(out, fmt.Sprintf("%04d.png", i))); err != nil {
			t.Fatal(err)
		}
	}
	return pictures
}

// Every named mask selects what it claims, and leaves its neighbours.
func TestNamedMasksSelectWhatTheyClaim(t *testing.T) {
	words := builtin(t)
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		s := smallStudio(t, dt)
		for _, on := range []vocab.Scene{vocab.Natural, vocab.Chart} {
			baseline, err := s.Baseline(t.Context(), on)
			if err != nil {
				t.Fatal(err)
			}
			var edits []xmp.Edit
			for _, entry := range baseline.History() {
				if slices.Contains([]string{"sigmoid", "filmicrgb", "basecurve", "agx"}, entry.Operation) {
					entry.Enabled = false
					edits = append(edits, xmp.Put{Entry: entry})
				}
			}
			edits = append(edits, s.exposure(t, "probe 2", -3, 0))
			plain, err := baseline.With(s.release, edits...)
			if err != nil {
				t.Fatal(err)
			}
			states := map[string]*xmp.Sidecar{"plain": plain}
			add := func(name string, m *mask.Mask) {
				put := s.exposure(t, "probe 1", 1, -0.5)
				if m != nil {
					made, err := m.Compile(s.release.BlendVersion(), mask.ColorSpaceRGBScene)
					if err != nil {
						t.Fatal(err)
					}
					put.Entry.BlendVersion, put.Forms = made.Blend.Version, made.Forms
					if put.Entry.Blend, err = made.Blend.Encode(); err != nil {
						t.Fatal(err)
					}
				}
				if states[name], err = plain.With(s.release, put); err != nil {
					t.Fatal(err)
				}
			}
			add("full", nil)
			for _, named := range words.Masks() {
				m, err := named.Mask.Mask(mask.Whole(mask.Size{Width: 3, Height: 2}))
				if err != nil {
					t.Fatal(err)
				}
				add("mask "+named.Name, &m)
			}
			pictures := s.developAll(t, on, dt, "LIN_REC2020", states)
			for _, named := range words.Masks() {
				selected := func(r pixel.Rect) float64 {
					before := pictures["plain"].Mean(r).G
					return (pictures["mask "+named.Name].Mean(r).G - before) / (pictures["full"].Mean(r).G - before)
				}
				var line []string
				for name, r := range places(on) {
					if v := selected(r); v > 0.05 {
						line = append(line, fmt.Sprintf("%s %.2f", name, v))
					}
				}
				slices.Sort(line)
				t.Logf("%s %s: %s", on, named.Name, strings.Join(line, ", "))
				for _, c := range named.Claims {
					if c.Scene != on {
						continue
					}
					r, known := places(on)[c.Place]
					if !known {
						t.Errorf("%s: the %s scene has no %q", named.Name, on, c.Place)
						continue
					}
					v := selected(r)
					if c.AtLeast != nil && !(v >= *c.AtLeast) {
						t.Errorf("%s selects %.2f of %s, want at least %g", named.Name, v, c.Place, *c.AtLeast)
					}
					if c.AtMost != nil && !(v <= *c.AtMost) {
						t.Errorf("%s selects %.2f of %s, want at most %g", named.Name, v, c.Place, *c.AtMost)
					}
				}
			}
		}
	})
}

// A move with a mask of its own changes what is inside, and nothing outside.
func TestMaskedMovesStayInside(t *testing.T) {
	words := builtin(t)
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		s := smallStudio(t, dt)
		baseline, err := s.Baseline(t.Context(), vocab.Natural)
		if err != nil {
			t.Fatal(err)
		}
		if baseline, err = baseline.Compact(s.release); err != nil {
			t.Fatal(err)
		}
		states := map[string]*xmp.Sidecar{"baseline": baseline}
		var moves []*vocab.Entry
		for _, e := range words.List(vocab.Filter{}) {
			where, key, limited := e.Where()
			if !limited {
				continue
			}
			moves = append(moves, e)
			m, err := where.Mask(mask.Whole(mask.Size{Width: 3, Height: 2}))
			if err != nil {
				t.Fatal(err)
			}
			edits, _, err := e.Compile(vocab.Application{
				Baseline: baseline, Current: baseline, Target: s.release, Within: &vocab.Within{Mask: m, Key: key},
			})
			if err != nil {
				t.Fatal(err)
			}
			if states[e.Name], err = baseline.With(s.release, edits...); err != nil {
				t.Fatal(err)
			}
			// The same place, six stops darker, tells where the mask is nothing.
			dark := s.exposure(t, "dark", -6, 0)
			made, err := m.Compile(s.release.BlendVersion(), mask.ColorSpaceRGBScene)
			if err != nil {
				t.Fatal(err)
			}
			dark.Entry.BlendVersion, dark.Forms = made.Blend.Version, made.Forms
			if dark.Entry.Blend, err = made.Blend.Encode(); err != nil {
				t.Fatal(err)
			}
			if states["where "+key], err = baseline.With(s.release, dark); err != nil {
				t.Fatal(err)
			}
		}
		if len(moves) < 8 {
			t.Fatalf("%d moves have a mask", len(moves))
		}
		pictures := s.developAll(t, vocab.Natural, dt, "SRGB", states)
		for _, e := range moves {
			_, key, _ := e.Where()
			plain, moved, where := pictures["baseline"], pictures[e.Name], pictures["where "+key]
			var inside, outside, in, out float64
			for i := range plain.Width * plain.Height {
				x, y := i%plain.Width, i/plain.Width
				before := plain.At(x, y).Lab()
				d := pixel.DeltaE2000(before, moved.At(x, y).Lab())
				switch gone := pixel.DeltaE2000(before, where.At(x, y).Lab()); {
				case gone < 0.05:
					outside, out = outside+d, out+1
				case gone > 20:
					inside, in = inside+d, in+1
				}
			}
			t.Logf("%s: ΔE %.2f in %.0f pixels inside, %.3f in %.0f outside", e.Name, inside/in, in, outside/out, out)
			if !(inside/in > 0.3) || !(outside/out < 0.1) {
				t.Errorf("%s changes ΔE %.2f inside its mask and %.3f outside", e.Name, inside/in, outside/out)
			}
		}
	})
}
